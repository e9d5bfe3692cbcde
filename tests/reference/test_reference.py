"""Ground truth: against closed forms, quadrature and one another."""

import re
from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from prfast import PRCurve, pr_curve
from prfast.reference import (
    Densities,
    Discrete,
    GaussianMixtures,
    Gaussians,
    GaussianShift,
)

LAM = np.array([0, 0.01, 0.1, 0.5, 0.9, 1, 1.1, 2, 10, 100, np.inf])

# A table computed apart from this package, on a grid of angles:
# Δ, α_1, area (without its ends, see below), F_8 = F_1/8
TABLE = [
    (1, 0.617075, 0.679063, 0.899149),
    (5 / 3, 0.404657, 0.376684, 0.740570),
    (7 / 3, 0.243345, 0.166994, 0.534378),
    (3, 0.133614, 0.059688, 0.336512),
]


def refused(error, message):
    """`pytest.raises` for a message stated literally, from its beginning."""
    return pytest.raises(error, match="^" + re.escape(message))


# ---- shifted Gaussians -------------------------------------------------------------------------


@pytest.mark.parametrize(("delta", "alpha", "area", "f_8"), TABLE)
def test_the_table_of_shifted_gaussians(delta, alpha, area, f_8):
    curve = GaussianShift(delta).curve()
    assert curve.at(1.0)[0] == pytest.approx(alpha, abs=1e-6)
    assert curve.f_score(8) == pytest.approx(f_8, abs=1e-6)
    assert curve.f_score(1 / 8) == pytest.approx(f_8, abs=1e-6)
    assert curve.area == pytest.approx(area, abs=1e-4)


def swept(delta, theta):
    """½ ∫ β² dλ over the angles θ to π/2 − θ, by quadrature in u = ln λ, β = α e^{−u}."""
    end = -np.log(np.tan(theta)) if theta else 60.0  # e^{−60} is all that lies beyond
    truth = GaussianShift(delta)

    def density(u):
        return 0.5 * float(truth.alpha(np.exp(u))) ** 2 * np.exp(-u)

    return sum(
        integrate.quad(density, low, high, epsabs=1e-15, epsrel=1e-11, limit=200)[0]
        for low, high in ((-end, 0), (0, end))
    )


@pytest.mark.parametrize("delta", [0.5, *(row[0] for row in TABLE)])
def test_the_area_is_half_the_integral_of_the_squared_recall(delta):
    """Cells make α, and with it the area, too high by a share that falls with their square."""
    exact = swept(delta, 0)
    assert GaussianShift(delta).curve(1 << 17).area == pytest.approx(exact, rel=1e-7)
    assert GaussianShift(delta).curve(1 << 12).area == pytest.approx(exact, rel=3e-5)


@pytest.mark.parametrize(("delta", "alpha", "area", "f_8"), TABLE)
def test_the_printed_area_lacks_the_two_end_sectors_of_its_grid(delta, alpha, area, f_8):
    """The area column of that table is not the area under the curve but 7.5e-5 to 7.9e-5 less.

    It was taken on a grid of 20 000 equal steps of the angle θ = arctan λ without both ends: the
    ray sweeps from θ0 = (π/2)/20000 to π/2 − θ0, and the two end sectors, ½ α_∞² θ0 and ½ β_0² θ0
    with α_∞ = β_0 = 1, together 7.85e-5, are missing.  By quadrature between these angles the
    printed figures come back to 1e-6, by the trapezoidal rule on the grid to their last digit.
    (20 001 steps would give figures that differ by 4e-9, which six digits cannot tell.)
    """
    theta = np.pi / 2 / 20_000
    assert swept(delta, theta) == pytest.approx(area, abs=1e-6)
    assert swept(delta, 0) - swept(delta, theta) == pytest.approx(theta, rel=0.05)
    grid = np.linspace(0, np.pi / 2, 20_001)[1:-1]
    precision = GaussianShift(delta).alpha(np.tan(grid))
    recall = precision / np.tan(grid)
    assert -integrate.trapezoid(precision, recall) == pytest.approx(area, abs=5.1e-7)


