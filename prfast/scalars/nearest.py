"""Which generated samples lie in the ball of their nearest real sample: what authenticity counts.

The ball of a real sample x reaches its nearest other one, T = D of it.  y is in the ball of its
nearest x, at m = min D(x, y), if and only if m is also the least D of y to those x alone that have
T >= m (closed) or T > m (open).  So nobody need know which x is the nearest, and of several that
are equally near one ball that holds y is enough: the order of the samples does not matter.

With the real samples sorted by T these are the last ones, from some place on, which is a place a
y.  A range of samples is halved: of those y whose place is in the lower half, the upper half is
asked; only those not found there go on into the lower one.  All questions are of the nearest
distance, which every exact engine answers, and together they cost at most what the first one did.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.balls import Points, Search
from prfast.balls.rows import select
from prfast.balls.thresholds import inside
from prfast.inputs.arrays import Float64s
from prfast.kernels import balls as kernels

_FEW = 64  # real samples of which all pairs are computed
_PAIRS = 1 << 22  # at a time

Ints = NDArray[np.int64]


def in_nearest_ball(
    fake: Points, real: Points, d2: Float64s, closed: bool, search: Search
) -> NDArray[np.bool_]:
    """Of each generated sample; d2: D of the nearest other one of each real sample."""
    least = search.kth(fake, real, [1])[:, 0]
    order = np.argsort(d2, kind="stable")
    t = d2[order]
    place = np.searchsorted(t, least, "left" if closed else "right")
    held: NDArray[np.bool_] = place == 0  # every ball reaches as far
    quiet = search.quiet()
    waiting = [(0, len(real), np.flatnonzero((place > 0) & (place < len(real))))]
    while waiting:
        start, stop, rows = waiting.pop()
        if not rows.size:
            continue
        if stop - start <= _FEW:
            held[rows] = _any(fake, real, order[start:stop], t[start:stop], least, rows, closed)
            continue
        middle = (start + stop) // 2
        below = rows[place[rows] <= middle]
        if below.size:
            upper = select(real, np.sort(order[middle:stop]))
            near = quiet.kth(select(fake, below), upper, [1])[:, 0]
            held[below] = near == least[below]
        waiting.append((start, middle, below[~held[below] & (place[below] < middle)]))
        waiting.append((middle, stop, rows[place[rows] > middle]))
    return held


def _any(
    fake: Points, real: Points, some: Ints, t: Float64s, least: Float64s, rows: Ints, closed: bool
) -> Any:
    """Is one of a few real samples a nearest one, with a ball that reaches as far?"""
    found = np.zeros(len(rows), bool)
    for first in range(0, len(rows), _PAIRS // len(some)):
        part = rows[first : first + _PAIRS // len(some)]
        query, ref = np.repeat(part, len(some)), np.tile(some, len(part))
        d2 = kernels.pairs(fake, real, query, ref).reshape(len(part), len(some))
        near = (d2 == least[part, None]) & inside(least[part, None], t, closed)
        found[first : first + len(part)] = near.any(axis=1)
    return found
