"""The Fréchet distance: closed forms, the formula with a root of a matrix, and the peers."""

import math

import hostile
import numpy as np
import pytest
from hypothesis import given, settings

import prfast


def distance(real, fake, **options):
    return prfast.metrics(real, fake, which="frechet_distance", **options).frechet_distance


def by_formula(real, fake):
    """As it is printed; symmetric roots, which are there for every covariance."""
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


@pytest.mark.parametrize(("n", "m", "d"), [(2500, 1200, 8), (60, 50, 64), (40, 300, 64)])
def test_it_is_its_formula(n, m, d):
    """More samples than features, fewer, and one set of each kind; several blocks of rows."""
    real, fake = features(n, d), features(m, d, 1, 1.2)
    exact = 1e-11 if min(n, m) > d else 1e-7  # a root of what is 0 but for rounding
    assert distance(real, fake) == pytest.approx(by_formula(real, fake), rel=exact)
    assert distance(fake, real) == pytest.approx(distance(real, fake), rel=1e-12)


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
    """Moved by 1e-6, scaled by 1 + 1e-6: 1e-12 of what the traces are; sums of traces lose it."""
    x = np.random.default_rng(0).normal(size=(2000, 32))
    centered = x - x.mean(axis=0)
    moved = x + 1e-6
    assert distance(x, moved) == pytest.approx(32e-12, rel=1e-6)
    scaled = x.mean(axis=0) + (1 + 1e-6) * centered
    trace = centered.var(axis=0, ddof=1).sum()
    assert distance(x, scaled) == pytest.approx(1e-12 * trace, rel=1e-6)


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


@pytest.mark.usefixtures("many_cores")
def test_the_number_of_threads_changes_no_bit():
    real, fake = features(3500, 24), features(2600, 24, 1, 1.1)
    assert len({distance(real, fake, n_jobs=jobs) for jobs in (1, 2, 5)}) == 1


# ---- peers -------------------------------------------------------------------------------------

SHAPES = [(600, 500, 32), (300, 250, 128)]


@pytest.mark.parametrize(("n", "m", "d"), SHAPES)
def test_equal_to_torch_fidelity(n, m, d):
    torch = pytest.importorskip("torch", reason="torch-fidelity takes tensors")
    peer = pytest.importorskip("torch_fidelity.metric_fid", reason="the peer, which is large")
    real, fake = features(n, d), features(m, d, 1, 1.2)
    statistics = [peer.fid_features_to_statistics(torch.from_numpy(x)) for x in (real, fake)]
    expected = peer.fid_statistics_to_metric(*statistics, False)["frechet_inception_distance"]
    assert distance(real, fake) == pytest.approx(expected, rel=1e-9)
