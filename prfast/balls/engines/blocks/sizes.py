"""How many rows a part has, and what a task with two of them takes."""

from __future__ import annotations

import math

from prfast.balls.engines.blocks.sample import rank, size
from prfast.balls.engines.blocks.window import FAN
from prfast.balls.engines.lists import capacity
from prfast.balls.engines.passes import QUERIES, flops, packed_bytes
from prfast.balls.resources import LISTED

_FLOPS = 1.5e11  # of a task: a second or a few, so that the scheduler is not what is waited for
_MOST = 4e11  # rather than to cut the pieces there are
_TASKS = 2  # a thread, so that the last ones do not wait for each other long
FEWEST = 1000  # rows: below, a task is spent on what is done once a task


def rows_of_part(longest: int, queries: int, refs: int, dim: int, threads: int) -> int:
    """Rows of a part, of two sets whose pieces have up to `longest` rows."""
    enough = math.isqrt(int(_FLOPS / flops(dim)))
    most = math.isqrt(int(_MOST / flops(dim)))
    rows = longest if enough < longest <= most else enough
    each = math.isqrt(queries * refs // (_TASKS * threads)) if threads > 1 else rows
    return max(FEWEST, min(rows, each))


def task_bytes(rows: int, dim: int, itemsize: int, k: int, n: int) -> int:
    """Bytes that the largest task takes, with parts of so many rows of a set of n; k: the largest.

    Two parts as they are loaded and side by side, packed, with lists of the points of both in each
    other, and what was in the lists; or what all blocks have listed for one part.
    """
    rows, both = min(rows, n), 2 * min(rows, n)
    drawn = size(n)
    share = min(1.0, rank(drawn, k, n) / drawn)
    listed = LISTED * share * (FAN * rows if n > FAN * rows else n)
    room = min(capacity(min(k, rows), rows), k + 1.5 * share * rows + 2 * QUERIES)
    of_pairs = (
        2 * both * dim * itemsize + both * (packed_bytes(dim) + 40) + 2 * LISTED * both * room
    )
    return int(max(of_pairs, 2 * rows * (listed + LISTED * k) + rows * dim * itemsize))
