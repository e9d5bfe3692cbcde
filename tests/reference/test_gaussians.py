"""Two Gaussians: against closed forms, quadrature and products."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats
from truths import LAM

from prfast.reference import Gaussians, GaussianShift


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
