"""The numbers of a report: columns of its tables, and pictures as SVG.

A picture has PR curves, or areas against the resolution.  A model is a group `g` with the attribute
data-model: its line, and a band that the page shows with few models, or where the reader points at
the model.  Colors follow the style sheet of the page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from prfast.comparison.results import Evaluation
from prfast.curve import PRCurve
from prfast.curve.picture import Square, color_of, stroke
from prfast.curve.summary import LEVEL, Row
from prfast.estimate.intervals import has_intervals, several_intervals
from prfast.estimate.profile_notes import range_text
from prfast.estimate.profiles import HALF, MATCHING, Profile, resolution_axis
from prfast.inputs.arrays import Float64s
from prfast.plots.drawing import Band
from prfast.plots.summaries import interpolated
from prfast.results.values import escaped
from prfast.scalars.measure import half_width as metric_half_width
from prfast.scalars.table import TABLE

LEVELS = (0.9, 0.75, 0.5)  # of the table of points
_SQUARE = Square(340.0, left=50.0, top=8.0, right=12.0, below=46.0, font=14.0)
_POINTS = 100  # of a line of areas against the resolution
_FIFTHS = [(x / 5, f"{x / 5:g}") for x in range(6)]

# ---- columns of the tables -----------------------------------------------------------------------


@dataclass
class Column:
    """A column of a table with a row for each model."""

    title: str
    values: Sequence[float]  # NaN for a model without this number
    half_widths: Sequence[float | None] | None = None  # of 95 % intervals; None where unknown
    larger_is_better: bool = True  # the best comes first when the column is sorted
    digits: str = ".4f"

    def cell(self, i: int) -> tuple[str, str, str]:
        """Return of model i the number with all its digits, by which the table is sorted, as it is
        shown, and its ±; "" where they are missing."""
        value = float(self.values[i])
        half = None if self.half_widths is None else self.half_widths[i]
        spread = "" if half is None or math.isnan(half) else f"± {half:{self.digits}}"
        if math.isnan(value):
            return "", "–", spread
        return repr(value), f"{value:{self.digits}}", spread

    def bar(self, i: int) -> tuple[float, float, float]:
        """Return of model i the number and the ends of value ± half width, in percent of 1."""
        value = float(self.values[i])
        half = 0.0 if self.half_widths is None else self.half_widths[i] or 0.0
        ends = value, max(0.0, value - half), min(1.0, value + half)
        return tuple(round(100 * one, 1) for one in ends)  # type: ignore[return-value]


@dataclass
class ResolutionColumn(Column):
    """A column of resolutions at which profiles reach an area, with their intervals."""

    larger_is_better: bool = False
    texts: Sequence[str] = ()

    def cell(self, i: int) -> tuple[str, str, str]:
        value = float(self.values[i])
        text, sign, ends = self.texts[i].partition(" (")
        key = "" if math.isnan(value) else repr(value).replace("inf", "Infinity")
        return key, text, f"{sign}{ends}".strip()


# The numbers of profiles: title, meaning, formula, and whether more is better.
PROFILE_TERMS = {
    "half resolution": (
        "The finest resolution at which the area is a half.",
        f"the least σ with area ≥ {HALF:g}, 0 where it is reached without noise",
        False,
    ),
    "matching resolution": (
        "The finest resolution at which the area is at least .95.",
        f"the least σ with area ≥ {MATCHING:g}",
        False,
    ),
    "coarse area": (
        "The area at resolution 0.8: what differences of mass, such as missing modes or "
        "junk, leave.",
        "area at σ = 0.8, or at the nearest resolution",
        True,
    ),
    "area at resolution σ": (
        "The area under the curve of both sets after noise of σ units. At 0 there is none, and all "
        "details count.",
        "½ ∫ β² dλ of P ∗ N(0, σ² D²) and Q ∗ N(0, σ² D²)",
        True,
    ),
}


def metric_title(name: str) -> str:
    """Return the name of a metric on the page."""
    return name.replace("_", " ")


def number_columns(curves: Sequence[PRCurve], rows: Sequence[Row], seed: int) -> list[Column]:
    """Return the columns of numbers of the curves."""
    functions = [row.value for row in rows]
    halves: list[list[float | None]] = [
        [one.half_width for one in several_intervals(curve, functions, LEVEL, seed)]
        if has_intervals(curve)
        else [None] * len(rows)
        for curve in curves
    ]
    return [
        Column(
            row.title,
            [row.value(curve) for curve in curves],
            [of_curve[i] for of_curve in halves],
            row.larger_is_better,
        )
        for i, row in enumerate(rows)
    ]


def point_columns(curves: Sequence[PRCurve]) -> list[Column]:
    """Return the columns of recall at some precisions and of precision at the same recalls."""
    return [
        Column(f"{one} at {other} {x:g}", [getattr(curve, f"{one}_at")(x) for curve in curves])
        for one, other in (("recall", "precision"), ("precision", "recall"))
        for x in LEVELS
    ]


def profile_columns(profiles: Sequence[Profile | None]) -> list[Column]:
    """Return the columns of the summary numbers and of the area at each resolution; none without
    profiles."""
    summaries = [None if one is None else (one, one.summary()) for one in profiles]
    if not any(summaries):
        return []

    def number(title: str, intervals: Sequence[Any]) -> Column:
        pairs = [(math.nan, None) if x is None else (x.value, x.half_width) for x in intervals]
        return Column(title, [value for value, _ in pairs], [half for _, half in pairs])

    columns: list[Column] = []
    for key in ("half_resolution", "matching_resolution"):
        texts = [
            "–"
            if pair is None
            else range_text(pair[1][key], pair[0].resolutions[0], pair[0].resolutions[-1])
            for pair in summaries
        ]
        values = [math.nan if pair is None else pair[1][key].value for pair in summaries]
        columns.append(ResolutionColumn(key.replace("_", " "), values, texts=texts))
    coarse = [None if pair is None else pair[1]["coarse_area"] for pair in summaries]
    areas = [
        {} if one is None else dict(zip(one.resolutions, one.intervals("area"), strict=True))
        for one in profiles
    ]
    sigmas = sorted({sigma for of_model in areas for sigma in of_model})
    return [
        *columns,
        number("coarse area", coarse),
        *(number(f"area at {sigma:g}", [one.get(sigma) for one in areas]) for sigma in sigmas),
    ]


def metric_columns(models: Mapping[str, Evaluation]) -> dict[str, Column]:
    """Return the column of every metric that a model has, by its name."""

    def half_width(one: Evaluation, key: str) -> float | None:
        return metric_half_width(key, one.get(key, math.nan), one.metrics.errors, one.halves, LEVEL)

    every = list(models.values())
    return {
        key: Column(
            metric_title(key),
            [one.get(key, math.nan) for one in every],
            [half_width(one, key) for one in every],
            key not in TABLE or TABLE[key].larger_is_better,
            getattr(TABLE.get(key), "digits", ".4f"),
        )
        for key in dict.fromkeys(key for one in every for key in one)
    }


# ---- pictures ------------------------------------------------------------------------------------


def curves_picture(
    names: Sequence[str], curves: Sequence[PRCurve], bands: Sequence[Band | None]
) -> str:
    """Return the picture of PR curves."""
    groups = []
    for i, (curve, band) in enumerate(zip(curves, bands, strict=True)):
        parts = []
        if band is not None:
            dots = "2 4" if band.certified else "1 7"
            bound = f'class="band" {stroke(i, 1.5, dots)}'
            parts += [_area(i, band.x, band.y), _SQUARE.path(*band.edge, bound)]
        parts.append(_SQUARE.path(*curve.outline(), stroke(i, 2.5)))
        groups.append(_group(i, f"{names[i]}, area {curve.area:.3f}", parts))
    about = f"Precision against recall of {len(names)} models; the tables have numbers"
    return _SQUARE.picture(about, ("recall", _FIFTHS), ("precision", _FIFTHS), groups)


def profiles_picture(names: Sequence[str], profiles: Sequence[Profile | None]) -> str:
    """Return the picture of areas against the resolution; "" without profiles."""
    known = [one for one in profiles if one is not None]
    sigmas = sorted({sigma for one in known for sigma in one.resolutions})
    if not sigmas:
        return ""
    ticks = resolution_axis(sigmas, sigmas)
    start, width = ticks[0], ticks[-1] - ticks[0]
    groups = []
    for i, profile in enumerate(profiles):
        if profile is None:
            continue
        x = (resolution_axis(sigmas, profile.resolutions) - start) / width
        fine = np.union1d(x, np.linspace(x[0], x[-1], _POINTS))
        areas = profile.intervals("area")
        value, low, high = interpolated(x, areas, fine)
        outline = np.append(fine, fine[::-1]), np.append(high, low[::-1])
        dots = [
            _SQUARE.path(np.array([at]), np.array([one.value]), stroke(i, 6))
            for at, one in zip(x, areas, strict=True)
        ]
        parts = [_area(i, *outline), _SQUARE.path(fine, value, stroke(i, 2.5)), *dots]
        groups.append(_group(i, names[i], parts))
    labels = [
        (float(at), f"{sigma:g}") for at, sigma in zip((ticks - start) / width, sigmas, strict=True)
    ]
    about = "The area of each model against the resolution; the tables have numbers"
    return _SQUARE.picture(about, ("resolution", labels), ("area", _FIFTHS), groups)


def _group(i: int, title: str, parts: Sequence[str]) -> str:
    return f'<g data-model="{i}"><title>{escaped(title)}</title>{"".join(parts)}</g>'


def _area(i: int, x: Float64s, y: Float64s) -> str:
    """Return the filled outline of a band, in the color of line i."""
    points = zip(*_SQUARE.points(x, y), strict=True)
    outline = "L".join(f"{a:.4g} {b:.4g}" for a, b in dict.fromkeys(points))
    return f'<path class="band" d="M{outline}Z" fill="{color_of(i)}" fill-opacity=".16"/>'