@pytest.mark.parametrize("delta", [0.1, 1, 3, 10])
def test_alpha_of_the_cells_is_the_closed_form_and_never_below_it(delta):
    truth = GaussianShift(delta)
    cells = 4096
    bound = 0.05 * delta * ((24 + delta) / cells) ** 2
    lam = np.geomspace(1e-3, 1e3, 201)
    error = truth.curve(cells).at(lam)[0] - truth.alpha(lam)
    assert error.min() > -1e-12
    assert error.max() < 1.05 * bound
    assert truth.curve(4 * cells).at(lam)[0] - truth.alpha(lam) == pytest.approx(0, abs=bound / 14)


def test_alpha_takes_any_shape_and_both_ends():
    truth = GaussianShift(1.0)
    assert truth.alpha(1.0) == pytest.approx(2 * stats.norm.cdf(-0.5), rel=1e-15)
    assert truth.alpha(LAM.reshape(1, -1)).shape == (1, 11)
    assert truth.alpha([]).shape == (0,)
    np.testing.assert_array_equal(truth.alpha([0, np.inf]), [0, 1])


@pytest.mark.parametrize("delta", [0.0, 1e-310])
def test_no_shift_is_no_difference(delta):
    truth = GaussianShift(delta, 4)
    np.testing.assert_array_equal(truth.alpha(LAM), np.minimum(LAM, 1))
    assert truth.curve().area == 1
    np.testing.assert_allclose(truth.log_ratio(np.ones((3, 4))), np.zeros(3), atol=1e-300)


def test_a_large_shift_leaves_nothing_in_common():
    assert GaussianShift(100.0).curve().area == pytest.approx(0, abs=1e-30)


@pytest.mark.parametrize("dim", [1, 16])
def test_samples_have_the_stated_distance_and_unit_covariance(dim):
    real, fake = GaussianShift(2.0, dim).sample(40_000, 30_000)
    assert (real.shape, fake.shape) == ((40_000, dim), (30_000, dim))
    assert np.linalg.norm(real.mean(axis=0)) < 0.04
    assert np.linalg.norm(fake.mean(axis=0)) == pytest.approx(2, abs=0.03)
    for points in (real, fake):
        np.testing.assert_allclose(np.cov(points.T), np.eye(dim).squeeze(), atol=0.04)


def test_the_log_ratio_is_that_of_the_densities():
    truth = GaussianShift(1.5, 3)
    points = truth.sample(20)[0]
    mean = np.full(3, 1.5 / np.sqrt(3))
    p, q = (stats.multivariate_normal(m).logpdf(points) for m in (np.zeros(3), mean))
    np.testing.assert_allclose(truth.log_ratio(points), p - q, atol=1e-12)


# ---- Gaussians ---------------------------------------------------------------------------------


def test_gaussians_of_one_covariance_are_shifted_by_their_mahalanobis_distance():
    rng = np.random.default_rng(0)
    root = rng.normal(size=(3, 3))
    cov, mean = root @ root.T, rng.normal(size=(2, 3))
    distance = np.sqrt((mean[0] - mean[1]) @ np.linalg.solve(cov, mean[0] - mean[1]))
    curve = Gaussians(*mean, cov).curve()
    assert curve.info == {"reference": "Gaussians", "cells": 1 << 15}  # no samples
    np.testing.assert_allclose(curve.at(LAM)[0], GaussianShift(distance).alpha(LAM), atol=1e-6)
    assert Gaussians(*mean, cov, cov.copy()).curve() == curve


def quadrature_alpha(lam, p, q):
    """∫ min(λ p, q) for N(m, s²) in one dimension, between the points where both are equal."""
    (m, s), (k, t) = p, q
    equal = np.roots(
        [
            0.5 / t**2 - 0.5 / s**2,
            m / s**2 - k / t**2,
            0.5 * (k / t) ** 2 - 0.5 * (m / s) ** 2 + np.log(lam * t / s),
        ]
    )
    ends = [-60.0, *np.sort(equal.real[np.abs(equal.imag) < 1e-12]), 60.0]
    return sum(
        integrate.quad(
            lambda x: min(lam * stats.norm.pdf(x, m, s), stats.norm.pdf(x, k, t)),
            low,
            high,
            points=[m, k] if low < min(m, k) and max(m, k) < high else None,
            epsabs=1e-13,
            epsrel=1e-11,
            limit=200,
        )[0]
        for low, high in pairwise(ends)
    )


