"""Exact nearest-neighbor distances and ball counts between two sets of points.

D(x, y) = Σ_j (x_j − y_j)², in float64, summed in index order, is the number that every comparison
is about: thresholds and results are D, not its root.  An answer is a function of these numbers
alone; no engine, filter, block size, thread count or instruction set changes a bit of it.  Most D
are never computed: an interval that contains D and excludes T decides the comparison as well
(bounds in docs/exactness.md).  `NeighborSearch.work` counts the pairs that each step decided.

    NeighborSearch(backend, n_jobs, memory, progress)  settings, and a method for each question
    CachedSearch(fixed, …)                             the same, with cached results of fixed sets

`NeighborSearch.run` passes tasks to an engine; each other method makes one:

    kth, kth_within      Nearest        D of the k-th nearest reference of each query
    union                Nearest        the same in a, in b and in a ∪ b, from one pass over both,
                                        and how many of a and of b are among the k nearest of both
    run                  Count          pairs with D <= T, with a T per query or per reference
    largest_ratio        LargestRatio   max over the references of T / D

    tasks ──> CachedSearch.run ──> NeighborSearch.run ──> run(queries, refs, tasks) of an engine
              cached results       progress, choice of       │
                                   the engine (ENGINES)      results, in the tasks

Border: a point at D = T is inside a closed ball (the default) and outside an open one: `inside` in
`tasks`, `prf_inside` in C.  Self: a point is excluded from its own neighbors by its row number,
never by distance 0; where rows are not known it is counted and subtracted afterwards (`own`).
Which sets exclude it is decided by `methods.neighbors` (count_self) and `scalars` (always;
cover_self).

Sets may also be partitioned over a cluster (`prfast.distributed`): they bring an engine of their
own, which assembles answers from those for blocks of queries × blocks of references.

The exact engine lists, for each query, the references with the smallest keys, and counts in the
same pass: each pair is offered to the list of its query and compared with every radius that is
known.  The steps that decide it (`csrc/engine/cascade.h`):

    int8 products ──> float32 differences ──> D     where the processor has int8 products, while
             └──(float64 rows)──────────────> D     they leave little open
    float32 products ───────────────────────> D     elsewhere, and for first limits
    D                                               where filters are off or useless

Each step passes on what its bound leaves open (`csrc/filter/int8.h`, `csrc/filter/bound.h`,
`csrc/engine/differences.h`).  A list contains keys: float32 numbers with key <= V, where
V = s² D / 2, and V < t for keys up to t − w(t), whichever step computed them.  So the k-th smallest
V lies between the k-th smallest key and a little more, and D is computed for the keys in that
interval (`csrc/engine/finish.h`).  Limits of lists are estimated from the first references.  Where
one was too low, or a list overflows (ties, or data for which the filter bounds nothing), the engine
detects it and answers the query from reservoirs instead.

    tasks        points, the five tasks, what a ball contains; resources and counters of a call
    search       NeighborSearch and CachedSearch; ENGINES, and which one answers a task
    exact        the engine in C: filters with a certified error, float64 where they cannot decide
    nearest      its k nearest in one set or in two, from lists, with reservoirs as the fallback
    passes       its passes and lists, in blocks that fit in the memory
    indexes      SciPy's k-d tree, for low dimensions, and pynndescent, approximate and on request
                 only
"""

from prfast.neighbors.search import BACKENDS, CachedSearch, NeighborSearch
from prfast.neighbors.tasks import Count, Points, in_range
from prfast.samples.partitioned import Rows

__all__ = [
    "BACKENDS",
    "CachedSearch",
    "Count",
    "NeighborSearch",
    "Points",
    "Rows",
    "in_range",
]
