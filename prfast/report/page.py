"""The page of a report: escaped text, tables and the data of the plots in one HTML file.

The file loads nothing: it includes styles, program and the plotting library, and its content
security policy forbids every request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from prfast.curve.curve import legend
from prfast.plots.drawing import COLOURS
from prfast.plots.pr import ROWS
from prfast.report.cautions import (
    Column,
    as_json,
    as_program,
    asset,
    breakable,
    formula,
    table,
    tables,
)
from prfast.report.words import Entry, Part, Reading
from prfast.results.values import clean, escaped

DASHES = ("solid", "dash", "dot", "dashdot")
_BANDS = 2  # largest number of models for which bands are drawn from the start
_OPEN = 8  # largest number of models whose sentences are unfolded from the start

Facts = Sequence[tuple[str, str]]
Said = Sequence[tuple[str, Sequence[str]]]


# ---- sections ------------------------------------------------------------------------------------


def facts(lines: Facts) -> str:
    """Return the lines below the title."""
    return f'<dl class="facts">{_pairs(lines)}</dl>'


def alert(alerts: Said) -> str:
    """Return the box of contradictions at the top; "" without any."""
    if not alerts:
        return ""
    items = "".join(
        f"<li><strong>{escaped(name)}</strong>: {escaped(' '.join(lines))}</li>"
        for name, lines in alerts
    )
    return (
        '<div class="alert" role="note" aria-labelledby="alert-title">'
        '<h2 id="alert-title">Numbers here contradict each other</h2>'
        f"<ul>{items}</ul></div>"
    )


def reading(sentences: Reading, alerts: Said) -> str:
    """Return the sentences: summary, each model, cautions, the rule of comparison."""
    parts = [f"<p>{escaped(' '.join(sentences.summary))}</p>"]
    doubtful = [name for name, _ in alerts]
    items = []
    for name, lines in sentences.models:
        if name in doubtful:
            lines = ["Its numbers contradict each other: see above.", *lines]
        items.append(f"<dt>{breakable(name)}</dt><dd>{escaped(' '.join(lines))}</dd>")
    each = f"<dl>{chr(10).join(items)}</dl>"
    if len(items) > _OPEN:
        each = f"<details><summary>Each of the {len(items)} models</summary>{each}</details>"
    parts.append(each)
    if sentences.cautions:
        items = [f"<li>{escaped(caution)}</li>" for caution in sentences.cautions]
        parts.append(
            f'<div class="caution"><h3>To bear in mind</h3><ul>{"".join(items)}</ul></div>'
        )
    if sentences.rule:
        parts.append(f'<p class="note">{escaped(sentences.rule)}</p>')
    return "\n".join(parts)


def curves(names: Sequence[str], views: Sequence[str], about_bands: str) -> str:
    """Return the plot of the curves, with its controls."""
    of_views = "".join(
        f'<label><input type="radio" name="view" value="{view}"'
        f"{' checked' if i == 0 else ''}><span>{ROWS[view].title}</span></label>"
        for i, view in enumerate(views)
    )
    models = "".join(
        f'<label><input type="checkbox" name="model" value="{i}" checked>'
        f'<svg viewBox="0 0 28 8" aria-hidden="true"><line x1="0" y1="4" x2="28" y2="4" '
        f'class="{_line(i)}"/></svg><span>{breakable(name)}</span></label>'
        for i, name in enumerate(names)
    )
    if len(names) > 2:
        models += _button("all", "all") + _button("none", "none")
    about = f'<p class="note about-bands">{escaped(about_bands)}</p>\n' if about_bands else ""
    return (
        f'<fieldset class="views"><legend>View</legend>{of_views}</fieldset>\n'
        f'<fieldset class="models"><legend>Models</legend>{models}</fieldset>\n'
        f"{_bands(len(names)) if about_bands else ''}"
        f"{_picture('lines', 'The curves; points on them are in the tables below')}"
        '<p class="note" id="about" aria-live="polite"></p>\n'
        '<p class="note hint">Point at a curve, or touch it, for its trade-off λ, precision and '
        f"recall; at a name above, for this curve alone.</p>\n{about}"
        "<noscript><p>The pictures need JavaScript; everything else is here.</p></noscript>"
    )


def scores() -> str:
    """Return the plot of F8 and F1/8."""
    return (
        "<p>F8 weighs recall: to the right less is missed. F1/8 weighs precision: further up less "
        "is invented, of models that reach enough: one of next to no recall is low in both, "
        "whatever it invents. Colours are those of the curves"
        '<span class="hint">; point for names that have no room</span>.</p>\n'
        + _picture("scores", "F8 and F1/8 of each model; the same numbers are in the table")
    )


def glossary(parts: Sequence[Part]) -> str:
    """Return the glossary of every number, in the order of the page."""
    note = "Of two models the one with the larger number is better, unless it says otherwise."
    return f'<p class="note">{note}</p>\n' + "\n".join(map(_part, parts))


def _part(part: Part) -> str:
    signs = f'\n<p class="note">{formula(part.signs)}</p>' if part.signs else ""
    entries = "".join(f"<div>{_entry(one)}</div>" for one in part.entries)
    return f'<h3>{escaped(part.title)}</h3>\n<dl class="glossary">{entries}</dl>{signs}'


def made(
    names: Sequence[str], common: Sequence[tuple[str, Any]], own: Sequence[tuple[str, Any]]
) -> str:
    """Return how everything was computed: common entries, and a table of the others by model."""
    html = (
        "<h3>The same for all models</h3>\n"
        f'<dl class="made">{_pairs([(key, _shown(value)) for key, value in common])}</dl>'
    )
    if own:
        heads = "".join(f'<th scope="col">{escaped(key)}</th>' for key, _ in own)
        rows = "".join(
            f'<tr><th scope="row">{breakable(name)}</th>'
            + "".join(f"<td>{escaped(_shown(values[i]))}</td>" for _, values in own)
            + "</tr>"
            for i, name in enumerate(names)
        )
        html += (
            '\n<div class="scroll" tabindex="0" role="region" aria-label="Each model">'
            '<table><caption>Each model</caption><thead><tr><th scope="col">model</th>'
            f"{heads}</tr></thead>"
            f"<tbody>{rows}</tbody></table></div>"
        )
    return html


def _pairs(lines: Facts) -> str:
    return "".join(
        f"<div><dt>{escaped(key)}</dt><dd>{escaped(value)}</dd></div>" for key, value in lines
    )


def _picture(name: str, label: str) -> str:
    """Return the element of a plot and, below it, buttons in the words and colours of the page."""
    buttons = "".join(
        f'<button type="button" data-plot="{name}" data-do="{do}">{text}</button>'
        for do, text in (
            ("png", "Save as PNG"),
            ("svg", "Save as SVG"),
            ("whole", "Show all of it"),
        )
    )
    return (
        f'<div id="{name}" class="plot" role="img" aria-label="{label}"></div>\n'
        f'<p class="tools">{buttons}</p>\n'
    )


def _button(do: str, text: str) -> str:
    return f'<button type="button" data-do="{do}">{text}</button>'


def _bands(models: int) -> str:
    """Return the switch of the bands."""
    on = " checked" if models <= _BANDS else ""
    return (
        '<fieldset class="bands"><legend>Bands</legend><label>'
        f'<input type="checkbox" name="band"{on}><span>what the samples prove</span></label>'
        "</fieldset>\n"
    )


def _line(i: int) -> str:
    return f"c{i % len(COLOURS)} d{i // len(COLOURS) % len(DASHES)}"


def _entry(entry: Entry) -> str:
    """Return a term with its sentence, its formula and its wording."""
    says = entry.says if entry.larger_is_better else f"{entry.says} Smaller is better."
    spans = [f'<span class="formula">{formula(entry.formula)}</span>'] if entry.formula else []
    if entry.words:
        words = " and ".join(f"“{word} …”" for word in entry.words)
        spans.append(f'<span class="words">In words: {escaped(words)}.</span>')
    return f"<dt>{escaped(entry.title)}</dt><dd>{' '.join([escaped(says), *spans])}</dd>"


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_shown(one)}" for key, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return "none" if value is None else str(value)


# ---- the page ------------------------------------------------------------------------------------


class Content(NamedTuple):
    """Content of a page."""

    title: str
    facts: Sequence[tuple[str, str]]
    """Lines below the title."""
    names: Sequence[str]
    """Names of the models, as the page shows them."""
    alerts: Sequence[tuple[str, Sequence[str]]]
    """Names of models with contradictions, and sentences on these."""
    reading: Reading
    views: Sequence[Mapping[str, Any]]
    """Points of each model, as from `prfast.plots.pr.view_points`."""
    axes: Mapping[str, Mapping[str, Any]]
    """{view: titles and ends of its axes}."""
    bands: Sequence[Mapping[str, Any] | None]
    """Band of each model, for the PR curves."""
    about_bands: str
    scores: Sequence[tuple[float, float]]
    """(F_8, F_1/8) of each model."""
    numbers: Sequence[Column]
    metrics: Sequence[Column]
    points: Sequence[Column]
    glossary: Sequence[Part]
    common: Sequence[tuple[str, Any]]
    """How it was computed: entries that are the same for all models."""
    own: Sequence[tuple[str, Sequence[Any]]]
    """How it was computed: entries that differ, with the value of each model."""


def page(content: Content, plotly: str) -> str:
    """Return the HTML of a report; `plotly` is the source of plotly.js."""
    parts = [
        f"<h1>{escaped(content.title)}</h1>",
        facts(content.facts),
        alert(content.alerts),
        _section("reading", "In words", reading(content.reading, content.alerts)),
        _section("curves", "Curves", _curves(content)),
        _section("scatter", "What is missed, what is invented", scores()),
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
        _section("glossary", "What each number means", glossary(content.glossary)),
        _section("made", "How it was computed", made(content.names, content.common, content.own)),
    ]
    data = {
        "names": [clean(name) for name in content.names],
        "views": content.views,
        "axes": content.axes,
        "bands": content.bands,
        "scores": content.scores,
        "colours": COLOURS,
        "dashes": DASHES,
    }
    policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}; img-src data: blob:">',
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
    return curves(content.names, list(content.axes), content.about_bands)
