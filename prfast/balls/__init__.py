"""One door to distances between sets: k-th distances and counts, exact whatever is behind it.

    Search(backend, n_jobs, memory, progress)      how to look: what every call here is given
    Remembering(fixed, …)                          the same, keeping what it found of sets that stay

    kth(queries, refs, ks)            D of the k-th nearest reference of each query
    kth_within(points, ks)            the same inside a set, a point never its own neighbour
    union(queries, a, b, ks)          of a, of b and of a ∪ b, from one pass over both, and how many
                                      of a and of b are among the k nearest of both
    count(queries, refs, tasks)       pairs with D <= T, T a query's or a reference's

D(x, y) = Σ_j (x_j − y_j)², float64, summed in index order, is the number that every comparison is
about; thresholds and results are D, not its root.  Three ways lie behind the door:

    exact        csrc: a float32 filter with a certified error, float64 where it cannot decide
    tree         SciPy's k-d tree finds candidates, D decides; where the dimension is low
    approximate  pynndescent (extra: ann); only when asked for
"""

from prfast.balls.engines.table import BACKENDS
from prfast.balls.remember import Remembering
from prfast.balls.resources import MEMORY
from prfast.balls.rows import Points, Rows
from prfast.balls.scale import in_range
from prfast.balls.search import Search
from prfast.balls.tasks import Count

__all__ = ["BACKENDS", "MEMORY", "Count", "Points", "Remembering", "Rows", "Search", "in_range"]
