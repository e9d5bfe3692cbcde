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
from prfast.balls.scale import common_unit, in_unit
from prfast.balls.thresholds import mean_radius
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.errors import WrongValue
from prfast.scalars.nearest import in_nearest_ball
from prfast.scalars.options import check_asked, check_sizes
from prfast.scalars.shares import Share
from prfast.scalars.table import SETS, Row, needed_rows
from prfast.scalars.wanted import MetricOptions

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
