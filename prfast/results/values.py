"""Names -> values, and how they were made: what metrics, divergences and comparisons have in
common.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from prfast.inputs.columns import load_extra
from prfast.inputs.errors import WrongType, kind_of

# Results as text and JSON: numbers, aligned columns, ∞.


_LISTED = 6  # items of a list in a sentence, before it only says how many more there are


def for_json(number: float) -> float | str:
    """JSON knows no infinity: "inf"."""
    return "inf" if number == math.inf else number


def as_text(number: float, digits: str) -> str:
    """A number in a format such as ".4f"; "∞" if it is infinite."""
    return f"{number:{digits}}".replace("inf", "∞")


def curve_name(method: str, k: Any) -> str:
    """What a table calls the curve of a method and k: "knn k=5"; "auto", which has no k."""
    return method if k is None else f"{method} k={k}"


def counted(number: int, one: str, more: str) -> str:
    """ "1 file", "2 files"."""
    return f"{number} {one if number == 1 else more}"


def listed(items: Sequence[str]) -> str:
    """At least one item: a; a and b; a, b and c."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def shortened(items: Sequence[str]) -> str:
    """A list in a sentence: the first six by name, and how many others there are."""
    left = len(items) - _LISTED
    return listed(items if left < 2 else [*items[:_LISTED], f"{left} others"])


def aligned(
    lines: Sequence[Sequence[str]], *, least: int = 0, first: Callable[[str, int], str] = str.ljust
) -> list[str]:
    """Lines of cells in columns, two spaces apart, of at least a width: names to the left, or as
    `first` puts them, numbers to the right."""
    name_width, *widths = (max(map(len, column)) for column in zip(*lines, strict=True))
    found = []
    for name, *cells in lines:
        numbers = (cell.rjust(max(least, w)) for cell, w in zip(cells, widths, strict=True))
        found.append("  ".join([first(name, name_width), *numbers]).rstrip())
    return found


# Results as a notebook shows them: tables and sentences, in light and in dark.
#
# Nothing is loaded from elsewhere.  Ink is that of the text around, lines are grey and
# see-through, so that no theme has to be known.  What is written is text: names come in escaped.


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


# Results as tables of pandas, which is imported where one is asked for.


def frame(rows: Sequence[Mapping[str, Any]] | Mapping[str, Any], index: str | None = None) -> Any:
    """A pandas.DataFrame of records, or of columns by their names.

    index: the column whose entries name the rows; by default they have numbers.
    """
    found = load_extra("pandas", "to_frame", None).DataFrame(rows)
    return found if index is None else found.set_index(index)


class _Columns(Protocol):
    def _asdict(self) -> dict[str, Any]: ...


class Framed:
    """Points with names, `_asdict`, that have a table."""

    __slots__ = ()

    def to_frame(self: _Columns) -> Any:
        """A table of pandas.

        Returns
        -------
        pandas.DataFrame
            A row a point, a column a name: ``t`` and ``F`` of `Lorenz`; of the others their fields.

        Raises
        ------
        ImportError
            pandas is missing; the message says how to install it.
        """
        return frame(self._asdict())


# Numbers as loggers and dashboards take them: a flat {name: float}.
#
# Names have a to z, 0 to 9 and _ alone.  A number that is not finite, NaN or ∞, is left out: JSON
# knows none, and dashboards stumble.


def flat(numbers: Iterable[tuple[str, float]], prefix: Any = "") -> dict[str, float]:
    """The numbers that are finite, each with the prefix before its name."""
    if not isinstance(prefix, str):
        raise WrongType("prefix", f"a string expected, got {kind_of(prefix)}")
    return {prefix + name: float(value) for name, value in numbers if math.isfinite(value)}


def flat_names(curves: Iterable[tuple[str, Any]]) -> list[str]:
    """What stands before the numbers of each curve, by its method and k: "knn_k5_", "auto_"; one
    whose name is taken gets "_2", or the next number that is free.  Of one curve alone, nothing."""
    names: list[str] = []
    for method, k in curves:
        name = re.sub(r"[^a-z0-9]+", "_", curve_name(method, k).replace("=", "").lower()).strip("_")
        name = name or "curve"
        tries = chain([name], (f"{name}_{number}" for number in count(2)))
        names.append(next(one for one in tries if one not in names))
    return [""] if len(names) == 1 else [f"{name}_" for name in names]


Value = TypeVar("Value", covariant=True)


class Values(Mapping[str, Value]):
    """Names and values, in the order given, which nobody changes; picklable."""

    def __init__(self, values: Mapping[str, Value], info: Mapping[str, Any] | None = None) -> None:
        self._values: Mapping[str, Value] = MappingProxyType(dict(values))
        self._info: Mapping[str, Any] = MappingProxyType(dict(info or {}))

    @property
    def info(self) -> Mapping[str, Any]:
        """How the values were made."""
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
        """Plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``values``, {name: number}, where what is infinite is "inf"; ``info``, how they were
            made; of metrics that come with one, ``errors``, {name: standard error}.
        """
        values: Mapping[str, Any] = self._values
        return {
            "values": {name: for_json(value) for name, value in values.items()},
            "info": dict(self._info),
        }

    def to_frame(self) -> Any:
        """A table of pandas.

        Returns
        -------
        pandas.DataFrame
            A row a name, in the order of the mapping, its number in the column ``value``; of
            metrics that come with one, the ``standard_error``.

        Raises
        ------
        ImportError
            pandas is missing; the message says how to install it.
        """
        return frame({"name": list(self), **self._columns()}, "name")

    def _columns(self) -> dict[str, list[Any]]:
        return {"value": list(self.values())}

    def _text(self, name: str) -> str:
        """A value as its table has it."""
        value: Any = self[name]
        return as_text(value, ".6g")

    def _below(self) -> list[str]:
        """What stands below the table."""
        return []

    def _repr_html_(self) -> str:
        return self._table("value")

    def _table(self, heading: str) -> str:
        pass

        lines = [[name, self._text(name)] for name in self]
        made = [f"{key}: {value}" for key, value in self._info.items()]
        return shown(
            table(["", heading], lines, type(self).__name__),
            *map(sentence, self._below()),
            folded("How they were made", made),
        )

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.6g}" for name, value in self.items())
        return f"{type(self).__name__}({values})"
