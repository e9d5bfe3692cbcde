"""Order: whether rows depend on their neighbors.

Row i of a sliding window, frames or chains is nearer to row i + 1 than to row i + 4.  If rows are
independent, either is the nearer one with the same probability, in each column and by the numbers
that rows share.  So the mean sign of r rows has a standard deviation of at most 1 / √r.  This holds
for every distribution, also if rows are sorted by class.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.inputs.arrays import Ints

_FAR = 4  # multiple of the lag: rows so far apart are compared with rows at the lag
_ROWS, _COLUMNS = 1000, 32  # that are compared, evenly spread
_SHIFTED = 40  # rows, at least, that are compared by the numbers that they share
_FEWEST = 40  # rows that are compared
GOLDEN = 0.6180339887498949
_CERTAIN = 5.0  # least mean sign of rows that depend, in standard deviations
_SORTED = 0.1  # share of steps of a column against its direction, up to which it sorts the rows


def independent_stride(points: Any, rows: Ints) -> int:
    """Return the least power of 2 at whose distance rows are no nearer than at 4 times it.

    1: rows do not depend on their neighbors.  rows: numbers of those that are compared, ascending.
    """
    lag, width = 1, points.shape[1]
    spread = np.linspace(0, width - 1, min(width, _COLUMNS)).astype(np.int64)
    while (last := len(rows) - _FAR * lag) >= _FEWEST:
        # Evenly spread, at distances without a common factor, such as the length of a clip.
        starts = np.arange(last)
        if last > _ROWS:
            starts = np.sort((GOLDEN * np.arange(_ROWS) % 1 * last).astype(np.int64))
        here, near, far = _unsorted(points, rows, starts, lag, spread)
        with np.errstate(over="ignore", invalid="ignore"):
            signs = np.sign(np.abs(far - here) - np.abs(near - here))
        votes = [*signs.T, np.sign(signs.sum(axis=1))]
        if width > 1:  # a window has the numbers of the last one, in the next columns
            starts = starts[:: max(1, len(starts) // _SHIFTED)]
            here, *moved = _unsorted(points, rows, starts, lag, np.arange(min(width, _COLUMNS)))
            pairs = (np.sort(np.hstack([here, there]), axis=1) for there in moved)
            at_near, at_far = ((np.diff(pair, axis=1) == 0).sum(axis=1) for pair in pairs)
            votes.append(np.sign(at_near - at_far))
        if not max(vote.mean() * np.sqrt(len(vote)) for vote in votes) >= _CERTAIN:
            break
        lag *= 2
    return lag


def _unsorted(points: Any, rows: Any, starts: Any, lag: int, columns: Any) -> list[Any]:
    """Return rows, and those at the lag and farther, in the columns that do not sort them."""
    steps = (0, lag, _FAR * lag)
    sets = [np.asarray(points[rows[starts + step]][:, columns], np.float64) for step in steps]
    rises, falls = (sets[1] > sets[0]).sum(axis=0), (sets[1] < sets[0]).sum(axis=0)
    mixed = np.minimum(rises, falls) > _SORTED * (rises + falls)
    return [part[:, mixed] for part in sets]
