"""The public C functions have the bits of Python's results."""

import threading

import called
import hostile
import numpy as np
import oracles
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import prfast
from prfast import PRCurve
from prfast.curve import masses as curve_masses
from prfast.neighbors import Count, NeighborSearch


def same(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


# ---- scores and cells ----------------------------------------------------------------------


@given(hostile.score_pairs())
@settings(max_examples=50)
def test_sweep_is_the_exact_hull_of_scores_in_any_order(scores):
    scores = [one.astype(np.float64) for one in scores]
    p, q = called.sweep(*scores)
    assert list(zip(p.tolist(), q.tolist(), strict=True)) == oracles.sweep(*scores)


@given(hostile.mass_pairs())
@settings(max_examples=50)
def test_vertices_are_those_of_a_curve_from_masses(masses):
    cells = curve_masses.of_masses(*masses)
    same(called.vertices(*cells), PRCurve.from_masses(*masses).vertices)


@settings(max_examples=50)
@given(hostile.mass_pairs(), st.lists(st.floats(0, np.inf), min_size=1, max_size=8))
def test_min_sums_are_those_of_python(masses, lam):
    lam = np.array(lam)
    same([called.min_sums(*masses, lam)], [prfast.theory.min_sums(*masses, lam)])


# ---- distances -----------------------------------------------------------------------------


def two_sets(kind, n, m, dim):
    """`far`: near the end of the range; the largest are for int8 as well."""
    rng = np.random.default_rng([n, m, dim])
    x, y = rng.normal(size=(n, dim)), rng.normal(size=(m, dim))
    if kind == "ties":
        x, y = np.round(x), np.round(y)
    if kind == "float32":
        return x.astype(np.float32), y.astype(np.float32)
    if kind == "far":
        return x * 2.0**-445, y * 2.0**-445
    if kind == "alike":
        return x * 0.0 + 3.0, y * 0.0 + 3.0
    return x, y


KINDS = ["float64", "float32", "ties", "alike", "far"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("n", "m", "dim"), [(1, 1, 1), (131, 400, 40), (600, 530, 65)])
def test_distances_have_the_bits_of_python(kind, n, m, dim):
    x, y = two_sets(kind, n, m, dim)
    ks, search = [1, (m + 1) // 2, m], NeighborSearch(n_jobs=1)
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


def test_rows_may_lie_apart():
    wide = np.random.default_rng(0).normal(size=(50, 9))
    part = wide[::3, 2:6]
    same([called.kth(part, part, [2], within=True)], [NeighborSearch().kth_within(part, [2])])


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
    same([d2], [NeighborSearch().kth(x, y, [3])])
    whole = np.zeros(500, np.int64)
    same([rows], [called.count(x, y, np.full(700, 6.0), None, True, cols=whole)])
    same([cols.sum(axis=0)], [whole])
