"""Ground truth: cells, samples of every kind, errors, and the toy histograms of the 2018 paper."""

import numpy as np
import pytest
from refusals import refusals
from truths import LAM

from prfast import PRCurve
from prfast.reference import (  # noqa: F401
    Densities,
    Discrete,
    GaussianMixtures,
    Gaussians,
    GaussianShift,
    knn_risk,
)


def test_discrete_distributions():
    truth = Discrete([2, 1, 1, 0], [0, 1, 2, 1])
    exact = PRCurve.from_masses([2, 1, 1, 0], [0, 1, 2, 1])
    np.testing.assert_array_equal(truth.curve().at(LAM), exact.at(LAM))
    real, fake = truth.sample(20_000, 10_000)
    assert (real.shape, fake.shape) == ((20_000, 1), (10_000, 1))
    counts = np.bincount(real[:, 0].astype(int), minlength=4)
    np.testing.assert_allclose(counts / 20_000, [0.5, 0.25, 0.25, 0], atol=0.02)
    ratios = truth.log_ratio(np.arange(4)[:, None])
    np.testing.assert_allclose(ratios, [np.inf, 0, -np.log(2), -np.inf])


ALL = [
    Discrete([1, 2], [2, 1]),
    GaussianShift(1.0, 2),
    Gaussians([0, 0], [1, 1]),
    GaussianMixtures([[0, 0], [3, 0]], [1, 2], [2, 1]),
]


@pytest.mark.parametrize("truth", ALL, ids=lambda truth: type(truth).__name__)
def test_samples_are_seeded_and_sizes_free(truth):
    sets, again, reseeded = (truth.sample(50, 30, random_state=seed) for seed in (1, 1, 2))
    assert [len(points) for points in sets] == [50, 30]
    assert [len(points) for points in truth.sample(7)] == [7, 7]
    assert all(points.dtype == np.float64 and points.ndim == 2 for points in sets)
    assert np.array_equal(sets[0], again[0])
    assert not np.array_equal(sets[0], reseeded[0])
    assert not np.array_equal(*(points[:30] for points in sets))
    fresh = [truth.sample(50, random_state=None)[0] for _ in range(2)]
    assert not np.array_equal(*fresh)


def normal(rng, n):
    return rng.standard_normal((n, 1))


def flat(points):
    return np.zeros(len(points))


def nowhere(points):
    return np.where(points[:, 0] > 0, -np.inf, 0.0)


test_every_error_names_its_argument = refusals("""
Discrete([1, 0], [1, 0]).log_ratio([[0], [1]])
    ValueError: points: cells of positive mass in P or Q, below 2, expected, got 1.0 in row 1
Gaussians([0, 0], [0, 0], np.eye(2), [[1, 2], [2, 1]])
    ValueError: cov_q: positive definite matrices expected
Densities(lambda z: flat(z) + np.inf, flat, normal, normal).curve(10)
    ValueError: log_p: finite numbers or −∞ expected, got nan or ∞
Densities(nowhere, nowhere, normal, normal).log_ratio([[-1], [0], [1]])
    ValueError: points: a positive density of P or Q expected, got none in row 2
knn_risk(Discrete([1], [1]).curve(), 10_001, 1.0)
    ValueError: k: an integer of at most 10000 expected, got 10001
knn_risk(Discrete([1], [1]).curve(), 3, [1, 2], [1, 2, 3])
    ValueError: lam and gamma: shapes that broadcast
""")


def test_densities_with_gaps_have_infinite_ratios():
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
