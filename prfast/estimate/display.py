"""A curve as text and HTML: numbers with ±, notes, and a picture."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from prfast.curve import PRCurve
from prfast.curve.picture import key, picture
from prfast.curve.summary import rows_of_table
from prfast.estimate.intervals import intervals_of_table
from prfast.estimate.notes import UNCOUNTED, explain_curve, legend, method_line, notes_of
from prfast.results.values import Display, curve_name, escaped, value_and_error


def display_curve(curve: PRCurve) -> Display:
    """Return a curve as text and HTML show it."""
    origin = curve.provenance
    name, title = "PRCurve", "PR curve"
    if origin.method:
        name = curve_name(origin.method, origin.k)
        title += f" of {name}"
        title += f" at resolution {origin.resolution:g}" if origin.resolution else ""
    if origin.side:
        title += f", {origin.side} bound"
        if origin.confidence is not None:
            title += f" at {100 * origin.confidence:g} % confidence"
    errors = half_widths(curve)
    notes = notes_of(origin)
    method = method_line(origin) if origin.method else ""
    if not origin.side:
        notes = [legend() if errors else UNCOUNTED, *notes]
    above = {*notes, f"Caution: {origin.caution}"}
    return Display(
        name,
        [
            [row.title, value_and_error(row.value(curve), errors.get(row.key))]
            for row in rows_of_table("repr")
        ],
        notes=notes,
        cautions=[origin.caution] if origin.caution else [],
        picture=partial(picture_of, {name: curve}),
        summary=method,
        details=[line for line in explain_curve(curve).splitlines() if line not in above],
        title=title,
    )


def half_widths(curve: PRCurve) -> dict[str, float]:
    """Return the half widths of the intervals of the numbers, by their keys; none for a curve
    without."""
    return {key: one.half_width for key, one in intervals_of_table(curve).items()}


def picture_of(curves: Mapping[str, PRCurve]) -> str:
    """Return HTML of PR curves in one plot, by name; with a legend if there are several."""
    lines = [curve.outline() for curve in curves.values()]
    areas = ", ".join(f"{name}: area {curve.area:.3f}" for name, curve in curves.items())
    svg = picture(lines, f"Precision against recall. {areas}")
    if len(curves) == 1:
        return svg
    names = (f"<li>{key(i)} {escaped(name)}</li>" for i, name in enumerate(curves))
    return f"<div>{svg}<ul>{''.join(names)}</ul></div>"
