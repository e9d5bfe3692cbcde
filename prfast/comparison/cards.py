"""Evaluations, comparisons, differences and classes as a notebook shows them.

Each function is the `_repr_html_` of its class, which imports it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prfast.comparison.numbers import Told, digits_of
from prfast.estimate.card import drawn, told
from prfast.estimate.intervals import LEVEL
from prfast.results import html
from prfast.results.text import curve_name


def of_evaluation(one: Any) -> str:
    """Its curves, every number with its ±, what contradicts."""
    curves = {curve_name(*key): curve for key, curve in one.curves.items()}
    return html.shown(
        html.cautions(one.cautions()),
        drawn(curves),
        _numbers(["value"], [one.numbers(LEVEL)], "Evaluation"),
        html.folded("How it was made", one.curve.explain().splitlines()),
    )


def of_comparison(models: Mapping[str, Any]) -> str:
    """The first curve of each model, a column a model, what contradicts."""
    cautions = [f"{name}: {said}" for name, one in models.items() for said in one.cautions()]
    return html.shown(
        html.cautions(cautions),
        drawn({name: one.curve for name, one in models.items()}),
        _numbers(list(models), [one.numbers(LEVEL) for one in models.values()], "Comparison"),
        html.sentence("Is one better than another? differences() says.") * (len(models) > 1),
    )


def of_differences(found: Any) -> str:
    """A line a difference, and what holds at once."""
    rest = f"to_frame(), {len(found.clear)} of all are clear"
    lines = [
        [
            f"{one.model} − {one.other}",
            f"{one.curve}: {one.number}" if one.curve else one.number,
            f"{one.value:+.3f} ± {one.half_width:.3f}",
            f"{one.p:.3f}",
            "clear" if one.clear else "",
        ]
        for one in found
    ]
    head = ["models", "number", "difference", "p", "clear?"]
    return html.shown(
        html.table(head, lines, "Differences", rest), html.sentence(f"{found.family}.")
    )


def of_groups(groups: Any) -> str:
    """A line a class, and the classes without a curve."""
    head, *lines = groups.lines()
    told = [f"{label}: {why}" for label, why in groups.left_out.items()]
    return html.shown(
        html.table([*head[:3], "clear", *head[4:]], lines, "Classes"),
        html.folded("Without a curve or metrics", told),
    )


def _numbers(head: Sequence[str], columns: Sequence[Mapping[str, Told]], caption: str) -> str:
    """A line a number; "±" in the heading where errors are known."""
    names = dict.fromkeys(name for column in columns for name in column)
    known = any(half is not None for column in columns for _, half in column.values())
    lines = [[name, *(_cell(column, name) for column in columns)] for name in names]
    return html.table([f"± at {LEVEL:g}" if known else "", *head], lines, caption)


def _cell(column: Mapping[str, Told], name: str) -> str:
    """A number as it is told; nothing where a model has it not."""
    if name not in column:
        return ""
    value, half = column[name]
    return told(value, half, digits_of(name, half is not None))
