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


SHAPES = [
    (1, 800, 200),
    (3, 800, 200),
    (31, 800, 90),
    (64, 800, 90),
    (100, 800, 90),
    (513, 780, 20),
    (2048, 200, 30),
]


@pytest.mark.parametrize(("shape", "path"), in_turn(SHAPES), indirect=["path"])
def test_any_number_of_columns(path, shape):
    d, n, m = shape
    check_all(
        truth("normal", n, m, d),
        search_with(1),
        [1, 9],
        closed=d % 2 == 0,
        rng=np.random.default_rng(d),
    )


SIZES = [(1000, 1), (2, 900), (1, 3), (193, 191), (3, 2)]


@pytest.mark.parametrize(("sizes", "path"), in_turn(SIZES), indirect=["path"])
def test_sizes_that_have_little_in_common(path, sizes):
    n, m = sizes
    ks = [1, 2, min(n, m), n, n + m]
    check_all(
        truth("normal", n, m, 5), search_with(3), ks, closed=True, rng=np.random.default_rng(0)
    )


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
    """More than 768 queries, so that a few are tried first."""
    (scale, shift), leave_out = case
    closed, memory = (True, 256_000_000) if leave_out == "real" else (False, 300_000)
    rng = np.random.default_rng(2)
    check_union(far(scale, shift), search_with(1, memory), [1, 20], closed, leave_out, rng)
