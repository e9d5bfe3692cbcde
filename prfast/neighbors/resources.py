"""Resources and counters of a call; rows of a set without a copy; sets scaled into range."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.distributed.sharded import Sharded
from prfast.inputs.arrays import Floats, blocks
from prfast.inputs.concurrency import lock
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import MEMORY, Progress
from prfast.kernels import balls as kernels

_NUMBERS_AT_ONCE = 1 << 19


class Rows:
    """The rows `index` of `base`, in that order, without a copy.

    The exact engine reads them in place, so that the halves of a memory-mapped file are never
    loaded; all other code may treat them as an array.
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
    """Return the points of these indices, without a copy."""
    if isinstance(points, Rows):
        return Rows(points.base, points.index[index])
    return Rows(points, index)


def by_block(points: Points) -> Iterator[Floats]:
    """Yield the points in blocks of half a million numbers."""
    return (points[rows] for rows in blocks(len(points), _NUMBERS_AT_ONCE // points.shape[1]))


# Scaling: sets in the range where squares of differences neither overflow nor underflow.


LEAST = -450  # exponent from which the last digit of a number, squared, is not subnormal


def largest_value(points: Points) -> float:
    """Return the largest absolute value."""
    return float(max(np.abs(block).max() for block in by_block(points)))


def in_range(real: Floats, fake: Floats) -> tuple[Floats, Floats]:
    """Return the sets, divided by a common power of two if squares of differences need it.

    Scaled sets are float64.  Comparisons of distances do not change.

    Raises
    ------
    ValueError
        As `common_unit`.
    """
    exponent = common_unit(real, fake)
    return in_unit(real, exponent), in_unit(fake, exponent)


def in_unit(points: Floats, exponent: int) -> Floats:
    """Return the points in units of 2**exponent, in float64; unchanged where exponent is 0."""
    scaled: Floats = _scaled(points, exponent) if exponent else points
    return scaled


def common_unit(real: Floats, fake: Floats) -> int:
    """Return the exponent of a unit in which squares of differences are in float64's range.

    0 where no scaling is needed.

    Raises
    ------
    ValueError
        If values are so large, and others so small, that no power of two suits both.
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
        return points.base.largest  # of all rows: an upper bound
    return points.largest if isinstance(points, Sharded) else largest_value(points)


def _scaled(points: Any, exponent: int) -> Any:
    """Return the points in units of 2**exponent; partitioned samples are scaled when read."""
    if isinstance(points, Rows) and isinstance(points.base, Sharded):
        return Rows(_scaled(points.base, exponent), points.index)
    if isinstance(points, Sharded):
        return replace(points, exponent=exponent, dtype=np.dtype(np.float64))
    return np.ldexp(points.astype(np.float64), -exponent)


def _smallest(points: Any) -> float:
    """Return the smallest absolute value that is not 0; ∞ where all are 0."""
    if isinstance(points, Rows) and isinstance(points.base, Sharded):
        return points.base.smallest  # of all rows: a lower bound
    if isinstance(points, Sharded):
        return points.smallest
    return float(min(_smallest_positive(np.abs(block)) for block in by_block(points)))


def _smallest_positive(values: Floats) -> Any:
    return values[values > 0].min(initial=np.inf)


@dataclass
class Work:
    """Numbers of pairs by the step that decided them, and of fallbacks (see `Search.work`)."""

    int8: int = 0  # pairs: int8 filter
    float32: int = 0  # pairs: float32 dot products
    differences: int = 0  # pairs: float32 differences
    refined: int = 0  # pairs: float64, after the filters; counted there as well
    unfiltered: int = 0  # pairs: float64, filters abandoned
    dear: int = 0  # blocks of queries for which the int8 filter was abandoned
    redone: int = 0  # queries that lists did not answer
    cramped: int = 0  # calls of an engine that were limited by memory

    def add(self, counted: Sequence[int]) -> None:
        """Add the counters of a pass."""
        for name, number in zip(_OF_A_PASS, counted, strict=True):
            setattr(self, name, getattr(self, name) + number)

    def take(self, other: Work) -> None:
        """Add the counters of another call."""
        for name, number in asdict(other).items():
            setattr(self, name, getattr(self, name) + number)


class ListPool:
    """A pool of lists no longer in use, shared by threads.

    Their memory is reused because the system need not clear it again.
    """

    def __init__(self) -> None:
        self._lists: list[kernels.Lists] = []

    @property
    def nbytes(self) -> int:
        with lock(self):
            return self._total_bytes()

    def take(self, nbytes: int) -> kernels.Lists | None:
        """Remove and return the smallest lists of at least `nbytes`; None if there are none."""
        with lock(self):
            enough = [lists for lists in self._lists if lists.nbytes >= nbytes]
            smallest = min(enough, key=_bytes_of, default=None)
            if smallest is not None:
                self._lists.remove(smallest)
            return smallest

    def put(self, lists: kernels.Lists, most: int) -> None:
        """Add lists to the pool, and drop the smallest until it is within `most` bytes."""
        with lock(self):
            if lists.nbytes <= most:
                self._lists.append(lists)
            while self._total_bytes() > most:
                self._lists.remove(min(self._lists, key=_bytes_of))

    def clear(self) -> None:
        with lock(self):
            self._lists.clear()

    def _total_bytes(self) -> int:
        return sum(lists.nbytes for lists in self._lists)


def _bytes_of(lists: kernels.Lists) -> int:
    return lists.nbytes


LISTED = 8  # bytes of a reference in a list
_OF_A_PASS = ("int8", "float32", "differences", "refined", "unfiltered", "dear")


@dataclass
class Resources:
    """What an engine may use in a call, and where it reports.

    threads : threads of the call.
    memory : bytes for packed references, lists, reservoirs and scratch beside the inputs.
    work : counters to add to.
    progress : bar to advance by the pairs that are done.
    pool : lists no longer in use, whose memory may be reused.
    block : queries that a thread takes together; above kernels.BLOCK, through the int8 filter.
    whole : the caller's bytes, of which `memory` is what the threads' own blocks leave.
    """

    threads: int
    memory: int = MEMORY
    work: Work = field(default_factory=Work)
    progress: Progress = field(default_factory=lambda: Progress(False))
    pool: ListPool = field(default_factory=ListPool)
    block: int = kernels.BLOCK
    whole: int = 0

    def __post_init__(self) -> None:
        self.whole = self.whole or self.memory

    def advance(self, pairs: int) -> None:
        self.progress.advance(pairs)  # it ignores what exceeds the total: pairs of a fallback

    def lists(self, queries: int, k: int, capacity: int, loose: int = 0) -> kernels.Lists:
        """Return empty lists, in pooled memory where there is enough."""
        pooled = self.pool.take(LISTED * queries * capacity)
        return kernels.Lists(queries, k, capacity, pooled, loose)

    def give_back(self, lists: kernels.Lists | None) -> None:
        """Return lists to the pool, which holds up to half of `memory`."""
        if lists is not None:
            self.pool.put(lists, self.memory // 2)