@pytest.mark.parametrize(("p", "q"), [((0, 1), (1, 2)), ((0, 3), (0, 1)), ((-2, 0.5), (1, 1))])
def test_one_dimension_and_unequal_variances_against_quadrature(p, q):
    """The regions of the ratio are two half-lines and the interval between them."""
    curve = Gaussians([p[0]], [q[0]], [[p[1] ** 2]], [[q[1] ** 2]]).curve()
    for lam in (0.1, 0.7, 1.0, 3.0, 10.0):
        assert curve.at(lam)[0] == pytest.approx(quadrature_alpha(lam, p, q), abs=1e-6)


def test_unequal_covariances_in_the_plane_are_sampled_and_agree_with_products():
    """Independent coordinates, one of them equally distributed: the other one decides."""
    plane = Gaussians([0, 5], [1, 5], np.diag([1.0, 3.0]), np.diag([4.0, 3.0])).curve()
    line = Gaussians([0], [1], [[1.0]], [[4.0]]).curve()
    assert plane.info == {"reference": "Gaussians", "n": 1 << 18, "random_state": 0}
    np.testing.assert_allclose(plane.at(LAM[:-2])[0], line.at(LAM[:-2])[0], atol=1 / 512)
    assert plane.iou(line) > 0.99


@pytest.mark.parametrize("scale", [1e-3, 1e-1, 10.0, 1e3])
def test_scales_that_differ_widely_keep_their_digits(scale):
    """N(0, 1) against N(0, s²): λp >= q outside |x| < c, where both densities are equal."""
    curve = Gaussians([0], [0], [[1.0]], [[scale**2]]).curve()
    for lam in (0.01, 0.5, 1.0, 3.0, 1000.0):
        square = 2 * np.log(lam * scale) / (1 - scale**-2)  # of c
        c = np.sqrt(max(square, 0.0))
        p, q = (2 * stats.norm.sf(c / s) for s in (1, scale))
        alpha = lam * p + 1 - q if scale > 1 else lam * (1 - p) + q
        assert curve.at(lam)[0] == pytest.approx(alpha, abs=1e-7)


def test_gaussians_of_the_smallest_and_the_largest_scale_have_hardly_anything_in_common():
    curve = Gaussians([0], [0], [[1e-6]], [[1e6]]).curve()
    assert curve.at(1.0)[0] == pytest.approx(4.341e-6, rel=1e-3)


def test_symmetry_is_judged_relative_to_the_standard_deviations():
    cov = np.array([[1e12, 1e2 + 1e-3], [1e2, 1e-6]])  # off by 1e-6 of sd × sd: refused
    with refused(ValueError, "covs: finite symmetric matrices expected"):
        GaussianMixtures([[0, 0]], [1], [1], cov)
    cov[0, 1] = 1e2 + 1e-6  # by 1e-9
    GaussianMixtures([[0, 0]], [1], [1], cov)


# ---- mixtures ----------------------------------------------------------------------------------


def modes(dim):
    """The mixture of the 2024 paper: four modes, one of them only real, one only generated."""
    means = np.array([0, -5, 3, 5])[:, None] * np.ones(dim)
    return GaussianMixtures(means, [0.3, 0.2, 0.5, 0], [0, 0.5, 0.2, 0.3])


def test_the_mixture_of_the_2024_paper_in_64_dimensions_is_the_discrete_one():
    """Modes at distances of 16 and more: hardly any overlap, so the components are cells."""
    curve = modes(64).curve()
    assert curve.info["cells"] == 1 << 15
    assert curve.at(10.0) == pytest.approx((0.7, 0.07), abs=1e-12)
    assert curve.at(0.1) == pytest.approx((0.07, 0.7), abs=1e-12)
    assert curve.at(1.0) == pytest.approx((0.4, 0.4), abs=1e-12)
    cells = Discrete([0.3, 0.2, 0.5, 0], [0, 0.5, 0.2, 0.3]).curve()
    assert (cells.max_precision, cells.max_recall) == pytest.approx((0.7, 0.7))
    assert curve.iou(cells) == pytest.approx(1, abs=1e-12)


