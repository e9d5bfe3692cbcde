"""Every question about distances against the naive double loop: equal to the last bit, always."""

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import MEMORIES, SEARCHES, examples, on, paths, radii, ready

from prfast.neighbors import Count, NeighborSearch, in_range
from prfast.neighbors.engines import lists


def aligned(points):
    """As the door gives points to an engine: rows that are contiguous."""
    return np.array(points, order="C")


@given(hostile.point_sets(), st.data(), SEARCHES, paths())
@examples(150)
def test_kth_distances_are_those_of_the_double_loop(sets, data, search, path):
    queries, refs = map(ready, sets)
    ks = data.draw(st.lists(st.integers(1, len(refs)), min_size=1, max_size=3, unique=True))
    d2 = oracles.squared_distances(queries, refs)
    with on(path):
        found = search.kth(queries, refs, ks)
    assert np.array_equal(found, np.column_stack([oracles.kth(d2, k) for k in ks]))


@given(hostile.point_sets(sizes=(2, 200), count=1), st.data(), SEARCHES, paths())
@settings(max_examples=100)
def test_a_point_is_never_its_own_neighbor(sets, data, search, path):
    points = ready(sets[0])
    k = data.draw(st.integers(1, len(points) - 1))
    with on(path):
        found = search.kth_within(points, [k])
    assert np.array_equal(found[:, 0], oracles.kth_within(points, k))


@given(hostile.point_sets(sizes=(2, 200), count=1), st.data(), MEMORIES, paths(), st.booleans())
@examples(100)
def test_each_pair_is_computed_once_or_twice(sets, data, memory, path, once):
    points = aligned(ready(sets[0]))
    k = data.draw(st.integers(1, len(points) - 1))
    threads = data.draw(st.sampled_from([1, 1, 1, 2, 3]))
    with on(path):
        found, _ = radii(points, [k], once, threads, memory)
    assert np.array_equal(found[:, 0], oracles.kth_within(points, k))


@given(hostile.point_sets(count=3), st.data(), st.booleans(), SEARCHES, paths())
@examples(100)
def test_the_union_is_as_if_the_sets_were_one(sets, data, closed, search, path):
    queries, a, b = map(ready, sets)
    k_a, k_b, k_both = (
        data.draw(st.integers(1, size)) for size in (len(a), len(b), len(a) + len(b))
    )
    to_a, to_b = oracles.squared_distances(queries, a), oracles.squared_distances(queries, b)
    with on(path):
        found = search.union(queries, a, b, [k_a], [k_b], [k_both], closed=closed)
    assert np.array_equal(found.d2_a[:, 0], oracles.kth(to_a, k_a))
    assert np.array_equal(found.d2_b[:, 0], oracles.kth(to_b, k_b))
    t = oracles.kth(np.hstack([to_a, to_b]), k_both)
    assert np.array_equal(found.d2_both[:, 0], t)
    for counts, d2 in ((found.of_a, to_a), (found.of_b, to_b)):
        assert np.array_equal(counts[:, 0], oracles.in_ball(d2, t[:, None], closed).sum(1))


@given(hostile.point_sets(sizes=(2, 100)), st.data(), st.booleans(), SEARCHES, paths())
@examples(60)
def test_in_a_union_a_row_of_one_set_is_not_its_own_neighbor(sets, data, closed, search, path):
    a, b = map(ready, sets)
    k = data.draw(st.integers(1, len(a) + len(b) - 1))
    to_a, to_b = oracles.squared_distances(a, a), oracles.squared_distances(a, b)
    np.fill_diagonal(to_a, np.inf)
    with on(path):
        found = search.union(a, a, b, [], [], [k], closed=closed, leave_out="real")
    t = oracles.kth(np.hstack([to_a, to_b]), k)
    assert np.array_equal(found.d2_both[:, 0], t)
    for counts, d2 in ((found.of_a, to_a), (found.of_b, to_b)):
        assert np.array_equal(counts[:, 0], oracles.in_ball(d2, t[:, None], closed).sum(1))


@given(hostile.point_sets(), st.booleans(), SEARCHES, paths(), st.integers(0, 99))
@examples(150)
def test_counts_are_those_of_the_double_loop(sets, closed, search, path, seed):
    """Thresholds are distances that occur: every comparison is as close as it can be."""
    queries, refs = map(ready, sets)
    rng = np.random.default_rng(seed)
    d2 = oracles.squared_distances(queries, refs)
    of_query = d2[np.arange(len(queries)), rng.integers(0, len(refs), len(queries))]
    of_ref = d2[rng.integers(0, len(queries), len(refs)), np.arange(len(refs))]
    of_ref[rng.random(len(refs)) < 0.1] = -1  # no ball
    tasks = [
        Count(of_query, None, closed, np.zeros(len(queries), np.int64), None),
        Count(
            None, of_ref, closed, np.zeros(len(queries), np.int64), np.zeros(len(refs), np.int64)
        ),
        Count(of_query, None, closed, None, np.zeros(len(refs), np.int64)),
    ]
    with on(path):
        search.count(queries, refs, tasks)
    inside = [
        oracles.in_ball(d2, of_query[:, None], closed),
        oracles.in_ball(d2, of_ref, closed),
        oracles.in_ball(d2, of_query[:, None], closed),
    ]
    for task, expected in zip(tasks, inside, strict=True):
        if task.rows is not None:
            assert np.array_equal(task.rows, expected.sum(1))
        if task.cols is not None:
            assert np.array_equal(task.cols, expected.sum(0))


