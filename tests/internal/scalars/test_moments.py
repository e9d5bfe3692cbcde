"""The Fréchet distance: closed forms, the formula with a root of a matrix, and the peers."""

import math

import hostile
import numpy as np
import pytest
from hypothesis import given, settings

import prfast
from prfast.neighbors import NeighborSearch
from prfast.scalars import moments


def distance(real, fake, **options):
    return prfast.metrics(real, fake, which="frechet_distance", **options).frechet_distance


def by_formula(real, fake):
    """Return the distance as it is printed; symmetric roots exist for every covariance."""
    s, t = (np.atleast_2d(np.cov(x, rowvar=False)) for x in (real, fake))
    values, vectors = np.linalg.eigh(s)
    root = vectors * np.sqrt(np.maximum(values, 0)) @ vectors.T
    inner = np.linalg.eigvalsh(root @ t @ root)
    apart = real.mean(axis=0) - fake.mean(axis=0)
    return apart @ apart + np.trace(s + t) - 2 * np.sqrt(np.maximum(inner, 0)).sum()


def features(n, d, seed=0, scale=1.0):
    """Like those of a network: not negative, correlated, of very different variances."""
    rng = np.random.default_rng(seed)
    mixed = rng.normal(size=(n, d)) @ np.random.default_rng(99).normal(size=(d, d))
    return np.maximum(scale * mixed / math.sqrt(d) + 0.3, 0) * np.linspace(0.1, 1, d)


@given(hostile.point_sets(sizes=(2, 40), dims=(1, 40), kinds=("normal", "integers", "duplicates")))
@settings(max_examples=40)
def test_it_is_its_formula_on_hostile_sets(sets):
    """Ranks of all kinds: of the formula, 1e-8 of a root of what is 0 but for rounding."""
    real, fake = (s.astype(np.float64) for s in sets)
    expected = by_formula(real, fake)
    traces = sum(x.var(axis=0, ddof=1).sum() for x in (real, fake))
    assert distance(*sets) == pytest.approx(expected, rel=1e-9, abs=1e-6 * traces)


@given(hostile.point_sets(sizes=(2, 40), dims=(1, 40)))
@settings(max_examples=40)
def test_it_is_never_negative_and_0_for_a_set_and_itself(sets):
    real, fake = sets
    result = distance(real, fake)
    assert result >= 0
    assert math.isfinite(result)
    traces = real.astype(np.float64).var(axis=0, ddof=1).sum()
    assert distance(real, real.copy()) <= 1e-16 * traces * real.shape[1]


def test_small_distances_keep_their_digits():
    x = np.random.default_rng(0).normal(size=(2000, 32))
    centered = x - x.mean(axis=0)
    moved = x + 1e-6
    assert distance(x, moved) == pytest.approx(32e-12, rel=1e-6)
    scaled = x.mean(axis=0) + (1 + 1e-6) * centered
    trace = centered.var(axis=0, ddof=1).sum()
    assert distance(x, scaled) == pytest.approx(1e-12 * trace, rel=1e-6)


def test_the_mean_of_equal_samples_in_several_blocks_is_exact():
    rows = np.tile(np.random.default_rng(0).random(30), (3000, 1))
    assert np.array_equal(moments.mean_of(rows, NeighborSearch()), rows[0])


def test_moments_of_several_blocks_far_from_the_origin_keep_their_digits():
    """Values 1e8 + i ulp; the means of blocks differ, and are float64 numbers."""
    half = np.random.default_rng(0).integers(-8, 9, size=(1250, 5))
    steps = np.stack([half, -half], axis=1).reshape(2500, 5)
    steps += np.arange(2500)[:, None] // 1024 * [1, 2, -3, 0, 5]
    ulp = np.spacing(1e8)
    rows = 1e8 + ulp * steps
    result, mean = moments.moments(rows, NeighborSearch()), steps.mean(axis=0)
    expected = np.cov(steps, rowvar=False)
    assert np.abs(result.matrix / ulp**2 - expected).max() < 1e-12 * expected.max()
    for got in (result.mean, moments.mean_of(rows, NeighborSearch())):
        assert np.abs((got - 1e8) / ulp - mean).max() < 0.501


