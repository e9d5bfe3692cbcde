"""Gaussians, shifted or not, and their mixtures: closed forms, quadrature, tables, moments."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats
from truths import LAM, modes

from prfast.reference import Densities, Discrete, Gaussians, GaussianShift


def quadrature_alpha(lam, p, q):
    """∫ min(λ p, q) for N(m, s²) in one dimension, between the points where both are equal."""
    (m, s), (k, t) = p, q
    constant = 0.5 * (k / t) ** 2 - 0.5 * (m / s) ** 2 + np.log(lam * t / s)
    equal = np.roots([0.5 / t**2 - 0.5 / s**2, m / s**2 - k / t**2, constant])
    ends = [-60.0, *np.sort([*equal.real[np.abs(equal.imag) < 1e-12], m, k]), 60.0]

    def smaller(x):
        return min(lam * stats.norm.pdf(x, m, s), stats.norm.pdf(x, k, t))

    precise = {"epsabs": 1e-13, "epsrel": 1e-11, "limit": 200}
    return sum(integrate.quad(smaller, *part, **precise)[0] for part in pairwise(ends))


@pytest.mark.parametrize(("p", "q"), [((0, 1), (1, 2)), ((0, 3), (0, 1)), ((-2, 0.5), (1, 1))])
def test_one_dimension_and_unequal_variances_against_quadrature(p, q):
    curve = Gaussians([p[0]], [q[0]], [[p[1] ** 2]], [[q[1] ** 2]]).curve()
    for lam in (0.1, 0.7, 1.0, 3.0, 10.0):
        assert curve.at(lam)[0] == pytest.approx(quadrature_alpha(lam, p, q), abs=1e-6)


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


def test_the_mixture_of_the_2024_paper_in_64_dimensions_is_the_discrete_one():
    curve = modes(64).curve()
    assert curve.info["cells"] == 1 << 15
    assert curve.at(10.0) == pytest.approx((0.7, 0.07), abs=1e-12)
    assert curve.at(0.1) == pytest.approx((0.07, 0.7), abs=1e-12)
    assert curve.at(1.0) == pytest.approx((0.4, 0.4), abs=1e-12)
    cells = Discrete([0.3, 0.2, 0.5, 0], [0, 0.5, 0.2, 0.3]).curve()
    assert (cells.max_precision, cells.max_recall) == pytest.approx((0.7, 0.7))
    assert curve.iou(cells) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("dim", [1, 5])
def test_collinear_mixtures_are_exact_and_agree_with_the_same_densities_sampled(dim):
    mixture = modes(dim)
    n = 1 << 14
    sampled = Densities(mixture.log_p, mixture.log_q, mixture.sample_p, mixture.sample_q).curve(n)
    assert sampled.info == {"reference": "Densities", "n": n, "random_state": 0}
    lam = np.geomspace(0.1, 10, 21)
    for values, expected in zip(sampled.at(lam), mixture.curve().at(lam), strict=True):
        np.testing.assert_allclose(values, expected, atol=0.02)
    assert sampled.iou(mixture.curve()) > 0.97


def test_gaussians_of_one_covariance_are_shifted_by_their_mahalanobis_distance():
    rng = np.random.default_rng(0)
    root = rng.normal(size=(3, 3))
    cov, mean = root @ root.T, rng.normal(size=(2, 3))
    distance = np.sqrt((mean[0] - mean[1]) @ np.linalg.solve(cov, mean[0] - mean[1]))
    curve = Gaussians(*mean, cov).curve()
    assert curve.info == {"reference": "Gaussians", "cells": 1 << 15}  # no samples
    np.testing.assert_allclose(curve.at(LAM)[0], GaussianShift(distance).alpha(LAM), atol=1e-6)
    assert Gaussians(*mean, cov, cov.copy()).curve() == curve


def test_the_log_ratio_is_that_of_the_densities():
    truth = GaussianShift(1.5, 3)
    points = truth.sample(20)[0]
    mean = np.full(3, 1.5 / np.sqrt(3))
    p, q = (stats.multivariate_normal(m).logpdf(points) for m in (np.zeros(3), mean))
    np.testing.assert_allclose(truth.log_ratio(points), p - q, atol=1e-12)
