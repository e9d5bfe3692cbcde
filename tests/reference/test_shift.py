"""Shifted Gaussians: against a table, quadrature, cells and samples."""

import numpy as np
import pytest
from scipy import stats

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


def test_the_log_ratio_is_that_of_the_densities():
    truth = GaussianShift(1.5, 3)
    points = truth.sample(20)[0]
    mean = np.full(3, 1.5 / np.sqrt(3))
    p, q = (stats.multivariate_normal(m).logpdf(points) for m in (np.zeros(3), mean))
    np.testing.assert_allclose(truth.log_ratio(points), p - q, atol=1e-12)