def both_ways(real, fake):
    """Return the distance by eigenvalues, the bound of its error, and the distance by rotation."""
    search, sets = NeighborSearch(n_jobs=1), (real, fake)
    computed = [moments.moments(points, search) for points in sets]
    traces, roots, error = moments.by_eigenvalues(*computed)
    apart = moments._squares(computed[0].mean - computed[1].mean)
    factors = (moments.factor(x, y, search) for x, y in zip(sets, computed, strict=True))
    rotated = apart + moments.by_rotation(*factors)
    return apart + traces - 2 * roots, error, rotated


@pytest.mark.parametrize("apart", [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-6])
def test_both_sides_of_the_switch_have_six_digits(apart):
    """Scaled by 1 + apart: below about 1e-4 the distance is too small beside the traces."""
    real = np.random.default_rng(0).normal(size=(30, 5))
    expected = apart**2 * (np.square(real.mean(axis=0)) + real.var(axis=0, ddof=1)).sum()
    quick, bound, rotated = both_ways(real, real * (1 + apart))
    assert abs(quick - expected) <= bound
    assert rotated == pytest.approx(expected, rel=1e-9)
    assert distance(real, real * (1 + apart)) == pytest.approx(expected, rel=1e-6)
    assert (bound > 1e-6 * quick) == (apart < 1e-4)


@pytest.mark.parametrize("decay", [0, 2, 4, 6, 8, 12])
def test_the_bound_holds_for_covariances_that_are_nearly_singular(decay):
    """Deviations of the directions from 1 to 10**-decay; of 1e-12 there is no Cholesky factor."""
    rng = np.random.default_rng(decay)
    turn = np.linalg.qr(rng.normal(size=(6, 6)))[0]
    real, fake = (
        rng.normal(size=(n, 6)) * 10 ** np.linspace(0, -decay, 6) @ turn for n in (20, 25)
    )
    quick, bound, rotated = both_ways(real, fake)
    assert math.isinf(bound) or abs(quick - rotated) <= bound
    assert (bound <= 1e-6 * quick) == (decay <= 8)
    assert distance(real, fake) == pytest.approx(quick if decay <= 8 else rotated, rel=1e-6)


@pytest.mark.parametrize("exponent", [-500, 420])
def test_squares_beyond_float64_are_seen_in_other_units(exponent):
    real, fake = (np.ldexp(features(50, 4, i, 1 + i), exponent) for i in (0, 1))
    near = distance(features(50, 4), features(50, 4, 1, 2.0))
    assert distance(real, fake) == pytest.approx(math.ldexp(near, 2 * exponent), rel=1e-13)


def test_a_distance_too_small_for_float64_is_refused_and_that_of_equal_sets_is_0():
    size = 1e-170
    real, fake = size * features(50, 4), size * features(50, 4, 1, 2.0)
    message = "real and fake: a Fréchet distance that is a normal float64 number expected, got val"
    with pytest.raises(ValueError, match=message):
        distance(real, fake)
    assert distance(real, real.copy()) == 0


SHAPES = [(600, 500, 32), (300, 250, 128)]


@pytest.mark.parametrize(("n", "m", "d"), SHAPES)
def test_equal_to_torch_fidelity(n, m, d):
    torch = pytest.importorskip("torch", reason="torch-fidelity takes tensors")
    peer = pytest.importorskip("torch_fidelity.metric_fid", reason="the peer, which is large")
    real, fake = features(n, d), features(m, d, 1, 1.2)
    statistics = [peer.fid_features_to_statistics(torch.from_numpy(x)) for x in (real, fake)]
    expected = peer.fid_statistics_to_metric(*statistics, False)["frechet_inception_distance"]
    assert distance(real, fake) == pytest.approx(expected, rel=1e-9)


def test_the_name_elsewhere_is_accepted():
    real, fake = np.random.default_rng(0).normal(size=(2, 50, 3))
    result = prfast.metrics(real, fake, which=["FID", "frechet_distance"])
    assert dict(result) == {"frechet_distance": distance(real, fake)}


@pytest.mark.parametrize(("n", "m"), [(4, 5), (30, 4)])
def test_both_ways_agree_for_fewer_samples_than_features(n, m):
    rng = np.random.default_rng(0)
    quick, bound, rotated = both_ways(rng.normal(size=(n, 6)), 2 * rng.normal(size=(m, 6)))
    assert abs(quick - rotated) <= bound <= 1e-6 * quick
