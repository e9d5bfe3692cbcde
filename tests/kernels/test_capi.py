"""The public C functions: the bits of Python's results, and a status for every argument that does
not fit."""

import threading
from ctypes import byref, c_int64

import called
import hostile
import numpy as np
import oracles
import pytest
from called import API, STATUS, at, points
from hypothesis import given, settings
from hypothesis import strategies as st

import prfast
from prfast import PRCurve
from prfast.balls import Count, Search, in_range
from prfast.curve import cells
from prfast.kernels import masses as kernels
from prfast.kernels.balls import ISAS


def same(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


# ---- scores and cells ----------------------------------------------------------------------


@given(hostile.score_pairs())
def test_sweep_is_the_exact_hull_of_scores_in_any_order(scores):
    p, q = called.sweep(*scores)
    assert list(zip(p.tolist(), q.tolist(), strict=True)) == oracles.sweep(*scores)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["sorted", "as they come"])
def test_sweep_has_the_cells_of_a_curve(dtype, order):
    rng = np.random.default_rng(0)
    scores = [np.round(rng.normal(size=n), 2).astype(dtype) for n in (3000, 200)]
    if order == "sorted":
        scores = [np.sort(one) for one in scores]
    curve = PRCurve.from_scores(*scores)
    same(called.sweep(*scores), (curve._p, curve._q))


@given(st.data())
def test_weighted_sweep_has_the_bits_of_the_kernel(data):
    scores = [one.astype(np.float64) for one in data.draw(hostile.score_pairs())]
    weights = [data.draw(hostile.weights_of(one.size)) for one in scores]
    order = [np.argsort(one, kind="stable") for one in scores]
    ascending = [x[i] for pair in zip(scores, weights, order, strict=True) for x, i in _both(pair)]
    same(called.sweep(*scores, *weights), kernels.sweep_weighted(*ascending))


def _both(pair):
    scores, weights, order = pair
    return (scores, order), (weights, order)


@given(hostile.mass_pairs())
def test_pool_and_vertices_are_those_of_a_curve_from_masses(masses):
    p, q = called.pool(*masses, sort=True)
    same((p, q), cells.of_masses(*masses))
    same(called.vertices(p, q), PRCurve.from_masses(*masses).vertices)


@pytest.mark.parametrize("factor", [2.0**-900, 1.0, 2.0**900])
def test_vertices_do_not_know_the_unit_of_the_masses(factor):
    p, q = called.pool(*np.random.default_rng(0).random((2, 50)), sort=True)
    same(called.vertices(p * factor, q), called.vertices(p, q))
    same(called.vertices(p, q * factor), called.vertices(p, q))


@given(hostile.mass_pairs())
def test_pool_without_sort_is_the_hull_of_a_polyline(masses):
    copies = [one.copy() for one in masses]
    same(called.pool(*masses, sort=False), cells.of_edges(*copies))


@given(hostile.mass_pairs(), st.lists(st.floats(0, np.inf), min_size=1, max_size=8))
def test_min_sums_are_those_of_python(masses, lam):
    lam = np.array(lam)
    same([called.min_sums(*masses, lam)], [prfast.min_sums(*masses, lam)])


def test_min_sums_of_many_cells_are_cut_alike():
    p, q = np.random.default_rng(0).random((2, 70_000))
    lam = np.array([0.5, np.inf, 2.0, 0.0, 0.5])
    same([called.min_sums(p, q, lam)], [prfast.min_sums(p, q, lam, n_jobs=2)])


# ---- distances -----------------------------------------------------------------------------


def two_sets(kind, n, m, dim):
    """`far`: in a range where the filters say nothing; the largest are for int8 as well."""
    rng = np.random.default_rng([n, m, dim])
    x, y = rng.normal(size=(n, dim)), rng.normal(size=(m, dim))
    if kind == "ties":
        x, y = np.round(x), np.round(y)
    if kind == "float32":
        return x.astype(np.float32), y.astype(np.float32)
    if kind == "far":
        return x * 2.0**-495, y * 2.0**-495
    if kind == "alike":
        return x * 0.0 + 3.0, y * 0.0 + 3.0
    return x, y


