"""A few references stand for all: how far each query has to look, and what filters see.

The references lie in pieces in any order, so that no block knows how near the k-th of all is.  Of a
sample of the set, evenly spread over it, the query's D of the rank that k of all has in it, with a
margin of five standard deviations, is beyond the k-th nearest; where it is not, that is seen when
what blocks list does not tell (`listed`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from prfast.balls.engines.blocks.parts import Part
from prfast.balls.engines.exact import Exact
from prfast.balls.engines.passes import Frame
from prfast.balls.resources import Resources, Work
from prfast.balls.rows import by_block
from prfast.balls.tasks import Ints, Kth
from prfast.inputs.arrays import Float64s, Floats

_SHARE = 25  # points that one of the sample stands for: what it costs against longer lists
_LEAST, _MOST = 192, 4000
_FAR = 0.03  # share of queries for which that pays


class Reached(NamedTuple):
    """Of some queries: D that the k-th nearest of each set is not beyond, as far as can be told
    from a sample, and about its D; |û|² as the filter sees them."""

    d2: list[Float64s]
    middle: list[Float64s]
    norms: Float64s
    work: Work


def size(n: int) -> int:
    return min(n, max(_LEAST, min(_MOST, n // _SHARE)))


def rank(sample: int, k: int, n: int) -> int:
    """Of so many of n: how many may be nearer than the k-th of all."""
    share = k * sample / n
    return math.ceil(share + 5 * math.sqrt(share)) + 4


def middle(sample: int, k: int, n: int) -> int:
    """The rank among so many of n that the k-th of all is thought to have."""
    return min(sample, max(1, round(k * sample / n)))


def rows(part: Part, index: Ints) -> Floats:
    """Some points of a part."""
    found: Floats = part.load()[index]
    return found


def together(found: Sequence[Floats]) -> Floats:
    return np.concatenate(found)


def frame(sample: Floats, exponent: int) -> Frame:
    """Centred on the sample; offsets of values below 2**(exponent − 1) are at most 1."""
    return Frame(sample.mean(axis=0, dtype=np.float64), math.ldexp(1.0, -exponent), False)


def reach(
    queries: Part,
    samples: Sequence[Floats],
    ranks: Sequence[tuple[int, int]],
    seen: Frame,
    memory: int,
) -> Reached:
    work, x = Work(), queries.load()
    beyond, about = [], []
    for sample, (last, some) in zip(samples, ranks, strict=True):
        told = last <= len(sample)
        task = Kth(np.array([some, last if told else some]))
        Exact().run(x, [sample], [task], Resources(1, memory, work))
        about.append(task.d2[:, 0].copy())
        beyond.append(task.d2[:, 1].copy() if told else np.full(len(x), np.inf))
    norms = [_norms(block, seen) for block in by_block(x)]
    return Reached(beyond, about, np.concatenate(norms), work)


def _norms(points: Floats, seen: Frame) -> Float64s:
    packed = ((points - seen.centre) * seen.scale).astype(np.float32).astype(np.float64)
    norms: Float64s = np.einsum("ij,ij->i", packed, packed)
    return norms


def far(reached: Sequence[Reached]) -> int | None:
    """The set, if any, whose k-th nearest is beyond what is listed of the other for more than a
    few of the queries."""
    shares = [
        float(np.mean(np.concatenate([one.middle[s] > one.d2[1 - s] for one in reached])))
        for s in (0, 1)
    ]
    found = int(np.argmax(shares))
    return found if shares[found] > _FAR else None
