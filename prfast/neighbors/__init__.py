"""Exact nearest-neighbor distances and ball counts between two sets of points.

D(x, y) = Σ_j (x_j − y_j)², in float64, summed in index order, is the number that every comparison
is about: thresholds and results are D, not its root.  An answer is a function of these numbers
alone; no engine, filter, block size, thread count or instruction set changes a bit of it.  Most D
are never computed: an interval that contains D and excludes T decides the comparison as well
(`engines`; bounds in docs/exactness.md).  `NeighborSearch.work` counts the pairs that each step
decided.

    NeighborSearch(backend, n_jobs, memory, progress)  settings, and a method for each question
    CachedSearch(fixed, …)                             the same, with cached results of fixed sets

Each method of `NeighborSearch` makes a task, and `NeighborSearch.run` passes it to an engine:

    kth, kth_within      Kth            D of the k-th nearest reference of each query
    union                Nearest        the same in a, in b and in a ∪ b, from one pass over both,
                                        and how many of a and of b are among the k nearest of both
    count                Count          pairs with D <= T, with a T per query or per reference
    log_distances        LogSum         Σ ½ ln(D / t) over the references with D < t
    largest_ratio        LargestRatio   max over the references of T / D

    tasks ──> CachedSearch.run ──> NeighborSearch.run ──> run(queries, refs, tasks) of an engine
              cached results       progress, choice of       │
                                   the engine (ENGINES)      results, in the tasks

Border: a point at D = T is inside a closed ball (the default) and outside an open one: `inside` in
`tasks`, `prf_inside` in C.  Self: a point is excluded from its own neighbors by its row number,
never by distance 0; where rows are not known it is counted and subtracted afterwards (`own`).
Which sets exclude it is decided by `methods.neighbors` (count_self) and `scalars` (always;
cover_self).

An answer can be assembled from blocks of queries × blocks of references, to the same bits: a task
has an empty answer, parts, a merge and a finish (`tasks`).  So sets may also be partitioned over a
cluster (`prfast.distributed`): they bring an engine of their own.

    tasks        the five tasks, how their partial results merge, and what a ball contains
    search       NeighborSearch and CachedSearch
    resources    threads, memory and counters of a call; rows of a set; the range of squares
    engines      the engines that answer tasks
"""

from prfast.neighbors.engines.indexed import BACKENDS
from prfast.neighbors.resources import Points, Rows, in_range
from prfast.neighbors.search import CachedSearch, NeighborSearch
from prfast.neighbors.tasks import Count

__all__ = ["BACKENDS", "CachedSearch", "Count", "NeighborSearch", "Points", "Rows", "in_range"]
