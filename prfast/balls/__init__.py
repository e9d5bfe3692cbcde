"""One door to distances between sets: k-th distances and counts, exact whatever is behind it.

D(x, y) = Σ_j (x_j − y_j)², float64, summed in index order, is the number that every comparison is
about; thresholds and results are D, not its root.  An answer is a function of these numbers alone:
no engine, filter, block size, thread number or instruction set changes a bit of it.  Most D are
never computed: an interval that holds D, and not T, decides as well (`engines`, and with the
bounds docs/exactness.md).  `Search.work` tells what decided how many pairs.

    Search(backend, n_jobs, memory, progress)      the door; what every call here is given
    Remembering(fixed, …)                          the same, keeping what it found of sets that stay

A question is a task, and the door gives it to an engine:

    kth, kth_within      Kth            D of the k-th nearest reference of each query
    union                Nearest        the same in a, in b and in a ∪ b, from one pass over both,
                                        and how many of a and of b are among the k nearest of both
    count                Count          pairs with D <= T, T a query's or a reference's
    log_distances        LogSum         Σ ½ ln(D / t) over the references with D < t
    largest_ratio        LargestRatio   max over the references of T / D

    tasks ──> Remembering.run ──> Search.run ──> choice ──> an engine's run(queries, refs, tasks)
                what is kept       bar, rows       │                        │
                                                 table                answers in the tasks

Border: a point at D = T is inside (closed, the default) or is not (open): `inside` in `thresholds`,
`prf_inside` in C.  Self: a row is left out by its number, never by distance 0; where rows are not
known it is counted and taken off again (`own`).  Which sets leave it out: `scorers.neighbors`
(count_self) and `metrics` (always; cover_self).

An answer can be put together from blocks of queries × blocks of references, to the same bits: a
task has an empty answer, parts, a merge and a finish (`tasks`).  So sets may be in pieces that lie
on a cluster (`prfast.cluster`): these questions go to `engines.blocks`, and no more is asked of
sets in pieces than of arrays.

    tasks        the five questions, and how their answers merge
    search       settings, arrays that the engines can read, the choice of the engine
    remember     what depends on fixed sets alone is asked once
    resources    threads, memory, work and bar of a call
    kept         the nearest in one set, as the kernels keep them
    rows         some rows of a set without a copy
    scale        sets in the range where D is a float64 number
    thresholds   what is inside a ball, what of it is its centre, the T of a radius
    engines      who answers
"""

from prfast.balls.engines.approximate import BACKENDS
from prfast.balls.resources import Points, Rows, in_range
from prfast.balls.search import Remembering, Search
from prfast.balls.tasks import Count

__all__ = ["BACKENDS", "Count", "Points", "Remembering", "Rows", "Search", "in_range"]
