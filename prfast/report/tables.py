"""Tables of models on a page, which a click on a heading sorts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from prfast.report.text import breakable
from prfast.results.html import escaped

_WIDE = 6  # columns of numbers with ±, on paper


class Column(NamedTuple):
    """A column of a table of models."""

    title: str
    values: Sequence[float]
    half_widths: Sequence[float] | None = None
    """Of 95 % intervals, shown behind the values; NaN where unknown."""
    falling: bool = True
    """Are larger values better, and so first when the column is sorted?"""
    digits: str = ".4f"


def table(caption: str, names: Sequence[str], columns: Sequence[Column]) -> str:
    """A line a model."""
    heads = [_head("model", False)] + [_head(c.title, c.falling) for c in columns]
    rows = []
    for i, name in enumerate(names):
        cells = [f'<th scope="row" data-key="{escaped(name)}">{breakable(name)}</th>']
        rows.append(f"<tr>{''.join([*cells, *(_cell(column, i) for column in columns)])}</tr>")
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escaped(caption)}">'
        f'<table class="sortable"><caption>{escaped(caption)}</caption>'
        f"<thead><tr>{''.join(heads)}</tr></thead>\n<tbody>\n{chr(10).join(rows)}\n</tbody>"
        "</table></div>\n"
    )


def tables(caption: str, names: Sequence[str], columns: Sequence[Column]) -> str:
    """As many tables as it takes for none to be too wide for paper."""
    parts = [columns[i : i + _WIDE] for i in range(0, len(columns), _WIDE)]
    titles = [caption, *[f"{caption}, continued"] * (len(parts) - 1)]
    return "".join(table(title, names, part) for title, part in zip(titles, parts, strict=False))


def _cell(column: Column, i: int) -> str:
    value = column.values[i]
    shown = "–" if math.isnan(value) else f"{value:{column.digits}}"
    half = math.nan if column.half_widths is None else column.half_widths[i]
    if not math.isnan(half):
        shown += f' <span class="spread">± {half:{column.digits}}</span>'
    key = "" if math.isnan(value) else repr(float(value))
    return f'<td data-key="{key}">{shown}</td>'


def _head(title: str, falling: bool) -> str:
    first = "descending" if falling else "ascending"
    return (
        f'<th scope="col" aria-sort="none" data-first="{first}">'
        f'<button type="button">{escaped(title)}</button></th>'
    )
