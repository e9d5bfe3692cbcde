"""Some rows of a set in pieces, taken where the pieces are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.cluster.flow import in_turn
from prfast.cluster.sharded import Group, Sharded
from prfast.inputs.arrays import Floats

BYTES = 1 << 27  # of the rows that a task looks at


def group_rows(points: Sharded) -> int:
    """Rows of as many bytes as a task looks at."""
    return max(1, BYTES // (points.width * points.dtype.itemsize))


def take(points: Sharded, rows: NDArray[np.int64]) -> Floats:
    """A few rows, by ascending number, right here."""
    found = list(in_turn(points.cluster, load_rows, _of_groups(points, rows)))
    return np.concatenate([np.empty((0, points.width), points.dtype), *found])


def taken(points: Sharded, rows: NDArray[np.int64]) -> list[Any]:
    """The same rows as handles of arrays, one after the other, that stay where they are."""
    return [points.cluster.submit(load_rows, *one) for one in _of_groups(points, rows)]


def load_rows(group: Group, rows: NDArray[np.int64]) -> Floats:
    """A task: some rows of a group, which alone are kept."""
    return np.array(group.load(rows))


def _of_groups(points: Sharded, rows: NDArray[np.int64]) -> list[tuple[Group, NDArray[np.int64]]]:
    """The groups that have any of the rows, with their numbers there."""
    found = []
    for group in points.groups(group_rows(points)):
        start, stop = np.searchsorted(rows, [group.start, group.stop])
        if start < stop:
            found.append((group, rows[start:stop] - group.start))
    return found
