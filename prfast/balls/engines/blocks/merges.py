"""What tasks return, put together by other tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.balls.engines.blocks.looks import Found
from prfast.balls.resources import Work
from prfast.balls.tasks import Ints, Nearest, smallest


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


def kth(found: Found, ks: Ints) -> Found:
    return Found([found.arrays[0][:, ks - 1]], found.work)


def divided(a: Found, b: Found, question: Nearest) -> Found:
    """The answers of a Nearest from lists of the nearest in a and in b."""
    whole = replace(question)  # others are given the same
    lists = [
        np.hstack([one.arrays[0][:, own:], np.full((len(one.arrays[0]), 1), np.inf)])
        if one.arrays[0].shape[1] <= question.k + own
        else one.arrays[0][:, own:]
        for one, own in zip((a, b), question.within, strict=True)
    ]
    whole.open(len(lists[0]))
    whole.fill(slice(None), *lists)
    return Found([getattr(whole, name) for name in OF_NEAREST], _work([a, b]))


OF_NEAREST = ("d2_a", "d2_b", "d2_both", "of_a", "of_b", "across_a", "across_b")


def _work(found: Sequence[Found]) -> Work:
    total = Work()
    for one in found:
        total.take(one.work)
    return total
