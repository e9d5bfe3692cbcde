"""Rows that are equal, number by number: what was copied from one set to another, or inside one.

A row is looked up by a sum of its numbers' bits, mixed, modulo 2**64; those that agree in it are
compared number by number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Floats
from prfast.inputs.blocks import blocks

Keys = NDArray[np.uint64]

_NUMBERS_AT_ONCE = 1 << 20
_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio


def row_keys(points: Floats) -> Keys:
    """A number for each row, the same for equal rows."""
    n, width = points.shape
    rng = np.random.default_rng(0)
    factors = rng.integers(2**64, size=width, dtype=np.uint64) | np.uint64(1)
    found = np.empty(n, np.uint64)
    for rows in blocks(n, max(1, _NUMBERS_AT_ONCE // width)):
        bits = (np.ascontiguousarray(points[rows], np.float64) + 0.0).view(np.uint64)  # -0 is 0
        bits = (bits ^ (bits >> np.uint64(32))) * _ODD
        bits ^= bits >> np.uint64(29)
        found[rows] = (bits * factors).sum(axis=1, dtype=np.uint64)
    return found


def copied(points: Floats, keys: Keys, others: Floats, other_keys: Keys) -> int:
    """How many of the points equal one of the others."""
    order = np.argsort(other_keys, kind="stable")
    place = np.searchsorted(other_keys, keys, sorter=order)
    place = order[np.minimum(place, len(order) - 1)]
    rows = np.flatnonzero(other_keys[place] == keys)
    return _equal(points, rows, others, place[rows])


def repeated(points: Floats, keys: Keys) -> int:
    """How many of the points equal one that comes before them."""
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    earlier = first[which.reshape(-1)]
    rows = np.flatnonzero(earlier != np.arange(len(keys)))
    return _equal(points, rows, points, earlier[rows])


def _equal(points: Floats, rows: Any, others: Floats, other_rows: Any) -> int:
    width = points.shape[1]
    return sum(
        int((points[rows[part]] == others[other_rows[part]]).all(axis=1).sum())
        for part in blocks(len(rows), max(1, _NUMBERS_AT_ONCE // width))
    )
