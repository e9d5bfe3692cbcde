"""The cells of k-means and what lies in them: the curve of pr_curve, and where each sample is."""

import numpy as np
import pytest
from refusals import refusals

import prfast

CENTERS = np.array([[0.0, 0], [9, 0], [0, 9], [9, 9]])
# Four heaps far apart, in P with counts 40 30 20 10, in Q with 10 20 30 0.
OF_REAL, OF_FAKE = np.repeat(range(4), [40, 30, 20, 10]), np.repeat(range(4), [10, 20, 30, 0])
NOISE = np.random.default_rng(0).normal(size=(160, 2))
REAL, FAKE = CENTERS[OF_REAL] + NOISE[:100] / 10, CENTERS[OF_FAKE] + NOISE[100:] / 10
WIDE = 3 * NOISE[:90], 3 * NOISE[90:] + 1


@pytest.mark.parametrize(
    "options",
    [
        {"clusters": 3, "runs": 2},
        {"balance": False, "random_state": 7},
        {"random_state": np.random.SeedSequence(3), "runs": 3},
    ],
)
def test_the_curve_is_that_of_the_method(options):
    result = prfast.reference.papers.partition(*WIDE, **options)
    expected = prfast.pr_curve(*WIDE, "kmeans", **options)
    assert result.curve == expected
    assert dict(result.curve.info) == dict(expected.info)


def test_the_curve_is_the_mean_of_the_curves_of_the_runs():
    result = prfast.reference.papers.partition(*WIDE, clusters=5, runs=4)
    lam = np.array([0, 0.1, 0.5, 1, 2, 10, np.inf])
    each = np.array([curve.at(lam) for curve in result.curves])
    np.testing.assert_allclose(each.mean(axis=0), result.curve.at(lam), atol=1e-15)
    assert (result.runs, result.clusters, len(result.curves)) == (4, 5, 4)
    assert each.std(axis=0).max() > 0.001  # the runs differ


def test_counts_are_those_of_the_labels():
    result = prfast.reference.papers.partition(*WIDE, clusters=6, runs=2)
    for labels, counts in ((result.real, result.counts_real), (result.fake, result.counts_fake)):
        for run in range(2):
            assert [np.sum(labels[run] == cell) for cell in range(6)] == counts[run].tolist()


def test_it_prints_the_cells_of_the_first_run_the_most_real_ones_first():
    result = prfast.reference.papers.partition(REAL, FAKE, clusters=4, runs=2)
    head, *lines = (line.split() for line in str(result).splitlines())
    assert head == ["cell", "real", "fake", "p", "q"]
    assert [line[1:] for line in lines] == [
        ["10", "0", "0.1000", "0.0000"],
        ["40", "10", "0.4000", "0.1667"],
        ["30", "20", "0.3000", "0.3333"],
        ["20", "30", "0.2000", "0.5000"],
    ]
    assert repr(result) == "Cells(2 runs of 4 cells, 100 real, 60 generated samples)"


test_what_is_wrong_is_said = refusals("""
prfast.reference.papers.partition(REAL[:, :1], FAKE)
    ValueError: real and fake: the same number of features expected
prfast.reference.papers.partition(REAL, FAKE, clusters=1)
    ValueError: clusters: an integer of at least 2 expected, got 1
prfast.reference.papers.partition(REAL, FAKE, clusters=161)
    ValueError: real and fake: at least 161 samples together
""")
