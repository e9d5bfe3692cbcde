"""The passes over the distances that give the scores of every neighbour method and k at once.

Training samples against themselves for radii, then scored points against both sets: one look at
each pair gives the k-th neighbours and counts the balls.  `neighbors` says which method takes what.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.balls import Count, Points, Search
from prfast.balls.thresholds import own
from prfast.inputs.arrays import Float64s
from prfast.scorers.neighbors import BOTH, EACH, INSIDE, NEIGHBORS, Pair, check_k


def _ks(wanted: Sequence[tuple[str, int]], where: str) -> list[int]:
    """The k of the methods whose neighbours are there."""
    return sorted({k for method, k in wanted if NEIGHBORS[method].where == where})


def expected_pairs(methods: Sequence[str], training: tuple[int, int], scored: int) -> int:
    """Pairs of all passes, for a bar: of so many training samples of both sets, and scored ones."""
    n, m = training
    inside = any(NEIGHBORS[method].where == INSIDE for method in methods)
    return (n * n + m * m) * inside + scored * (n + m)


class Training(NamedTuple):
    """Training samples of both sets and, for each k, the D of the k-th neighbour inside each."""

    real: Points
    fake: Points
    inside: dict[int, Pair]


def train(
    real: Points, fake: Points, wanted: Sequence[tuple[str, int]], search: Search
) -> Training:
    """Radii inside both sets, for those (method, k) that need them."""
    for method, k in wanted:
        check_k(method, k, len(real), len(fake))
    ks = _ks(wanted, INSIDE)
    inside: dict[int, Pair] = {}
    if ks:
        x, y = (search.kth_within(points, ks) for points in (real, fake))
        inside = {k: (x[:, i].copy(), y[:, i].copy()) for i, k in enumerate(ks)}
    return Training(real, fake, inside)


def scores(
    points: Points,
    training: Training,
    wanted: Sequence[tuple[str, int]],
    search: Search,
    *,
    closed: bool = True,
    leave_out: str | None = None,
) -> dict[tuple[str, int], Float64s]:
    """The score of every point for each wanted (method, k).

    leave_out: "real" or "fake" where the points are that training set and none is to be its own
    neighbour.
    """
    real, fake = training.real, training.fake
    for method, k in wanted if leave_out is not None else ():
        check_k(method, k, len(real), len(fake), leave_out=True)
    each, both = _ks(wanted, EACH), _ks(wanted, BOTH)
    balls = _balls(training, wanted, len(points), closed)
    tasks = [task for pair in balls.values() for task in pair]
    counted: dict[tuple[str, int], Pair] = {}
    if each or both:
        nearest = search.union(
            points,
            real,
            fake,
            each,
            each,
            both,
            closed=closed,
            leave_out=leave_out,
            across=True,
            counts=tasks,
        )
        for i, k in enumerate(each):
            counted[EACH, k] = nearest.across_a[:, i], nearest.across_b[:, i]
        for i, k in enumerate(both):
            counted[BOTH, k] = nearest.of_a[:, i], nearest.of_b[:, i]
    elif tasks:
        search.run(points, [real, fake], tasks)
    for task in tasks if leave_out is not None else ():
        if task.side == ("real", "fake").index(leave_out):
            task.rows -= own(task.ref_t, closed)
    found: dict[tuple[str, int], Float64s] = {}
    for method, k in wanted:
        a, b = (
            [task.rows for task in balls[method, k]]
            if (method, k) in balls
            else counted[NEIGHBORS[method].where, k]
        )
        found[method, k] = ratio(a, b, len(real), len(fake))
    return found


def _balls(
    training: Training, wanted: Sequence[tuple[str, int]], points: int, closed: bool
) -> dict[tuple[str, int], list[Count]]:
    """Counts of the balls of each set that hold a point, for the methods that have such balls."""
    found = {}
    for method, k in wanted:
        of = NEIGHBORS[method].balls
        if of is not None:
            found[method, k] = [of(training.inside[k], side, closed) for side in (0, 1)]
            for task in found[method, k]:
                task.rows = np.zeros(points, np.int64)
    return found


def ratio(a: NDArray[Any], b: NDArray[Any], n: int, m: int) -> Float64s:
    """(a / n) / (b / m) with c/0 = ∞, 0/0 = 1; equal fractions are equal floats."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = (a * float(m)) / (b * float(n))
    return np.where((a == 0) & (b == 0), 1.0, quotient)
