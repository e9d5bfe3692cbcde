"""What tasks return, put together by other tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.balls.engines.blocks.looks import Found
from prfast.balls.resources import Work
from prfast.balls.tasks import Nearest, smallest
from prfast.inputs.arrays import Float64s


def pick(found: Sequence[Any], which: int) -> Any:
    """One of the things that a task returned, so that what needs it is not given the others."""
    return found[which]


def added(found: Sequence[Found]) -> Found:
    return Found(
        [sum(some) for some in zip(*(one.arrays for one in found), strict=True)], _work(found)
    )


def largest(found: Sequence[Found]) -> Found:
    columns = zip(*(one.arrays for one in found), strict=True)
    return Found([np.maximum.reduce(some) for some in columns], _work(found))


def shortened(found: Sequence[Found], k: int) -> Found:
    """The k nearest in all lists."""
    return Found([smallest(*(one.arrays[0] for one in found))[:, :k]], _work(found))


def divided(near: Sequence[Found], question: Nearest) -> Found:
    """The answers of a Nearest from lists of the nearest in each set, of one or of two."""
    whole = replace(question)  # others are given the same
    lists = [
        _ended(one.arrays[0], question.k, own)
        for one, own in zip(near, question.within, strict=False)
    ]
    lists = [*lists, np.empty((len(lists[0]), 0))][:2]
    whole.open(len(lists[0]))
    whole.fill(slice(None), *lists)
    return Found([getattr(whole, name) for name in OF_NEAREST], _work(near))


def _ended(d2: Float64s, k: int, own: bool) -> Float64s:
    """Without the point itself; a list that holds all there is ends with ∞."""
    others = d2[:, own:]
    whole = d2.shape[1] <= k + own
    return np.hstack([others, np.full((len(d2), 1), np.inf)]) if whole else others


OF_NEAREST = ("d2_a", "d2_b", "d2_both", "of_a", "of_b", "across_a", "across_b")


def _work(found: Sequence[Found]) -> Work:
    total = Work()
    for one in found:
        total.take(one.work)
    return total