def test_a_component_far_away_does_not_coarsen_the_others():
    curve = GaussianMixtures([[0], [1], [1e6]], [0.5, 0, 0.5], [0, 0.5, 0.5]).curve()
    lam = np.geomspace(0.1, 10, 41)
    expected = 0.5 * GaussianShift(1).alpha(lam) + 0.5 * np.minimum(lam, 1)
    np.testing.assert_allclose(curve.at(lam)[0], expected, atol=1e-7)


def test_a_component_of_no_weight_takes_no_cells():
    with_it = GaussianMixtures([[0], [1], [50]], [1, 0, 0], [0, 1, 0]).curve()
    np.testing.assert_array_equal(with_it.at(LAM), GaussianShift(1).curve().at(LAM))


@pytest.mark.parametrize("delta", [0.1, 1, 2, 3])
def test_the_default_is_within_1e_7(delta):
    lam = np.geomspace(1e-3, 1e3, 501)
    error = GaussianShift(delta).curve().at(lam)[0] - GaussianShift(delta).alpha(lam)
    assert np.abs(error).max() < 1e-7


@pytest.mark.parametrize("dim", [1, 5])
def test_collinear_mixtures_are_exact_and_agree_with_the_same_densities_sampled(dim):
    mixture = modes(dim)
    n = 1 << 14
    sampled = Densities(mixture.log_p, mixture.log_q, mixture.sample_p, mixture.sample_q).curve(n)
    assert sampled.info == {"reference": "Densities", "n": n, "random_state": 0}
    lam = np.geomspace(0.1, 10, 21)
    for one, two in zip(sampled.at(lam), mixture.curve().at(lam), strict=True):
        np.testing.assert_allclose(one, two, atol=0.02)
    assert sampled.iou(mixture.curve()) > 0.97


def test_collinear_means_are_found_in_any_direction_and_shape():
    """Moved, turned and stretched, all of one shape: the curve is that of the line."""
    rng = np.random.default_rng(1)
    map_, shift = rng.normal(size=(3, 3)), rng.normal(size=3)
    line = np.array([0.0, -2.0, 1.0])
    moved = GaussianMixtures(
        line[:, None] * np.array([1.0, 0, 0]) @ map_.T + shift,
        [1, 2, 0],
        [0, 1, 1],
        map_ @ map_.T,
    ).curve()
    assert "cells" in moved.info
    straight = GaussianMixtures(line[:, None], [1, 2, 0], [0, 1, 1]).curve()
    np.testing.assert_allclose(moved.at(LAM)[0], straight.at(LAM)[0], atol=1e-6)


def test_means_off_one_line_and_covariances_of_each_are_sampled():
    corner = [[0, 0], [1, 0], [0, 1]]
    assert "n" in GaussianMixtures(corner, [1, 1, 0], [0, 1, 1]).curve(1000).info
    covs = np.stack([np.eye(2), 2 * np.eye(2), np.eye(2)])
    line = [[0, 0], [1, 0], [2, 0]]
    assert "n" in GaussianMixtures(line, [1, 1, 0], [0, 1, 1], covs).curve(1000).info


def test_samples_of_a_mixture_have_its_moments():
    covs = np.array([[[1.0, 0.5], [0.5, 2.0]], [[0.25, 0.0], [0.0, 0.25]]])
    mixture = GaussianMixtures([[0, 0], [4, 0]], [3, 1], [0, 1], covs)
    real, fake = mixture.sample(40_000, 30_000)
    np.testing.assert_allclose(real.mean(axis=0), [1, 0], atol=0.04)
    np.testing.assert_allclose(
        np.cov(real.T), 0.75 * covs[0] + 0.25 * covs[1] + [[3, 0], [0, 0]], atol=0.08
    )
    np.testing.assert_allclose(fake.mean(axis=0), [4, 0], atol=0.02)
    np.testing.assert_allclose(np.cov(fake.T), covs[1], atol=0.01)


