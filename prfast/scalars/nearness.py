"""Sums of logarithms of distances, for P-precision and P-recall.

Products Π min(1, d/R) over the points of a set are exponentials of these sums, so that nothing
underflows.
"""

from __future__ import annotations

from contextlib import closing
from itertools import product

import numpy as np

from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.concurrency import one_blas_thread
from prfast.neighbors import NeighborSearch, Points
from prfast.scalars.kernel import squared_distances
from prfast.scalars.moments import map_blocks, mean_of, parts_of, rows_of

_ROWS = 1 << 8  # of a block
_ACCURATE = 1e-10  # relative error of a squared distance


def log_sums(
    x: Points, y: Points, t: tuple[float, ...], search: NeighborSearch
) -> tuple[Float64s, Float64s]:
    """Return Σ ln min(1, D/t) over the points y for each of x, with the first t, and over the
    points x for each of y, with the second t; zeros for t < 0."""
    sums = np.zeros(len(x)), np.zeros(len(y))
    if max(t) < 0:
        return sums
    rows, columns = (list(blocks(len(points), _ROWS)) for points in (x, y))
    with one_blas_thread("numpy"):
        center = mean_of(x, search)
        pairs = product(parts_of(x, _ROWS), parts_of(y, _ROWS))
        tasks = [(*parts, center, t) for parts in pairs]
        numbers = 2 * _ROWS * (2 * _ROWS + int(x.shape[1]))
        results = map_blocks(x, _block_sums, tasks, search, numbers)
        with search.progress.work(len(tasks), share=len(x) * len(y)), closing(results):
            for (i, j), (of_x, of_y) in zip(product(rows, columns), results, strict=True):
                sums[0][i] += of_x
                sums[1][j] += of_y
    return sums


def _block_sums(
    part_x: object, part_y: object, center: Float64s, t: tuple[float, ...]
) -> tuple[Float64s, Float64s]:
    """Return the sums of the rows of two blocks; a task of `map_blocks`."""
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
    return sums[0], sums[1]
