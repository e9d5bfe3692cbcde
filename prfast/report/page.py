"""The page: escaped text, tables and the data of the pictures in one HTML file.

The file asks for nothing: styles, program and the plotting library stand in it, and its content
security policy forbids every request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from prfast.curve.interval import legend
from prfast.plots.drawing import COLOURS
from prfast.report import sections
from prfast.report.glossary import Part
from prfast.report.tables import Column, table, tables
from prfast.report.text import as_json, as_program, asset
from prfast.report.words import Reading
from prfast.results.html import clean, escaped


class Content(NamedTuple):
    """What a page says."""

    title: str
    facts: Sequence[tuple[str, str]]
    """What stands below the title."""
    names: Sequence[str]
    """Of the models, as the page shows them."""
    alerts: Sequence[tuple[str, Sequence[str]]]
    """Models whose curves contradict something, and how."""
    reading: Reading
    views: Sequence[Mapping[str, Any]]
    """Of each model, as `prfast.plots.views.view_points`."""
    axes: Mapping[str, Mapping[str, Any]]
    """{view: titles and ends of its axes}."""
    bands: Sequence[Mapping[str, Any] | None]
    """Of each model, for the PR curves."""
    about_bands: str
    scores: Sequence[tuple[float, float]]
    """(F_8, F_1/8) of each model."""
    numbers: Sequence[Column]
    metrics: Sequence[Column]
    points: Sequence[Column]
    glossary: Sequence[Part]
    common: Sequence[tuple[str, Any]]
    """How it was computed: what holds for all models,"""
    own: Sequence[tuple[str, Sequence[Any]]]
    """and what differs from model to model."""


def page(content: Content, plotly: str) -> str:
    """The HTML of a report; `plotly` is the source of plotly.js."""
    parts = [
        f"<h1>{escaped(content.title)}</h1>",
        sections.facts(content.facts),
        sections.alert(content.alerts),
        _section("reading", "In words", sections.reading(content.reading, content.alerts)),
        _section("curves", "Curves", _curves(content)),
        _section("scatter", "What is missed, what is invented", sections.scores()),
        _section(
            "numbers",
            "Numbers",
            '<p class="note"><span class="hint">A heading sorts its table, best first; again, the '
            "other way round. </span>"
            f'{legend()}. <a href="#glossary">What each number means</a></p>'
            + table("Numbers of the curves", content.names, content.numbers)
            + tables("Metrics", content.names, content.metrics)
            + table("Points and ends of the curves", content.names, content.points),
        ),
        _section("glossary", "What each number means", sections.glossary(content.glossary)),
        _section(
            "made", "How it was computed", sections.made(content.names, content.common, content.own)
        ),
    ]
    data = {
        "names": [clean(name) for name in content.names],
        "views": content.views,
        "axes": content.axes,
        "bands": content.bands,
        "scores": content.scores,
        "colours": COLOURS,
        "dashes": sections.DASHES,
    }
    asked = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{asked}; img-src data: blob:">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escaped(content.title)}</title>\n<style>\n{asset('page.css')}</style>",
            "</head>\n<body>\n<main>",
            *parts,
            "</main>",
            f'<script type="application/json" id="data">{as_json(data)}</script>',
            f"<script>{as_program(plotly)}</script>",
            f"<script>\n{as_program(asset('page.js'))}</script>\n</body>\n</html>\n",
        ]
    )


def _section(name: str, title: str, body: str) -> str:
    return (
        f'<section id="{name}" aria-labelledby="{name}-title">\n'
        f'<h2 id="{name}-title">{title}</h2>\n{body}\n</section>'
    )


def _curves(content: Content) -> str:
    return sections.curves(content.names, list(content.axes), content.about_bands)
