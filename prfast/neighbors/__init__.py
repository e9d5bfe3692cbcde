"""Exact nearest-neighbor distances and ball counts between two sets of points.

All comparisons are of D(x, y) = Σ_j (x_j − y_j)², in float64, summed in index order.  Thresholds
and results are D, not its root.  No engine, filter, block size, number of threads or instruction
set changes a bit of an answer.  Most D are never computed: an interval that contains D and excludes
T decides the comparison as well (docs/exactness.md).

    tasks ──> CachedSearch.run ──> NeighborSearch.run ──> an engine ──> results, in the tasks

    tasks        points, the five tasks, what a ball contains; resources and counters of a call
    search       NeighborSearch: settings, which engine answers a task; CachedSearch
    exact        the engine in C: filters with a certified error, float64 where they cannot decide;
                 the k nearest in one set or in two, from lists, with reservoirs as the fallback
    passes       its passes and lists, in blocks that fit in the memory
    heads        coordinates along principal axes, from which the engine decides most pairs
    indexes      SciPy's k-d tree, for low dimensions, and pynndescent, approximate, on request
"""

from prfast.neighbors.search import BACKENDS, CachedSearch, NeighborSearch
from prfast.neighbors.tasks import Count, Points, in_range
from prfast.samples.partitioned import Rows

__all__ = ["BACKENDS", "CachedSearch", "Count", "NeighborSearch", "Points", "Rows", "in_range"]
