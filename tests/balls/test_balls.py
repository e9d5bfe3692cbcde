"""The distance engine against the naive double loop: equal to the last bit, always."""

import os

import hostile
import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prfast import _kernels
from prfast.balls import Count, Search
from prfast.balls.engines import passes, reservoirs
from prfast.balls.engines.exact import Exact
from prfast.balls.resources import Resources
from prfast.balls.tasks import Kth

ISAS = [name for name, number in _kernels.ISAS.items() if _kernels.isa_runs(number)]


def ready(points):
    """What samples.py makes of an array before the engine sees it: native byte order."""
    return points.astype(points.dtype.newbyteorder("="), copy=False)


@pytest.fixture(params=[*ISAS, "unfiltered"])
def path(request, monkeypatch):
    """Every instruction set of this machine, and the one without the float32 filter."""
    if request.param == "unfiltered":
        monkeypatch.setenv("PRFAST_FILTER", "off")
    else:
        monkeypatch.setenv("PRFAST_ISA", request.param)
    return request.param


@st.composite
def paths(draw):
    return draw(st.sampled_from([*ISAS, "unfiltered"]))


class on:
    """Run a block on one path."""

    def __init__(self, path):
        self.names = {"PRFAST_FILTER": "off"} if path == "unfiltered" else {"PRFAST_ISA": path}

    def __enter__(self):
        os.environ.update(self.names)

    def __exit__(self, *error):
        for name in self.names:
            del os.environ[name]


MEMORIES = st.sampled_from([1_000_000, 256_000_000])
SEARCHES = st.builds(
    Search,
    backend=st.sampled_from(["exact", "tree"]),
    n_jobs=st.sampled_from([1, 2, 3]),
    memory=MEMORIES,
)


def radii(points, ks, once, threads=1, memory=256_000_000):
    """Of the exact engine, each pair of points computed once or twice; and its work."""
    task, resources = Kth(np.array(ks), within=True), Resources(threads, memory)
    Exact(once).run(points, [points], [task], resources)
    return task.d2, resources.work


def aligned(points):
    """As the door gives points to an engine: rows that are contiguous."""
    return np.array(points, order="C")


@given(hostile.point_sets(), st.data(), SEARCHES, paths())
@settings(max_examples=250)
def test_kth_distances_are_those_of_the_double_loop(sets, data, search, path):
    queries, refs = map(ready, sets)
    ks = data.draw(st.lists(st.integers(1, len(refs)), min_size=1, max_size=3, unique=True))
    d2 = oracles.squared_distances(queries, refs)
    with on(path):
        found = search.kth(queries, refs, ks)
    assert np.array_equal(found, np.column_stack([oracles.kth(d2, k) for k in ks]))


@given(hostile.point_sets(sizes=(2, 200), count=1), st.data(), SEARCHES, paths())
@settings(max_examples=100)
def test_a_point_is_never_its_own_neighbour(sets, data, search, path):
    points = ready(sets[0])
    k = data.draw(st.integers(1, len(points) - 1))
    with on(path):
        found = search.kth_within(points, [k])
    assert np.array_equal(found[:, 0], oracles.kth_within(points, k))


@given(hostile.point_sets(sizes=(2, 200), count=1), st.data(), MEMORIES, paths(), st.booleans())
@settings(max_examples=200)
def test_each_pair_is_computed_once_or_twice(sets, data, memory, path, once):
    points = aligned(ready(sets[0]))
    k = data.draw(st.integers(1, len(points) - 1))
    threads = data.draw(st.sampled_from([1, 2, 3]))
    with on(path):
        found, _ = radii(points, [k], once, threads, memory)
    assert np.array_equal(found[:, 0], oracles.kth_within(points, k))


@given(hostile.point_sets(count=3), st.data(), st.booleans(), SEARCHES, paths())
@settings(max_examples=150)
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
@settings(max_examples=100)
def test_in_a_union_a_row_of_one_set_is_not_its_own_neighbour(sets, data, closed, search, path):
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
@settings(max_examples=250)
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


