"""Passes of the kernels, called as the engines call them: what they refuse, what they count."""

import numpy as np
import oracles
import pytest
from refusals import refused

from prfast.kernels import balls

NONE = np.empty(0, np.int64)
N = 500
ROOM = 3 + 2 * balls.BLOCK  # of the shortest list for k = 3


def side(points=None, *, self_=True, exact=False, loaded=N, scale=1.0, own=None):
    points = np.random.default_rng(0).normal(size=(N, 2)) if points is None else points
    one = balls.Pass(points, points, np.zeros(points.shape[1]), scale, N, "base", self_, exact, own)
    if loaded:
        one.load(0, loaded, 1)
    return one


def seen(k=3, self_=True):
    """Lists of all points, and the pass that filled them."""
    one, lists = side(self_=self_), balls.Lists(N, k + self_, k + self_ + 2 * balls.BLOCK)
    one.look([], 0, N, 1, lists)
    return one, lists


@pytest.mark.parametrize(
    "sizes", [(10, 3, ROOM - 1), (10, 0, ROOM), (0, 3, ROOM), (10, 300, 300 + 2 * balls.BLOCK - 1)]
)
def test_lists_want_room_for_k_and_two_blocks(sizes):
    with refused(ValueError, "queries, k >= 1 and room for k and two blocks expected"):
        balls.Lists(*sizes)


@pytest.mark.parametrize("sizes", [(10, 3, 3), (10, 0, 9), (0, 3, 9)])
def test_reservoirs_want_room_above_k(sizes):
    with refused(ValueError, "queries, k >= 1 and a capacity above k expected"):
        balls.Nearest(0, *sizes)


def test_lists_begin_empty_and_none_is_given_up():
    lists = balls.Lists(10, 3, ROOM)
    assert len(lists) == 10
    assert lists.given_up == 0


def test_lists_take_the_memory_of_others_where_there_is_enough():
    spare = balls.Lists(10, 3, ROOM)
    held = spare.nbytes
    larger = balls.Lists(11, 3, ROOM, spare)
    assert (spare.nbytes, larger.nbytes) == (held, 8 * 11 * ROOM)
    fewer = balls.Lists(9, 3, ROOM, spare)
    assert (spare.nbytes, fewer.nbytes) == (0, held)
    with refused(ValueError, "queries of the lists expected"):
        side().look([], 0, 5, 1, spare)


def test_points_that_are_all_alike_have_lists_that_are_given_up():
    lists = balls.Lists(N, 3, ROOM)
    alike = side(np.ones((N, 2)))
    alike.look([], 0, N, 2, lists)
    assert lists.given_up == N
    assert alike.answers(lists, 0, N, (np.array([1]), NONE, NONE), True, 2)["failed"].all()
    lists.begin(0)
    assert lists.given_up == 0


@pytest.mark.parametrize(("first", "count"), [(-1, 5), (0, 0), (N - 4, 5), (0, N + 1)])
def test_queries_are_within_the_set(first, count):
    one, lists = seen()
    with refused(ValueError, "queries within the set expected"):
        one.look([], first, count, 1)
    with refused(ValueError, "queries within the set expected"):
        one.answers(lists, first, count, (NONE, NONE, NONE), True, 1)


def test_queries_are_those_of_the_lists():
    one, few = side(), balls.Lists(100, 3, ROOM)
    few.begin(200)
    for first, count in [(0, 100), (199, 10), (250, 51)]:
        with refused(ValueError, "queries of the lists expected"):
            one.look([], first, count, 1, few)
        with refused(ValueError, "queries of the lists expected"):
            one.answers(few, first, count, (NONE, NONE, NONE), True, 1)
    whole, lists = seen()
    with refused(ValueError, "queries of the lists expected"):  # of the other set
        whole.answers(lists, 0, N, (NONE, NONE, NONE), True, 1, one, few)


def test_thresholds_and_counts_have_the_length_of_their_set():
    one = side(self_=False)
    t, short, counts = np.ones(N), np.ones(N - 1), np.zeros(N - 1, np.int64)
    for task in [
        (short, None, True, None, None),
        (None, short, True, None, None),
        (t, None, True, counts, None),
    ]:
        with refused(ValueError, "arrays of one length expected, got 499 and 500"):
            one.look([task], 0, N, 1)
    one.use_int8(False)
    one.load(0, N, 1)
    with refused(ValueError, "arrays of one length expected, got 499 and 500"):
        one.look([(None, short, True, None, None)], 0, N, 1)


def test_answers_want_k_from_one_on_and_two_sets_seen_alike():
    one, lists = seen()
    for ks in [([0], NONE, NONE), (NONE, [1], NONE), (NONE, NONE, [1])]:
        with refused(ValueError, "k from 1 on, of sets that are there, expected"):
            one.answers(lists, 0, N, ks, True, 1)
    other = side(scale=0.5)
    with refused(ValueError, "passes of the same queries with one scale expected"):
        one.answers(lists, 0, N, (NONE, NONE, NONE), True, 1, other, balls.Lists(N, 3, ROOM))


