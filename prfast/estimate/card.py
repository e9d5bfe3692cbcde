"""A curve as text and as a notebook shows it: its numbers with ±, notes, how it was made."""

from __future__ import annotations

from collections.abc import Mapping

from prfast.curve import PRCurve
from prfast.curve.interval import LEVEL, legend
from prfast.curve.notes import notes_of
from prfast.curve.picture import Frame, key, picture
from prfast.curve.summary import shown
from prfast.estimate.explain import explain, made
from prfast.estimate.intervals import has_intervals, several_intervals
from prfast.results import html
from prfast.results.info import CAUTION
from prfast.results.text import aligned, as_text, curve_name

_UNCOUNTED = "no ±: its cells do not count samples (weighted samples, rates, masses alone)"
_SQUARE = Frame("recall", "precision")


def card(curve: PRCurve) -> str:
    """HTML that `PRCurve._repr_html_` returns."""
    halves = half_widths(curve)
    lines = [
        [row.title, value_and_error(row.value(curve), halves.get(row.key))]
        for row in shown("interval")
    ]
    above = {f"Caution: {curve.info.get(CAUTION)}", *notes_of(curve.info)}
    made_how = [one for one in explain(curve).splitlines() if one not in above]
    return html.shown(
        html.cautions([str(curve.info[CAUTION])] if CAUTION in curve.info else []),
        drawn({_name(curve): curve}),
        html.table(["", "value"], lines, _name(curve)),
        *map(html.sentence, [*([legend()] if halves else []), *notes_of(curve.info)]),
        html.folded("How it was made", made_how),
    )


def text(curve: PRCurve) -> str:
    """Return the lines that `print(curve)` shows."""
    info = curve.info
    halves = half_widths(curve)
    numbers = [
        [row.title, value_and_error(row.value(curve), halves.get(row.key))] for row in shown("repr")
    ]
    lines = [f"Caution: {info[CAUTION]}"] if CAUTION in info else []
    title = f"PR curve of {_name(curve)}" if "method" in info else "PR curve"
    if "side" in info:
        title += f", {info['side']} bound"
        if "confidence" in info:
            title += f" at {100 * info['confidence']:g} % confidence"
    lines += [title, *aligned(numbers)]
    lines += [] if "side" in info else [legend() if halves else _UNCOUNTED]
    lines += notes_of(info)
    lines += [made(info["method"], info)] if isinstance(info.get("method"), str) else []
    return "\n".join(lines)


def half_widths(curve: PRCurve, confidence: float = LEVEL) -> dict[str, float]:
    """What stands behind the ± of the numbers, by their keys, where they have one."""
    if not has_intervals(curve):
        return {}
    rows = shown("interval")
    found = several_intervals(curve, [row.value for row in rows], confidence)
    return {row.key: one.half_width for row, one in zip(rows, found, strict=True)}


def value_and_error(value: float, half: float | None, digits: str | None = None) -> str:
    """ "0.812 ± 0.014", where the ± is known; otherwise "0.8123"; or with other digits."""
    if half is None:
        return as_text(value, digits or ".4f")
    return f"{as_text(value, digits or '.3f')} ± {as_text(half, digits or '.3f')}"


def drawn(curves: Mapping[str, PRCurve]) -> str:
    """PR curves in one picture, by name; where there are several, with a legend."""
    lines = [curve.outline() for curve in curves.values()]
    areas = ", ".join(f"{name}: area {curve.area:.3f}" for name, curve in curves.items())
    found = picture(lines, _SQUARE, f"Precision against recall. {areas}")
    if len(curves) == 1:
        return found
    names = (f"<li>{key(i)} {html.escaped(name)}</li>" for i, name in enumerate(curves))
    return f"<div>{found}<ul>{''.join(names)}</ul></div>"


def _name(curve: PRCurve) -> str:
    method = curve.info.get("method")
    return curve_name(str(method), curve.info.get("k")) if method else "PRCurve"
