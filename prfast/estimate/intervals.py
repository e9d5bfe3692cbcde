"""How far a number of a curve can be trusted: value ± z √(s² + b²).

The samples that were scored are drawn anew from the curve's own cells (`redraw`), the scorer held
fixed.  s is the standard deviation of the number over these curves.  The hull of noise is low: each
curve drawn anew is lower than the one it was drawn from by about a third of what that one itself
has lost, so b is three times the mean shift.  It is part of the width and is not taken off the
number, which stays what every table shows.

Measured, n = 500 to 4000, six scorers, 150 draws each, for a level of 0.95: the population's
number of the same scorer is inside for the area .92 to .98, total variation .93 to .97, diversity
.93 to .97, F_8 .90 to .97, F_1/8 .87 to .93; for α_20 .63 to .89, because where it is near 1 the
sample has not seen the tail it would move by; for the largest precision and recall .55 to .85,
which no redrawing mends.  A number that is as near an end of what it can be, 0 or 1, as the share
that so many samples miss at this level, has at least this share as half width.  No interval leaves
what its number can be.  "auto", whose numbers are not those of the hull that is drawn anew, n =
600, d = 4, 100 draws, its mean over draws: the area 1.00, total variation .96, diversity .95, F_1/8
.93, F_8 .86, α_20 .80.  s alone would give .77 for the area: the loss is as large as the scatter.

A mean of curves of the same samples has the ± of one of them, on average: drawn from its own cells,
which are those of all, it would lose more than they do.  "kmeans", 20 blobs, n = 1000, 24 to 30
draws, one run and ten: area 1.00 and 1.00, diversity .92 and .96, F_8 .92 and .92, F_1/8 1.00 and
1.00, total variation .92 and .96.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.interval import LEVEL, Interval, quantile
from prfast.curve.summary import Number, ends_of, read_row
from prfast.estimate.redraw import resampled, scored
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.kinds import kind_of
from prfast.inputs.options import RandomState, read_seed, read_share

DRAWS = 400
_LEAST_DRAWS, _MOST_PARTS = 40, 20  # of each part of a mean; parts
LOST = 3.0  # what a hull of samples loses, in units of what a hull drawn from it loses again


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
            "interval",
            "a curve that says how many samples it stands for expected, info with n_real and "
            f"n_fake, got info with {', '.join(curve.info) or 'nothing'}",
        )
    (found,) = several_intervals(curve, [value_of], confidence, seed)
    return found


def has_intervals(curve: PRCurve) -> bool:
    """Have its numbers a ±?  Not those of a bound, and of a curve that does not say how many
    samples it stands for."""
    return scored(curve) is not None and "side" not in curve.info


def several_intervals(
    curve: PRCurve, numbers: Sequence[Number], confidence: float, seed: int = 0
) -> list[Interval]:
    """Several numbers from the same redrawings, of a curve that says its sizes; each is what it is
    alone."""
    parts = _asked(curve)
    sizes, rounds, found = scored(curve), max(_LEAST_DRAWS, DRAWS // len(parts)), []
    draws = [
        resampled(part, seed if len(parts) == 1 else [seed, i], rounds, sizes)
        for i, part in enumerate(parts)
    ]
    # Of what redrawing does not move: the share that so many samples miss at this level.
    unseen = 1 - (1 - confidence) ** (1 / min(sizes or (1, 1)))
    still = all(len(set(of_part)) == 1 for of_part in draws)
    for number in numbers:
        (value,) = finite_values(number, [curve])
        errors = []
        for part, of_part in zip(parts, draws, strict=True):
            swept, *values = finite_values(number, [part.hull, *of_part])
            errors.append(uncertainty(swept, values))
        half = quantile(confidence) * float(np.mean(errors)) or unseen * still
        least, most = ends_of(number)
        if min(value - least, most - value) < unseen:
            half = max(half, unseen)
        low, high = max(value - half, min(least, value)), min(value + half, max(most, value))
        found.append(Interval(value, low, high, confidence))
    return found


def _asked(curve: PRCurve) -> list[PRCurve]:
    """The curve, or those that it is the mean of: some of many, those of means among them."""
    if not curve.parts:
        return [curve]
    step = -(-len(curve.parts) // _MOST_PARTS)
    return [_asked(one)[0] for one in curve.parts[::step]]


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


def uncertainty(value: float, draws: Sequence[float]) -> float:
    """√(s² + b²): the scatter, and what the hull, of that value, has lost."""
    return math.hypot(float(np.std(draws, ddof=1)), LOST * (float(np.mean(draws)) - value))