def test_log_densities_of_a_mixture():
    mixture = GaussianMixtures([[0.0], [4.0]], [3, 1], [0, 1], [[[4.0]], [[1.0]]])
    points = np.linspace(-3, 9, 7)
    p = 0.75 * stats.norm.pdf(points, 0, 2) + 0.25 * stats.norm.pdf(points, 4, 1)
    q = stats.norm.pdf(points, 4, 1)
    np.testing.assert_allclose(mixture.log_ratio(points[:, None]), np.log(p / q), atol=1e-12)


# ---- cells -------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("scale", [1e308, 1e-320])
def test_masses_of_any_size_are_divided_by_their_sum(scale):
    truth = Discrete(np.ones(4) * scale, [1, 1, 0, 0])
    np.testing.assert_allclose(truth.p, np.full(4, 0.25))
    assert truth.curve() == Discrete(np.ones(4), [1, 1, 0, 0]).curve()


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


@pytest.mark.parametrize("truth", ALL, ids=lambda truth: type(truth).__name__)
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0,), ValueError, "n: an integer of at least 1 expected, got 0"),
        ((2.0,), TypeError, "n: an integer expected, got a float"),
        ((2, 0), ValueError, "m: an integer of at least 1 expected, got 0"),
        ((2, 2, -1), ValueError, "random_state: an integer in [0, 2**32) expected, got -1"),
    ],
)
def test_wrong_sizes_and_seeds_are_named(truth, arguments, error, message):
    with refused(error, message):
        truth.sample(*arguments)


@pytest.mark.parametrize("truth", ALL, ids=lambda truth: type(truth).__name__)
def test_points_of_another_width_are_refused(truth):
    width = truth.sample(1)[0].shape[1]
    with refused(ValueError, f"points: shape (n, {width}) expected, got (4, {width + 1})"):
        truth.log_ratio(np.zeros((4, width + 1)))
    with refused(ValueError, "points: a 2-D array (samples × features) expected, got shape (4,)"):
        truth.log_ratio(np.zeros(4))


# ---- errors ------------------------------------------------------------------------------------


def normal(rng, n):
    return rng.standard_normal((n, 1))


def flat(points):
    return np.zeros(len(points))


