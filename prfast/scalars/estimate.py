"""What is found of two sets as wholes: a number, perhaps with its standard error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from prfast.inputs.arrays import Floats
from prfast.inputs.progress import Progress
from prfast.scalars.wanted import MetricOptions

Known = dict[Any, Any]  # what was found of the real samples alone, by what it is


class Hands(NamedTuple):
    """Who does the work, with what memory, and who is told."""

    threads: int
    memory: int
    progress: Progress

    def fitting(self, numbers: int) -> int:
        """So many threads as the memory has room for, each with so many float64 numbers."""
        return max(1, min(self.threads, self.memory // (8 * numbers)))


class Pair(NamedTuple):
    """Two sets that have been read, and how to look at them."""

    real: Floats
    fake: Floats
    wanted: MetricOptions
    hands: Hands
    known: Known
    """Where the real samples stay the same, what is found of them is looked up and kept here."""


class Estimate(NamedTuple):
    """A number, its standard error where it has one, and what else is to be recorded."""

    value: float
    error: float | None = None
    info: Mapping[str, Any] = {}
