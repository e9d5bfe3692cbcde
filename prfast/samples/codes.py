"""Codes: whole numbers, such as tokens, that have no order.

Counts, ratings and intensities have an order: rows with neighboring values are alike in the column
beside, and neighboring values, or those of a heap such as multiples of 5, are about as frequent.
Codes, such as tokens, have none: values a and a + 1 differ as any two values do.  A ratio of von
Neumann's kind measures both: the mean square of differences of neighboring values over that of any
two values, less the part of chance.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_ROWS, _COLUMNS = 1000, 32  # that are judged, evenly spread
_LEAST_COLUMNS = 3  # that share codes
_LEAST_VALUES, _MOST_VALUES = 4, 1000  # values of codes
_COUNTED = 8  # values, at least, whose frequencies or squares have an order
_FARTHEST = 30  # largest distance between the values of a heap
_MANY = 32  # values, above which powers of 2, as of sizes, may be a heap
_LARGEST = 1 << 31  # code
_RARE = 5  # rows with a value, below which their mean is left out
_SHARED = 0.9  # share of the range of all columns that half of the columns have
_CLEAR = 5.0  # mean square of differences over that of chance, at least, of clear ones
_UNEVEN = 3.0  # variance of the roots of frequencies over that of chance, 1/4, at least
_ORDERED = 0.7  # ratio up to which values have an order
_HEAPED = 0.61  # the same for the least ratio of many distances


def shared_codes(points: Any) -> int:
    """Return the number of values that are codes in several columns; 0 where none are."""
    n, width = points.shape
    if width < _LEAST_COLUMNS or (points[0] != np.rint(points[0])).any():
        return 0
    columns = np.linspace(0, width - 2, min(width - 1, _COLUMNS)).astype(np.int64)
    rows = np.linspace(0, n - 1, min(n, _ROWS)).astype(np.int64)
    here, beside = (np.asarray(points[rows][:, columns + step], np.float64) for step in (0, 1))
    values, which = np.unique(here, return_inverse=True)
    are_whole = _LEAST_VALUES <= len(values) <= _MOST_VALUES and (values == np.rint(values)).all()
    are_whole = are_whole and np.abs(values).max() < _LARGEST
    if not are_whole or np.median(np.ptp(here, axis=0)) < _SHARED * np.ptp(values):
        return 0
    which = which.reshape(here.shape)
    ratio, most = _columns_beside(beside, which.ravel(), np.bincount(which.ravel())), _ORDERED
    if ratio is None and len(values) >= _COUNTED:
        counts = [np.bincount(column, minlength=len(values)) for column in which.T]
        ratio, most = _frequencies(counts, np.log2(np.maximum(values, 1)) % 1 == 0), _HEAPED
    return len(values) if ratio is not None and ratio > most else 0


def _frequencies(counts: Any, are_powers: Any) -> float | None:
    """Return the least ratio for roots of frequencies in each column, over the distances of values,
    without those of powers of 2 if values are many; None where these are alike."""
    roots = np.sqrt(counts)
    if len(are_powers) > _MANY:
        roots[:, are_powers] = np.nan
    # Without the piles at two values, such as 0 and the largest.
    np.put_along_axis(roots, np.argsort(-roots, axis=1, kind="stable")[:, :2], np.nan, axis=1)
    variance, number = float(np.nanvar(roots, axis=1).mean()), len(roots[0])
    steps = range(1, min(number // 3, _FARTHEST) + 1)
    near = (np.nanmean((roots[:, step:] - roots[:, :-step]) ** 2) for step in steps)
    return float(min(near)) / (2 * variance) if 4 * variance >= _UNEVEN else None


def _columns_beside(beside: Any, which: Any, counts: Any) -> float | None:
    """Return the ratio for means and squares of the column beside; None where these are alike."""
    kept = counts >= _RARE
    count = counts[kept]
    if len(count) < _LEAST_VALUES:
        return None
    # The mean square of a difference by chance is 1 by this weight.
    weight = np.triu(count[:, None] * count / (count[:, None] + count), 1)
    near = far = 0.0
    centered = beside - beside.mean(axis=0)
    for numbers in (centered, centered**2) if len(counts) >= _COUNTED else (centered,):
        deviation = float(numbers.std()) or 1.0
        mean = np.bincount(which, (numbers - numbers.mean()).ravel())[kept] / count / deviation
        if count @ (mean - count @ mean / count.sum()) ** 2 < _CLEAR * (len(count) - 1):
            continue
        squares = weight * (mean[:, None] - mean) ** 2 - (weight > 0)
        near += float(np.diag(squares, 1).sum() / np.diag(weight, 1).sum())
        far += float(squares.sum() / weight.sum())
    return near / far if far else None
