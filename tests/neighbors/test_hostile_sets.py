"""Every question on sets that are hard for filters and lists: the bits of the double loop, and the
way that is taken where a filter or a list does not tell."""

from functools import cache

import numpy as np
import pytest
from asked import Truth, check_all, check_union, search_with
from hostile_sets import KINDS, points, two_sets
from paths import FEW_PATHS, in_turn, on

from prfast.neighbors import NeighborSearch, Rows

N, M, DIM = 900, 120, 33  # enough for limits, and for lists' super-blocks of queries
BEST_INT8, BEST_FLOAT32 = FEW_PATHS[2], FEW_PATHS[0]


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


def found_in(x, y, search):
    kth = search.kth(y, x, [3]), search.kth_within(x, [2])
    union = search.union(x, x, y, [2], [3], [5], leave_out="real", across=True)
    return [
        *kth,
        union.d2_a,
        union.d2_b,
        union.d2_both,
        union.of_a,
        union.of_b,
        union.across_a,
        union.across_b,
    ]


@pytest.mark.parametrize(("dtype", "path"), in_turn([np.float32, np.float64]), indirect=["path"])
def test_points_are_read_where_they_lie(path, tmp_path, dtype):
    x, y = (one.astype(dtype) for one in two_sets("normal", 900, 300, 40))
    expected = found_in(x, y, NeighborSearch("exact"))
    np.save(tmp_path / "x.npy", x)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    order = np.random.default_rng(0).permutation(1200)
    base = np.empty((1200, 40), dtype)
    base[order[:900]], base[order[900:]] = x, y
    wide = np.zeros((1800, 50), dtype)
    wide[::2, 5:45] = x
    for one, other in (
        (mapped, y),
        (Rows(base, order[:900]), Rows(base, order[900:])),
        (wide[::2, 5:45], y),
        (np.asfortranarray(x), y[::-1].copy()[::-1]),
    ):
        for found, right in zip(
            found_in(one, other, NeighborSearch("exact", 1)), expected, strict=True
        ):
            assert np.array_equal(found, right)


# ---- which way is taken --------------------------------------------------------------------


def work_of(kind, path, n=2000, d=64, k=5):
    """Of k-th distances of one set in another, and of radii inside it, each pair once and twice."""
    x, y = two_sets(kind, n, n, d)
    found = []
    with on(path):
        for ask in (lambda s: s.kth(y, x, [k]), lambda s: s.kth_within(x, [k])):
            search = NeighborSearch("exact", 1)
            ask(search)
            found.append(search.work)
    return found


def test_what_int8_leaves_is_decided_by_differences():
    kth, _ = work_of("normal", BEST_INT8)
    pairs = 2000 * 2000
    assert kth["int8"] > pairs / 2
    assert 0 < kth["differences"] < pairs / 2
    assert kth["refined"] < 2000 * 8
    kth, _ = work_of("no float32 numbers", BEST_INT8)
    assert kth["differences"] == 0
    assert kth["int8"] > pairs / 2
    assert kth["refined"] > 2000 * 8


@pytest.mark.parametrize("path", [BEST_FLOAT32, BEST_INT8])
def test_clusters_that_no_filter_can_see_are_computed(path):
    for work in work_of("tight clusters", path):
        assert work["fallback"] > 1000
        assert work["unfiltered"] + work["refined"] > 2000 * 500
