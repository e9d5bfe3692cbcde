"""Shifted Gaussians: against a table, quadrature, cells and samples."""

import numpy as np
import pytest
from scipy import integrate, stats

from prfast.reference import GaussianShift

# A table computed apart from this package, on a grid of angles:
# Δ, α_1, area (by a grid without its two ends, 7.9e-5 too small), F_8 = F_1/8
TABLE = [
    (1, 0.617075, 0.679063, 0.899149),
    (5 / 3, 0.404657, 0.376684, 0.740570),
    (7 / 3, 0.243345, 0.166994, 0.534378),
    (3, 0.133614, 0.059688, 0.336512),
]


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
