"""What to count: the plain record that the door hands to whatever is behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from prfast.samples import Float64s


@dataclass
class Count:
    """Pairs with D <= T (closed) or D < T; T is a query's or a reference's, one of the two None.

    rows[i] counts the references of query i, cols[j] the queries of reference j: int64 arrays to
    add to, or None where not wanted.
    """

    query_t: Float64s | None
    ref_t: Float64s | None
    closed: bool = True
    rows: NDArray[Any] | None = None
    cols: NDArray[Any] | None = None
