"""What a call may use, and what it tells: threads, memory, work done, a bar."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

from prfast.inputs.options import MEMORY


@dataclass
class Work:
    """What the filter of the exact engine could not do; calls add up."""

    refined: int = 0  # distances computed in float64 because the filter could not decide
    unfiltered: int = 0  # pairs computed in float64 because the filter was given up
    redone: int = 0  # queries done again because a guessed threshold kept too much out

    def add(self, refined: int, unfiltered: int, redone: int) -> None:
        self.refined += refined
        self.unfiltered += unfiltered
        self.redone += redone


class Bar(Protocol):
    """Of tqdm, what is used of it."""

    def update(self, n: int) -> Any: ...


@dataclass
class Resources:
    """Given to an engine with each call.

    threads, and bytes for packed references and reservoirs beside the inputs; the work that the
    call did is added to `work`, and the bar is told of the pairs that are done.
    """

    threads: int
    memory: int = MEMORY
    work: Work = field(default_factory=Work)
    bar: Bar | None = None

    def advance(self, pairs: int) -> None:
        if self.bar is not None:
            self.bar.update(pairs)
