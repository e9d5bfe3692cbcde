"""Points without a copy, sets scaled into range; resources and counters of a call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Floats, blocks
from prfast.inputs.concurrency import lock
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import MEMORY, Progress
from prfast.inputs.samples import SampleSet
from prfast.kernels import distances as kernels

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


def sample_set_of(points: Any) -> Any:
    """Return the `SampleSet` that the points are, or are rows of; None for those of an array."""
    base: Any = points
    while isinstance(base, Rows):
        base = base.base
    return base if isinstance(base, SampleSet) else None


def by_block(points: Points) -> Iterator[Floats]:
    """Yield the points in blocks of half a million numbers."""
    return (points[rows] for rows in blocks(len(points), _NUMBERS_AT_ONCE // points.shape[1]))


# ---- scaling: squares of differences neither overflow nor underflow ------------------------------

_LEAST = -450  # exponent from which the last digit of a number, squared, is not subnormal


def largest_value(points: Any) -> float:
    """Return the largest absolute value; of rows of a `SampleSet` an upper bound, that of all."""
    if (samples := sample_set_of(points)) is not None:
        return float(samples.largest)
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


def in_unit(points: Any, exponent: int) -> Any:
    """Return the points in units of 2**exponent, in float64; unchanged where exponent is 0."""
    if exponent == 0:
        return points
    if (samples := sample_set_of(points)) is not None:
        scaled = samples.scaled(exponent)
        return Rows(scaled, points.index) if isinstance(points, Rows) else scaled
    return np.ldexp(points.astype(np.float64), -exponent)


def common_unit(real: Floats, fake: Floats) -> int:
    """Return the exponent of a unit in which squares of differences are in float64's range.

    0 where no scaling is needed.

    Raises
    ------
    ValueError
        If values are so large, and others so small, that no power of two suits both.
    """
    largest = max(largest_value(points) for points in (real, fake))
    exponent = int(np.frexp(largest)[1])
    if largest == 0 or _LEAST <= exponent <= 500 - real.shape[1].bit_length() // 2:
        return 0
    smallest = min(_smallest_value(points) for points in (real, fake))
    if exponent > 0 and np.ldexp(smallest, -exponent) < 2.0**-450:
        raise WrongValue(
            "real and fake",
            f"squares of differences within float64 expected, got values up to "
            f"{largest:.3g} beside values of {smallest:.3g}",
        )
    return exponent


def _smallest_value(points: Any) -> float:
    """Return the smallest absolute value that is not 0, ∞ where all are 0; of rows of a `SampleSet`
    a lower bound, that of all."""
    if (samples := sample_set_of(points)) is not None:
        return float(samples.smallest)
    sizes = (np.abs(block) for block in by_block(points))
    return float(min(block[block > 0].min(initial=np.inf) for block in sizes))


@dataclass
class Work:
    """Numbers of pairs by the step that decided them, and of fallbacks (`NeighborSearch.work`)."""

    int8: int = 0  # pairs: int8 filter
    float32: int = 0  # pairs: float32 dot products
    differences: int = 0  # pairs: float32 differences
    refined: int = 0  # pairs: float64, after the filters; counted there as well
    unfiltered: int = 0  # pairs: float64, filters abandoned
    abandoned_filter: int = 0  # blocks of queries for which the int8 filter was abandoned
    fallback: int = 0  # queries that lists did not answer
    memory_limited: int = 0  # calls of an engine that were limited by memory

    def add(self, numbers: Iterable[int]) -> None:
        """Add the counters of a pass, which are the first ones in order, or of another call."""
        for one, number in zip(fields(self), numbers, strict=False):
            setattr(self, one.name, getattr(self, one.name) + number)


_nbytes = attrgetter("nbytes")


class ListPool:
    """A pool of lists no longer in use, shared by threads.

    Their memory is reused because the system need not clear it again.
    """

    def __init__(self) -> None:
        self._lists: list[kernels.Lists] = []

    @property
    def nbytes(self) -> int:
        return sum(lists.nbytes for lists in self._lists)

    def take(self, nbytes: int) -> kernels.Lists | None:
        """Remove and return the smallest lists of at least `nbytes`; None if there are none."""
        with lock(self):
            enough = [lists for lists in self._lists if lists.nbytes >= nbytes]
            smallest = min(enough, key=_nbytes, default=None)
            if smallest is not None:
                self._lists.remove(smallest)
            return smallest

    def put(self, lists: kernels.Lists, most: int) -> None:
        """Add lists to the pool, and drop the smallest until it is within `most` bytes."""
        with lock(self):
            if lists.nbytes <= most:
                self._lists.append(lists)
            while self.nbytes > most:
                self._lists.remove(min(self._lists, key=_nbytes))

    def clear(self) -> None:
        with lock(self):
            self._lists.clear()


LISTED = 8  # bytes of a reference in a list


@dataclass
class Resources:
    """What an engine may use in a call, and where it reports.

    threads : threads of the call.
    memory : bytes for packed references, lists, reservoirs and scratch beside the inputs.
    work : counters to add to.
    progress : bar to advance by the pairs that are done.
    pool : lists no longer in use, whose memory may be reused.
    block : queries that a thread takes together; above kernels.BLOCK, through the int8 filter.
    total : the caller's bytes; `memory` is the part that the threads' own blocks leave.
    """

    threads: int
    memory: int = MEMORY
    work: Work = field(default_factory=Work)
    progress: Progress = field(default_factory=lambda: Progress(False))
    pool: ListPool = field(default_factory=ListPool)
    block: int = kernels.BLOCK
    total: int = 0

    def __post_init__(self) -> None:
        self.total = self.total or self.memory

    def lists(self, queries: int, k: int, capacity: int, unrefined: int = 0) -> kernels.Lists:
        """Return empty lists, in pooled memory where there is enough."""
        pooled = self.pool.take(LISTED * queries * capacity)
        return kernels.Lists(queries, k, capacity, pooled, unrefined)

    def give_back(self, lists: kernels.Lists | None) -> None:
        """Return lists to the pool, which holds up to half of `memory`."""
        if lists is not None:
            self.pool.put(lists, self.memory // 2)
