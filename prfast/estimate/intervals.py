"""Intervals of numbers of a curve: value − z s to value + z s + e + b.

As many samples as were scored are drawn from the cells of the hull, the scorer held fixed
(`redraw`); an end cell without samples of one set first gets one, as that set may reach there
unseen.  s is the standard deviation of the number over 400 such curves, e its rise by the added
samples.  The hull of samples lies too low: a curve that is drawn again falls by about a third of
what the first has lost, by a sixth where the ratio of the true densities is constant over most of
them, so b is `LOST` times the mean fall.  e and b lie on the side they point to: above for the
area, below for the total variation.  z is the normal quantile.

A number as near an end of what it can be, 0 or 1, as the share that so many samples miss at this
level, has at least this share on each side, and so has one that no draw moves.  No interval leaves
what its number can be.  How often the interval holds: `bench/papers/intervals.py`, in
docs/uncertainty.md.  The largest precision and recall keep no level: no redrawing shows what the
samples have not seen.

Of a curve that was drawn towards equal distributions for want of evidence ("shrunk" in its record)
the interval reaches from its number and that of its hull, whichever is farther: what is not proved
is not excluded.

The interval of a mean of curves has the sides of its parts, on average: drawn from its own cells,
which are those of all, it would lose more than they do.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.curve import PRCurve
from prfast.curve.curve import LEVEL, Interval, quantile
from prfast.curve.notes import are_counts, read_sizes, read_units
from prfast.curve.summary import Number, ends_of, read_row
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.errors import WrongType, WrongValue, kind_of
from prfast.inputs.options import RandomState, read_seed, read_share

# How much the numbers of a curve would move if other samples had been scored.
#
# A curve of n real and m generated samples is a pair of multinomial counts on its level sets.
# Drawn anew from the curve's own masses, in the order of the level sets, they give curves as other
# samples of that size would (the bootstrap of the evaluation samples, the scorer held fixed).


DRAWS = 400  # bootstrap samples of a curve
Sizes = tuple[int, int]


def scored(curve: PRCurve, of_mean: Sizes | None = None) -> Sizes | None:
    """Return the numbers of real and generated samples that the curve counts; None if it does not.

    Where rows repeat, they are those of independent units (`curve.scored.read_units`).
    Weighted masses, rates, bounds and intersections count no samples.  A mean counts those of its
    parts, at least as many as the part with the fewest; `of_mean` are the sizes of the mean that
    the curve is a part of, for parts without a record.  A mean that was read from a record has no
    parts: its cells hold every sample once for each of them.
    """
    if {"side", "intersection_of"} & curve.info.keys():
        return None
    hull = curve.hull
    sizes = read_sizes(curve.info) or of_mean
    if hull is curve and curve.parts:
        sizes_of_parts = [of_part for part in curve.parts if (of_part := scored(part, sizes))]
        if len(sizes_of_parts) < len(curve.parts):
            return None
        return min(n for n, _ in sizes_of_parts), min(m for _, m in sizes_of_parts)
    if sizes is None:
        return None
    times = hull._totals[0] / sizes[0] if {"mean_of", "runs"} & curve.info.keys() else 1.0
    each = zip((hull._p, hull._q), hull._totals, sizes, strict=True)
    units = read_units(curve.info) or sizes
    return units if all(are_counts(x, total, times * size) for x, total, size in each) else None


def resampled(
    curve: PRCurve,
    seed: Sequence[int] | int,
    rounds: int = DRAWS,
    sizes: tuple[int, int] | None = None,
) -> list[PRCurve]:
    """Return curves of other samples of these sizes, by default its own; none where it has none."""
    sizes = sizes or scored(curve)
    if sizes is None:
        return []
    rng = np.random.default_rng(seed)
    n, m = sizes
    p, q = (x / x.sum() for x in curve.hull.masses)
    score = np.arange(p.size, dtype=np.float64)  # by falling ratio: larger where more like real
    draws = ((rng.multinomial(n, p), rng.multinomial(m, q)) for _ in range(rounds))
    return [PRCurve.from_scores(score, score, w_real=x, w_fake=y) for x, y in draws]


_LEAST_DRAWS, _MOST_PARTS = 40, 20  # of each part of a mean; parts
LOST = 4.0  # what a hull of samples has lost, in units of what one drawn from it loses again


def interval(
    curve: PRCurve, number: Any, confidence: float = LEVEL, random_state: RandomState = 0
) -> Interval:
    """What `PRCurve.interval` returns; it documents the arguments."""
    value_of = read_row("number", number)
    confidence = read_share("confidence", confidence)
    seed = read_seed(random_state)
    if "side" in curve.info:
        raise WrongValue("interval", "a curve of scores expected, got a bound of one")
    if scored(curve) is None:
        raise WrongValue(
            "curve",
            "cells that count the samples of scored_real and scored_fake in its info expected; "
            "weighted masses, rates and masses alone count none: of weighted samples take the "
            "number's spread over PRCurve.from_scores of draws with replacement, weights included",
        )
    (found,) = several_intervals(curve, [value_of], confidence, seed)
    return found


def has_intervals(curve: PRCurve) -> bool:
    """Return whether its numbers have a ±, which needs cells that count samples."""
    return scored(curve) is not None


def several_intervals(
    curve: PRCurve, numbers: Sequence[Number], confidence: float, seed: int = 0
) -> list[Interval]:
    """Return the intervals of several numbers from the same draws, of a curve that counts samples;
    each is what it is alone."""
    parts = _sampled(_parts_of(curve))
    rounds = max(_LEAST_DRAWS, DRAWS // len(parts))
    drawn = []
    for i, part in enumerate(parts):
        raised = _raised(part.hull, part.sizes)
        draws = resampled(raised, seed if len(parts) == 1 else [seed, i], rounds, part.sizes)
        drawn.append([part.hull, raised, *draws])
    missed = unseen(scored(curve) or (1, 1), confidence)
    still = all(len(set(of_part)) == 1 for of_part in drawn)
    z, found = quantile(confidence), []
    for number in numbers:
        values = finite_values(number, [curve, curve.hull] if "shrunk" in curve.info else [curve])
        value = values[0]
        sides = [_sides(finite_values(number, of_part), z) for of_part in drawn]
        below, above = np.average(sides, axis=0, weights=[one.share for one in parts]).tolist()
        least, most = ends_of(number)
        if still or min(value - least, most - value) < missed:
            below, above = max(below, missed), max(above, missed)
        low = max(min(values) - below, min(least, value))
        high = min(max(values) + above, max(most, value))
        found.append(Interval(value, low, high, confidence))
    return found


def unseen(sizes: Sizes, confidence: float) -> float:
    """Return the largest share that so many samples miss at this level: what the bootstrap cannot
    move may be off by it."""
    return float(1 - (1 - confidence) ** (1 / min(sizes)))


class _Part(NamedTuple):
    """A hull that a curve is made of, the samples that it counts, and its share of the mean."""

    hull: PRCurve
    sizes: Sizes
    share: float


def _parts_of(curve: PRCurve, of_mean: Sizes | None = None, share: float = 1.0) -> list[_Part]:
    """Return the hull of the curve, or of all curves that it is the mean of, nested ones too."""
    hull = curve.hull
    sizes = scored(curve, of_mean) or (1, 1)
    if hull is not curve or not curve.parts:
        return [_Part(hull, sizes, share)]
    share /= len(curve.parts)
    return [one for part in curve.parts for one in _parts_of(part, sizes, share)]


def _sampled(parts: list[_Part]) -> list[_Part]:
    """Return at most `_MOST_PARTS` of the parts, drawn at random by their shares."""
    if len(parts) <= _MOST_PARTS:
        return parts
    shares = np.array([one.share for one in parts])
    chosen = np.random.default_rng(0).choice(len(parts), _MOST_PARTS, p=shares / shares.sum())
    return [parts[i]._replace(share=1 / _MOST_PARTS) for i in chosen]


def _raised(hull: PRCurve, sizes: Sizes) -> PRCurve:
    """Return the curve with one sample more in each end cell that has none of its set."""
    p, q = (masses.copy() for masses in (hull._p, hull._q))
    p[0] = p[0] or hull._totals[0] / sizes[0]
    q[-1] = q[-1] or hull._totals[1] / sizes[1]
    return PRCurve.from_masses(p, q)


def _sides(values: Sequence[float], z: float) -> tuple[float, float]:
    """Return the lengths below and above, of a number of the hull, of the raised one and of draws
    from that."""
    swept, raised, *draws = values
    scatter = z * float(np.std(draws, ddof=1))
    moves = raised - swept, LOST * (raised - float(np.mean(draws)))
    below, above = (sum(max(sign * move, 0.0) for move in moves) for sign in (-1, 1))
    return scatter + below, scatter + above


def finite_values(number: Number, curves: Sequence[PRCurve], name: str = "number") -> list[float]:
    """The number of each curve; TypeError, ValueError where a function gives no finite one."""
    found = []
    for curve in curves:
        value = number(curve)
        if isinstance(value, bool | np.bool_) or not isinstance(
            value, int | float | np.integer | np.floating
        ):
            raise WrongType(
                name, f"a function of a curve that gives a number expected, got {kind_of(value)}"
            )
        if not math.isfinite(value):
            raise WrongValue(
                name,
                "finite numbers of the curve and of all that are drawn from it expected, "
                f"got {value:g}",
            )
        found.append(float(value))
    return found


# Scores of samples, kept so that models can be drawn anew together.
#
# Models that were evaluated on the same real samples share what these happen to be: of a
# difference between two models that part of the noise is smaller, and often most of it is gone.
# So the real samples are drawn anew once for all models, and each model's generated ones for
# itself; the scorers are held fixed, and a sample counts by the cell of the curve that its score
# is in.


Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Scores:
    """What a scorer said of the samples that it had not been fitted on, or was to judge."""

    real: Floats
    fake: Floats
    real_rows: Ints
    """Which rows of the reference the real scores are of,"""
    reference: int | None = None
    """and a checksum of the reference; None where nobody knows it."""
    units: Sizes | None = None
    """The numbers of independent real and generated units, fewer where rows repeat."""

    def curve(self, info: Mapping[str, Any] | None = None) -> PRCurve:
        """The sweep of the scores."""
        found = PRCurve.from_scores(self.real, self.fake, info=info)
        return found if self.units is None else found.with_info(units=self.units)

    def shares_real(self, other: Scores) -> bool:
        """Are the real samples the same?"""
        known = self.reference is not None and self.reference == other.reference
        return known and np.array_equal(self.real_rows, other.real_rows)


Model = Scores | PRCurve


def redrawn(models: Sequence[Model], seed: int, rounds: int = DRAWS) -> list[list[PRCurve]]:
    """Return bootstrap curves of each model, an empty list for a curve that counts no samples.

    Models that share their real samples are resampled with the same ones, round by round.
    """
    found = []
    for i, one in enumerate(models):
        if isinstance(one, PRCurve):
            found.append(resampled(one, [seed, i], rounds))
        else:
            first = next(j for j, other in enumerate(models[: i + 1]) if _shared(one, other))
            found.append(_redrawn(one, [seed, first], [seed, i, 1], rounds))
    return found


def are_paired(one: Model, other: Model) -> bool:
    """Have they been evaluated on the same real samples?"""
    return isinstance(one, Scores) and one is not other and _shared(one, other)


def cells_of(scores: Floats, counts: Ints) -> Ints:
    """The cell of each sample: cells are ranges of scores, and hold the lowest first."""
    rank = np.empty(len(scores), np.int64)
    rank[np.argsort(scores, kind="stable")] = np.arange(len(scores))
    return np.searchsorted(np.cumsum(counts), rank, side="right")


def _shared(one: Scores, other: Model) -> bool:
    return one is other or (isinstance(other, Scores) and one.shares_real(other))


def _redrawn(
    one: Scores, of_real: Sequence[int], of_fake: Sequence[int], rounds: int
) -> list[PRCurve]:
    n, m = len(one.real), len(one.fake)
    p, q = one.curve().masses
    cells = cells_of(one.real, np.rint(n * p).astype(np.int64))
    score = np.arange(p.size, dtype=np.float64)
    real, fake = np.random.default_rng(of_real), np.random.default_rng(of_fake)
    units = one.units or (n, m)
    curves = []
    for _ in range(rounds):
        x = np.bincount(cells[real.integers(n, size=units[0])], minlength=p.size)
        y = fake.multinomial(units[1], q / q.sum())
        curves.append(PRCurve.from_scores(score, score, w_real=x, w_fake=y))
    return curves


# Several comparisons at once: how large the largest of them is by chance alone.
#
# Numbers of M models have errors with covariance C.  The errors of the pairs' differences, each
# divided by its own standard deviation, are a linear image of M normal ones; the largest of them
# in size is drawn many times, and its quantile c is what each pair is judged by:
#
#     P(|d_ij − true d_ij| <= c s_ij for all pairs at once) = the level.
#
# With C estimated from few draws the normal ones are divided by one √(χ²_f / f).  Where no pair
# varies at all, c is that of one comparison: a width may hold more than the scatter.


SIMULTANEOUS_DRAWS = 20_000


def largest(covariance: Any, pairs: Sequence[tuple[int, int]], freedom: int, seed: int) -> Float64s:
    """Draws of the largest |error| / standard deviation over the pairs, in order."""
    rng = np.random.default_rng([seed, 2])
    values, vectors = np.linalg.eigh(np.asarray(covariance, np.float64))
    root = vectors * np.sqrt(np.clip(values, 0.0, None))
    errors = rng.standard_normal((SIMULTANEOUS_DRAWS, len(values))) @ root.T
    scale = np.sqrt(rng.chisquare(freedom, SIMULTANEOUS_DRAWS) / freedom)
    most, least = (
        np.zeros(SIMULTANEOUS_DRAWS),
        1e-6 * float(np.sqrt(np.abs(values).max(initial=0.0))),
    )
    for i, j in pairs:
        difference = errors[:, i] - errors[:, j]
        deviation = float(np.sqrt(np.mean(difference**2)))
        if deviation > least:  # else the two are one and the same, but for rounding
            np.maximum(most, np.abs(difference) / deviation / scale, out=most)
    if not most.any():
        most = np.abs(rng.standard_normal(SIMULTANEOUS_DRAWS)) / scale
    return np.sort(most)


def critical(most: Float64s, confidence: float) -> float:
    """c of the level."""
    return float(np.quantile(most, confidence))


def chance(most: Float64s, size: float) -> float:
    """How often the largest is at least of this size: a p adjusted for all pairs."""
    return (1 + float(np.sum(most >= size))) / (1 + len(most))
