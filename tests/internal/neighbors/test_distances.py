"""Every question about distances against the naive double loop: equal to the last bit, always."""

import hostile
import numpy as np
import oracles
import pytest
from hostile_sets import KINDS, two_sets
from hypothesis import given
from hypothesis import strategies as st
from paths import SEARCHES, examples, on, paths, ready, union
from truth import Truth, check_all, search_with

from prfast.neighbors import Count, NeighborSearch, in_range, passes


@given(hostile.point_sets(sizes=(1, 120)), st.data(), st.booleans(), SEARCHES, paths())
@examples(40)
def test_every_task_equals_the_double_loop(sets, data, closed, search, path):
    """Thresholds are distances that occur: every comparison is as close as it can be."""
    x, y = (np.array(ready(points), order="C") for points in sets)
    ks = data.draw(st.lists(st.integers(1, len(x)), min_size=1, max_size=3, unique=True))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    with on(path):
        check_all(Truth(x, y), search, sorted(ks), closed, rng)


# Sizes that reach limits of lists from a sample (768 references), limits that are lowered at the
# end of a super-block, where it is cut, and super-blocks of 384 queries.
SIZES = st.tuples(
    st.sampled_from([1000, 780, 500, 193, 96, 5]),
    st.sampled_from([1, 40, 200, 450]),
    st.sampled_from([1, 2, 5, 16, 40]),
)


@given(
    st.sampled_from([*KINDS]),
    SIZES,
    st.sets(st.sampled_from([1, 2, 5, 30, 0.5, 0.9]), min_size=1),
    st.builds(
        search_with,
        st.sampled_from([1, 1, 1, 2, 3]),
        st.sampled_from([20_000, 300_000, 256_000_000]),
    ),
    paths(),
    st.booleans(),
    st.integers(0, 10**6),
)
@examples(15)
def test_every_task_of_larger_sets_equals_the_double_loop(
    kind, sizes, ks, search, path, closed, seed
):
    truth = Truth(*two_sets(kind, *sizes, seed))
    most = min(sizes[:2])
    ks = sorted({max(1, k if k >= 1 else int(k * most)) for k in ks})
    with on(path):
        check_all(truth, search, ks, closed, np.random.default_rng(seed))


@given(
    hostile.point_sets(sizes=(2, 150)),
    st.sampled_from([1, 31, 32, 33, 64, 100]),
    st.sampled_from([1, 1, 2]),
    paths(),
)
@examples(30)
def test_super_blocks_of_any_size_change_nothing(sets, room, threads, path):
    queries, refs = map(ready, sets)
    d2 = oracles.squared_distances(queries, refs)
    ks = sorted({1, (len(refs) + 1) // 2, len(refs)})
    t = oracles.kth(d2, ks[1 % len(ks)])
    counts = np.zeros(len(queries), np.int64), np.zeros(len(refs), np.int64)
    search = NeighborSearch("exact", n_jobs=threads)
    with pytest.MonkeyPatch.context() as patch, on(path):
        patch.setattr(passes, "PRODUCTS_A_CALL", 0.5)
        patch.setattr(passes, "_PANEL", room)
        patch.setattr(passes, "PACKED_BYTES", 1 << 40)
        result = search.kth(queries, refs, ks)
        nearest = union(search, queries, refs, queries, [], [], [1, len(refs)]).d2_both
        search.run(queries, [refs], [Count(t, None, True, *counts)])
    assert np.array_equal(result, np.column_stack([oracles.kth(d2, k) for k in ks]))
    both = np.hstack([d2, oracles.squared_distances(queries, queries)])
    assert np.array_equal(nearest, np.column_stack([oracles.kth(both, k) for k in (1, len(refs))]))
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


@pytest.mark.parametrize("exponent", [-504, -490, -470, -455, -449, -440])
def test_units_change_nothing_down_to_the_last_digit(exponent):
    """Differences of an ulp of the largest number: their squares must not be subnormal numbers."""
    rng = np.random.default_rng(exponent + 1000)
    x, y = (1 + 2.0**-52 * rng.integers(0, 9, (40, 2)) for _ in "ab")
    scaled = in_range(np.ldexp(x, exponent), np.ldexp(y, exponent))
    k, search = [1, 5, 40], NeighborSearch("exact")
    result, expected = search.kth(*scaled, k), search.kth(x, y, k)
    unit = np.frexp(scaled[0][0, 0])[1] - 1
    assert np.array_equal(result, np.ldexp(expected, 2 * int(unit)))
    assert (result[expected > 0] > 0).all()
