"""The passes over the distances: what they count is what the rows of the table ask for.

One inside each set for the radii, one of Y over X for all pairs, one for each sum of logarithms,
two at most for the nearest.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.balls import Count, Points, Search
from prfast.balls.engines.blocks.parts import in_pieces
from prfast.balls.resources import common_unit, in_unit, select
from prfast.balls.tasks import inside, mean_radius
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.errors import WrongValue
from prfast.kernels import balls as kernels
from prfast.scalars.estimate import MetricOptions, Share
from prfast.scalars.result import check_asked, check_sizes
from prfast.scalars.table import SETS, Row, needed_rows

# Which generated samples lie in the ball of their nearest real sample: what authenticity counts.
#
# The ball of a real sample x reaches its nearest other one, T = D of it.  y is in the ball of its
# nearest x, at m = min D(x, y), if and only if m is also the least D of y to those x alone that
# have T >= m (closed) or T > m (open).  So nobody need know which x is the nearest, and of several
# that are equally near one ball that holds y is enough: the order of the samples does not matter.
#
# With the real samples sorted by T these are the last ones, from some place on, which is a place a
# y.  A range of samples is halved: of those y whose place is in the lower half, the upper half is
# asked; only those not found there go on into the lower one.  All questions are of the nearest
# distance, which every exact engine answers, and together they cost at most what the first one
# did.


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


Shares = dict[str, Share]
Sets = dict[str, Points]  # by name, in a range where squares of distances are float64 numbers


class Balls(NamedTuple):
    """Balls around the points of one set, each to the k-th other point of it."""

    around: str
    k: int


class Asked(NamedTuple):
    """What is counted of each sample of one set; several rows may ask for the same."""

    counted: str
    over: str
    balls: Balls


Radii = dict[Balls, Float64s]
Counts = dict[Asked, NDArray[Any]]  # a number a sample


def sample_shares(
    real: Floats, fake: Floats, wanted: MetricOptions, search: Search
) -> dict[int, Shares]:
    """{k: {name: Share}} of all metrics that are needed, for samples that have been read."""
    check_sizes(len(real), len(fake), wanted)
    check_asked(search.backend, in_pieces(real), wanted)
    pairs = expected_pairs(len(real), len(fake), wanted)
    with search.progress.work(pairs, share=pairs):
        return _sample_shares(real, fake, wanted, search)


def expected_pairs(n: int, m: int, wanted: MetricOptions) -> int:
    """Pairs of all passes, for a bar."""
    rows = needed_rows(wanted.names).values()
    around = {row.around for row in rows if row.reach.needed(wanted)}
    passes = sum(row.counted != "pairs" for row in rows)
    passes += any(row.counted == "pairs" for row in rows)
    return n * n * ("real" in around) + m * m * ("fake" in around) + n * m * passes


def _sample_shares(
    real: Floats, fake: Floats, wanted: MetricOptions, search: Search
) -> dict[int, Shares]:
    def asked(row: Row, k: int) -> Asked:
        return Asked(row.counted, row.over, Balls(row.around, row.reach.number(k, wanted)))

    rows = needed_rows(wanted.names)
    asked_for = {(name, k): asked(row, k) for name, row in rows.items() for k in wanted.ks}
    pairs, logs, nearest = (
        [one for one in dict.fromkeys(asked_for.values()) if one.counted == counted]
        for counted in ("pairs", "logs", "nearest")
    )
    if not rows:
        return {k: {} for k in wanted.ks}
    unit = common_unit(real, fake)
    points: Sets = {"real": in_unit(real, unit), "fake": in_unit(fake, unit)}
    given = {one.balls: _given_radius(one.balls, unit, wanted) for one in logs if wanted.p_radius}
    balls = [asked_for[name, k].balls for name, k in asked_for if rows[name].reach.needed(wanted)]
    radii = _radii(points, balls, search)
    closed = wanted.ties == "closed"
    counts = _pairs(points, radii, pairs, closed, search)
    reach = given or {one.balls: wanted.p_factor * mean_radius(radii[one.balls]) for one in logs}
    counts |= _logs(points, reach, logs, search)
    for one in nearest:
        held = in_nearest_ball(points["fake"], points["real"], radii[one.balls], closed, search)
        counts[one] = held.astype(np.int64)
    shares: dict[tuple[str, Asked], Share] = {}
    for (name, _), one in asked_for.items():
        if (name, one) not in shares:  # several k may ask for one thing
            shares[name, one] = rows[name].share(counts[one], one.balls.k, wanted)
    return {k: {name: shares[name, asked_for[name, k]] for name in rows} for k in wanted.ks}


def _radii(points: Sets, balls: Sequence[Balls], search: Search) -> Radii:
    """D of the k-th other point: how far the balls reach."""
    radii: Radii = {}
    for name, ones in points.items():
        ks = sorted({k for around, k in balls if around == name})
        d2 = search.kth_within(ones, ks) if ks else np.empty((len(ones), 0))
        radii |= {Balls(name, k): d2[:, i].copy() for i, k in enumerate(ks)}
    return radii


def _pairs(
    points: Sets, radii: Radii, asked: Sequence[Asked], closed: bool, search: Search
) -> Counts:
    """From one pass of Y over X: a sample of Y is a row, one of X a column."""
    tasks: dict[Balls, Count] = {}
    for one in asked:
        of_y, of_x = (radii[one.balls] if one.balls.around == s else None for s in ("fake", "real"))
        task = tasks.setdefault(one.balls, Count(of_y, of_x, closed))
        if one.over == "fake":
            task.rows = np.zeros(len(points["fake"]), np.int64)
        else:
            task.cols = np.zeros(len(points["real"]), np.int64)
    search.count(points["fake"], points["real"], list(tasks.values()))
    done = ((one, tasks[one.balls]) for one in asked)
    return {one: task.rows if one.over == "fake" else task.cols for one, task in done}


def _logs(
    points: Sets, reach: dict[Balls, float], asked: Sequence[Asked], search: Search
) -> Counts:
    """Σ ln min(1, d/R) over the points of the other set, R as far as its balls reach, a pass
    each."""
    found = {}
    for one in asked:
        (other,) = (name for name in SETS if name != one.over)
        r = reach[one.balls]
        found[one] = search.log_distances(points[one.over], points[other], r * r)
    return found


def _given_radius(balls: Balls, unit: int, wanted: MetricOptions) -> float:
    """R as it was given, in units of 2**unit."""
    assert wanted.p_radius is not None
    given = wanted.p_radius[SETS.index(balls.around)]
    with np.errstate(over="ignore", under="ignore"):
        r = float(np.ldexp(given, -unit))
        square = float(np.square(r))
    if given and not sys.float_info.min <= square <= sys.float_info.max:
        text = "a radius whose square is a float64 number, as those of the samples, expected"
        raise WrongValue("p_radius", f"{text}, got {given}")
    return r
