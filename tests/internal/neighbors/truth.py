"""Every question about two sets, on one way to compute distances, against the double loop."""

from functools import cached_property

import numpy as np
import oracles
from paths import answer, union

from prfast.neighbors import Count, NeighborSearch
from prfast.neighbors.tasks import Nearest, Resources
from prfast.scalars.supports import least_of_nearest


class Truth:
    """D of all pairs of two sets x and y, and what follows from it."""

    def __init__(self, x, y):
        self.x, self.y, self.n = x, y, len(x)

    @cached_property
    def inside(self):
        """D of x to x."""
        return oracles.squared_distances(self.x, self.x)

    @cached_property
    def between(self):
        """D of y to x."""
        return oracles.squared_distances(self.y, self.x)

    @cached_property
    def d2(self):
        """D of all points of both to all."""
        inside_y = oracles.squared_distances(self.y, self.y)
        return np.block([[self.inside, self.between.T], [self.between, inside_y]])

    def without_self(self, rows):
        """D of some rows of both sets to all; none is its own neighbor."""
        d2 = self.d2[rows].copy()
        d2[np.arange(len(d2)), np.arange(len(self.d2))[rows]] = np.inf
        return d2


def search_with(threads=1, memory=256_000_000):
    """Less memory than a caller can ask for, so that super-blocks of references are cut too."""
    search = NeighborSearch("exact", n_jobs=threads)
    search.memory = memory
    return search


def check_kth(truth, search, ks):
    d2 = np.sort(truth.between, axis=1)
    ks = [k for k in ks if k <= truth.n]
    if not ks:
        return
    result = search.kth(truth.y, truth.x, ks)
    assert np.array_equal(result, d2[:, [k - 1 for k in ks]])


def check_least_of_nearest(truth, search, rng):
    """Values of few kinds, so that references that are as near differ in theirs or agree."""
    d2, values = truth.between, rng.integers(-3, 3, truth.n).astype(np.float64)
    nearest = d2.min(axis=1)
    expected = np.where(d2 == nearest[:, None], values, np.inf).min(axis=1)
    task = Nearest(np.array([1]), values=values)
    search.run(truth.y, [truth.x], [task])
    assert np.array_equal(task.d2_a[:, 0], nearest)
    if task.least is not None:
        met = ~np.isnan(task.least)
        assert np.array_equal(task.least[met], expected[met])
    for found, its in zip(
        least_of_nearest(truth.y, truth.x, values, search), (nearest, expected), strict=True
    ):
        assert np.array_equal(found, its)


def check_within(truth, search, ks, exact=False):
    """Check a task within x by the search; exact: also by that engine, with each pair computed
    once and twice."""
    ks = [k for k in ks if k < truth.n]
    if not ks:
        return
    d2 = truth.inside.copy()
    np.fill_diagonal(d2, np.inf)
    expected = np.sort(d2, axis=1)[:, [k - 1 for k in ks]]
    assert np.array_equal(search.kth_within(truth.x, ks), expected)
    for once in (True, False) if exact else ():
        task = Nearest(np.array(ks), within=(True, False))
        resources = Resources(search.threads, search.memory, search._work)
        answer(once, truth.x, task, resources)
        assert np.array_equal(task.d2_a, expected)


def occurring(d2, rng):
    """Return for each row a D that occurs, some of them no ball, none but ties, all."""
    t = d2[np.arange(len(d2)), rng.integers(0, d2.shape[1], len(d2))].copy()
    for value in (-1.0, 0.0, np.inf, -np.inf):
        t[rng.random(len(t)) < 0.03] = value
    return t


def tasks_of(d2, closed, rng, side=0, columns=True, ulps=(0,)):
    """Counts with radii of queries and of references, distances that occur or an ulp beside them,
    and what they are to find."""
    tasks, expected = [], []
    query_t, ref_t = occurring(d2, rng), occurring(d2.T, rng)
    for towards in ulps:
        for t, queries in ((query_t, True), (ref_t, False)):
            radii = np.where(t < 0, t, np.nextafter(t, towards) if towards else t)
            rows = np.zeros(len(d2), np.int64)
            cols = np.zeros(d2.shape[1], np.int64) if columns else None
            ends = (radii, None) if queries else (None, radii)
            tasks.append(Count(*ends, closed, rows, cols, side))
            inside = oracles.in_ball(d2, radii[:, None] if queries else radii, closed)
            expected.append((inside.sum(1), inside.sum(0)))
    return tasks, expected


def check_counted(tasks, expected):
    for task, (rows, cols) in zip(tasks, expected, strict=True):
        assert np.array_equal(task.rows, rows)
        assert task.cols is None or np.array_equal(task.cols, cols)


def check_counts(truth, search, closed, rng):
    d2 = truth.between
    tasks, expected = tasks_of(d2, closed, rng, ulps=(0, np.inf, -np.inf))
    search.run(truth.y, [truth.x], tasks)
    check_counted(tasks, expected)


def check_union(truth, search, ks, closed, leave_out, rng):
    """Queries are x ("real"), y ("fake"), or every third point of both (None)."""
    x, y, n = truth.x, truth.y, truth.n
    if leave_out == "real":
        rows, queries = slice(0, n), x
    elif leave_out == "fake":
        rows, queries = slice(n, None), y
    else:
        rows, queries = slice(0, None, 3), np.concatenate([x, y])[::3]
    d2 = truth.d2[rows] if leave_out is None else truth.without_self(rows)
    a, b = d2[:, :n], d2[:, n:]
    most = [part.shape[1] - (leave_out == name) for part, name in ((a, "real"), (b, "fake"))]
    ks_a, ks_b = ([k for k in ks if k <= size] for size in most)
    ks_both = [k for k in ks if k <= sum(most)]
    counts, expected = [], []
    for side, part in enumerate((truth.d2[rows, :n], truth.d2[rows, n:])):
        for columns in (True, False):
            tasks, its = tasks_of(part, closed, rng, side, columns)
            counts += tasks
            expected += its
    options = {"closed": closed, "leave_out": leave_out, "across": True, "counts": counts}
    result = union(search, queries, x, y, ks_a, ks_b, ks_both, **options)
    check_counted(counts, expected)
    found = result.d2_a, result.d2_b, result.d2_both
    for d2_found, part, its in zip(found, (a, b, d2), (ks_a, ks_b, ks_both), strict=True):
        assert np.array_equal(d2_found, np.sort(part, axis=1)[:, [k - 1 for k in its]])
    for counted, part, radii in (
        (result.of_a, a, result.d2_both),
        (result.of_b, b, result.d2_both),
        (result.across_a, a, result.d2_b),
        (result.across_b, b, result.d2_a),
    ):
        for column, t in enumerate(radii.T):
            inside = oracles.in_ball(part, t[:, None], closed)
            assert np.array_equal(counted[:, column], inside.sum(1))


def check_all(truth, search, ks, closed, rng):
    check_kth(truth, search, ks)
    check_least_of_nearest(truth, search, rng)
    check_within(truth, search, ks, exact=True)
    check_counts(truth, search, closed, rng)
    for leave_out in ("real", "fake", None):
        check_union(truth, search, ks, closed, leave_out, rng)
