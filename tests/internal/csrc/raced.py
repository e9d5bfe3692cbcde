"""Program that test_races.py runs under the thread sanitizer: python raced.py NAME."""

import ctypes
import os
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TESTS), *(str(TESTS / "internal" / x) for x in ("neighbors", "comparison"))]

import numpy as np  # noqa: E402
import test_shared_evaluator as shared_evaluator  # noqa: E402
import test_shared_search as shared_search  # noqa: E402
from helpers import at_once  # noqa: E402

import prfast  # noqa: E402
from prfast.kernels import distances, masses, trees  # noqa: E402
from prfast.neighbors import Count, NeighborSearch  # noqa: E402
from prfast.neighbors.passes import Pass  # noqa: E402
from prfast.neighbors.tasks import HalfCount, HalfKth, Resources  # noqa: E402

THREADS = 2
prfast.inputs.concurrency.usable_cores = lambda: THREADS  # on every machine


def loops():
    """Every loop of OpenMP in prfast/kernels, of each instruction set, through each filter."""
    for name in distances.ISAS:
        for levels in ("float32", "int8", "head"):
            os.environ |= {"PRFAST_ISA": name, "PRFAST_FILTER": levels}
            check(searches)
            check(halves)
    os.environ["PRFAST_FILTER"] = "off"
    check(searches)
    check(halves)
    del os.environ["PRFAST_ISA"], os.environ["PRFAST_FILTER"]
    check(sorted_and_summed)
    check(curves_and_metrics)


def check(answers):
    """The answers of several threads are those of one."""
    for array, expected in zip(answers(THREADS), answers(1), strict=True):
        np.testing.assert_array_equal(array, expected)


def searches(threads):
    """Radii inside a set, each pair computed once; lists of two sets; counts a row and a column;
    sums; reservoirs, of copies whose ties no list tells."""
    search = NeighborSearch("exact", n_jobs=threads)
    rows, x = shared_search.X, shared_search.X[:600]
    counts = Count(
        None, shared_search.RADII, True, np.zeros(600, np.int64), np.zeros(1540, np.int64)
    )
    search.run(x, [rows], [counts])
    copies = np.repeat(x[:3], 250, axis=0)
    tied = search.kth(x, copies, [2, 300])
    return [*shared_search.questions(search, x, x[:400]), counts.rows, counts.cols, tied]


def halves(threads):
    """Radii in random halves of a set, and counts of pairs within them, a row and a column."""
    search, x, y = NeighborSearch("exact", n_jobs=threads), shared_search.X, shared_search.X[:600]
    halves_x, halves_y = (np.arange(len(rows), dtype=np.uint16) * 40503 for rows in (x, y))
    radii = HalfKth(np.array([3]), halves_x, distances.HALVINGS, 12)
    search.run(x, [x], [radii])
    t = np.ascontiguousarray(radii.d2[:, 0])
    rows, cols = (np.zeros((len(side), distances.HALVINGS), np.int32) for side in (y, x))
    search.run(y, [x], [HalfCount((halves_y, halves_x), None, t, True, rows, cols)])
    return radii.d2, rows, cols


def sorted_and_summed(threads):
    x, y = np.arange(40_000.0)[::-1].copy(), np.arange(40_000.0) % 1000
    p, q = 1 + np.arange(70_000.0) % 7, 1 + np.arange(70_000.0) % 5
    alpha = masses.minsum(p, q, np.array([0.5, 1.0]), threads)
    return [*masses.sort(x, y, threads), *masses.sort_weighted(x, y, y, x, threads), alpha]


def curves_and_metrics(threads):
    real, fake = shared_search.X, shared_search.SETS[0]
    methods = ("knn", "ipr", "parzen", "coverage")
    curves = prfast.pr_curves(real, fake, methods, (3, "sqrt"), n_jobs=threads)
    kmeans = prfast.pr_curve(real, fake, "kmeans", runs=2, clusters=5, n_jobs=threads)
    metrics = prfast.metrics(real, fake, n_jobs=threads)
    return [curve.area for curve in (*curves.values(), kmeans)] + [*metrics.values()]


def threads():
    """Threads of Python that share a search, an evaluator, batches."""
    shared_search.test_threads_that_share_a_search_have_the_answers_of_their_own("exact", 2)
    shared_search.test_kernels_are_called_by_many_threads()
    shared_evaluator.test_threads_that_share_an_evaluator_have_the_results_of_their_own()


def same_lists():
    """A race: two threads fill the same lists."""
    x = shared_search.X
    passed = Pass(x, x, Resources(1))
    passed.load(0, len(x), 1)
    lists = distances.Lists(len(x), 5, 2000)
    call = lambda: passed.scan([], 0, len(x), 1, lists)  # noqa: E731
    at_once([call, call])


def with_a_race():
    ctypes.CDLL(trees.__file__).with_a_race(1000)


globals()[sys.argv[1]]()
print(f"{sys.argv[1]}: {distances.__file__}")
