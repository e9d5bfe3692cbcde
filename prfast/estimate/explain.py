"""A curve in words: its method, what differs, and limits of the method; a curve as text, HTML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prfast.curve import PRCurve
from prfast.curve.curve import LEVEL, legend
from prfast.curve.notes import notes_of
from prfast.curve.picture import Frame, key, picture
from prfast.curve.summary import shown
from prfast.estimate.columns import sentences
from prfast.estimate.intervals import has_intervals, several_intervals
from prfast.methods.auto.model import ALIKE, told_apart
from prfast.methods.auto.read_out import ENOUGH
from prfast.methods.base import METHODS
from prfast.results import values
from prfast.results.info import CAUTION
from prfast.results.values import aligned, as_text, curve_name

UNKNOWN = "What made this curve is not known: its info names no method."


def explain(curve: PRCurve) -> str:
    """Return what `PRCurve.explain` returns, a sentence a line."""
    info = curve.info
    method = info.get("method")
    if not isinstance(method, str):
        return "\n".join([*_caution(info), UNKNOWN, *notes_of(info)])
    return "\n".join([*_caution(info), made(method, info), *notes_of(info), *_sees(method, curve)])


def _caution(info: Mapping[str, Any]) -> list[str]:
    return [f"Caution: {info[CAUTION]}"] if CAUTION in info else []


def made(method: str, info: Mapping[str, Any]) -> str:
    """Return a sentence on the method, the numbers of samples, the split, and later operations."""
    summary = f", {METHODS[method].summary}" if method in METHODS else ""
    parts = [f"Method {method}{summary}"]
    if "k" in info:
        parts.append(f"k = {info['k']}")
    if "n_real" in info and "n_fake" in info:
        parts.append(f"{info['n_real']} real and {info['n_fake']} generated samples")
    if "split" in info:
        parts.append(_split(info))
    if "mean_of" in info:
        parts.append(f"the mean of {info['mean_of']} curves")
    if "intersection_of" in info:
        parts.append(f"the minimum of {info['intersection_of']} curves")
    if info.get("swapped") is True:
        parts.append("real and generated exchanged since")
    return "; ".join(parts) + "."


def _split(info: Mapping[str, Any]) -> str:
    """Return which samples were scored, in words."""
    split = info["split"]
    if "folds" in info:
        return f"each scored by a fit that has not seen it, {info['folds']} folds"
    if split is None:
        return "all of them scored"
    if isinstance(split, float):
        return f"{1 - split:.3g} of them scored, the rest fitted on"
    return "a coin for each pair says which of the two is scored"


def column_sentences(curve: PRCurve) -> list[str]:
    """Return a sentence on each column that separates the sets by itself; none for a
    swapped curve."""
    columns, width = curve.info.get("columns"), curve.info.get("n_features")
    if not isinstance(columns, list) or width is None:
        return []
    if curve.info.get("swapped") is True:
        return []
    return sentences(columns, width, curve.total_variation)


def _rows(info: Mapping[str, Any]) -> list[str]:
    """Return sentences on the rows of samples with the most extreme log-ratios."""
    if info.get("swapped") is True:
        return []
    words = {
        "missed": "Real samples that are missed most",
        "least_real": "Generated samples least like real ones",
    }
    return [
        f"{words[key]}: row{'s' if len(info[key]) > 1 else ''} {', '.join(map(str, info[key]))}."
        for key in words
        if info.get(key)
    ]


def _sees(method: str, curve: PRCurve) -> list[str]:
    """Return sentences on what separates the sets, if that is recorded, and on what the method
    cannot detect."""
    info = curve.info if method == "auto" else {}
    lines = []
    if "shrunk" in info:
        lines += [_shrinkage(info), *column_sentences(curve)]
    elif "covered" in info and curve.fidelity >= ALIKE:
        lines.append("Beside repetition, nothing told the two apart.")
    elif isinstance(info.get("weights"), Mapping):
        columns = column_sentences(curve)
        if curve.area < ALIKE or not columns:
            lines.append(told_apart(info["weights"], curve.area))
        lines += [*columns, *_rows(info)]
    blind = METHODS[method].blind if method in METHODS else ""
    if blind:
        lines.append(f"It cannot see {blind}.")
    elif not lines:
        lines.append("What it cannot see is not known; compare with another method.")
    return lines


def _shrinkage(info: Mapping[str, Any]) -> str:
    """Return why the curve was shrunk towards that of equal distributions, and how far."""
    evidence, shift = info.get("evidence", 0.0) + 0.0, 1.0 - info["shrunk"]
    return (
        f"There is too little evidence of a difference: held-out samples give {evidence:g} nats, "
        f"and {ENOUGH:g} are needed; the curve is drawn {shift:.0%} of the way to that of equal "
        "distributions, and the ± covers both."
    )


# ---- a curve as text and HTML: numbers with ±, notes, method -------------------------------------


_UNCOUNTED = "no ±: its cells do not count samples (weighted samples, rates, masses alone)"
_SQUARE = Frame("recall", "precision")


def card(curve: PRCurve) -> str:
    """Return the HTML of `PRCurve._repr_html_`."""
    errors = half_widths(curve)
    rows = [
        [row.title, value_and_error(row.value(curve), errors.get(row.key))]
        for row in shown("interval")
    ]
    above = {f"Caution: {curve.info.get(CAUTION)}", *notes_of(curve.info)}
    details = [line for line in explain(curve).splitlines() if line not in above]
    return values.shown(
        values.cautions([str(curve.info[CAUTION])] if CAUTION in curve.info else []),
        drawn({_name(curve): curve}),
        values.table(["", "value"], rows, _name(curve)),
        *map(values.sentence, [*([legend()] if errors else []), *notes_of(curve.info)]),
        values.folded("How it was made", details),
    )


def text(curve: PRCurve) -> str:
    """Return the lines that `print(curve)` prints."""
    info = curve.info
    errors = half_widths(curve)
    numbers = [
        [row.title, value_and_error(row.value(curve), errors.get(row.key))] for row in shown("repr")
    ]
    lines = [f"Caution: {info[CAUTION]}"] if CAUTION in info else []
    title = f"PR curve of {_name(curve)}" if "method" in info else "PR curve"
    if "side" in info:
        title += f", {info['side']} bound"
        if "confidence" in info:
            title += f" at {100 * info['confidence']:g} % confidence"
    lines += [title, *aligned(numbers)]
    lines += [] if "side" in info else [legend() if errors else _UNCOUNTED]
    lines += notes_of(info)
    lines += [made(info["method"], info)] if isinstance(info.get("method"), str) else []
    return "\n".join(lines)


def half_widths(curve: PRCurve, confidence: float = LEVEL) -> dict[str, float]:
    """Return the half widths of the intervals of the numbers, by their keys; none for a curve
    without."""
    if not has_intervals(curve):
        return {}
    rows = shown("interval")
    intervals = several_intervals(curve, [row.value for row in rows], confidence)
    return {row.key: x.half_width for row, x in zip(rows, intervals, strict=True)}


def value_and_error(value: float, half: float | None, digits: str | None = None) -> str:
    """Return text such as "0.812 ± 0.014", or "0.8123" without a ±; digits: another format."""
    if half is None:
        return as_text(value, digits or ".4f")
    return f"{as_text(value, digits or '.3f')} ± {as_text(half, digits or '.3f')}"


def drawn(curves: Mapping[str, PRCurve]) -> str:
    """Return HTML of PR curves in one plot, by name; with a legend if there are several."""
    lines = [curve.outline() for curve in curves.values()]
    areas = ", ".join(f"{name}: area {curve.area:.3f}" for name, curve in curves.items())
    svg = picture(lines, _SQUARE, f"Precision against recall. {areas}")
    if len(curves) == 1:
        return svg
    names = (f"<li>{key(i)} {values.escaped(name)}</li>" for i, name in enumerate(curves))
    return f"<div>{svg}<ul>{''.join(names)}</ul></div>"


def _name(curve: PRCurve) -> str:
    method = curve.info.get("method")
    return curve_name(str(method), curve.info.get("k")) if method else "PRCurve"
