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
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.interval import LEVEL, Interval, quantile
from prfast.curve.summary import Number, ends_of, read_row
from prfast.estimate.redraw import DRAWS, Sizes, resampled, scored
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.kinds import kind_of
from prfast.inputs.options import RandomState, read_seed, read_share

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
