"""k-means: cells, runs, balance; no unit and no origin matters."""

import subprocess
import sys

import numpy as np
import oracles
import pytest
from draws import samples
from sklearn.cluster import MiniBatchKMeans

from prfast import pr_curve
from prfast.inputs.concurrency import one_blas_thread
from prfast.reference.papers import partition


def runs_by_hand(real, fake, clusters, runs):
    """Histograms of scikit-learn's own cells, of both sets about their mean; a seed a run."""
    union = np.concatenate([real, fake])
    union = union - union.mean(axis=0)
    for seed in np.random.SeedSequence(0).generate_state(runs):
        kmeans = MiniBatchKMeans(clusters, n_init=10, random_state=int(seed))
        with one_blas_thread():
            kmeans.fit(union)
        real_cells, fake_cells = np.split(kmeans.labels_, [len(real)])
        yield [np.bincount(x, minlength=clusters) / len(x) for x in (real_cells, fake_cells)]


def test_the_curve_is_the_mean_of_ten_runs_of_twenty_cells():
    """2018 paper, §4: no number is said, and each run is made again by hand.  Precision and recall
    are averaged at each λ."""
    real, fake = samples(300, 300, delta=2.0)
    curve = pr_curve(real, fake, "kmeans")
    assert (curve.info["clusters"], curve.info["runs"]) == (20, 10)
    lam = np.geomspace(1e-3, 1e3, 61)
    alpha = np.zeros((10, lam.size))
    for i, (p, q) in enumerate(runs_by_hand(real, fake, 20, 10)):
        alpha[i] = [oracles.alpha(p, q, value) for value in lam]
    assert len({tuple(row) for row in alpha}) == 10
    np.testing.assert_allclose(curve.at(lam), [alpha.mean(axis=0), alpha.mean(axis=0) / lam])
    nine = alpha[:9].mean(axis=0)
    assert np.abs(curve.at(lam)[0] - nine).max() > 1e-4


def test_balance_gives_a_small_set_its_share_of_the_cells():
    """100 real against 10 000 generated samples, far apart: with balance many of the cells are real
    (about half in new versions of scikit-learn, a quarter in old ones), without it one or two."""
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(100, 2)), rng.normal(size=(10_000, 2)) + 12
    cells = {
        balance: np.mean(
            [len(np.unique(x)) for x in partition(real, fake, runs=3, balance=balance).real]
        )
        for balance in (True, False)
    }
    assert cells[True] > 2.5 * cells[False]
    assert cells[False] <= 4


@pytest.mark.parametrize("exponent", [-1000, 1000])
def test_cells_do_not_depend_on_the_unit_even_where_squares_leave_the_range(exponent):
    real, fake = samples(100, 60)
    expected = partition(real, fake, runs=2)
    scaled = partition(np.ldexp(real, exponent), np.ldexp(fake, exponent), runs=2)
    for labels, of_scaled in zip(expected, scaled, strict=True):
        np.testing.assert_array_equal(of_scaled, labels)


def test_there_are_no_more_processes_than_cores():
    program = """
import multiprocessing
import numpy as np, prfast
from prfast.inputs import concurrency
concurrency.usable_cores = lambda: 3
real, fake = np.random.default_rng(0).normal(size=(2, 100, 2))
prfast.pr_curve(real, fake, "kmeans", runs=5, n_jobs=40)
print(len(multiprocessing.active_children()))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "3\n"), done.stderr