def nowhere(points):
    return np.where(points[:, 0] > 0, -np.inf, 0.0)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Discrete([1, -1], [1, 1]), ValueError, "p: numbers >= 0 expected, got -1.0 at"),
        (lambda: Discrete([1, 1], [1]), ValueError, "q: 2 numbers expected, got 1"),
        (lambda: Discrete([1, 1], [0, 0]), ValueError, "q: a positive sum expected"),
        (
            lambda: Discrete([1, 0], [1, 0]).log_ratio([[0], [1]]),
            ValueError,
            "points: cells of positive mass in P or Q, below 2, expected, got 1.0 in row 1",
        ),
        (lambda: Discrete([1], [1]).log_ratio([[-1]]), ValueError, "points: cells of positive mas"),
        (lambda: Discrete([1], [1]).log_ratio([[0.5]]), ValueError, "points: cells of positive ma"),
        (lambda: GaussianShift(-1), ValueError, "delta: a number in [0, 1000] expected, got -1"),
        (lambda: GaussianShift("1"), TypeError, "delta: a number expected, got a str"),
        (lambda: GaussianShift(1, 0), ValueError, "dim: an integer of at least 1 expected, got 0"),
        (lambda: GaussianShift(1).curve(2), ValueError, "cells: an integer of at least 3 expected"),
        (lambda: GaussianShift(1).alpha([1, -1]), ValueError, "lam: numbers in [0, ∞] expected, "),
        (lambda: GaussianShift(1).alpha(np.nan), ValueError, "lam: numbers or ±inf expected, got"),
        (lambda: Gaussians([0, 0], [0]), ValueError, "mean_p and mean_q: 1-D arrays of one length"),
        (lambda: Gaussians(0, 0), ValueError, "mean_p and mean_q: 1-D arrays of one length expect"),
        (
            lambda: Gaussians([0, 0], [1, 1], np.eye(2), np.eye(3)),
            ValueError,
            "cov_q: shape (2, 2) expected, got (3, 3)",
        ),
        (
            lambda: Gaussians([0], [1], np.eye(2)),
            ValueError,
            "cov_p: shape (1, 1) expected, got (2, 2)",
        ),
        (
            lambda: Gaussians([0], [0], [[1]], [[np.nan]]),
            ValueError,
            "cov_q: finite symmetric matrices expected",
        ),
        (
            lambda: Gaussians([0, 0], [0, 0], np.eye(2), [[1, 2], [2, 1]]),
            ValueError,
            "cov_q: positive definite matrices expected",
        ),
        (
            lambda: Gaussians([0, 0], [0, 0], [[1e-20, 5e-21], [0, 1e-20]]),
            ValueError,
            "cov_p: finite symmetric matrices expected",
        ),
        (
            lambda: Gaussians([0, np.nan], [0, 0]),
            ValueError,
            "mean_p: finite numbers expected, got nan at index 1",
        ),
        (
            lambda: Gaussians([0], [np.inf]),
            ValueError,
            "mean_q: finite numbers expected, got inf at index 0",
        ),
        (
            lambda: GaussianShift(1).alpha(np.ma.masked_invalid([1.0, np.nan])),
            TypeError,
            "lam: a plain array expected, got a masked array",
        ),
        (lambda: GaussianMixtures([0, 1], [1], [1]), ValueError, "means: a 2-D array (samples × f"),
        (lambda: GaussianMixtures([[0]], [1, 1], [1]), ValueError, "p: 1 numbers expected, got 2"),
        (lambda: GaussianMixtures([[0]], [1], [-1]), ValueError, "q: numbers >= 0 expected"),
        (
            lambda: GaussianMixtures([[0, 0]], [1], [1], [[1, 0.5], [0, 1]]),
            ValueError,
            "covs: finite symmetric matrices expected",
        ),
        (
            lambda: GaussianMixtures([[0]], [1], [1], [[np.inf]]),
            ValueError,
            "covs: finite symmetric matrices expected",
        ),
        (
            lambda: GaussianMixtures([[0, 0]], [1], [1], [[1, 2], [2, 1]]),
            ValueError,
            "covs: positive definite matrices expected",
        ),
        (lambda: modes(1).curve(cells=2), ValueError, "cells: an integer of at least 3 expected"),
        (lambda: Densities(flat, 1, normal, normal), TypeError, "log_q: a function expected, got"),
        (
            lambda: Densities(flat, lambda z: z, normal, normal).curve(10),
            ValueError,
            "log_q: shape (5,) expected for 5 points, got (5, 1)",
        ),
        (
            lambda: Densities(lambda z: flat(z) + np.inf, flat, normal, normal).curve(10),
            ValueError,
            "log_p: finite numbers or −∞ expected, got nan or ∞",
        ),
        (
            lambda: Densities(flat, lambda z: flat(z) + np.nan, normal, normal).curve(10),
            ValueError,
            "log_q: finite numbers or −∞ expected, got nan or ∞",
        ),
        (
            lambda: Densities(nowhere, nowhere, normal, normal).log_ratio([[-1], [0], [1]]),
            ValueError,
            "points: a positive density of P or Q expected, got none in row 2",
        ),
        (
            lambda: Densities(flat, flat, normal, lambda rng, n: rng.random(n)).sample(3),
            ValueError,
            "sample_q(rng, n): a 2-D array (samples × features) expected, got shape (3,)",
        ),
        (
            lambda: Densities(flat, flat, normal, normal).curve(1),
            ValueError,
            "n: an integer of at least 2 expected, got 1",
        ),
    ],
)
def test_every_error_names_its_argument(make, error, message):
    with refused(error, message):
        make()


def test_an_odd_number_of_samples_is_split_between_p_and_q():
    sizes = []

    def sample(rng, n):
        sizes.append(n)
        return normal(rng, n)

    assert Densities(flat, flat, sample, sample).curve(5).area == pytest.approx(1)
    assert sizes == [3, 2]


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
