"""Split-half errors of metrics, from random halves."""

import itertools

import numpy as np
import pytest

from prfast import metrics
from prfast.kernels.distances import HALVINGS
from prfast.neighbors import NeighborSearch
from prfast.samples.pair import Pair
from prfast.scalars import halves as split_halves
from prfast.scalars.api import read_metric_options
from prfast.scalars.halves import halve
from prfast.scalars.measure import Halves, half_width, measure

OPTIONS = read_metric_options(3, ["precision", "recall", "coverage"], "closed")


def halves_of(real, fake, halvings=4, seed=0, reference=7):
    pair, search = Pair.read(real, fake), NeighborSearch()
    return halve(pair, OPTIONS, search, halvings, seed=seed, reference=reference)[0]


def test_it_is_half_the_difference_of_two_halves_beside_all_there_are():
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(8, 2)), np.zeros((8, 2))
    rows, expected = set(range(8)), []
    for half in itertools.combinations(range(8), 4):
        chosen = (real[sorted(x)] for x in (half, rows - set(half)))
        half_a, half_b = (metrics(x, fake[:4], 3, "coverage").coverage for x in chosen)
        expected.append((half_a - half_b) / 2)
    drawn = halves_of(real, fake, 200)
    assert set(drawn.values["coverage"]) <= set(expected)
    deviation = np.sqrt(np.mean(np.square(expected)))
    assert 0 < deviation == pytest.approx(drawn.deviation("coverage"), rel=0.15)
    assert list(drawn.values) == ["precision", "recall", "coverage"]
    half = drawn.half_width("coverage", 0.95)
    assert half == pytest.approx(1.972 * drawn.deviation("coverage"), rel=1e-3)


def test_an_interval_ends_where_its_metric_does():
    wide = Halves({"precision": np.array([0.4, 0.5]), "density": np.array([0.4, 0.5])})
    for value in (0.75, 1.0):
        assert half_width("precision", value, {}, wide) == value
    assert half_width("density", 0.75, {}, wide) == wide.half_width("density", 0.95) > 1


def one_by_one(real, fake, cuts, k=5, which=None, **options):
    """Return the differences of halves, each measured by itself."""
    differences = []
    for halves in zip(cuts[::2], cuts[1::2], strict=True):
        half_a, half_b = (metrics(real[a], fake[b], k, which, **options) for a, b in halves)
        differences.append({name: (half_a[name] - half_b[name]) / 2 for name in half_a})
    return {name: [each[name] for each in differences] for name in differences[0]}


CHANGES = {
    "normal": lambda x, real: x,
    "integers": lambda x, real: np.round(x),
    "duplicates": lambda x, real: np.repeat(x[::5], 5, axis=0)[: len(x)],
    "far": lambda x, real: 1e3 + x,
    "narrow": lambda x, real: 1e5 + x / 1e5,
    "large": lambda x, real: 1e20 * x,
    "tiny": lambda x, real: 1e-25 * x,
    "one point": lambda x, real: np.ones_like(x),
    "a copy": lambda x, real: real[: len(x)],
}


def random_sets(kind, dtype=np.float64):
    rng = np.random.default_rng(3)
    sets = real, _ = rng.normal(size=(240, 6)), 1.2 * rng.normal(size=(205, 6)) + 0.2
    return (CHANGES[kind](x, real).astype(dtype) for x in sets)


def check_equal(real, fake, k=5, which=None, halvings=3, **options):
    read = read_metric_options(k, which, options.pop("ties", "closed"), **options)
    pair = Pair.read(real, fake)
    cuts = split_halves._cuts(pair, halvings, 1)
    result, shares = halve(pair, read, NeighborSearch(n_jobs=2), halvings, seed=1)
    expected = one_by_one(real, fake, cuts, k, which, ties=read.ties, **options)
    assert {name: x.tolist() for name, x in result.values.items()} == expected
    if shares is not None:
        whole, given = (measure(pair, read, NeighborSearch(), shares=s) for s in (None, shares))
        assert dict(whole[k]) == dict(given[k])
    return shares


@pytest.mark.parametrize("kind", CHANGES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_halves_from_lists_are_those_measured_one_by_one(kind, dtype):
    shares = check_equal(*random_sets(kind, dtype))
    assert shares is not None


@pytest.mark.parametrize("options", [
    {"ties": "open"}, {"k": 1}, {"k": 90}, {"cover_k": 2, "cover_reach": 30}, {"p_k": 1},
    {"p_factor": 0.0}, {"p_factor": 3.0}, {"p_radius": 2.0}, {"which": ["recall", "p_recall"]},
    {"which": ["density", "frechet_distance"]}, {"which": "all"}, {"which": ["kernel_distance"]},
    {"which": ["recall", "clipped_coverage"]},
])  # fmt: skip
@pytest.mark.parametrize("kind", ["normal", "integers", "large"])
def test_halves_of_any_options(kind, options):
    check_equal(*random_sets(kind), **options)


def test_more_halvings_than_are_counted_at_a_time():
    assert check_equal(*random_sets("integers"), halvings=2 * HALVINGS + 3) is not None
