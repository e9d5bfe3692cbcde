"""Scorers from neighbours (2024 paper, §3): each a ratio of two counts, all from the same passes.

X are the real and Y the generated training samples, B_k^S(z) is the ball around z that reaches its
k-th nearest neighbour in S, comparisons are d <= r (`ties="closed"`):

    knn        # X in B_k^{X∪Y}(z)            /  # Y in B_k^{X∪Y}(z)
    ipr        # {x : z in B_k^X(x)}          /  # {y : z in B_k^Y(y)}
    parzen     # {x : d(x, z) <= ρ_X}         /  # {y : d(y, z) <= ρ_Y},   ρ_S = mean radius of S
    coverage   # X in B_k^Y(z)                /  # Y in B_k^X(z)

Each count is divided by the size of its set, c/0 is ∞ and 0/0 is 1: which class a point without
neighbours falls to is the only thing that the division decides where the sizes differ.

Self: inside a set a point is never its own neighbour, so the radii of ipr and parzen leave it out
by its row.  A point that is scored is another matter: without a split it is a training sample, and
the published curves count it as its own first neighbour; `count_self=False` leaves it out as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sized
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.balls import Count
from prfast.balls.thresholds import mean_radius, squared_radius
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_count

# Where a k-th neighbour is looked for, and what that gives: a pair, of the real and of the
# generated training samples.
INSIDE = "inside"  # each training set, of its own samples: the D of each sample
EACH = "each"  # of the training sets, of the scored points: how many are as near as the other's
BOTH = "both"  # training sets together, of the scored points: how many of either are as near

Pair = tuple[NDArray[Any], NDArray[Any]]


class NeighborMethod(NamedTuple):
    """A row: where its k-th neighbours are; and, INSIDE a set, the balls that have these radii,
    whose samples are counted, of the real training set (0, the numerator) or of the generated one
    (1, the denominator)."""

    where: str
    balls: Callable[[Pair, int, bool], Count] | None
    summary: str
    blind: str
    """What it cannot see, however many samples there are."""


def _balls(d2: Pair, side: int, closed: bool) -> Count:
    """The samples whose balls hold the point."""
    return Count(None, d2[side], closed, side=side)


def _mean_balls(d2: Pair, side: int, closed: bool) -> Count:
    """The samples within the mean radius of their set."""
    t = squared_radius(mean_radius(d2[side]), closed)
    return Count(None, np.full(len(d2[side]), t), closed, side=side)


NEIGHBORS = {
    "knn": NeighborMethod(
        BOTH,
        None,
        "classes of the k nearest of both sets (2024)",
        "differences in many dimensions: all neighbours of every point may be of one set, "
        "whichever it is of itself; then the scores tie, and a tie reads as equality",
    ),
    "ipr": NeighborMethod(
        INSIDE,
        _balls,
        "balls of the training samples that hold a point (2019 b, 2024)",
        "what lies inside wide balls: those around outliers, and in many dimensions those of the "
        "wider set, which hold the other",
    ),
    "parzen": NeighborMethod(
        INSIDE,
        _mean_balls,
        "training samples within the mean k-NN radius (2024)",
        "what is finer than the one radius, and points that no radius reaches: they tie, whichever "
        "set they are of",
    ),
    "coverage": NeighborMethod(
        EACH,
        None,
        "each set within the k-NN ball of the other (2020, 2024)",
        "differences in many dimensions: all neighbours of every point may be of one set, "
        "whichever it is of itself; then the scores tie, and a tie reads as equality",
    ),
}
NEIGHBOR_METHODS = tuple(NEIGHBORS)


def sqrt_k(real: Sized) -> int:
    """⌊√n⌋ of the real training samples, the default k (2024 paper, §3.3)."""
    return max(1, math.isqrt(len(real)))


def read_k(k: Any, real: Sized) -> int:
    """A number of neighbours: an integer, or "sqrt", which stands for ⌊√n⌋."""
    if isinstance(k, str):
        if k != "sqrt":
            raise WrongValue("k", f"an integer or 'sqrt' expected, got {k!r}")
        return sqrt_k(real)
    return read_count("k", k)


def check_k(method: str, k: int, n: float, m: float, *, leave_out: bool = False) -> None:
    """Is there a k-th neighbour?  In its own set a sample has one neighbour less: inside the
    training sets, and where a scored point is left out of them."""
    where = NEIGHBORS[method].where
    own = leave_out or where == INSIDE
    for name, size in (("real", n), ("fake", m)):
        most = (n + m if where == BOTH else size) - own
        if k > most:
            raise WrongValue(
                "k",
                f"at most {most} expected for {method!r} with {size} {name} training samples, "
                f"got {k}",
            )
