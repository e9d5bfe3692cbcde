"""What to count: the plain record that the door hands to whatever is behind it."""

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
