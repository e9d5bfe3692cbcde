"""Sums of logarithms of distances, for P-precision and P-recall.

Products Π min(1, d/R) over the points of a set are exponentials of these sums, so that nothing
underflows.
"""

from __future__ import annotations

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.concurrency import one_blas_thread
from prfast.neighbors import NeighborSearch, Points
from prfast.scalars.blocks import block_sums, rows_of
from prfast.scalars.kernel import squared_distances
from prfast.scalars.moments import mean_of

_ROWS = 1 << 8  # of a block
_ACCURATE = 1e-10  # relative error of a squared distance


def log_sums(
    x: Points, y: Points, t: tuple[float, ...], search: NeighborSearch
) -> tuple[Float64s, Float64s]:
    """Return Σ ln min(1, D/t) over the points y for each of x, with the first t, and over the
    points x for each of y, with the second t; zeros for t < 0."""
    numbers = 2 * _ROWS * (2 * _ROWS + int(x.shape[1]))
    with one_blas_thread("numpy"):
        arguments = mean_of(x, search), t
        of_x, of_y, _ = block_sums(x, y, _log_sums, arguments, (_ROWS, _ROWS), search, numbers)
    return of_x, of_y


def _log_sums(
    part_x: object, part_y: object, _: bool, center: Float64s, t: tuple[float, ...]
) -> tuple[Float64s, Float64s, float]:
    """Return the sums of the rows of two blocks; a task of `block_sums`."""
    x, y = rows_of(part_x), rows_of(part_y)
    d2 = squared_distances(x, y, center, 1.0, _ACCURATE, max(t), is_relative=True).ravel()
    near = np.flatnonzero(d2 <= max(t))
    d2 = d2[near]
    sums = []
    for places, size, limit in zip(np.divmod(near, len(y)), (len(x), len(y)), t, strict=True):
        inside = (d2 < limit) | ((d2 == 0) & (limit == 0))
        with np.errstate(divide="ignore"):
            logs = np.log(d2[inside] / (limit or 1.0))
        sums.append(np.asarray(np.bincount(places[inside], logs, size), np.float64))
    return sums[0], sums[1], 0.0
