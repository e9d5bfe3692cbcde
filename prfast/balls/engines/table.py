"""The engines there are, a row each: a new one is a file of this folder and a row here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from prfast.balls.engines import tree
from prfast.balls.engines.approximate import Approximate
from prfast.balls.engines.engine import Engine
from prfast.balls.engines.exact import Exact
from prfast.balls.engines.tree import Tree
from prfast.balls.resources import Resources
from prfast.balls.rows import Points
from prfast.balls.tasks import Count, Kth, LargestRatio, LogSum, Nearest, Task


def _never(queries: Points, refs: Sequence[Points], task: Task, resources: Resources) -> bool:
    return False


class Row(NamedTuple):
    """How an engine is made, which tasks it answers, and which of these "auto" gives to it."""

    engine: Callable[[], Engine]
    answers: tuple[type[Task], ...]
    wins: Callable[[Points, Sequence[Points], Task, Resources], bool] = _never


# The first answers what the others do not: what they cannot, or what they would not win.
ENGINES = {
    "exact": Row(Exact, (Kth, Nearest, Count, LogSum, LargestRatio)),
    "tree": Row(Tree, (Kth, Nearest, Count), tree.wins),
    "approximate": Row(Approximate, (Kth, Nearest, Count)),
}
BACKENDS = ("auto", *ENGINES)

# Those whose answers, to the last bit, the engine over blocks gives for samples in pieces.
IN_PIECES = ("auto", "exact", "tree")
