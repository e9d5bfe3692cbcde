"""Every question on sets that are hard for filters and lists: the bits of the double loop, and the
way that is taken where a filter or a list does not tell."""

from functools import cache

import numpy as np
import pytest
from hostile_sets import KINDS, points, two_sets
from paths import in_turn
from truth import Truth, check_all, check_union, search_with

N, M, DIM = 900, 120, 33  # enough for limits, and for lists' super-blocks of queries


@cache
def truth(kind, n=N, m=M, d=DIM):
    return Truth(*two_sets(kind, n, m, d))


@pytest.mark.parametrize(("kind", "path"), in_turn(KINDS), indirect=["path"])
def test_hostile_sets(path, kind):
    search, rng = search_with(1, 300_000), np.random.default_rng(0)
    check_all(truth(kind), search, [1, 5, 40], closed=True, rng=rng)
    work = search.work
    if path == "off":
        assert work["unfiltered"] > 0
        assert work["int8"] == work["float32"] == work["differences"] == work["fallback"] == 0
    if path.endswith("float32"):
        assert work["int8"] == work["differences"] == 0


SHAPES = [  # columns, sizes that have little in common, ks, threads
    *((d, n, m, [1, 9], 1) for d, n, m in [(1, 800, 200), (3, 800, 200), (31, 800, 90)]),
    *((d, n, m, [1, 9], 1) for d, n, m in [(64, 800, 90), (100, 800, 90)]),
    *((d, n, m, [1, 9], 1) for d, n, m in [(513, 780, 20), (2048, 200, 30)]),
    *(
        (5, n, m, [1, 2, min(n, m), n, n + m], 3)
        for n, m in [(1000, 1), (2, 900), (1, 3), (193, 191), (3, 2)]
    ),
]


@pytest.mark.parametrize(("shape", "path"), in_turn(SHAPES), indirect=["path"])
def test_any_number_of_columns_and_rows(path, shape):
    d, n, m, ks, threads = shape
    rng, search = np.random.default_rng(d), search_with(threads)
    check_all(truth("normal", n, m, d), search, ks, closed=d % 2 == 0 or d == 5, rng=rng)


@cache
def far(scale, shift):
    """Sets apart from each other: one is far from most queries, so it is looked at first."""
    x, y = points("normal", 900, 9, 0), points("normal", 800, 9, 1)
    return Truth(x, np.float32(scale * y + shift))


FAR = [
    (change, leave_out)
    for change in [(1, 100), (0.01, 0), (30, 0), (1, 3)]
    for leave_out in ("real", "fake")
]


@pytest.mark.parametrize(("case", "path"), in_turn(FAR), indirect=["path"])
def test_sets_that_are_far_from_each_other(path, case):
    (scale, shift), leave_out = case
    closed, memory = (True, 256_000_000) if leave_out == "real" else (False, 300_000)
    rng = np.random.default_rng(2)
    check_union(far(scale, shift), search_with(1, memory), [1, 20], closed, leave_out, rng)
