"""The page: escaped text, tables and the data of the pictures in one HTML file.

The file asks for nothing: styles, program and the plotting library stand in it, and its content
security policy forbids every request.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any, NamedTuple

from prfast.plots.drawing import COLOURS
from prfast.plots.views import ROWS
from prfast.report.words import Reading

_DASHES = ("solid", "dash", "dot", "dashdot")
_WIDE = 6  # columns of a table


class Column(NamedTuple):
    """A column of a table of models."""

    title: str
    values: Sequence[float]
    spreads: Sequence[float] | None = None
    """Standard deviations, shown behind the values; NaN where unknown."""
    falling: bool = True
    """Are larger values better, and so first when the column is sorted?"""


class Content(NamedTuple):
    """What a page says."""

    title: str
    names: Sequence[str]
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
    points: Sequence[Column]
    metrics: Sequence[Column]
    common: Sequence[tuple[str, Any]]
    """How it was computed: what holds for all models,"""
    own: Sequence[tuple[str, Sequence[Any]]]
    """and what differs from model to model."""


def page(content: Content, plotly: str) -> str:
    """The HTML of a report; `plotly` is the source of plotly.js."""
    parts = [
        f"<h1>{_text(content.title)}</h1>",
        _alert(content),
        _section("reading", "In words", _reading(content)),
        _section("curves", "Curves", _curves(content)),
        _section(
            "scatter",
            "Coverage against realism",
            "<p>F<sub>8</sub> weighs recall, F<sub>1/8</sub> precision: to the right "
            "more is covered, further up what is generated is more real. Colours are those of the "
            "curves; point for names that have no room.</p>"
            '<div id="scores" class="plot" role="img" aria-label="F8 and F1/8 of each model; the '
            'same numbers are in the table"></div>',
        ),
        _section(
            "numbers",
            "Numbers",
            _table("Numbers of the curves", content.names, content.numbers)
            + _table("Points on the curves", content.names, content.points)
            + _metrics(content)
            + "<p class='note'>A heading sorts its table, best first; again, the other way round. "
            "± is one standard deviation: of the curves' numbers over redrawings of the scored "
            "samples, of metrics from random halves of all.</p>",
        ),
        _section("made", "How it was computed", _made(content)),
    ]
    data = {
        "names": [_clean(name) for name in content.names],
        "views": content.views,
        "axes": content.axes,
        "bands": content.bands,
        "scores": content.scores,
        "colours": COLOURS,
        "dashes": _DASHES,
    }
    asked = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{asked}; img-src data: blob:">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{_text(content.title)}</title>\n<style>\n{_asset('page.css')}</style>",
            "</head>\n<body>\n<main>",
            *parts,
            "</main>",
            f'<script type="application/json" id="data">{_json(data)}</script>',
            f"<script>{_program(plotly)}</script>",
            f"<script>\n{_program(_asset('page.js'))}</script>\n</body>\n</html>\n",
        ]
    )


# ---- sections ----------------------------------------------------------------------------------


def _section(name: str, title: str, body: str) -> str:
    return (
        f'<section id="{name}" aria-labelledby="{name}-title">\n'
        f'<h2 id="{name}-title">{title}</h2>\n{body}\n</section>'
    )


def _alert(content: Content) -> str:
    """A box at the top; nothing where nothing contradicts."""
    if not content.alerts:
        return ""
    items = "".join(
        f"<li><strong>{_text(name)}</strong>: {_text(' '.join(said))}</li>"
        for name, said in content.alerts
    )
    return (
        '<div class="alert" role="note" aria-labelledby="alert-title">'
        '<h2 id="alert-title">Numbers here contradict each other</h2>'
        f"<ul>{items}</ul></div>"
    )


def _reading(content: Content) -> str:
    reading = content.reading
    found = [f"<p>{_text(' '.join(reading.summary))}</p>", "<dl>"]
    doubtful = [name for name, _ in content.alerts]
    for name, said in reading.models:
        if name in doubtful:
            said = ["Its numbers contradict each other: see above.", *said]
        found.append(f"<dt>{_text(name)}</dt><dd>{_text(' '.join(said))}</dd>")
    found.append("</dl>")
    if reading.cautions:
        items = "".join(f"<li>{_text(one)}</li>" for one in reading.cautions)
        found.append(f'<div class="caution"><h3>To bear in mind</h3><ul>{items}</ul></div>')
    found.append(f'<p class="note">{_text(reading.rule)}</p>')
    return "\n".join(found)


def _curves(content: Content) -> str:
    views = "".join(
        f'<label><input type="radio" name="view" value="{view}"'
        f"{' checked' if i == 0 else ''}><span>{ROWS[view].title}</span></label>"
        for i, view in enumerate(content.axes)
    )
    models = "".join(
        f'<label><input type="checkbox" name="model" value="{i}" checked>'
        f'<svg viewBox="0 0 28 8" aria-hidden="true"><line x1="0" y1="4" x2="28" y2="4" '
        f'class="{_line(i)}"/></svg><span>{_text(name)}</span></label>'
        for i, name in enumerate(content.names)
    )
    return (
        f'<fieldset class="views"><legend>View</legend>{views}</fieldset>\n'
        f'<fieldset class="models"><legend>Models</legend>{models}</fieldset>\n{_bands(content)}'
        '<div id="lines" class="plot" role="img" aria-label="The curves; points on them are in '
        'the tables below"></div>\n'
        '<p class="note" id="about" aria-live="polite"></p>\n'
        f'<p class="note">{_text(content.about_bands)}</p>\n'
        "<noscript><p>The pictures need JavaScript; everything else is here.</p></noscript>\n"
        '<p class="note">Precision: how much of what is generated looks real. Recall: how much of '
        "what is real is generated. λ is the trade-off between them, precision over recall. Point "
        "at a curve, or touch it, for its numbers.</p>"
    )


def _bands(content: Content) -> str:
    """The switch of the bands: on where there are one or two models, which leaves them readable."""
    if not content.about_bands:
        return ""
    on = " checked" if len(content.names) <= 2 else ""
    return (
        '<fieldset class="bands"><legend>Bands</legend><label>'
        f'<input type="checkbox" name="band"{on}><span>what the samples prove</span></label>'
        "</fieldset>\n"
    )


def _line(i: int) -> str:
    return f"c{i % len(COLOURS)} d{i // len(COLOURS) % len(_DASHES)}"


def _table(caption: str, names: Sequence[str], columns: Sequence[Column]) -> str:
    heads = [_head("model", False)] + [_head(c.title, c.falling) for c in columns]
    rows = []
    for i, name in enumerate(names):
        cells = [f'<th scope="row" data-key="{_text(name)}">{_text(name)}</th>']
        for column in columns:
            value = column.values[i]
            shown = "–" if math.isnan(value) else f"{value:.4f}"
            spread = math.nan if column.spreads is None else column.spreads[i]
            if not math.isnan(spread):
                shown += f' <span class="spread">± {spread:.4f}</span>'
            key = "" if math.isnan(value) else repr(float(value))
            cells.append(f'<td data-key="{key}">{shown}</td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{_text(caption)}">'
        f'<table class="sortable"><caption>{_text(caption)}</caption>'
        f"<thead><tr>{''.join(heads)}</tr></thead>\n<tbody>\n{chr(10).join(rows)}\n</tbody>"
        "</table></div>\n"
    )


def _metrics(content: Content) -> str:
    """Tables that are not too wide for paper."""
    parts = [content.metrics[i : i + _WIDE] for i in range(0, len(content.metrics), _WIDE)]
    titles = ["Metrics", *["Metrics, continued"] * (len(parts) - 1)]
    return "".join(
        _table(title, content.names, part) for title, part in zip(titles, parts, strict=False)
    )


def _head(title: str, falling: bool) -> str:
    first = "descending" if falling else "ascending"
    return (
        f'<th scope="col" aria-sort="none" data-first="{first}">'
        f'<button type="button">{_text(title)}</button></th>'
    )


def _made(content: Content) -> str:
    rows = "".join(
        f"<div><dt>{_text(key)}</dt><dd>{_text(_shown(value))}</dd></div>"
        for key, value in content.common
    )
    found = f'<h3>The same for all models</h3>\n<dl class="made">{rows}</dl>'
    if content.own:
        heads = "".join(f'<th scope="col">{_text(key)}</th>' for key, _ in content.own)
        rows = "".join(
            f'<tr><th scope="row">{_text(name)}</th>'
            + "".join(f"<td>{_text(_shown(values[i]))}</td>" for _, values in content.own)
            + "</tr>"
            for i, name in enumerate(content.names)
        )
        found += (
            '\n<div class="scroll" tabindex="0" role="region" aria-label="Each model">'
            '<table><caption>Each model</caption><thead><tr><th scope="col">model</th>'
            f"{heads}</tr></thead>"
            f"<tbody>{rows}</tbody></table></div>"
        )
    return found


def _shown(value: Any) -> str:
    return "none" if value is None else str(value)


# ---- text that cannot become anything else -------------------------------------------------------


def _clean(text: str) -> str:
    """Without what no file in UTF-8 holds, such as names of files that are not UTF-8."""
    return str(text).encode("utf-8", "replace").decode("utf-8")


def _text(text: str) -> str:
    return escape(_clean(text), quote=True)


def _json(data: Any) -> str:
    """JSON in which no tag can end or begin."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _program(source: str) -> str:
    return source.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _asset(name: str) -> str:
    return files("prfast.report").joinpath(name).read_text(encoding="utf-8")
