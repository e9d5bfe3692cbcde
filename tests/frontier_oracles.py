"""Pairs of histograms for the tests of frontiers, and divergences by their definitions."""

import math

import numpy as np
import pytest

from prfast import PRCurve

# One cell only P has, one only Q has, and four common ones; FULL has the common ones.
P = np.array([0.1, 0.0, 0.3, 0.2, 0.15, 0.25])
Q = np.array([0.0, 0.05, 0.05, 0.4, 0.3, 0.2])
PART = PRCurve.from_masses(P, Q)
COMMON = (P > 0) & (Q > 0)
FULL = PRCurve.from_masses(P[COMMON], Q[COMMON])
SAME = PRCurve.from_masses([1, 2, 3], [1, 2, 3])
DISJOINT = PRCurve.from_masses([1, 0], [0, 1])


def tsallis(mu, nu, order):
    """D̂_a(μ‖ν) = Σ ν φ_a(μ/ν), any real order, by its definition on single masses."""
    if order == 1:
        terms = [(m, n, m and n and m * math.log(m / n)) for m, n in zip(mu, nu, strict=True)]
        return math.inf if any(m > 0 == n for m, n, _ in terms) else math.fsum(t[2] for t in terms)
    if order == 0:
        return tsallis(nu, mu, 1)
    total = 0.0
    for m, n in zip(mu, nu, strict=True):
        if (order > 1 and m > 0 == n) or (order < 0 and n > 0 == m):
            return math.inf
        total += m**order * n ** (1 - order) if m > 0 and n > 0 else 0.0
    return (total - 1) / (order * (order - 1))


def renyi(mu, nu, order):
    """D_a(μ‖ν) with masses of 0, any real order but 0 and 1."""
    powers = [m**order * n ** (1 - order) for m, n in zip(mu, nu, strict=True) if m > 0 < n]
    if (order > 1 and any(m > 0 == n for m, n in zip(mu, nu, strict=True))) or not powers:
        return math.inf
    return math.log(math.fsum(powers)) / (order - 1)


def assert_on(frontier, to_fake, to_real, tolerance):
    """The point lies within `tolerance` of the polyline, between two neighbors."""
    i = int(np.searchsorted(frontier.to_fake, to_fake).clip(1, frontier.to_fake.size - 1))
    at = np.interp(to_fake, *(side[i - 1 : i + 1] for side in frontier))
    assert at == pytest.approx(to_real, abs=tolerance)


def mean(p, q, exponent, theta):
    """(θ p^b + (1−θ) q^b)^{1/b}, scaled to 1."""
    r = (theta * p**exponent + (1 - theta) * q**exponent) ** (1 / exponent)
    return r / r.sum()
