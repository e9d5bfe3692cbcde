"""What the command line says of curves and metrics: lines of text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prfast.comparison.numbers import cell
from prfast.curve import PRCurve
from prfast.curve.interval import legend
from prfast.curve.summary import shown
from prfast.estimate.card import half_widths
from prfast.results.info import agreed, scalars
from prfast.results.text import aligned, as_text
from prfast.scalars.result import Metrics


def table(names: Sequence[str], curves: Sequence[PRCurve]) -> list[str]:
    """Return a line a file, what ± means, and what all curves agree on."""
    rows = shown("table")
    halves = [half_widths(curve) for curve in curves]
    known = any(halves)
    lines = [["", *(row.title for row in rows)]]
    for name, curve, half in zip(names, curves, halves, strict=True):
        cells = (cell(row.title, row.value(curve), half.get(row.key), known) for row in rows)
        lines.append([name, *cells])
    below = [legend()] if known else []
    return [*aligned(lines, least=10), "", *below, _common([curve.info for curve in curves])]


def upper_table(names: Sequence[str], uppers: Sequence[PRCurve]) -> list[str]:
    """The numbers that the true ones do not exceed (the total variation: fall below)."""
    titles = [f"{row.title} {'≤' if row.larger_is_better else '≥'}" for row in shown("table")]
    told = uppers[0].info
    certified = "certified" if all(one.info["certified"] for one in uppers) else "empirical"
    sentence = f"{100 * told['confidence']:g} % confidence, {certified}, bound {told['bound']}"
    lines = [["", *titles]]
    for name, curve in zip(names, uppers, strict=True):
        lines.append([name, *(as_text(row.value(curve), ".4f") for row in shown("table"))])
    return [*aligned(lines, least=10), "", sentence]


def metrics_table(names: Sequence[str], found: Sequence[dict[int, Metrics]]) -> list[str]:
    """A block a k."""
    lines = []
    for k in found[0]:
        of_k = [one[k] for one in found]
        lines += [*aligned([[f"k = {k}", *names], *_of_metrics(of_k)], least=8), ""]
    if any(one[k].errors for one in found for k in one):
        lines += [legend(of_scorer=False), ""]
    return [*lines, _common([one[k].info for one in found for k in one], ["k"])]


def _of_metrics(found: Sequence[Metrics]) -> list[list[str]]:
    return [[name, *(one.text(name) for one in found)] for name in found[0]]


def rows(
    title: str, names: Sequence[str], found: Sequence[Mapping[str, float]], digits: str
) -> list[str]:
    """Names of numbers down, files across."""
    lines = [[name, *(as_text(one[name], digits) for one in found)] for name in found[0]]
    return aligned([[title, *names], *lines], least=8)


def _common(infos: Sequence[Any], but: Sequence[str] = ()) -> str:
    """What all records agree on, in one line."""
    return ", ".join(
        f"{key} {value}" for key, value in scalars(agreed(infos)).items() if key not in but
    )
