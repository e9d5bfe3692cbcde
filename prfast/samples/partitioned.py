"""PartitionedRows: samples whose rows are not in this process; Rows, JointRows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Ints
from prfast.inputs.errors import WrongValue


class PartitionedRows:
    """Validated samples, shape (samples, features), whose rows are not in this process.

    `prfast.distributed.api.PartitionedSamples` is the only such class.  By this base the packages
    that it imports recognize it.
    """

    ndim: ClassVar[int] = 2

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError("partitioned samples are never gathered into one array")

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


Points = Any  # an array, or PartitionedRows


class Rows:
    """The rows `index` of points, without a copy: halves of a memory map are never loaded."""

    def __init__(self, points: Any, index: Ints) -> None:
        if isinstance(points, Rows):
            points, index = points.base, points.index[index]
        self.base: Any = points
        self.index = np.ascontiguousarray(index, np.int64)
        self.shape, self.dtype = (len(self.index), points.shape[1]), points.dtype

    def __len__(self) -> int:
        return len(self.index)

    def __getitem__(self, key: Any) -> NDArray[Any]:
        return np.asarray(self.base[self.index[key]])

    def __array__(self, dtype: Any = None, copy: Any = None) -> NDArray[Any]:
        return np.asarray(self.base[self.index], dtype)


@dataclass(eq=False)
class JointRows:
    """Rows of two sets, numbered through both, in float64 multiples of 2**unit."""

    sets: tuple[Any, ...]
    rows: Ints
    unit: int = 0

    def __getitem__(self, places: Any) -> NDArray[np.float64]:
        rows, (real, fake) = self.rows[places], self.sets
        is_real, values = rows < len(real), np.empty((len(rows), real.shape[1]))
        count = np.count_nonzero(is_real)
        if is_real[:count].all():  # as in a fold: slices take less time
            values[:count], values[count:] = real[rows[:count]], fake[rows[count:] - len(real)]
        else:
            fakes = ~is_real
            values[is_real], values[fakes] = real[rows[is_real]], fake[rows[fakes] - len(real)]
        return np.ldexp(values, -self.unit, out=values) if self.unit else values


def sample_set_of(points: Any) -> Any:
    """Return the set that partitioned points are, or are rows of; None for those of an array."""
    base = points.base if isinstance(points, Rows) else points
    return base if isinstance(base, PartitionedRows) else None


def check_array(name: str, samples: Any, expected: str, value: Any) -> None:
    """Raise WrongValue for partitioned samples; expected: the values that they allow."""
    if isinstance(samples, PartitionedRows):
        raise WrongValue(name, f"{expected} expected for partitioned samples, got {value}")
