"""How many rows a part has, and what a task with two of them takes."""

from __future__ import annotations

import math

from prfast.balls.engines.passes import flops

_FLOPS = 5e10  # of a task: half a second to a few, so that the scheduler is not what is waited for
_MOST = 2e11  # rather than to cut the pieces there are
_TASKS = 4  # a thread, so that the last ones do not wait for each other long
_FEWEST = 1000  # rows: below, a task is spent on what is done once a task


def rows_of_part(longest: int, queries: int, refs: int, dim: int, threads: int) -> int:
    """Rows of a part, of two sets whose pieces have up to `longest` rows."""
    enough = math.isqrt(int(_FLOPS / flops(dim)))
    most = math.isqrt(int(_MOST / flops(dim)))
    rows = longest if enough < longest <= most else enough
    each = math.isqrt(queries * refs // (_TASKS * threads)) if threads > 1 else rows
    return max(_FEWEST, min(rows, each))
