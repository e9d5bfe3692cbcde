"""PartitionedSource, PartitionedRows: interfaces of samples elsewhere; Rows, JointRows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Ints
from prfast.inputs.errors import WrongType, WrongValue


class PartitionedSource(ABC):
    """Samples in partitions that nobody has read yet: what public functions accept."""

    @abstractmethod
    def read(self, name: str, cluster: Any) -> PartitionedRows:
        """Return the validated samples; name: of the argument, for errors; cluster: of the set that
        they are compared with."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError("partitioned samples are never gathered into one array")


class PartitionedRows(ABC):
    """Validated samples, shape (samples, features), whose rows are not in this process."""

    ndim: ClassVar[int] = 2
    dtype: np.dtype[Any]
    largest: float  # absolute value
    checksum: int
    record: Mapping[str, Any] | None  # of the features
    column_names: list[str] | None

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]: ...

    def __len__(self) -> int:
        return self.shape[0]

    __array__ = PartitionedSource.__array__  # raises a TypeError

    @abstractmethod
    def read_other(self, name: str, values: Any, labels: list[Any] | None, at_least: int) -> Self:
        """Return another validated set of the same width; labels: names of these columns."""

    @abstractmethod
    def __getitem__(self, rows: Ints) -> NDArray[Any]:
        """Return a few rows, ascending, as an array."""

    @abstractmethod
    def block(self, rows: slice, index: Ints | None = None) -> Any:
        """Return an object whose `load` returns the rows; of `index`, if given, the rows there."""

    @abstractmethod
    def map(
        self, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
    ) -> Generator[Any, None, None]:
        """Yield function(*args) for each of the arguments, in order, where the rows are.  The
        function is of a module, and arguments may contain objects that `block` returned."""

    @abstractmethod
    def keys(self) -> NDArray[np.uint64]:
        """Return a hash of each row, as `row_keys` does."""

    @property
    @abstractmethod
    def engine(self) -> Any:
        """The engine (`prfast.neighbors.tasks.Engine`) that searches neighbors."""

    @abstractmethod
    def score_auto(
        self, fake: Any, folds: Any, bases: Any, progress: Any
    ) -> tuple[Any, dict[str, float], Any]:
        """Return the log-ratio by "auto" of every row of both sets, the share of each base, and the
        scores of smaller fits."""


Points = NDArray[Any] | PartitionedRows


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
    """Rows of two sets, numbered through both, in float64."""

    sets: tuple[Any, ...]
    rows: Ints

    def __getitem__(self, places: Any) -> NDArray[np.float64]:
        rows, (real, fake) = self.rows[places], self.sets
        is_real, values = rows < len(real), np.empty((len(rows), real.shape[1]))
        count = np.count_nonzero(is_real)
        if is_real[:count].all():  # as in a fold: slices take less time
            values[:count], values[count:] = real[rows[:count]], fake[rows[count:] - len(real)]
        else:
            fakes = ~is_real
            values[is_real], values[fakes] = real[rows[is_real]], fake[rows[fakes] - len(real)]
        return values


def sample_set_of(points: Any) -> Any:
    """Return the set that partitioned points are, or are rows of; None for those of an array."""
    base = points.base if isinstance(points, Rows) else points
    return base if isinstance(base, PartitionedRows) else None


def refuse_partitions(name: str, samples: Any) -> None:
    """Raise WrongType for partitioned samples."""
    if isinstance(samples, PartitionedRows | PartitionedSource):
        text = "an array expected, as prfast.load reads it from files, got partitioned samples"
        raise WrongType(name, text)


def check_array(name: str, samples: Any, expected: str, value: Any) -> None:
    """Raise WrongValue for partitioned samples; expected: the values that they allow."""
    if isinstance(samples, PartitionedRows):
        raise WrongValue(name, f"{expected} expected for partitioned samples, got {value}")
