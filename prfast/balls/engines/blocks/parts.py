"""A set as parts that a task can hold."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.balls.rows import Points, Rows
from prfast.cluster.sharded import Group, Sharded, spans
from prfast.cluster.verbs import Cluster
from prfast.inputs.arrays import Floats


class Part(NamedTuple):
    """The points [start, stop) of a set: all rows of a group, or those that `which` numbers."""

    group: Group
    which: Any  # NDArray[np.int64] | None; a handle of it until a task has it
    start: int
    stop: int

    @property
    def rows(self) -> slice:
        return slice(self.start, self.stop)

    @property
    def size(self) -> int:
        return self.stop - self.start

    def load(self) -> Floats:
        return self.group.load(self.which)


def in_pieces(points: Points) -> bool:
    """Is it a set that is nowhere as a whole, or some rows of one?"""
    return isinstance(base_of(points), Sharded)


def cluster_of(points: Points) -> Cluster:
    """Where the pieces of such a set are."""
    base: Any = base_of(points)
    found: Cluster = base.cluster
    return found


def lengths(points: Points) -> NDArray[np.int64]:
    """Points of each piece; of all together where they are not in the order of the pieces."""
    base: Any = base_of(points)
    if not isinstance(points, Rows):
        found: NDArray[np.int64] = base.lengths
        return found
    if (np.diff(points.index) < 0).any():
        return np.array([len(points.index)])
    within: NDArray[np.int64] = np.diff(np.searchsorted(points.index, base.starts))
    return within


def cut(points: Points, rows: int) -> list[Part]:
    """Parts of about so many points, in their order: whole pieces where these are not larger."""
    base: Any = base_of(points)
    if not isinstance(points, Rows):
        return [Part(group, None, group.start, group.stop) for group in base.groups(rows)]
    ends = spans(lengths(points), rows)
    return [_some(base, points.index[start:stop], start, stop) for start, stop in ends]


def _some(base: Sharded, index: NDArray[np.int64], start: int, stop: int) -> Part:
    first, last = int(index.min()), int(index.max()) + 1
    which = base.cluster.submit(keep, index - first)
    return Part(base.span(first, last), which, start, stop)


def keep(held: Any) -> Any:
    """A task that holds what many others are given."""
    return held


def base_of(points: Points) -> Any:
    base: Any = points
    while isinstance(base, Rows):
        base = base.base
    return base
