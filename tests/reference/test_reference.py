"""Ground truth: cells, samples of every kind, errors, and the toy histograms of the 2018 paper."""

import numpy as np
import pytest
from refusals import refusals
from scipy.optimize import linprog
from truths import LAM

from prfast import PRCurve, pr_curve
from prfast.reference import TOYS, Densities, Discrete, GaussianMixtures, Gaussians, GaussianShift


def test_discrete_distributions():
    truth = Discrete([2, 1, 1, 0], [0, 1, 2, 1])
    exact = PRCurve.from_masses([2, 1, 1, 0], [0, 1, 2, 1])
    np.testing.assert_array_equal(truth.curve().at(LAM), exact.at(LAM))
    real, fake = truth.sample(20_000, 10_000)
    assert (real.shape, fake.shape) == ((20_000, 1), (10_000, 1))
    counts = np.bincount(real[:, 0].astype(int), minlength=4)
    np.testing.assert_allclose(counts / 20_000, [0.5, 0.25, 0.25, 0], atol=0.02)
    np.testing.assert_allclose(
        truth.log_ratio(np.arange(4)[:, None]), [np.inf, 0, -np.log(2), -np.inf]
    )


def test_the_log_ratio_of_samples_is_the_perfect_scorer():
    truth = Discrete([4, 3, 2, 1], [1, 2, 3, 4])
    curve = pr_curve(*truth.sample(100_000), truth.log_ratio)
    np.testing.assert_allclose(curve.at(LAM[1:-2]), truth.curve().at(LAM[1:-2]), atol=0.01)


# ---- samples of all ----------------------------------------------------------------------------

ALL = [
    Discrete([1, 2], [2, 1]),
    GaussianShift(1.0, 2),
    Gaussians([0, 0], [1, 1]),
    GaussianMixtures([[0, 0], [3, 0]], [1, 2], [2, 1]),
]


@pytest.mark.parametrize("truth", ALL, ids=lambda truth: type(truth).__name__)
def test_samples_are_seeded_and_sizes_free(truth):
    one, two, other = (truth.sample(50, 30, random_state=seed) for seed in (1, 1, 2))
    assert [len(points) for points in one] == [50, 30]
    assert [len(points) for points in truth.sample(7)] == [7, 7]
    assert all(points.dtype == np.float64 and points.ndim == 2 for points in one)
    assert np.array_equal(one[0], two[0])
    assert not np.array_equal(one[0], other[0])
    assert not np.array_equal(*(points[:30] for points in one))
    fresh = [truth.sample(50, random_state=None)[0] for _ in range(2)]
    assert not np.array_equal(*fresh)


# ---- errors ------------------------------------------------------------------------------------


def normal(rng, n):
    return rng.standard_normal((n, 1))


def flat(points):
    return np.zeros(len(points))


def nowhere(points):
    return np.where(points[:, 0] > 0, -np.inf, 0.0)


test_every_error_names_its_argument = refusals("""
Discrete([1, 0], [1, 0]).log_ratio([[0], [1]])
    ValueError: points: cells of positive mass in P or Q, below 2, expected, got 1.0 in row 1
Gaussians([0, 0], [0])
    ValueError: mean_p and mean_q: 1-D arrays of one length
Gaussians([0, 0], [0, 0], np.eye(2), [[1, 2], [2, 1]])
    ValueError: cov_q: positive definite matrices expected
Densities(flat, lambda z: z, normal, normal).curve(10)
    ValueError: log_q: shape (5,) expected for 5 points, got (5, 1)
Densities(lambda z: flat(z) + np.inf, flat, normal, normal).curve(10)
    ValueError: log_p: finite numbers or −∞ expected, got nan or ∞
Densities(nowhere, nowhere, normal, normal).log_ratio([[-1], [0], [1]])
    ValueError: points: a positive density of P or Q expected, got none in row 2
Densities(flat, flat, normal, lambda rng, n: rng.random(n)).sample(3)
    ValueError: sample_q(rng, n): a 2-D array (samples × features) expected, got shape (3,)
""")


