"""Evaluations, comparisons, differences and classes as a notebook shows them.

Each function is the `_repr_html_` of its class, which imports it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prfast.comparison.numbers import Told, digits_of
from prfast.curve.interval import LEVEL, legend
from prfast.estimate.card import drawn, value_and_error
from prfast.estimate.explain import column_sentences
from prfast.results import html
from prfast.results.text import curve_name


def of_evaluation(one: Any) -> str:
    """Return its curves, every number with its ±, notes and cautions."""
    curves = {curve_name(*key): curve for key, curve in one.curves.items()}
    numbers = one.numbers(LEVEL)
    return html.shown(
        html.cautions(one.cautions()),
        drawn(curves),
        _numbers(["value"], [numbers], "Evaluation"),
        *_below([numbers], one.notes()),
        html.folded(
            "How it was made",
            [line for line in one.curve.explain().splitlines() if line not in one.notes()],
        ),
    )


def of_comparison(models: Mapping[str, Any]) -> str:
    """Return the first curve of each model, a column a model, notes and cautions."""
    cautions = [f"{name}: {text}" for name, one in models.items() for text in one.cautions()]
    numbers = [one.numbers(LEVEL) for one in models.values()]
    notes = [
        f"{name}: {text}"
        for name, one in models.items()
        for text in (*one.notes(), *column_sentences(one.curve)[:1])
    ]
    return html.shown(
        html.cautions(cautions),
        drawn({name: one.curve for name, one in models.items()}),
        _numbers(list(models), numbers, "Comparison"),
        *_below(numbers, notes),
        html.sentence("Is one better than another? differences() says.") * (len(models) > 1),
    )


def _below(numbers: Sequence[Mapping[str, Told]], notes: Sequence[str]) -> list[str]:
    """Return what ± means, where there is one, and the notes."""
    known = any(half is not None for of_model in numbers for _, half in of_model.values())
    return [html.sentence(one) for one in (*([legend()] if known else []), *notes)]


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
    """Return a table with a line a number."""
    names = dict.fromkeys(name for column in columns for name in column)
    lines = [[name, *(_cell(column, name) for column in columns)] for name in names]
    return html.table(["", *head], lines, caption)


def _cell(column: Mapping[str, Told], name: str) -> str:
    """Return a number with its ±; nothing where a model does not have it."""
    if name not in column:
        return ""
    value, half = column[name]
    return value_and_error(value, half, digits_of(name, half is not None))