@given(hostile.point_sets(sizes=(2, 150)), st.sampled_from([1, 31, 32, 33, 64, 100]), paths())
@settings(max_examples=150)
def test_super_blocks_of_any_size_change_nothing(sets, room, path):
    """References packed a few at a time, queries a block a call: state is carried over."""
    queries, refs = map(ready, sets)
    d2 = oracles.squared_distances(queries, refs)
    ks = sorted({1, (len(refs) + 1) // 2, len(refs)})
    t = oracles.kth(d2, ks[1 % len(ks)])
    counts = np.zeros(len(queries), np.int64), np.zeros(len(refs), np.int64)
    search = Search("exact", n_jobs=2)
    with pytest.MonkeyPatch.context() as patch, on(path):
        patch.setattr(passes, "FLOPS_A_CALL", 1.0)
        for user in (passes, reservoirs):
            patch.setattr(user, "room", lambda of, *_: min(room, len(of)))
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
    assert np.array_equal(Search("exact").kth_within(x, [3])[:, 0], oracles.kth_within(x, 3))


def test_values_that_differ_by_ulps_only(path):
    rng = np.random.default_rng(1)
    x = 1e-145 * (1 + 2.0**-52 * rng.integers(0, 4, (50, 3)))
    assert np.array_equal(Search("exact").kth_within(x, [3])[:, 0], oracles.kth_within(x, 3))


def test_small_balls_far_away_have_a_ratio(path):
    rng = np.random.default_rng(2)
    refs, queries = 1e-20 * rng.normal(size=(50, 2)), rng.normal(size=(5, 2)) + 5
    t = oracles.kth_within(refs, 3)
    expected = (t / oracles.squared_distances(queries, refs)).max(1)
    assert np.array_equal(Search("exact").largest_ratio(queries, refs, t), expected)


# ---- shapes that the blocks and slices of the engine see ---------------------------------------


@pytest.mark.parametrize(("n", "m", "d"), [(200, 1, 300), (1, 200, 300), (193, 97, 129), (9, 9, 1)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_shapes_around_the_blocks(path, n, m, d, dtype):
    rng = np.random.default_rng([n, m, d])
    refs, queries = rng.normal(size=(n, d)).astype(dtype), rng.normal(size=(m, d))
    d2 = oracles.squared_distances(queries, refs)
    search = Search("exact")
    ks = [1, (n + 1) // 2, n]
    assert np.array_equal(search.kth(queries, refs, ks), np.sort(d2, 1)[:, [k - 1 for k in ks]])


@pytest.mark.parametrize("d", [511, 512, 513, 1100, 2048])
def test_rows_longer_than_a_slice(path, d):
    rng = np.random.default_rng(d)
    refs = rng.normal(size=(350, d)).astype(np.float32)
    queries = rng.normal(size=(101, d)).astype(np.float32)
    d2 = oracles.squared_distances(queries, refs)
    search = Search("exact")
    assert np.array_equal(search.kth(queries, refs, [3, 30]), np.sort(d2, 1)[:, [2, 29]])
    task = Count(oracles.kth(d2, 5), None, True, np.zeros(101, np.int64), np.zeros(350, np.int64))
    search.count(queries, refs, [task])
    assert (task.rows == 5).all()
    assert task.cols.sum() == 505


def test_many_references_use_a_guessed_threshold(path):
    """Enough references for the sample; sorted, so that the sample is all that is fair."""
    rng = np.random.default_rng(1)
    refs = np.sort(rng.normal(size=(9000, 2)), axis=0).astype(np.float32)
    queries = refs[::90].copy()
    d2 = np.sort(oracles.squared_distances(queries, refs), 1)
    for ks in ([1], [7, 40], [3000]):
        found = Search("exact").kth(queries, refs, ks)
        assert np.array_equal(found, d2[:, [k - 1 for k in ks]])


def misleading_sets(seed):
    """For panels of each size: points of which the sample of a guess sees a cluster, and few of
    all, so that a threshold guessed from it keeps too much out."""
    rng = np.random.default_rng(seed)
    for panel in (8, 16, 32):
        points = rng.normal(size=(9000, 3)) + 100
        panels, sampled = 9000 // panel, 256 // panel
        for p in range(sampled):
            first = panels * p // sampled * panel
            points[first : first + panel] -= 100
        yield points


def test_a_guess_that_fails_is_taken_back(path):
    redone = 0
    for refs in misleading_sets(2):
        queries, search = np.random.default_rng(3).normal(size=(50, 3)), Search("exact")
        d2 = np.sort(oracles.squared_distances(queries, refs), 1)
        assert np.array_equal(search.kth(queries, refs, [600])[:, 0], d2[:, 599])
        redone += search.work["redone"]
    assert redone > 0 or path == "unfiltered"


def test_a_guess_that_fails_within_a_set_is_taken_back(path):
    redone = 0
    for points in misleading_sets(12):
        rows = np.flatnonzero(points[:, 0] < 50)[::7]
        found, work = radii(points, [600], once=True, threads=2)
        d2 = np.sort(oracles.squared_distances(points[rows], points), 1)
        assert np.array_equal(found[rows, 0], d2[:, 600])
        redone += work.redone
    assert 0 < redone < 9000 or path == "unfiltered"  # blocks, not all of the set


def test_counts_of_a_union_after_guesses_that_fail(path):
    for refs in misleading_sets(4):
        queries = np.random.default_rng(5).normal(size=(40, 3))
        d2 = oracles.squared_distances(queries, refs)
        t = np.sort(d2, 1)[:, 599]
        for closed in (True, False):
            found = Search("exact").union(queries, refs, refs[:10], [], [], [600], closed=closed)
            both = np.sort(np.hstack([d2, d2[:, :10]]), 1)[:, 599]
            assert np.array_equal(found.d2_both[:, 0], both)
            assert (both <= t).all()
            of_refs = oracles.in_ball(d2, both[:, None], closed).sum(1)
            assert np.array_equal(found.of_a[:, 0], of_refs)


def test_long_rows_of_many_points_are_guessed_and_sliced_within_a_set(path):
    points = np.random.default_rng(6).normal(size=(4200, 1030)).astype(np.float32)
    found = Search("exact", n_jobs=2).kth_within(points, [1, 9])
    rows = [0, 95, 96, 2047, 4199]
    d2 = np.sort(oracles.squared_distances(points[rows], points), 1)
    assert np.array_equal(found[rows], d2[:, [1, 9]])


def test_a_symmetric_pass_equals_two_ways_of_computing_each_pair(path):
    """Enough points for guesses and for several rounds, with ties; k of several sizes at once."""
    rng = np.random.default_rng(13)
    points = rng.integers(0, 40, (4500, 3)).astype(np.float32)
    points[::3] += rng.normal(size=(1500, 3)).astype(np.float32)
    ks = [1, 5, 60]
    twice, _ = radii(points, ks, once=False, threads=2, memory=10**8)
    for threads in (1, 2, 3, 7):
        once, _ = radii(points, ks, once=True, threads=threads, memory=10**8)
        assert np.array_equal(once, twice)


def test_memory_maps_are_read_where_they_lie(tmp_path):
    rng = np.random.default_rng(3)
    points = rng.normal(size=(500, 9)).astype(np.float32)
    np.save(tmp_path / "points.npy", points)
    mapped = np.load(tmp_path / "points.npy", mmap_mode="r")
    expected = Search("exact").kth_within(points, [4])
    assert np.array_equal(Search("exact").kth_within(mapped, [4]), expected)


# ---- the filter --------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [2, 64, 600])
def test_the_filter_leaves_few_pairs_undecided(d):
    rng = np.random.default_rng(d)
    x = rng.normal(size=(5000, d)).astype(np.float32)
    search = Search("exact")
    search.kth_within(x, [5])
    assert search.work["refined"] / 5000 < 6
    assert search.work["unfiltered"] == 0


def test_where_the_filter_sees_nothing_it_is_given_up():
    """Clusters far apart and tight: float32 cannot tell neighbours from each other."""
    rng = np.random.default_rng(4)
    x = 1e6 * rng.integers(0, 2, (6000, 1)) + 1e-3 * rng.normal(size=(6000, 16))
    search = Search("exact")
    found = search.kth_within(x, [5])
    assert search.work["unfiltered"] > 6000 * 6000 / 2
    assert np.array_equal(
        found[:50, 0], [np.sort(row)[5] for row in oracles.squared_distances(x[:50], x)]
    )


def intervals(queries, refs):
    """lo <= D <= hi, what the filter knows of up to 96 queries and all references."""
    side = passes.new_pass(queries, refs, len(refs), False)
    side.load(0, len(refs), 1)
    return side.intervals(len(queries))


def constant_rows(n, d, rng):
    """Products that are all alike: each step of a float32 sum errs in the same direction."""
    x = np.ones((n, d)) * (1 + rng.random((n, 1)))
    x[0] *= -1
    return x


@pytest.mark.parametrize("d", [2, 64, 1500])
def test_the_error_bound_is_of_the_size_of_the_worst_errors(d):
    """A fifth of it, in all dimensions: a bound without its term in d would be exceeded."""
    rng = np.random.default_rng(d)
    worst = 0.0
    for _ in range(20):
        x, y = constant_rows(24, d, rng), constant_rows(40, d, rng)
        d2 = oracles.squared_distances(x, y)
        lo, hi = intervals(x, y)
        worst = max(worst, (np.abs(d2 - (lo + hi) / 2) / ((hi - lo) / 2)).max())
    assert 0.15 < worst < 1


@given(
    st.integers(1, 300),
    st.sampled_from(["normal", "signs", "one large", "parallel", "steps", "constant rows"]),
    st.floats(-8, 8),
    st.integers(0, 10**6),
)
@settings(max_examples=300)
def test_the_error_bound_is_never_exceeded(d, kind, power, seed):
    """lo <= D <= hi for rows chosen to make float32 sums err in one direction."""
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(24, d)), rng.normal(size=(40, d))
    if kind == "signs":  # products of one sign, all rounded the same way
        x, y = np.abs(x) + 1, np.abs(y) + 1
    elif kind == "one large":
        x[:, 0] *= 1e6
    elif kind == "parallel":
        y = np.repeat(x[:1], 40, axis=0) * (1 + 1e-7 * rng.normal(size=(40, 1)))
    elif kind == "constant rows":
        x, y = constant_rows(24, d, rng), constant_rows(40, d, rng)
    elif kind == "steps":  # halfway between float32 numbers
        x = np.float32(x).astype(float) + np.spacing(np.float32(x)).astype(float) / 2
    x, y = x * 10.0**power, y * 10.0**power
    d2 = oracles.squared_distances(x, y)
    for isa in ISAS:
        with on(isa):
            lo, hi = intervals(x, y)
        assert (lo <= d2).all(), isa
        assert (d2 <= hi).all(), isa


# ---- settings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"backend": "fast"}, ValueError, "backend: one of 'auto', 'exact', 'tree', 'approx"),
        ({"n_jobs": 0}, ValueError, "n_jobs: an integer of at least 1 expected, got 0"),
        ({"memory": 10}, ValueError, "memory: an integer of at least 1000000 expected, got 10"),
        ({"memory": 1e9}, TypeError, "memory: an integer expected, got a float"),
    ],
)
def test_settings_are_checked(options, error, message):
    with pytest.raises(error, match=message):
        Search(**options)


def test_an_instruction_set_can_be_named_and_must_exist(monkeypatch):
    monkeypatch.setenv("PRFAST_ISA", "mmx")
    with pytest.raises(ValueError, match=r"PRFAST_ISA: one of base.* expected .* got 'mmx'"):
        Search().kth(np.ones((2, 2)), np.ones((2, 2)), [1])


# ---- the other two ways ------------------------------------------------------------------------


@pytest.mark.parametrize("dim", [1, 2, 4])
def test_auto_takes_the_tree_for_many_points_of_low_dimension(dim):
    """Same numbers as the exact engine, from fewer distances than there are pairs."""
    rng = np.random.default_rng(dim)
    x = rng.normal(size=(30_000, dim)).astype(np.float32)
    assert Search().choice(x, [x], Kth(np.array([3]))) == "tree"
    some = x[:300]
    assert np.array_equal(Search("tree").kth(some, x, [1, 3]), Search("exact").kth(some, x, [1, 3]))
    t = Search("exact").kth(some, x, [5])[:, 0]
    rows = [np.zeros(300, np.int64) for _ in range(2)]
    for backend, count in zip(("tree", "exact"), rows, strict=True):
        Search(backend).count(some, x, [Count(t, None, True, count)])
    assert (rows[0] == rows[1]).all()
    assert (rows[0] >= 5).all()


def test_auto_counts_small_balls_of_many_points_with_the_tree():
    x = np.random.default_rng(0).normal(size=(70_000, 2)).astype(np.float32)
    search = Search()
    small, large = (Count(np.full(50, t), None, True, np.zeros(50, np.int64)) for t in (1e-6, 1.0))
    some = x[:50]
    assert search.choice(some, [x], small) == "tree"
    assert search.choice(some, [x], large) == "exact"


def test_auto_is_exact_in_high_dimension_and_never_approximate():
    for shape in ((100, 3), (10**6, 64)):
        points = np.broadcast_to(np.float32(0), shape)
        assert Search().choice(points, [points], Kth(np.array([5]))) == "exact"


@pytest.fixture(scope="module")
def approximate():
    pytest.importorskip("pynndescent", reason="the extra 'ann' is not installed")
    rng = np.random.default_rng(0)
    return rng.normal(size=(3000, 8)).astype(np.float32), rng.normal(size=(2000, 8))


@pytest.mark.filterwarnings("default")  # of numba, which pynndescent is built on
def test_approximate_distances_are_never_too_small_and_mostly_right(approximate):
    x, y = approximate
    search = Search("approximate")
    for found, exact in (
        (search.kth(y, x, [5]), Search("exact").kth(y, x, [5])),
        (search.kth_within(x, [5]), Search("exact").kth_within(x, [5])),
    ):
        assert (found >= exact).all()
        assert (found == exact).mean() > 0.95
    t = Search("exact").kth(y, x, [5])[:, 0]
    task = Count(t, None, True, np.zeros(2000, np.int64), np.zeros(3000, np.int64))
    search.count(y, x, [task])
    assert task.rows.max() <= 5
    assert task.rows.mean() > 4.9
    assert task.cols.sum() == task.rows.sum()


def test_approximate_refuses_what_makes_no_sense(approximate):
    x, y = approximate
    with pytest.raises(ValueError, match=r"k: at most 20 expected .* got 54.* use 'exact'"):
        Search("approximate").kth(y, x, [54])
    with pytest.raises(ValueError, match="backend: more than 120 samples a set expected"):
        Search("approximate").kth(y[:50], x[:100], [5])