def test_more_than_a_list_holds_is_not_told():
    one, lists = seen(k=3)
    told = one.answers(lists, 0, N, (np.array([N]), NONE, NONE), True, 1)
    assert told["failed"].all()
    assert np.isnan(told["d2"][0]).all()


def test_pairs_within_a_set_want_the_whole_set_and_its_lists():
    parts, wanted = np.array([[192, 288, 288, N]], np.int64), balls.Lists(N, 4, ROOM + 1)
    later = balls.Lists(N, 4, ROOM + 1)
    later.begin(1)
    for one, lists in (
        (side(self_=False), wanted),
        (side(exact=True), wanted),
        (side(loaded=N - 1), wanted),
        (side(), balls.Lists(N - 1, 4, ROOM + 1)),
        (side(), later),
    ):
        with refused(ValueError, "one set, all of it loaded, and lists of all of it expected"):
            one.triangle(lists, parts, one.arms(), 1)


@pytest.mark.parametrize(
    "part",
    [
        [192, 288, 288, N + 1],
        [192, 288, 300, N],
        [288, N, 192, 288],
        [-96, 192, 192, N],
        [192, 192, 192, N],
        [193, 288, 288, N],
    ],
)
def test_pairs_within_a_set_want_parts_of_whole_blocks(part):
    one, lists = seen()
    with refused(ValueError, "parts of whole blocks within the set expected"):
        one.triangle(lists, np.array([part], np.int64), one.arms(), 1)


@pytest.mark.parametrize(
    "parts",
    [[[192, 288, 288, N], [192, 288, 192, 288]], [[192, 384, 384, N], [288, 384, 288, 384]]],
)
def test_pairs_within_a_set_want_parts_that_do_not_meet(parts):
    one, lists = seen()
    with refused(ValueError, "parts that do not meet expected"):
        one.triangle(lists, np.array(parts, np.int64), one.arms(), 1)


def test_what_was_unloaded_cannot_be_loaded_but_still_tells():
    one, lists = seen()
    one.unload()
    with refused(ValueError, "references within the set and the room expected"):
        one.load(0, 96, 1)
    points = np.random.default_rng(0).normal(size=(N, 2))
    told = one.answers(lists, 0, N, (np.array([3]), NONE, NONE), True, 1)
    assert not told["failed"].any()
    assert np.array_equal(told["d2"][0][:, 0], oracles.kth_within(points, 3))


@pytest.mark.parametrize("first", [0, 7, 96, 300])
def test_a_query_is_left_out_by_its_place(first):
    """References in another order: own says where a query is among them."""
    points = np.random.default_rng(1).integers(0, 5, (N, 2)).astype(float)
    order = np.random.default_rng(2).permutation(N)
    own = np.argsort(order)
    one = balls.Pass(points, points[order], np.zeros(2), 0.125, N, "base", True, False, own)
    one.load(0, N, 1)
    lists = balls.Lists(N - first, 4, N + 2 * balls.BLOCK)
    lists.begin(first)
    one.look([], first, N - first, 1, lists)
    told = one.answers(lists, first, N - first, (np.array([1, 3]), NONE, NONE), True, 1)
    expected = np.column_stack([oracles.kth_within(points, k) for k in (1, 3)])
    assert np.array_equal(told["d2"][0], expected[first:])
    assert not told["failed"].any()


def test_own_has_the_length_of_the_queries():
    points = np.zeros((4, 2))
    with refused(ValueError, "arrays of one length expected, got 3 and 4"):
        balls.Pass(points, points, np.zeros(2), 1.0, 4, "base", True, False, np.arange(3))


@pytest.mark.parametrize("levels", ["dot products", "int8"])
@pytest.mark.parametrize("wanted", [[], [0], [1], [0, 1]])
def test_counts_by_row_and_by_column_are_each_as_wanted(wanted, levels):
    """No task, some tasks with columns, on several threads: who wants nothing gets nothing."""
    points = np.arange(300.0)[:, None]
    one = balls.Pass(points, points, np.zeros(1), 2.0**-9, 300, "base", False, False)
    if levels == "int8":
        one.use_int8(True)
    one.load(0, 300, 2)
    rows = np.zeros((2, 300), np.int64)
    cols = [np.zeros(300, np.int64) if t in wanted else None for t in range(2)]
    t = np.full(300, 4.0)
    tasks = [(t, None, True, rows[0], cols[0]), (None, t, False, rows[1], cols[1])]
    one.look([], 0, 300, 3)
    one.look(tasks, 0, 300, 3)
    d2 = (points - points.T) ** 2
    for inside, row, col in zip((d2 <= 4, d2 < 4), rows, cols, strict=True):
        assert np.array_equal(row, inside.sum(1))
        assert col is None or np.array_equal(col, inside.sum(0))


def test_counters_start_again_after_they_were_read():
    one = side(self_=False)
    one.look([(np.ones(N), None, True, np.zeros(N, np.int64), None)], 0, N, 2)
    int8, float32, differences, refined, unfiltered, dear = one.counters()
    assert (int8, float32, differences, unfiltered, dear) == (0, N * N, 0, 0, 0)
    assert 0 <= refined < N
    assert one.counters() == [0] * 6
