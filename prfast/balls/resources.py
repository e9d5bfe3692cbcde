"""What a call may use, and what it tells: threads, memory, work done, a bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from prfast.inputs.locks import lock
from prfast.inputs.options import MEMORY
from prfast.inputs.progress import Progress
from prfast.kernels import balls as kernels


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
