"""Results as a notebook shows them: tables and sentences, in light and in dark.

Nothing is loaded from elsewhere.  Ink is that of the text around, lines are grey and see-through,
so that no theme has to be known.  What is written is text: names come in escaped.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

MOST = 60  # lines of a table

_STYLE = (
    "<style>"
    ".prfast{display:flex;flex-wrap:wrap;gap:0 24px;align-items:flex-start;font-size:13px}"
    ".prfast>*{max-width:100%}"
    ".prfast>p,.prfast>details,.prfast>ul{flex-basis:100%;margin:4px 0}"
    ".prfast>div{overflow-x:auto;scrollbar-color:rgba(128,128,128,.6) transparent}"
    ".prfast svg{flex:none;vertical-align:middle}"
    ".prfast table{margin:0 0 4px;border-collapse:collapse;table-layout:auto;font-size:13px;"
    "font-variant-numeric:tabular-nums}"
    ".prfast caption{text-align:left;font-weight:600;padding:4px 8px;caption-side:top;"
    "color:inherit;white-space:nowrap}"
    ".prfast th,.prfast td{text-align:right;padding:3px 8px;white-space:nowrap;"
    "border:0;border-bottom:1px solid rgba(128,128,128,.4);max-width:none}"
    ".prfast th{font-weight:600}"
    ".prfast.prfast tbody th{text-align:left;font-weight:400}"  # twice: before those of Jupyter
    ".prfast.prfast thead th:first-child{text-align:left}"
    ".prfast ul{list-style:none;padding:0}"
    ".prfast li{display:inline-block;margin:0 16px 0 0}"
    ".prfast .caution{border-left:4px solid #d55e00;padding-left:8px}"
    ".prfast summary{cursor:pointer}"
    "</style>"
)


def clean(text: object) -> str:
    """With ? for what no file in UTF-8 holds, as in names of files that are not UTF-8."""
    return str(text).encode("utf-8", "replace").decode("utf-8")


def escaped(text: object) -> str:
    """As HTML, in an element or an attribute."""
    return html.escape(clean(text))


def shown(*parts: str) -> str:
    """What stands together: beside each other where there is room."""
    return f'<div class="prfast">{_STYLE}{"".join(parts)}</div>'


def table(
    head: Sequence[str], lines: Sequence[Sequence[str]], caption: str, rest: str = "to_frame()"
) -> str:
    """Text in columns, the first of which names the line; below it how many more lines `rest`
    has, where they are too many to read."""
    columns = "".join(f'<th scope="col">{escaped(cell)}</th>' for cell in head[1:])
    first = f'<th scope="col">{escaped(head[0])}</th>' if head[0] else "<td></td>"
    body = "".join(_line(line) for line in lines[:MOST])
    more = len(lines) - MOST
    below = sentence(f"… and {more} more lines: {rest}") if more > 0 else ""
    return (
        f'<div role="group" tabindex="0" aria-label="{escaped(caption)}"><table>'
        f"<caption>{escaped(caption)}</caption><thead><tr>{first}{columns}</tr></thead>"
        f"<tbody>{body}</tbody></table>{below}</div>"
    )


def _line(cells: Sequence[str]) -> str:
    numbers = "".join(f"<td>{escaped(cell)}</td>" for cell in cells[1:])
    return f'<tr><th scope="row">{escaped(cells[0])}</th>{numbers}</tr>'


def sentence(text: str) -> str:
    return f"<p>{escaped(text)}</p>"


def cautions(sentences: Iterable[str]) -> str:
    """What is not to be overlooked, a sentence each."""
    return "".join(
        f'<p class="caution"><strong>Caution:</strong> {escaped(one)}</p>' for one in sentences
    )


def folded(title: str, lines: Iterable[str]) -> str:
    """Lines that are there when somebody asks."""
    inside = "".join(sentence(line) for line in lines)
    return f"<details><summary>{escaped(title)}</summary>{inside}</details>" if inside else ""
