"""Every pair of points of a set once, in rounds whose parts of the set do not meet."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray


def rounds(n: int, least: int, block: int) -> Iterator[NDArray[np.int64]]:
    """Rows (first, end, first, end) of pairs of parts that can be worked on at the same time.

    The n points are cut into at least `least` parts of whole blocks, or of one block where there
    are too few.  First each part with itself; then, as in a round-robin tournament, one part stays
    and the others move on a seat a round, so that each meets each other once.
    """
    blocks = -(-n // block)
    size = max(1, blocks // least) * block
    cuts = np.append(np.arange(0, n, size), n).astype(np.int64)
    parts = np.stack([cuts[:-1], cuts[1:]], axis=1)
    yield np.concatenate([parts, parts], axis=1)
    seats = len(parts) + len(parts) % 2  # an odd one has a round off
    for turn in range(seats - 1):
        order = np.concatenate([[0], 1 + (np.arange(seats - 1) + turn) % (seats - 1)])
        pairs = np.sort(np.stack([order[: seats // 2], order[: seats // 2 - 1 : -1]]), axis=0)
        pairs = pairs[:, pairs[1] < len(parts)]
        if pairs.size:
            yield np.concatenate([parts[pairs[0]], parts[pairs[1]]], axis=1)


def ordered_pairs(parts: NDArray[np.int64]) -> int:
    """Ordered pairs of points that one round of parts stands for."""
    a, b = parts[:, 1] - parts[:, 0], parts[:, 3] - parts[:, 2]
    return int(np.where(parts[:, 0] == parts[:, 2], a * b, 2 * a * b).sum())
