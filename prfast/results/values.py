"""Mappings of names to values, and the forms of all results: text, HTML, pandas and loggers.

Metrics, divergences and comparisons derive from `Values`, which adds the record of how they were
made; tuples of arrays of one length derive from `Columns`.

HTML for notebooks loads nothing from elsewhere.  Text has the color of its surroundings and lines
are translucent grey, for light and dark themes alike; all text is escaped.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar

from prfast.inputs.errors import WrongType, import_optional, kind_of

# Text and JSON.

_LISTED = 6  # items of a list in a sentence; of longer lists the sentence says how many others


def for_json(number: float) -> float | str:
    """Return the number, "inf" for ∞, which JSON cannot represent."""
    return "inf" if number == math.inf else number


def as_text(number: float, digits: str) -> str:
    """Format a number by a format such as ".4f", infinity as "∞"."""
    return f"{number:{digits}}".replace("inf", "∞")


def curve_name(method: str, k: Any) -> str:
    """Return the name of a curve in a table: "knn k=5", or "auto", which has no k."""
    return method if k is None else f"{method} k={k}"


def counted(number: int, singular: str, plural: str) -> str:
    """Return the number with its noun, such as "1 file" and "2 files"."""
    return f"{number} {singular if number == 1 else plural}"


def listed(items: Sequence[str]) -> str:
    """Join one or more items: "a", "a and b", "a, b and c"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def shortened(items: Sequence[str]) -> str:
    """Join the first six items and the number of the others."""
    others = len(items) - _LISTED
    return listed(items if others < 2 else [*items[:_LISTED], f"{others} others"])


def aligned(
    lines: Sequence[Sequence[str]], *, least: int = 0, first: Callable[[str, int], str] = str.ljust
) -> list[str]:
    """Align rows of cells in columns that are two spaces apart and at least `least` wide.

    The first column is aligned by `first`, to the left by default, the others to the right.
    """
    name_width, *widths = (max(map(len, column)) for column in zip(*lines, strict=True))
    aligned_lines = []
    for name, *cells in lines:
        numbers = (cell.rjust(max(least, w)) for cell, w in zip(cells, widths, strict=True))
        aligned_lines.append("  ".join([first(name, name_width), *numbers]).rstrip())
    return aligned_lines


# HTML for notebooks.

MOST = 60  # largest number of rows of an HTML table

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
    ".prfast.prfast tbody th{text-align:left;font-weight:400}"  # twice: outranks Jupyter's
    ".prfast.prfast thead th:first-child{text-align:left}"
    ".prfast ul{list-style:none;padding:0}"
    ".prfast li{display:inline-block;margin:0 16px 0 0}"
    ".prfast .caution{border-left:4px solid #d55e00;padding-left:8px}"
    ".prfast summary{cursor:pointer}"
    "</style>"
)


def clean(text: object) -> str:
    """Replace surrogates, as in names of files that are not UTF-8, by "?"."""
    return str(text).encode("utf-8", "replace").decode("utf-8")


def escaped(text: object) -> str:
    """Escape text for an HTML element or attribute."""
    return html.escape(clean(text))


def shown(*parts: str) -> str:
    """Return the HTML of parts that stand side by side as far as the width allows."""
    return f'<div class="prfast">{_STYLE}{"".join(parts)}</div>'


def table(
    head: Sequence[str], lines: Sequence[Sequence[str]], caption: str, rest: str = "to_frame()"
) -> str:
    """Return an HTML table whose first column names the row.

    Rows beyond `MOST` are left out, and a sentence below refers to `rest` for them.
    """
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
    """Return a highlighted paragraph for each sentence."""
    return "".join(
        f'<p class="caution"><strong>Caution:</strong> {escaped(text)}</p>' for text in sentences
    )


def folded(title: str, lines: Iterable[str]) -> str:
    """Return lines that a click on the title unfolds; nothing if there are none."""
    inside = "".join(sentence(line) for line in lines)
    return f"<details><summary>{escaped(title)}</summary>{inside}</details>" if inside else ""


# Tables of pandas, which is imported where one is made.


