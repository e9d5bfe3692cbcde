"""Some rows of a set of samples, without a copy: what a split gives to the engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Floats
from prfast.inputs.blocks import blocks

_NUMBERS_AT_ONCE = 1 << 19


class Rows:
    """The rows `index` of `base`, in that order.

    The exact engine reads them where they lie, so that the halves of a memory-mapped file are never
    loaded; everything else may take them for an array.
    """

    def __init__(self, base: Floats, index: NDArray[np.int64]) -> None:
        self.base = base
        self.index = np.ascontiguousarray(index, np.int64)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.index), self.base.shape[1]

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.base.dtype

    def __len__(self) -> int:
        return len(self.index)

    def __getitem__(self, key: Any) -> Floats:
        return np.asarray(self.base[self.index[key]])

    def __array__(self, dtype: Any = None, copy: Any = None) -> Floats:
        return np.asarray(self.base[self.index], dtype)


Points = Floats | Rows


def select(points: Any, index: NDArray[np.int64]) -> Rows:
    """Some of the points, without a copy."""
    if isinstance(points, Rows):
        return Rows(points.base, points.index[index])
    return Rows(points, index)


def by_block(points: Points) -> Iterator[Floats]:
    """The points, half a million numbers at a time."""
    return (points[rows] for rows in blocks(len(points), _NUMBERS_AT_ONCE // points.shape[1]))
