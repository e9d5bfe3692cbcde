"""What to find: the plain records that the door hands to whatever is behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass
class Count:
    """Pairs with D <= T (closed) or D < T; T is a query's or a reference's, one of the two None.

    rows[i] counts the references of query i, cols[j] the queries of reference j: int64 arrays to
    add to, or None where not wanted.
    """

    query_t: Any  # Float64s or None
    ref_t: Any
    closed: bool = True
    rows: Any = None  # int64 array or None
    cols: Any = None


@dataclass
class Union:
    """The k nearest of each query in a, in b and in a ∪ b, and how the last divide.

    ks_a, ks_b, ks_both: int64 arrays, possibly empty.  within: are the queries the rows of a, of b,
    none its own neighbour?  closed: do ties at the k-th distance count as among the k?

    Filled by an engine: d2_a, d2_b, d2_both, the D of the k-th nearest, (queries, ks); of_a, of_b,
    how many of either set the balls to the k-th nearest of both hold, (queries, ks_both).
    """

    ks_a: Any
    ks_b: Any
    ks_both: Any
    closed: bool = True
    within: tuple[bool, bool] = (False, False)
    d2_a: Any = None
    d2_b: Any = None
    d2_both: Any = None
    of_a: Any = None
    of_b: Any = None

    @property
    def k(self) -> int:
        """The largest k; 1 if there is none."""
        return int(max(max(ks, default=1) for ks in (self.ks_a, self.ks_b, self.ks_both)))
