"""The k nearest from the k nearest of every block: where filters or lists do not tell."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from prfast.balls.engines.blocks import looks, merges
from prfast.balls.engines.blocks.asking import Asking
from prfast.balls.engines.blocks.parts import Part
from prfast.balls.engines.blocks.window import Gathering
from prfast.balls.tasks import Nearest


def plain_nearest(of: Asking, task: Nearest) -> None:
    """Answer the task but for counts that are −1."""
    question = replace(task, shelf=None)
    found = []
    for part in of.queries:
        # One more than the k nearest, to see that the next one is farther.
        near = [
            _shortest(of, part, side, task.k + 1 + task.within[side])
            for side in range(len(of.refs))
        ]
        found.append(of.window.submit(merges.divided, near, question))
    task.open(of.size)
    for part, arrays in of.arrays(found):
        for name, values in zip(merges.OF_NEAREST, arrays, strict=True):
            getattr(task, name)[part.rows] = values


def _shortest(of: Asking, part: Part, side: int, k: int) -> Any:
    """The k nearest of a part's points in a set."""
    found = Gathering(of.window, merges.shortened, k)
    for refs in of.refs[side]:
        pairs = part.size * refs.size
        found.add(of.window.submit(looks.nearest, part, refs, k, of.memory, pairs=pairs))
    return found.whole()