KINDS = ["float64", "float32", "ties", "alike", "far"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("n", "m", "dim"), [(1, 1, 1), (300, 130, 3), (131, 400, 40), (600, 530, 65)]
)
def test_distances_have_the_bits_of_python(kind, n, m, dim):
    x, y = two_sets(kind, n, m, dim)
    ks, search = [1, (m + 1) // 2, m], Search(n_jobs=1)
    same([called.kth(x, y, ks)], [search.kth(x, y, ks)])
    if n > 1:
        ks = [n - 1, 1]
        same([called.kth(x, x, ks, within=True)], [search.kth_within(x, ks)])
    t = search.kth(y, x, [1])[:, 0].copy()
    for closed in (True, False):
        task = Count(None, t, closed, np.zeros(n, np.int64), np.zeros(m, np.int64))
        turned = Count(t, None, closed, np.zeros(m, np.int64), np.zeros(n, np.int64))
        search.count(x, y, [task])
        search.count(y, x, [turned])
        cols = np.zeros(m, np.int64), np.zeros(n, np.int64)
        rows = called.count(x, y, None, t, closed, cols=cols[0])
        same((rows, cols[0]), (task.rows, task.cols))
        rows = called.count(y, x, t, None, closed, cols=cols[1])
        same((rows, cols[1]), (turned.rows, turned.cols))


@given(hostile.point_sets())
@settings(max_examples=60)
def test_distances_are_those_of_the_double_loop(sets):
    x, y = (np.array(x, x.dtype.newbyteorder("="), order="C") for x in in_range(*sets))
    d2 = np.array(oracles.squared_distances(x, y))
    k = (len(y) + 1) // 2
    t = np.sort(d2, axis=1)[:, k - 1].copy()
    same([called.kth(x, y, [k])[:, 0]], [t])
    for closed in (True, False):
        inside = oracles.in_ball(d2, t[:, None], closed)
        cols = np.zeros(len(y), np.int64)
        same([called.count(x, y, t, None, closed, cols=cols)], [inside.sum(axis=1)])
        same([cols], [inside.sum(axis=0)])


def test_more_references_than_are_packed_at_a_time():
    """32 MB of packed rows are 6400 of them: two super-blocks."""
    x = np.random.default_rng(0).normal(size=(9000, 1030)).astype(np.float32)
    queries = x[:100] + np.float32(0.5)
    search = Search(n_jobs=1)
    expected = search.kth(queries, x, [1, 5])
    same([called.kth(queries, x, [1, 5])], [expected])
    t = expected[:, 1].copy()
    task = Count(t, None, True, np.zeros(100, np.int64), np.zeros(9000, np.int64))
    cols = np.zeros(9000, np.int64)
    rows = called.count(queries, x, t, None, True, cols=cols)
    search.count(queries, x, [task])
    same((rows, cols), (task.rows, task.cols))


def test_a_large_k_takes_queries_block_by_block():
    x = np.random.default_rng(0).normal(size=(3000, 2))
    same([called.kth(x, x, [2999], within=True)], [Search(n_jobs=1).kth_within(x, [2999])])


def test_rows_may_lie_apart():
    wide = np.random.default_rng(0).normal(size=(50, 9))
    part = wide[::3, 2:6]
    same([called.kth(part, part, [2], within=True)], [Search().kth_within(part, [2])])


def test_threads_of_the_caller_divide_the_queries():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(700, 8)), rng.normal(size=(500, 8))
    d2, rows, cols = np.empty((700, 1)), np.empty(700, np.int64), np.zeros((3, 500), np.int64)

    def work(thread, part):
        d2[part] = called.kth(x, y, [3], rows=part)
        t = np.full(700, 6.0)
        rows[part] = called.count(x, y, t, None, True, rows=part, cols=cols[thread])

    parts = [slice(0, 100), slice(100, 101), slice(101, 700)]
    threads = [threading.Thread(target=work, args=item) for item in enumerate(parts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same([d2], [Search().kth(x, y, [3])])
    whole = np.zeros(500, np.int64)
    same([rows], [called.count(x, y, np.full(700, 6.0), None, True, cols=whole)])
    same([cols.sum(axis=0)], [whole])


# ---- what does not fit ---------------------------------------------------------------------

X = np.arange(12.0)
OUT = np.empty(64)
INTS = np.empty(64, np.int64)
MOST = 2**63 - 1


def status_of(function, *arguments):
    return STATUS[getattr(API, function)(*arguments)]


def with_nan(x, value=np.nan):
    return np.append(x[:-1], value)


NAN, MINUS, HUGE = with_nan(X), with_nan(X, -1.0), np.full(12, 1e308)
ZERO = np.zeros(12)


@pytest.mark.parametrize(
    ("real", "n", "fake", "m", "p", "status"),
    [
        (None, 3, at(X), 3, at(OUT), "BAD_POINTER"),
        (at(X) + 4, 3, at(X), 3, at(OUT), "BAD_POINTER"),
        (at(X), 3, None, 3, at(OUT), "BAD_POINTER"),
        (at(X), 3, at(X), 3, None, "BAD_POINTER"),
        (at(X), 0, at(X), 3, at(OUT), "BAD_SIZE"),
        (at(X), 3, at(X), -1, at(OUT), "BAD_SIZE"),
        (at(X), 2**31, at(X), 3, at(OUT), "BAD_SIZE"),
        (at(NAN), 12, at(X), 3, at(OUT), "BAD_NUMBER"),
        (at(X), 3, at(NAN), 12, at(OUT), "BAD_NUMBER"),
    ],
)
def test_sweep_refuses(real, n, fake, m, p, status):
    found = byref(c_int64())
    assert status_of("sweep", real, n, fake, m, p, at(OUT), found) == status
    assert status_of("sweep", real, n, fake, m, p, at(OUT), None) == "BAD_POINTER"


def test_sweep_room_is_that_of_the_cells():
    assert [API.sweep_room(*sizes) for sizes in ((5, 9), (9, 5), (1, 1))] == [7, 7, 3]
    assert [API.sweep_room(*sizes) for sizes in ((0, 9), (9, -1), (2**31, 1))] == [0, 0, 0]


@pytest.mark.parametrize(
    ("weights", "status"),
    [
        (None, "BAD_POINTER"),
        (MINUS, "BAD_NUMBER"),
        (NAN, "BAD_NUMBER"),
        (ZERO, "BAD_NUMBER"),
        (HUGE, "OUT_OF_RANGE"),
    ],
)
def test_weighted_sweep_refuses(weights, status):
    one, other, number = (at(X), at(weights), 12), (at(X), at(X), 12), c_int64()
    for classes in ((*one, *other), (*other, *one)):
        found = status_of("sweep_weighted", *classes, at(OUT), at(OUT[32:]), byref(number))
        assert found == status


@pytest.mark.parametrize(
    ("p", "q", "number", "sort", "status"),
    [
        (None, X, 12, 0, "BAD_POINTER"),
        (X, None, 12, 0, "BAD_POINTER"),
        (X, X, 0, 0, "BAD_SIZE"),
        (X, X, MOST, 1, "BAD_SIZE"),
        (X, X, 12, 2, "BAD_OPTION"),
        (MINUS, X, 12, 1, "BAD_NUMBER"),
        (X, NAN, 12, 0, "BAD_NUMBER"),
        (X, HUGE, 12, 0, "OUT_OF_RANGE"),
    ],
)
def test_pool_refuses_and_leaves_the_arrays_alone(p, q, number, sort, status):
    before = X.copy()
    assert status_of("pool", at(p), at(q), byref(c_int64(number)), sort) == status
    same([X], [before])


def test_pool_of_empty_cells_is_nothing():
    for sort in (0, 1):
        assert called.pool(ZERO, ZERO, sort)[0].size == 0


@pytest.mark.parametrize(
    ("p", "q", "number", "status"),
    [
        (None, X, 12, "BAD_POINTER"),
        (X, X, 0, "BAD_SIZE"),
        (X, ZERO, 12, "BAD_NUMBER"),
        (NAN, X, 12, "BAD_NUMBER"),
        (X, MINUS, 12, "BAD_NUMBER"),
        (HUGE, HUGE, 12, "OK"),
    ],
)
def test_vertices_refuse(p, q, number, status):
    out = at(OUT), at(OUT[20:]), at(OUT[40:])
    assert status_of("vertices", at(p), at(q), number, *out) == status
    assert status_of("vertices", at(X), at(X), 12, None, *out[1:]) == "BAD_POINTER"
    assert status_of("vertices", at(X), at(X), 12, *out[:2], None) == "OK"


@pytest.mark.parametrize(
    ("p", "number", "lam", "lams", "status"),
    [
        (None, 12, X, 12, "BAD_POINTER"),
        (X, 12, None, 12, "BAD_POINTER"),
        (X, 0, X, 12, "BAD_SIZE"),
        (X, 12, X, 0, "BAD_SIZE"),
        (X, 12, X, MOST, "BAD_SIZE"),
        (MINUS, 12, X, 12, "BAD_NUMBER"),
        (X, 12, MINUS, 12, "BAD_NUMBER"),
        (X, 12, NAN, 12, "BAD_NUMBER"),
        (HUGE, 12, X, 12, "OUT_OF_RANGE"),
    ],
)
def test_min_sums_refuse(p, number, lam, lams, status):
    assert status_of("min_sums", at(p), at(X), number, at(lam), lams, at(OUT)) == status


SET = X.reshape(6, 2)


def changed(**fields):
    """A set of points with another member."""
    one = points(SET)
    for name, value in fields.items():
        setattr(one, name, value)
    return one


BAD_SETS = [
    (None, "BAD_POINTER"),
    (changed(rows=None), "BAD_POINTER"),
    (changed(rows=at(X) + 1), "BAD_POINTER"),
    (changed(count=0), "BAD_SIZE"),
    (changed(count=2**31), "BAD_SIZE"),
    (changed(dim=0), "BAD_SIZE"),
    (changed(stride=1), "BAD_SIZE"),
    (changed(stride=-2), "BAD_SIZE"),
    (changed(stride=MOST), "BAD_SIZE"),
    (changed(dim=1), "BAD_SIZE"),  # of another dimension than the other set
    (changed(wide=2), "BAD_OPTION"),
    (changed(reserved=1), "BAD_OPTION"),
    (points(NAN.reshape(6, 2)), "BAD_NUMBER"),
    (points(with_nan(X, -np.inf).reshape(6, 2)), "BAD_NUMBER"),
    (points(HUGE.reshape(6, 2)), "OUT_OF_RANGE"),
    (points((X * 1e-300).reshape(6, 2)), "OUT_OF_RANGE"),
]


@pytest.mark.parametrize(("bad", "status"), BAD_SETS)
def test_points_that_are_none_are_refused_on_either_side(bad, status):
    good = points(SET if status != "OUT_OF_RANGE" else np.zeros((6, 2)))
    one = np.ones(1, np.int64)
    for sets in ((bad, good), (good, bad)):
        assert status_of("kth_distances", *sets, 0, at(one), 1, 0, 6, at(OUT)) == status
        found = status_of("count", *sets, at(ZERO), None, 1, 0, 6, at(INTS), None)
        assert found == status


@pytest.mark.parametrize(
    ("within", "ks", "ks_count", "first", "count", "status"),
    [
        (2, [1], 1, 0, 6, "BAD_OPTION"),
        (0, [0], 1, 0, 6, "BAD_K"),
        (0, [1, 7], 2, 0, 6, "BAD_K"),
        (0, [1, 6], 2, 0, 6, "OK"),
        (1, [6], 1, 0, 6, "BAD_K"),
        (1, [5], 1, 0, 6, "OK"),
        (0, None, 1, 0, 6, "BAD_POINTER"),
        (0, [1], 0, 0, 6, "BAD_SIZE"),
        (0, [1], MOST, 0, 6, "BAD_SIZE"),
        (0, [1], 1, -1, 6, "BAD_SIZE"),
        (0, [1], 1, 0, 0, "BAD_SIZE"),
        (0, [1], 1, 1, 6, "BAD_SIZE"),
        (0, [1], 1, MOST, MOST, "BAD_SIZE"),
    ],
)
def test_kth_distances_refuse(within, ks, ks_count, first, count, status):
    ks = None if ks is None else np.array(ks, np.int64)
    rest = within, at(ks), ks_count, first, count
    both = points(SET), points(SET)
    assert status_of("kth_distances", *both, *rest, at(OUT)) == status
    assert status_of("kth_distances", *both, *rest, None) != "OK"


def test_within_is_of_one_set():
    one, other = np.ones(1, np.int64), SET.copy()
    asked = 1, at(one), 1, 0, 6
    found = status_of("kth_distances", points(other), points(SET), *asked, at(OUT))
    assert found == "BAD_OPTION"
    assert status_of("kth_distances", None, points(SET), *asked, at(OUT)) == "OK"
    same([OUT[:6]], [called.kth(SET, SET, [1], within=True)[:, 0]])


@pytest.mark.parametrize(
    ("query_t", "ref_t", "closed", "first", "count", "status"),
    [
        (None, None, 1, 0, 6, "BAD_OPTION"),
        (X, X, 1, 0, 6, "BAD_OPTION"),
        (X, None, -1, 0, 6, "BAD_OPTION"),
        (X, None, 1, 0, 7, "BAD_SIZE"),
        (X, None, 1, -1, 2, "BAD_SIZE"),
        (X, None, 1, 5, 1, "OK"),
        (with_nan(X[:6]), None, 1, 0, 6, "BAD_NUMBER"),
        (with_nan(X[:6]), None, 1, 0, 5, "OK"),
        (None, with_nan(X[:6]), 1, 0, 5, "BAD_NUMBER"),
        (None, np.array([-1.0, -np.inf, np.inf, 0.0, 1.0, 2.0]), 1, 0, 6, "OK"),
    ],
)
def test_count_refuses(query_t, ref_t, closed, first, count, status):
    both = points(SET), points(SET)
    rest = at(query_t), at(ref_t), closed, first, count
    assert status_of("count", *both, *rest, at(INTS), None) == status
    assert status_of("count", *both, *rest, None, None) == status
    assert status_of("count", *both, *rest, at(INTS) + 4, None) != "OK"


def test_every_status_has_a_text_of_its_own():
    texts = [API.status_text(status).decode() for status in (*STATUS, 99, -1)]
    assert texts[-1] == texts[-2] == "prfast: a status expected, got another number"
    assert len(set(texts)) == len(STATUS) + 1
    assert all(text.startswith("prfast: ") for text in texts)
    assert texts[5] == "prfast: k from 1 to the number of neighbours expected"


def test_the_instruction_set_is_the_best_that_runs():
    assert API.isa().decode() == [*ISAS][-1]
