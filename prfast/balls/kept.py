"""The nearest of some queries in one set, as the kernels keep them between the steps of a pass."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s
from prfast.kernels import balls as kernels


class Kept(NamedTuple):
    """A pass, and the reservoirs that its references have left for a super-block of queries."""

    side: kernels.Pass
    state: kernels.Nearest

    def kth(
        self, rows: slice, ks: NDArray[np.int64], threads: int, other: Kept | None = None
    ) -> Float64s:
        """D of the k-th nearest of the set, or of it and another, for each of ks."""
        both = () if other is None else other
        block = rows.start, rows.stop - rows.start
        return self.side.finish(self.state, *block, ks, threads, *both)

    def inside(self, rows: slice, t: Float64s, closed: bool, threads: int) -> NDArray[np.int64]:
        """How many of the set have D <= t (closed) or D < t; −1 where some that were not kept
        might."""
        block = rows.start, rows.stop - rows.start
        return self.side.kept_within(self.state, *block, t, closed, threads)


# What an engine keeps of a set for the questions to come, by the largest k and by whether a query
# is left out of its own neighbours; None where it was too much.
Shelf = dict[tuple[int, bool], Any]
