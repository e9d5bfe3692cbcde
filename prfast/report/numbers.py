"""The numbers of a report: columns of its tables, and pictures as SVG.

A picture has PR curves, or areas against the resolution.  A model is a group `g` with the attribute
data-model: its line, and a band that the page shows with few models, or where the reader points at
the model.  Colors follow the style sheet of the page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from prfast.comparison.results import Evaluation
from prfast.curve import PRCurve
from prfast.curve.picture import Square, color_of, stroke
from prfast.curve.summary import LEVEL, Interval, Row
from prfast.estimate.intervals import scored, several_intervals
from prfast.estimate.profile_notes import range_text
from prfast.estimate.profiles import HALF, MATCHING, Profile, resolution_axis
from prfast.inputs.arrays import Float64s
from prfast.plots.drawing import Band
from prfast.plots.summaries import interpolated
from prfast.results.values import error_text, escaped
from prfast.scalars.measure import half_width as metric_half_width
from prfast.scalars.table import TABLE

LEVELS = (0.9, 0.75, 0.5)  # of the table of points
_SQUARE = Square(340.0, left=50.0, top=8.0, right=12.0, below=46.0, font=14.0)
_POINTS = 100  # of a line of areas against the resolution
_FIFTHS = [(x / 5, f"{x / 5:g}") for x in range(6)]

# ---- columns of the tables -----------------------------------------------------------------------


Number = tuple[float, float | None]  # of a model, with its half width; NaN, None where unknown


@dataclass
class NumberColumn:
    """A column of a table with a row for each model."""

    title: str
    numbers: Sequence[Number]  # half widths are those of 95 % intervals
    larger_is_better: bool = True  # the best comes first when the column is sorted
    digits: str = ".4f"
    texts: Sequence[str] = ()  # the numbers as they are shown, where not by their digits

    def cell(self, i: int) -> tuple[str, str, str]:
        """Return of model i the number with all its digits, by which the table is sorted, as it is
        shown, and its ±; "" where they are missing."""
        value, half = self.numbers[i]
        key = "" if math.isnan(value) else repr(value).replace("inf", "Infinity")
        if self.texts:
            text, sign, ends = self.texts[i].partition(" (")
            return key, text, f"{sign}{ends}".strip()
        spread = "" if half is None or math.isnan(half) else f"± {error_text(half, self.digits)}"
        return key, f"{value:{self.digits}}" if key else "–", spread

    def bar(self, i: int) -> list[float]:
        """Return of model i the number and the ends of value ± half width, in percent of 1."""
        value, half = self.numbers[i]
        half = half or 0.0
        return [round(100 * x, 1) for x in (value, max(0.0, value - half), min(1.0, value + half))]


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


def number_columns(curves: Sequence[PRCurve], rows: Sequence[Row], seed: int) -> list[NumberColumn]:
    """Return the columns of numbers of the curves."""
    functions, numbers = [row.value for row in rows], []
    for curve in curves:
        halves: list[float | None] = [None] * len(rows)
        if scored(curve):
            halves = [x.half_width for x in several_intervals(curve, functions, LEVEL, seed)]
        numbers.append([(of(curve), half) for of, half in zip(functions, halves, strict=True)])
    columns = zip(rows, zip(*numbers, strict=True), strict=True)
    return [NumberColumn(row.title, column, row.larger_is_better) for row, column in columns]


def point_columns(curves: Sequence[PRCurve]) -> list[NumberColumn]:
    """Return the columns of recall at some precisions and of precision at the same recalls."""
    return [
        NumberColumn(
            f"{one} at {other} {x:g}", [(getattr(curve, f"{one}_at")(x), None) for curve in curves]
        )
        for one, other in (("recall", "precision"), ("precision", "recall"))
        for x in LEVELS
    ]


def profile_columns(profiles: Sequence[Profile | None]) -> list[NumberColumn]:
    """Return the columns of the summary numbers and of the area at each resolution; none without
    profiles."""
    numbers: list[dict[Any, Interval]] = []
    texts: list[dict[str, str]] = []
    for one in profiles:
        areas = {} if one is None else dict(zip(one.resolutions, one.intervals(), strict=True))
        reached = {} if one is None else one.summary()
        numbers.append({**reached, **areas})
        texts.append({key: range_text(x, min(areas), max(areas)) for key, x in reached.items()})
    sigmas = sorted(
        {sigma for profile in profiles if profile is not None for sigma in profile.resolutions}
    )

    def column(key: Any, title: str) -> NumberColumn:
        found = [of_model.get(key) for of_model in numbers]
        return NumberColumn(
            title, [(math.nan, None) if x is None else (x.value, x.half_width) for x in found]
        )

    columns = []
    for key in ("half_resolution", "matching_resolution"):
        shown = [of_model.get(key, "–") for of_model in texts]
        plain = column(key, key.replace("_", " "))
        columns.append(replace(plain, texts=shown, larger_is_better=False))
    columns.append(column("coarse_area", "coarse area"))
    columns += [column(sigma, f"area at {sigma:g}") for sigma in sigmas]
    return columns if sigmas else []


def metric_columns(models: Mapping[str, Evaluation]) -> dict[str, NumberColumn]:
    """Return the column of every metric that a model has, by its name."""
    columns = {}
    for key in dict.fromkeys(key for model in models.values() for key in model):
        numbers = []
        for one in models.values():
            value = one.get(key, math.nan)
            half = metric_half_width(key, value, one.metrics.errors, one.halves, LEVEL)
            numbers.append((value, half))
        row = TABLE.get(key)
        is_better, digits = row is None or row.larger_is_better, getattr(row, "digits", ".4f")
        columns[key] = NumberColumn(metric_title(key), numbers, is_better, digits)
    return columns


# ---- pictures ------------------------------------------------------------------------------------


def curves_picture(
    names: Sequence[str], curves: Sequence[PRCurve], bands: Sequence[Band | None]
) -> str:
    """Return the picture of PR curves."""
    elements = []
    for i, (curve, band) in enumerate(zip(curves, bands, strict=True)):
        parts = []
        if band is not None:
            dots = "2 4" if band.certified else "1 7"
            bound = f'class="band" {stroke(i, 1.5, dots)}'
            parts += [_area(i, band.x, band.y), _SQUARE.path(*band.edge, bound)]
        parts.append(_SQUARE.path(*curve.outline(), stroke(i, 2.5)))
        elements.append(_group(i, f"{names[i]}, area {curve.area:.3f}", parts))
    about = f"Precision against recall of {len(names)} models; the tables have numbers"
    return _SQUARE.picture(about, ("recall", _FIFTHS), ("precision", _FIFTHS), elements)


def profiles_picture(names: Sequence[str], profiles: Sequence[Profile | None]) -> str:
    """Return the picture of areas against the resolution; "" without profiles."""
    known = [one for one in profiles if one is not None]
    sigmas = sorted({sigma for one in known for sigma in one.resolutions})
    if not sigmas:
        return ""
    ticks = resolution_axis(sigmas, sigmas)
    start, width = ticks[0], ticks[-1] - ticks[0]
    elements = []
    for i, profile in enumerate(profiles):
        if profile is None:
            continue
        x = (resolution_axis(sigmas, profile.resolutions) - start) / width
        fine = np.union1d(x, np.linspace(x[0], x[-1], _POINTS))
        areas = profile.intervals("area")
        value, low, high = interpolated(x, areas, fine)
        outline = np.append(fine, fine[::-1]), np.append(high, low[::-1])
        dots = [
            _SQUARE.path(np.array([at]), np.array([area.value]), stroke(i, 6))
            for at, area in zip(x, areas, strict=True)
        ]
        parts = [_area(i, *outline), _SQUARE.path(fine, value, stroke(i, 2.5)), *dots]
        elements.append(_group(i, names[i], parts))
    labels = [
        (float(at), f"{sigma:g}") for at, sigma in zip((ticks - start) / width, sigmas, strict=True)
    ]
    about = "The area of each model against the resolution; the tables have numbers"
    return _SQUARE.picture(about, ("resolution", labels), ("area", _FIFTHS), elements)


def _group(i: int, title: str, parts: Sequence[str]) -> str:
    return f'<g data-model="{i}"><title>{escaped(title)}</title>{"".join(parts)}</g>'


def _area(i: int, x: Float64s, y: Float64s) -> str:
    """Return the filled outline of a band, in the color of line i."""
    points = zip(*_SQUARE.points(x, y), strict=True)
    outline = "L".join(f"{a:.4g} {b:.4g}" for a, b in dict.fromkeys(points))
    return f'<path class="band" d="M{outline}Z" fill="{color_of(i)}" fill-opacity=".16"/>'