def test_densities_with_gaps_have_infinite_ratios():
    """Uniform on [0, 2] and on [1, 3]: half of each is common."""

    def uniform(low):
        return (
            lambda z: np.where((z[:, 0] >= low) & (z[:, 0] < low + 2), np.log(0.5), -np.inf),
            lambda rng, n: rng.uniform(low, low + 2, (n, 1)),
        )

    (log_p, sample_p), (log_q, sample_q) = uniform(0), uniform(1)
    truth = Densities(log_p, log_q, sample_p, sample_q)
    np.testing.assert_array_equal(truth.log_ratio([[0.5], [1.5], [2.5]]), [np.inf, 0, -np.inf])
    curve = truth.curve(1 << 14)
    assert (curve.max_precision, curve.max_recall) == pytest.approx((0.5, 0.5), abs=0.01)
    assert curve.area == pytest.approx(0.25, abs=0.01)


# ---- the toys of 2018 ----------------------------------------------------------------------------


CURVES = {name: pair.curve() for name, pair in TOYS.items()}
INNER = LAM[np.isfinite(LAM) & (LAM > 0)]


def ends(name):
    return CURVES[name].max_precision, CURVES[name].max_recall


def test_a_one_mode_of_two_is_dropped_perfect_precision_half_the_recall():
    assert ends("a") == (1, 0.5)
    np.testing.assert_allclose(CURVES["a"].at(INNER)[0], np.minimum(INNER / 2, 1))


def test_b_one_mode_of_two_is_invented_perfect_recall_half_the_precision():
    assert ends("b") == (0.5, 1)
    np.testing.assert_allclose(CURVES["b"].at(INNER)[0], np.minimum(INNER, 0.5))


def test_c_equal_perfect_precision_and_recall():
    assert ends("c") == (1, 1)
    assert CURVES["c"].contains(1, 1)


def test_d_disjoint_supports_only_the_origin():
    assert ends("d") == (0, 0)
    assert CURVES["d"].contains(0, 0)
    assert not CURVES["d"].contains(1e-9, 1e-9)


def test_e_equal_supports_high_precision_and_low_recall_as_a():
    """Q has 15/16 of its mass where P has one half."""
    np.testing.assert_array_equal(TOYS["e"].p > 0, TOYS["e"].q > 0)
    assert ends("e") == (1, 1)
    expected = np.minimum(INNER / 2, 15 / 16) + np.minimum(INNER / 2, 1 / 16)
    np.testing.assert_allclose(CURVES["e"].at(INNER)[0], expected)
    assert CURVES["e"].precision_at(0.5) == 1
    assert CURVES["e"].precision_at(1) == pytest.approx(1 / 8)
    assert CURVES["e"].f_score(1 / 8) > CURVES["e"].f_score(8)


@pytest.mark.parametrize(("one", "other"), ["ab", "ef"])
def test_b_and_f_are_the_mirror_images_of_a_and_e(one, other):
    assert CURVES[one] == CURVES[other].swap()
    assert CURVES[one] != CURVES[other]  # which a symmetric number cannot tell apart


@pytest.mark.parametrize("name", TOYS)
@pytest.mark.parametrize("lam", [0.03, 0.2, 1, 1.8, 40])
def test_the_sets_are_those_of_the_definition(name, lam):
    """Definition 1 as a linear program: ν = βμ with ν ≤ P and λν ≤ Q, the largest mass β of ν."""
    p, q = TOYS[name].p, TOYS[name].q
    room = list(zip(np.zeros(p.size), np.minimum(p, 1), strict=True))
    result = linprog(-np.ones(p.size), A_ub=lam * np.eye(p.size), b_ub=q, bounds=room)
    np.testing.assert_allclose(CURVES[name].at(lam), (-lam * result.fun, -result.fun), atol=1e-12)
