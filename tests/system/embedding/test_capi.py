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


def same(result, expected):
    for answer, wanted in zip(result, expected, strict=True):
        np.testing.assert_array_equal(answer, wanted)


@given(hostile.score_pairs())
@settings(max_examples=50)
def test_sweep_is_the_exact_hull_of_scores_in_any_order(scores):
    scores = [score.astype(np.float64) for score in scores]
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


@pytest.mark.parametrize("kind", ["float64", "float32", "ties", "far"])
@pytest.mark.parametrize(("n", "m", "dim"), [(1, 1, 1), (131, 400, 40), (600, 530, 65)])
def test_distances_have_the_bits_of_python(kind, n, m, dim):
    """far: near the end of the range; the largest are for int8 as well."""
    x, y = (np.random.default_rng([size, dim]).normal(size=(size, dim)) for size in (n, m))
    if kind == "ties":
        x, y = np.round(x), np.round(y)
    elif kind == "float32":
        x, y = x.astype(np.float32), y.astype(np.float32)
    elif kind == "far":
        x, y = x * 2.0**-445, y * 2.0**-445
    ks, search = [1, (m + 1) // 2, m], NeighborSearch(n_jobs=1)
    same([called.kth(x, y, ks)], [search.kth(x, y, ks)])
    if n > 1:
        ks = [n - 1, 1]
        same([called.kth(x, x, ks, within=True)], [search.kth_within(x, ks)])
    t = search.kth(y, x, [1])[:, 0].copy()
    for closed in (True, False):
        for queries, refs, radii in ((x, y, (None, t)), (y, x, (t, None))):
            counts = np.zeros(len(queries), np.int64), np.zeros(len(refs), np.int64)
            search.run(queries, [refs], [Count(*radii, closed, *counts)])
            cols = np.zeros(len(refs), np.int64)
            same((called.count(queries, refs, *radii, closed, cols=cols), cols), counts)


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
