"""What a call may use, and what it tells: threads, memory, work done, a bar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.cluster.sharded import Sharded
from prfast.inputs.arrays import Floats, blocks
from prfast.inputs.errors import WrongValue
from prfast.inputs.locks import lock
from prfast.inputs.options import MEMORY, Progress
from prfast.kernels import balls as kernels

# Some rows of a set of samples, without a copy: what a split gives to the engine.


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


# Sets of samples in the range where squares of differences are float64 numbers.


LEAST = -450  # of the exponent: the last digit of such a number, squared, is no subnormal number


def largest_value(points: Points) -> float:
    """The largest absolute value."""
    return float(max(np.abs(block).max() for block in by_block(points)))


def in_range(real: Floats, fake: Floats) -> tuple[Floats, Floats]:
    """The sets as they are or, where squares of differences would over- or underflow, times one
    power of two in float64: comparisons of distances do not notice.

    Raises
    ------
    ValueError
        As `common_unit`.
    """
    exponent = common_unit(real, fake)
    return in_unit(real, exponent), in_unit(fake, exponent)


def in_unit(points: Floats, exponent: int) -> Floats:
    """The points in units of 2**exponent; as they are where that is 1."""
    scaled: Floats = _scaled(points, exponent) if exponent else points
    return scaled


def common_unit(real: Floats, fake: Floats) -> int:
    """The exponent of the power of two in units of which squares of differences are float64
    numbers; 0 where they are as the sets are.

    Raises
    ------
    ValueError
        Values so large, beside values so small, that no power of two keeps both.
    """
    largest = max(_largest(points) for points in (real, fake))
    exponent = int(np.frexp(largest)[1])
    if largest == 0 or LEAST <= exponent <= 500 - real.shape[1].bit_length() // 2:
        return 0
    smallest = min(_smallest(points) for points in (real, fake))
    if exponent > 0 and np.ldexp(smallest, -exponent) < 2.0**-450:
        raise WrongValue(
            "real and fake",
            f"squares of differences within float64 expected, got values up to "
            f"{largest:.3g} beside values of {smallest:.3g}",
        )
    return exponent


def _largest(points: Any) -> float:
    if isinstance(points, Rows) and isinstance(points.base, Sharded):
        return points.base.largest  # or less
    return points.largest if isinstance(points, Sharded) else largest_value(points)


def _scaled(points: Any, exponent: int) -> Any:
    """The points in units of 2**exponent; of samples in pieces, what tells where they are read."""
    if isinstance(points, Rows) and isinstance(points.base, Sharded):
        return Rows(_scaled(points.base, exponent), points.index)
    if isinstance(points, Sharded):
        return replace(points, exponent=exponent, dtype=np.dtype(np.float64))
    return np.ldexp(points.astype(np.float64), -exponent)


def _smallest(points: Any) -> float:
    """The smallest absolute value that is not 0; ∞ where all are."""
    if isinstance(points, Rows) and isinstance(points.base, Sharded):
        return points.base.smallest  # or more
    if isinstance(points, Sharded):
        return points.smallest
    return float(min(_least(np.abs(block)) for block in by_block(points)))


def _least(sizes: Floats) -> Any:
    return sizes[sizes > 0].min(initial=np.inf)


@dataclass
class Work:
    """Pairs by what decided them, and queries that were done again; calls add up."""

    int8: int = 0  # by the int8 filter
    float32: int = 0  # by float32 dot products
    differences: int = 0  # by float32 differences
    refined: int = 0  # in float64, because nothing before could; counted there as well
    unfiltered: int = 0  # in float64, because the filters were given up
    dear: int = 0  # blocks of queries for which the int8 filter left too much and was given up
    redone: int = 0  # queries whose lists did not tell
    cramped: int = 0  # calls of an engine for which the memory was too little

    def add(self, counted: Sequence[int]) -> None:
        """Add the counters of a pass."""
        for name, number in zip(_OF_A_PASS, counted, strict=True):
            setattr(self, name, getattr(self, name) + number)

    def take(self, other: Work) -> None:
        """Add what another call did."""
        for name, number in asdict(other).items():
            setattr(self, name, getattr(self, name) + number)


class Spare:
    """Lists that are over: memory that the system has cleared once, for calls of any thread."""

    def __init__(self) -> None:
        self._lists: list[kernels.Lists] = []

    @property
    def nbytes(self) -> int:
        with lock(self):
            return self._held()

    def take(self, nbytes: int) -> kernels.Lists | None:
        """The smallest with so many bytes, which nobody else gets; None where there are none."""
        with lock(self):
            enough = [lists for lists in self._lists if lists.nbytes >= nbytes]
            found = min(enough, key=_bytes_of, default=None)
            if found is not None:
                self._lists.remove(found)
            return found

    def put(self, lists: kernels.Lists, most: int) -> None:
        """Keep these, and the largest of those before, in so many bytes."""
        with lock(self):
            if lists.nbytes <= most:
                self._lists.append(lists)
            while self._held() > most:
                self._lists.remove(min(self._lists, key=_bytes_of))

    def clear(self) -> None:
        with lock(self):
            self._lists.clear()

    def _held(self) -> int:
        return sum(lists.nbytes for lists in self._lists)


def _bytes_of(lists: kernels.Lists) -> int:
    return lists.nbytes


LISTED = 8  # bytes of a reference in a list
_OF_A_PASS = ("int8", "float32", "differences", "refined", "unfiltered", "dear")


@dataclass
class Resources:
    """Given to an engine with each call.

    threads, and bytes for packed references, lists, reservoirs and scratch beside the inputs; the
    work that the call did is added to `work`, and `progress` is told of the pairs that are done.
    block: queries that a thread takes together; above kernels.BLOCK, through the int8 filter.
    whole: the bytes that were asked for, where `memory` is what threads left of them.
    """

    threads: int
    memory: int = MEMORY
    work: Work = field(default_factory=Work)
    progress: Progress = field(default_factory=lambda: Progress(False))
    spare: Spare = field(default_factory=lambda: Spare())
    block: int = kernels.BLOCK
    whole: int = 0

    def __post_init__(self) -> None:
        self.whole = self.whole or self.memory

    def advance(self, pairs: int) -> None:
        self.progress.advance(pairs)  # which passes over those that are looked at again

    def lists(self, queries: int, k: int, capacity: int, loose: int = 0) -> kernels.Lists:
        """Lists, in memory that is spare where that is enough."""
        spare = self.spare.take(LISTED * queries * capacity)
        return kernels.Lists(queries, k, capacity, spare, loose)

    def give_back(self, lists: kernels.Lists | None) -> None:
        """Keep the memory of lists that are over, up to half of what a call may use."""
        if lists is not None:
            self.spare.put(lists, self.memory // 2)
