"""Tasks about random halves of sets against the double loop, one half at a time."""

import hostile
import numpy as np
import oracles
import pytest
from hostile_sets import KINDS, two_sets
from hypothesis import given
from hypothesis import strategies as st
from paths import answer, examples, on, paths, ready

from prfast.kernels.distances import HALVINGS, Lists
from prfast.neighbors import NeighborSearch, in_range
from prfast.neighbors.passes import Pass
from prfast.neighbors.tasks import HalfCount, HalfKth, Resources


def random_sides(rng, size, halvings):
    """A bit for each halving, in which half a point is."""
    half = np.array([rng.permutation(size) < size // 2 for _ in range(halvings)]).T
    return (half << np.arange(halvings)).sum(axis=1).astype(np.uint16), half


def check_radii(points, halvings, rank, once, threads, memory, rng):
    sides, half = random_sides(rng, len(points), halvings)
    most = len(points) // 2 - 1
    ks = sorted({1, min(3, most), min(10, most)})
    task = HalfKth(np.array(ks, np.int64), sides, halvings, rank)
    answer(once, points, task, Resources(threads, memory))
    for h in range(halvings):
        for i, k in enumerate(ks):
            expected = oracles.half_kth(points, k, half[:, h])
            assert np.array_equal(task.d2[:, i, h], expected)


def check_counts(queries, refs, halvings, closed, search, rng):
    """Thresholds are distances that occur, other ones in each halving, or no ball."""
    d2 = oracles.squared_distances(queries, refs)
    sides, halves = zip(
        *(random_sides(rng, len(x), halvings) for x in (queries, refs)), strict=True
    )
    tasks, expected = [], []
    for by_query, rows, cols in ((True, True, True), (False, True, True), (False, True, False)):
        centers = len(queries) if by_query else len(refs)
        t = rng.choice(np.append(d2.ravel(), -1.0), (centers, HALVINGS))
        t[:, halvings:] = -1.0
        radii = (t, None) if by_query else (None, t)
        counts = [
            np.zeros((len(x), HALVINGS), np.int32) if needed else None
            for x, needed in ((queries, rows), (refs, cols))
        ]
        tasks.append(HalfCount(sides, *radii, closed, *counts))
        per_halving = [
            oracles.half_counts(
                d2,
                *(half[:, h] for half in halves),
                *(None if r is None else r[:, h] for r in radii),
                closed,
            )
            for h in range(halvings)
        ]
        expected.append([np.stack(side, axis=1) for side in zip(*per_halving, strict=True)])
    search.run(queries, [refs], tasks)
    for task, (rows, cols) in zip(tasks, expected, strict=True):
        for counts, expected_counts in ((task.rows, rows), (task.cols, cols)):
            if counts is not None:
                assert np.array_equal(counts[:, :halvings], expected_counts)
                assert not counts[:, halvings:].any()


MEMORIES = st.sampled_from([20_000, 300_000, 256_000_000])


@given(
    hostile.point_sets(sizes=(4, 120)),
    st.sampled_from([1, 7, HALVINGS]),
    st.sampled_from([2, 12, 500]),
    st.booleans(),
    st.sampled_from([1, 2, 3]),
    MEMORIES,
    paths(),
    st.integers(0, 99),
)
@examples(40)
def test_halves_of_hostile_points(sets, halvings, rank, closed, threads, memory, path, seed):
    x, y = (np.array(ready(points), order="C") for points in in_range(*sets))
    rng = np.random.default_rng(seed)
    search = NeighborSearch(n_jobs=threads, memory=max(memory, 1_000_000))
    with on(path):
        check_radii(x, halvings, rank, None, threads, memory, rng)
        check_counts(x, y, halvings, closed, search, rng)


@given(
    st.sampled_from([*KINDS]),
    st.sampled_from([(780, 40, 5), (500, 780, 40), (900, 120, 33), (600, 550, 130)]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([1, 2, 3]),
    MEMORIES,
    paths(),
    st.integers(0, 10**6),
)
@examples(15)
def test_halves_of_larger_sets(kind, sizes, once, closed, threads, memory, path, seed):
    x, y = in_range(*two_sets(kind, *sizes, seed))
    rng = np.random.default_rng(seed)
    search = NeighborSearch(n_jobs=threads, memory=max(memory, 1_000_000))
    with on(path):
        check_radii(x, 3, 45, once, threads, memory, rng)
        check_counts(y, x, 3, closed, search, rng)


@pytest.mark.parametrize("once", [False, True])
def test_what_lists_reach_is_not_searched_again(once):
    points = np.random.default_rng(0).normal(size=(1600, 6))
    sides, _ = random_sides(np.random.default_rng(1), len(points), 12)
    work = []
    for rank in (40, 6):
        resources = Resources(1)
        task = HalfKth(np.array([5]), sides, 12, rank)
        answer(once, points, task, resources)
        work.append(resources.work["fallback"])
    assert work[0] == 0 < work[1]


def test_arrays_that_do_not_fit_are_refused():
    points = np.random.default_rng(0).normal(size=(300, 3))
    passed = Pass(points, points, Resources(1), within=True)
    passed.load(0, 300, 1)
    lists, sides = Lists(300, 40, 400), np.zeros(300, np.uint16)
    ks = np.array([5], np.int64)
    passed.scan([], 0, 300, 1, lists)

    def kth(count=300, halvings=2, queries=sides, refs=sides, ks=ks):
        return passed.half_kth(lists, 0, count, ks, halvings, (queries, refs), 1)

    assert np.isfinite(kth()[:, :, :2]).all()
    few, other_ks = ({name: sides[1:]} for name in ("queries", "refs")), (ks[:0], ks - 5)
    sizes = {"halvings": 0}, {"halvings": HALVINGS + 1}, {"count": 301}
    for changed in (*few, *({"ks": x} for x in other_ks), *sizes):
        with pytest.raises(ValueError, match="expected"):
            kth(**changed)
    t, rows = np.zeros((300, HALVINGS)), np.zeros((300, HALVINGS), np.int32)
    for task in (
        (t[:, 1:].copy(), None, True, rows, None),
        (t[1:], None, True, rows, None),
        (None, t[1:], True, rows, None),
        (t, None, True, rows[1:], None),
        (t, None, True, rows[:, 1:].copy(), None),
        (t, None, True, None, rows[:, 1:].copy()),
        (t, None, True, None, rows[1:]),
    ):
        with pytest.raises(ValueError, match="expected"):
            passed.scan([task], 0, 300, 1, sides=(sides, sides))