@given(hostile.point_sets(), SEARCHES, paths(), st.floats(0, 1))
@settings(max_examples=100)
def test_sums_of_logarithms_are_those_of_the_double_loop(sets, search, path, share):
    queries, refs = map(ready, sets)
    d2 = oracles.squared_distances(queries, refs)
    t = float(np.quantile(d2, share))
    with on(path):
        found = search.log_distances(queries, refs, t)
    for value, row in zip(found, d2, strict=True):
        expected = 0.0
        for d in row.tolist():
            if d == 0:
                expected = -np.inf
            elif d < t:
                expected += 0.5 * oracles.math.log(d / t)
        assert value == expected


@given(hostile.point_sets(sizes=(2, 60)), SEARCHES, paths())
@settings(max_examples=100)
def test_the_largest_ratio_is_that_of_the_double_loop(sets, search, path):
    queries, refs = map(ready, sets)
    t = oracles.kth_within(refs, 1)
    t[:: 1 + len(t) // 3] = -1
    d2 = oracles.squared_distances(queries, refs)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(d2 == 0, np.where(t == 0, 1.0, np.inf), t / d2)
    with on(path):
        found = search.largest_ratio(queries, refs, t)
    assert np.array_equal(found, np.where(t < 0, 0.0, ratio).max(1))


@given(
    hostile.point_sets(sizes=(2, 150)),
    st.sampled_from([1, 31, 32, 33, 64, 100]),
    st.sampled_from([1, 1, 2]),
    paths(),
)
@examples(60)
def test_super_blocks_of_any_size_change_nothing(sets, room, threads, path):
    """References packed a few at a time, queries a block a call: state is carried over."""
    queries, refs = map(ready, sets)
    d2 = oracles.squared_distances(queries, refs)
    ks = sorted({1, (len(refs) + 1) // 2, len(refs)})
    t = oracles.kth(d2, ks[1 % len(ks)])
    counts = np.zeros(len(queries), np.int64), np.zeros(len(refs), np.int64)
    search = NeighborSearch("exact", n_jobs=threads)
    with pytest.MonkeyPatch.context() as patch, on(path):
        patch.setattr(lists, "FLOPS_A_CALL", 1.0)
        patch.setattr(lists, "ref_block_size", lambda of, *_: min(room, len(of)))
        found = search.kth(queries, refs, ks)
        union = search.union(queries, refs, queries, [], [], [1, len(refs)]).d2_both
        search.count(queries, refs, [Count(t, None, True, *counts)])
    assert np.array_equal(found, np.column_stack([oracles.kth(d2, k) for k in ks]))
    both = np.hstack([d2, oracles.squared_distances(queries, queries)])
    assert np.array_equal(union, np.column_stack([oracles.kth(both, k) for k in (1, len(refs))]))
    assert np.array_equal(counts[0], (d2 <= t[:, None]).sum(1))
    assert np.array_equal(counts[1], (d2 <= t[:, None]).sum(0))


@pytest.mark.parametrize("power", [-33, -30, -10])
def test_distances_below_the_normal_numbers(path, power):
    """A cluster of differences near 1e-160 beside offsets of 1e-150: D is subnormal or zero."""
    rng = np.random.default_rng(0)
    x = 1e-150 * 2.0**power * rng.normal(size=(300, 3))
    x[0], x[1] = 1e-150, -1e-150
    assert np.array_equal(
        NeighborSearch("exact").kth_within(x, [3])[:, 0], oracles.kth_within(x, 3)
    )


def test_values_that_differ_by_ulps_only(path):
    rng = np.random.default_rng(1)
    x = 1e-145 * (1 + 2.0**-52 * rng.integers(0, 4, (50, 3)))
    assert np.array_equal(
        NeighborSearch("exact").kth_within(x, [3])[:, 0], oracles.kth_within(x, 3)
    )


def test_small_balls_far_away_have_a_ratio(path):
    rng = np.random.default_rng(2)
    refs, queries = 1e-20 * rng.normal(size=(50, 2)), rng.normal(size=(5, 2)) + 5
    t = oracles.kth_within(refs, 3)
    expected = (t / oracles.squared_distances(queries, refs)).max(1)
    assert np.array_equal(NeighborSearch("exact").largest_ratio(queries, refs, t), expected)


@pytest.mark.parametrize("exponent", [-504, -490, -470, -455, -449, -440])
def test_units_change_nothing_down_to_the_last_digit(exponent):
    """Differences of an ulp of the largest number: their squares must not be subnormal numbers."""
    rng = np.random.default_rng(exponent + 1000)
    x, y = (1 + 2.0**-52 * rng.integers(0, 9, (40, 2)) for _ in "ab")
    scaled = in_range(np.ldexp(x, exponent), np.ldexp(y, exponent))
    k, search = [1, 5, 40], NeighborSearch("exact")
    found, expected = search.kth(*scaled, k), search.kth(x, y, k)
    unit = np.frexp(scaled[0][0, 0])[1] - 1
    assert np.array_equal(found, np.ldexp(expected, 2 * int(unit)))
    assert (found[expected > 0] > 0).all()