def frame(rows: Sequence[Mapping[str, Any]] | Mapping[str, Any], index: str | None = None) -> Any:
    """Return a pandas.DataFrame of records, or of columns by their names.

    index: the column whose entries name the rows; rows are numbered by default.
    """
    data = import_optional("pandas", "to_frame", None).DataFrame(rows)
    return data if index is None or data.empty else data.set_index(index)


class Result:
    """Base of results: a subclass has `rows`, from which its table of pandas follows."""

    __slots__ = ()

    _index: ClassVar[str | None] = None
    """The column that names the rows of the table; None: rows are numbered."""

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each row of the table."""
        raise NotImplementedError

    def to_frame(self) -> Any:
        """Return the result as a table of pandas.

        Returns
        -------
        pandas.DataFrame
            The records of `rows`, NaN where one lacks a column.

        Raises
        ------
        ImportError
            pandas is missing; the message says how to install it.
        """
        return frame(self.rows(), self._index)


class Columns(Result):
    """Base of results that are arrays of one length: a named tuple, or a class with `_asdict`."""

    __slots__ = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each point; its keys are ``t`` and ``F`` for `Lorenz`, else the
        fields."""
        columns = self._asdict()  # type: ignore[attr-defined]
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


# Numbers for loggers and dashboards: {name: float}, with names of a to z, 0 to 9 and _.


def flat(numbers: Iterable[tuple[str, float]], prefix: Any = "") -> dict[str, float]:
    """Return the finite numbers, with the prefix before each name.

    NaN and ∞ are left out: JSON cannot represent them, and dashboards fail on them.
    """
    if not isinstance(prefix, str):
        raise WrongType("prefix", f"a string expected, got {kind_of(prefix)}")
    return {prefix + name: float(value) for name, value in numbers if math.isfinite(value)}


def flat_names(curves: Iterable[tuple[str, Any]]) -> list[str]:
    """Return a prefix for the numbers of each curve, from its method and k: "knn_k5_", "auto_".

    Repeated names get "_2", "_3", …; the prefix of a single curve is empty.
    """
    names: list[str] = []
    for method, k in curves:
        name = re.sub(r"[^a-z0-9]+", "_", curve_name(method, k).replace("=", "").lower()).strip("_")
        name = name or "curve"
        candidates = chain([name], (f"{name}_{number}" for number in count(2)))
        names.append(next(candidate for candidate in candidates if candidate not in names))
    return [""] if len(names) == 1 else [f"{name}_" for name in names]


Value = TypeVar("Value", covariant=True)


class Values(Mapping[str, Value], Result):
    """Immutable, picklable mapping of names to values, in the order of its argument."""

    _index = "name"

    def __init__(self, values: Mapping[str, Value], info: Mapping[str, Any] | None = None) -> None:
        self._values: Mapping[str, Value] = MappingProxyType(dict(values))
        self._info: Mapping[str, Any] = MappingProxyType(dict(info or {}))

    @property
    def info(self) -> Mapping[str, Any]:
        """Record of how the values were made."""
        return self._info

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self._values), dict(self._info))

    def to_dict(self) -> dict[str, Any]:
        """Return numbers and strings for JSON.

        Returns
        -------
        dict
            ``values``, {name: number}, infinite ones as "inf"; ``info``, how they were made; for
            metrics that have standard errors, ``errors``, {name: standard error}.
        """
        values: Mapping[str, Any] = self._values
        return {
            "values": {name: for_json(value) for name, value in values.items()},
            "info": dict(self._info),
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each name, in the order of the mapping: ``name`` and ``value``."""
        return [{"name": name, "value": value} for name, value in self.items()]

    def _text(self, name: str) -> str:
        """Return the value as it stands in a table."""
        value: Any = self[name]
        return as_text(value, ".6g")

    def _below(self) -> list[str]:
        """Return the sentences below the table."""
        return []

    def _repr_html_(self) -> str:
        return self._table("value")

    def _table(self, heading: str) -> str:
        lines = [[name, self._text(name)] for name in self]
        provenance = [f"{key}: {value}" for key, value in self._info.items()]
        return shown(
            table(["", heading], lines, type(self).__name__),
            *map(sentence, self._below()),
            folded("How they were made", provenance),
        )

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.6g}" for name, value in self.items())
        return f"{type(self).__name__}({values})"
