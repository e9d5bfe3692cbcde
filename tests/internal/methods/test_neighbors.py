"""kNN, IPR, Parzen and coverage curves against their definitions, score by score."""

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from refusals import refusals, refused

import prfast
from prfast.methods.neighbors import NEIGHBOR_METHODS, NeighborScorer
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import squared_mean_radius

METHODS = st.sampled_from(NEIGHBOR_METHODS)


def gaussians(n=300, m=260, d=5, shift=0.4, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=(m, d)) + shift


@given(hostile.point_sets(sizes=(3, 40), dims=(1, 20), count=3), METHODS, st.booleans(), st.data())
@settings(max_examples=40)
def test_scores_are_those_of_the_definition(sets, method, closed, data):
    points, real, fake = hostile.native(sets)
    k = data.draw(st.integers(1, min(len(real), len(fake)) - 1))
    scorer = NeighborScorer([(method, k)], NeighborSearch(), closed=closed).fit(real, fake)
    scores = scorer.score(points)[method, k]
    assert np.array_equal(scores, oracles.neighbor_scores(method, points, real, fake, k, closed))


@given(hostile.point_sets(sizes=(4, 30), dims=(1, 6)), METHODS, st.sampled_from(["real", "fake"]))
@settings(max_examples=50)
def test_a_training_sample_can_be_left_out_of_its_own_neighbors(sets, method, side):
    real, fake = hostile.native(sets)
    points, k = {"real": real, "fake": fake}[side], 2
    scorer = NeighborScorer([(method, k)], NeighborSearch(), count_self=False).fit(real, fake)
    expected = oracles.neighbor_scores(method, points, real, fake, k, leave_out=side)
    assert np.array_equal(scorer.score(points, side)[method, k], expected)


@pytest.mark.parametrize("ties", ["closed", "open"])
def test_the_mean_of_equal_radii_is_each_of_them(ties):
    """27 times √3, summed and divided in float64, is not √3."""
    x = np.arange(27.0)[:, None] * np.ones(3)
    y = 2 * x
    curve = prfast.pr_curve(x, y, "parzen", 1, split=None, ties=ties)
    points = np.concatenate([x, y])
    scores = oracles.neighbor_scores("parzen", points, x, y, 1, ties == "closed")
    assert curve == prfast.PRCurve.from_scores(scores[:27], scores[27:])
    assert set(scores[1:27:2]) == ({1.5} if ties == "closed" else {0.5})


@given(
    st.lists(st.integers(0, 50) | st.floats(1e-9, 1e9), min_size=1, max_size=9),
    st.sampled_from([-1040, 0, 900]),
)
@example([3, 12], 0)  # whose mean radius is √6.75
def test_a_squared_mean_radius_compares_as_the_mean_of_roots_does(squares, exponent):
    squares = np.ldexp(np.array(squares, float), exponent)
    for closed in (True, False):
        t = squared_mean_radius(squares, closed)
        near = np.array([t, np.nextafter(t, np.inf), np.nextafter(t, 0), *squares])
        inside = near <= t if closed else near < t
        assert inside.tolist() == oracles.in_mean_ball(near, squares, closed).tolist()


@pytest.mark.parametrize(("split", "count_self"), [(0.5, True), (None, True), (None, False)])
@pytest.mark.parametrize("ties", ["closed", "open"])
def test_pr_curves_equals_pr_curve(split, count_self, ties):
    real, fake = (np.round(x, 1) for x in gaussians(d=2))
    options = {"split": split, "ties": ties, "count_self": count_self}
    curves = prfast.pr_curves(real, fake, k=(1, "sqrt", 7), **options)
    assert list(curves) == [(m, k) for k in (1, "sqrt", 7) for m in NEIGHBOR_METHODS]
    for (method, k), curve in curves.items():
        number = None if k == "sqrt" else k
        alone = prfast.pr_curve(real, fake, method, number, **options)
        assert curve == alone
        assert curve.info == alone.info


def test_the_default_k_is_the_root_of_the_training_samples():
    real, fake = gaussians(100, 81)
    curve = prfast.pr_curve(real, fake, "knn")
    assert curve.info["k"] == 7  # ⌊√50⌋
    assert (curve.info["split"], curve.info["ties"]) == (0.5, "closed")
    assert prfast.pr_curve(real, fake, "knn", k="sqrt") == curve
    assert (curve.info["n_real"], curve.info["n_fake"], curve.info["n_features"]) == (100, 81, 5)


@given(hostile.point_sets(sizes=(8, 40), dims=(1, 4)), METHODS)
@settings(max_examples=50)
def test_swapping_the_sets_swaps_the_curve_of_equal_sizes(sets, method):
    n = min(map(len, sets)) // 2 * 2
    real, fake = (s[:n].astype(s.dtype.newbyteorder("=")) for s in sets)
    curve = prfast.pr_curve(real, fake, method, 2, split=None)
    swapped = prfast.pr_curve(fake, real, method, 2, split=None)
    # A point with 0/0 or at a tie is real at its threshold on both sides; masses stay the same.
    assert swapped == curve.swap()


@pytest.mark.parametrize("method", NEIGHBOR_METHODS)
def test_curves_approach_the_truth(method):
    truth = prfast.reference.GaussianShift(1.0, 2)
    real, fake = truth.sample(4000)
    least = 0.75 if method == "ipr" else 0.95  # ipr over-estimates (2024 paper, Table 1)
    assert prfast.pr_curve(real, fake, method).iou(truth.curve()) > least


def test_one_huge_sample_is_an_error_not_a_wrong_number():
    real, fake = gaussians(60, 60)
    real[7] = 1e200
    for call in (prfast.pr_curves, prfast.metrics):
        with refused(ValueError, "real and fake: squares of differences within float64"):
            call(real, fake)
    real[7] = 1e140  # within: an outlier, no more
    assert prfast.metrics(real, fake, 3)["recall"] == oracles.metrics(real, fake, 3)["recall"]


SMALL = gaussians(10, 8)


test_errors_name_the_argument = refusals("""
prfast.pr_curve(*SMALL, "ipr", 4)
    ValueError: k: at most 3 expected for 'ipr' with 4 fake training samples, got 4
prfast.pr_curves(*SMALL, k="root")
    ValueError: k: an integer or 'sqrt'
prfast.pr_curves(*SMALL, k=())
    ValueError: k: at least one
prfast.pr_curves(*SMALL, methods=())
    ValueError: methods: at least one
""")
