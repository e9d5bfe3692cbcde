"""Curves, metrics, classes and evaluators are the same with every filter, thread number, memory."""

from functools import cache

import numpy as np
import pytest

import prfast
from prfast.comparison.evaluator import Evaluator

METHODS = ("knn", "ipr", "parzen", "coverage")
FILTERS = ("off", "float32", "int8", "auto")
SETTINGS = [
    {"n_jobs": 1, "memory": 256_000_000},
    {"n_jobs": 3, "memory": 1_000_000},
]


def _features(n, rng):
    """Of a few hidden numbers, many of them zero."""
    mixing = np.random.default_rng(7).normal(size=(8, 40))
    return np.maximum(rng.normal(size=(n, 8)) @ mixing, 0)


def _half_alike(n, rng):
    x = rng.normal(size=(n, 40))
    x[: n // 2] = 0.5
    return x


def _clusters(n, rng):
    return 1e4 * rng.integers(0, 5, (n, 1)) + rng.normal(size=(n, 40))


KINDS = {"features": _features, "half alike": _half_alike, "clusters": _clusters}


@cache
def sets(kind, dtype=np.float32):
    """Halves of more than 512, so that "auto" may take the int8 filter."""
    rng = np.random.default_rng(0)
    real, fake = (KINDS[kind](n, rng).astype(dtype) for n in (1100, 1050))
    fake[:100] = real[:100]
    return real, fake


@pytest.fixture(params=FILTERS)
def levels(request, monkeypatch, many_cores):
    monkeypatch.setenv("PRFAST_FILTER", request.param)
    return request.param


def in_turn(levels, case):
    """Settings that each filter and each case see both of, though not each pair."""
    return SETTINGS[(FILTERS.index(levels) + case) % 2]


@cache
def expected(kind):
    """Without a filter: what is compared are the values of D."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRFAST_FILTER", "off")
        real, fake = sets(kind)
        curves = prfast.pr_curves(real, fake, METHODS, (4, "sqrt"), backend="exact")
        return curves, prfast.metrics(real, fake, k=(3, 20), backend="exact")


@pytest.mark.parametrize("kind", KINDS)
def test_curves_and_metrics(levels, kind):
    curves, metrics = expected(kind)
    settings = {**in_turn(levels, [*KINDS].index(kind)), "backend": "exact"}
    assert prfast.pr_curves(*sets(kind), METHODS, (4, "sqrt"), **settings) == curves
    assert prfast.metrics(*sets(kind), k=(3, 20), **settings) == metrics


def classes(neighbors, **settings):
    real, fake = sets("features")
    labels = np.arange(len(real)) % 2, np.arange(len(fake)) % 2
    return prfast.by_class(real, fake, *labels, METHODS, 4, neighbors=neighbors, **settings)


@cache
def of_classes(neighbors):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRFAST_FILTER", "off")
        return classes(neighbors)


@pytest.mark.parametrize("neighbors", ["all", "class"])
def test_classes(levels, neighbors):
    wanted = of_classes(neighbors)
    found = classes(neighbors, **in_turn(levels, neighbors == "all"))
    assert found.curves == wanted.curves
    assert found.metrics == wanted.metrics


OUTSIDE = [(1000, 0), (1e-9, 0), (1, 1e5), (3, 0)]  # times, plus


@cache
def of_other(times, plus):
    real, fake = sets("features")
    other = np.float32(times * fake + plus)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRFAST_FILTER", "off")
        curves = prfast.pr_curves(real, other, METHODS, (4, "sqrt"), backend="exact")
        return other, curves, prfast.metrics(real, other, 3, backend="exact")


@pytest.mark.filterwarnings("ignore::prfast.Contradiction")
def test_evaluators_whose_sets_leave_the_frame_of_the_reference(levels):
    """What is kept of the reference was seen in a frame; sets that are a thousand times as large,
    or so small that much would be lost in it, are asked anew.  Each is seen by two filters."""
    first = FILTERS.index(levels)
    two = OUTSIDE[first], OUTSIDE[(first + 1) % len(OUTSIDE)]
    real, _ = sets("features")
    options = {"metrics_k": 3, "backend": "exact", **in_turn(levels, 0)}
    evaluator = Evaluator(real, METHODS, (4, "sqrt"), **options)
    for change in ((1, 0), *two, (1, 0)):
        other, curves, metrics = of_other(*change)
        assert evaluator.curves(other) == curves
        assert dict(evaluator.metrics(other)) == dict(metrics)


def test_an_evaluator_of_sets_of_both_types(levels):
    real, fake = sets("features", np.float64)
    evaluator = Evaluator(real, METHODS, 4, metrics_k=3)
    for other in (fake, fake.astype(np.float32)):
        assert evaluator.curves(other) == prfast.pr_curves(real, other, METHODS, 4)
        assert dict(evaluator.metrics(other)) == dict(prfast.metrics(real, other, 3))
