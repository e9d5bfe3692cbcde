"""Base classes of all results, and their forms: text, HTML, pandas and loggers.

HTML loads nothing from elsewhere, fits light and dark themes, and all its text is escaped.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeVar

from prfast.inputs.errors import WrongType, import_optional, kind_of
from prfast.results.registry import renderer

# Text and JSON.

_LISTED = 6  # items of a list in a sentence; for longer lists it has the number of others
_LONGEST = 100  # characters of a line of a table


def for_json(number: float) -> float | str:
    """Return the number, "inf" for ∞: JSON cannot represent it."""
    return "inf" if number == math.inf else number


def as_text(number: float, digits: str) -> str:
    """Format a number by a format such as `.4f`, infinity as "∞"."""
    return f"{number:{digits}}".replace("inf", "∞")


def value_and_error(value: float, half_width: float | None, digits: str | None = None) -> str:
    """Return text such as "0.812 ± 0.014", or "0.8123" without a half width; digits: a format such
    as `.2f` in place of these."""
    if half_width is None:
        return as_text(value, digits or ".4f")
    digits = digits or ".3f"
    # The half width is at least 1 in the last decimal.
    decimals = re.search(r"\.(\d+)f$", digits)
    least = 10.0 ** -int(decimals[1]) if decimals else 0.0
    error = as_text(max(half_width, least), digits.replace("+", ""))
    return f"{as_text(value, digits)} ± {error}"


def curve_name(method: str, k: Any) -> str:
    """Return the name of a curve in a table: "knn k=5", or "auto" without a k."""
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


def wrapped(text: str) -> str:
    """Return a sentence in lines of at most 100 characters, those after the first indented."""
    wrapper = textwrap.TextWrapper(_LONGEST, subsequent_indent="  ")
    wrapper.break_long_words = wrapper.break_on_hyphens = False
    return wrapper.fill(text)


def folded(lines: Sequence[Sequence[str]], words: Collection[int]) -> list[str]:
    """Align rows of cells, the first column and those of `words` to the left.

    If lines would be longer than 100 characters, blocks of columns stand below each other, each
    with the first column.
    """
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    blocks, used = [[0]], widths[0]
    for i, width in enumerate(widths[1:], 1):
        if used + 2 + width > _LONGEST and len(blocks[-1]) > 1:
            blocks.append([0])
            used = widths[0]
        blocks[-1].append(i)
        used += 2 + width
    text: list[str] = []
    for block in blocks:
        text += [""] if text else []
        for line in lines:
            cells = [f"{line[i]:{'<' if i == 0 or i in words else '>'}{widths[i]}}" for i in block]
            text.append("  ".join(cells).rstrip())
    return text


# HTML for notebooks.

MOST = 60  # largest number of rows of an HTML table


def clean(text: object) -> str:
    """Replace surrogates, as of names of files that are not UTF-8, by "?"."""
    return str(text).encode("utf-8", "replace").decode("utf-8")


def escaped(text: object) -> str:
    """Escape text for an HTML element or attribute."""
    import html  # here, as it is not needed for text

    return html.escape(clean(text))


def table(
    head: Sequence[str], lines: Sequence[Sequence[str]], caption: str, words: Collection[int] = ()
) -> str:
    """Return an HTML table whose first column names the row; rows beyond `MOST` are counted.

    words: columns of text, aligned to the left.
    """
    marks = [" class=words" if i in words else "" for i in range(len(head))]
    columns = f'<th scope="col">{escaped(head[0])}</th>' if head[0] else "<td></td>"
    for mark, cell in zip(marks[1:], head[1:], strict=True):
        columns += f'<th scope="col"{mark}>{escaped(cell)}</th>'
    body = ""
    for name, *cells in lines[:MOST]:
        body += f'<tr><th scope="row">{escaped(name)}</th>'
        for mark, cell in zip(marks[1:], cells, strict=True):
            body += f"<td{mark}>{escaped(cell)}</td>"
        body += "</tr>"
    more = len(lines) - MOST
    below = f"<p>… and {more} more lines: to_frame() has all</p>" if more > 0 else ""
    return (
        f'<div role="group" tabindex="0" aria-label="{escaped(caption)}"><table>'
        f"<caption>{escaped(caption)}</caption><thead><tr>{columns}</tr></thead>"
        f"<tbody>{body}</tbody></table>{below}</div>"
    )


# Results.


class Display(NamedTuple):
    """A result as text and HTML show it: a table with sentences around it."""

    caption: str = ""  # of the HTML table
    lines: Sequence[Sequence[str]] = ()  # cells of the table; the first one of a line names it
    head: Sequence[str] = ()  # headings; by default none in text, and "value" in HTML
    notes: Sequence[str] = ()  # sentences below the table
    cautions: Sequence[str] = ()  # highlighted sentences above it
    picture: Callable[[], str] = str  # returns HTML beside it
    summary: str = ""  # last line of the text: how the result was made
    details: Iterable[str] = ()  # the same at length, in lines that HTML folds
    words: Collection[int] = ()  # columns of the table that hold text
    title: str = ""  # first line of the text


class Section(NamedTuple):
    """A section of a report: sentences, and a table of text."""

    title: str
    sentences: Sequence[str]
    head: Sequence[str] = ()
    lines: Sequence[Sequence[str]] = ()


class Records:
    """Base of results whose table follows from `rows`."""

    __slots__ = ()

    _index: ClassVar[str | None] = None
    """The column that names the rows of the table; None: rows are numbered."""

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each row of the table."""
        raise NotImplementedError

    def to_frame(self, **options: Any) -> Any:
        """Return a pandas.DataFrame with a row for each record of `rows`, NaN where one lacks a
        column; options of `rows`, such as ``confidence=0.95``.

        Raises
        ------
        ImportError
            pandas is missing; the message has the command to install it.
        """
        data = import_optional("pandas", "to_frame").DataFrame(self.rows(**options))
        return data if self._index is None or data.empty else data.set_index(self._index)


class Result(Records):
    """Base of results: tables follow from `rows`, text and HTML from `_display`."""

    __slots__ = ()

    def _display(self) -> Display:
        return renderer(self, "display")(self)

    def notes(self) -> list[str]:
        """Return the sentences below the printed table, one each."""
        return [*self._display().notes]

    def __eq__(self, other: object) -> bool:
        """Return whether both are of one class and have the same values."""
        if type(other) is not type(self):
            return NotImplemented
        return self._values_text() == other._values_text()

    def __hash__(self) -> int:
        return hash(self._values_text())

    def _values_text(self) -> str:
        """Return the values as text, in which nan equals nan."""
        values: Any = self
        return repr(values.to_dict())

    def __str__(self) -> str:
        """Return cautions, the table, notes and a line on how the result was made."""
        display = self._display()
        lines = [display.title] if display.title else []
        lines += [wrapped(f"Caution: {text}") for text in display.cautions]
        if display.lines:
            cells = [display.head, *display.lines] if display.head else display.lines
            lines += folded(cells, display.words)
        below = [*display.notes, *([display.summary] if display.summary else [])]
        return "\n".join([*lines, *([""] if lines and below else []), *map(wrapped, below)])

    def _repr_html_(self) -> str:
        from importlib.resources import files  # here, as it is not needed for text

        display, caution = self._display(), '<p class="caution"><strong>Caution:</strong> '
        parts = [f"{caution}{escaped(text)}</p>" for text in display.cautions]
        parts.append(display.picture())
        if display.lines:
            head = display.head or ["", "value"]
            parts.append(table(head, display.lines, display.caption, display.words))
        parts += [f"<p>{escaped(text)}</p>" for text in display.notes]
        if details := "".join(f"<p>{escaped(text)}</p>" for text in display.details):
            parts.append(f"<details><summary>How it was made</summary>{details}</details>")
        # Parts stand side by side as far as the width allows.  Names of classes that stand twice
        # outrank those of Jupyter.
        css = files("prfast.results").joinpath("card.css").read_text(encoding="utf-8")
        style = f"<style>{''.join(css.splitlines())}</style>"
        return f'<div class="prfast">{style}{"".join(parts)}</div>'


class Columns(Records):
    """Base of results whose `_asdict` returns columns of one length, a row for each point."""

    __slots__ = ()

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each point."""
        columns: Mapping[str, Any] = self._asdict()  # type: ignore[attr-defined]
        points = zip(*(column.tolist() for column in columns.values()), strict=True)
        return [dict(zip(columns, point, strict=True)) for point in points]


# Numbers for loggers and dashboards: {name: float}, with names of a to z, 0 to 9 and _.


def flat(numbers: Iterable[tuple[str, float]], prefix: Any = "") -> dict[str, float]:
    """Return the finite numbers, the prefix before each name: JSON cannot represent others."""
    if not isinstance(prefix, str):
        raise WrongType("prefix", f"a string expected, got {kind_of(prefix)}")
    return {prefix + name: float(value) for name, value in numbers if math.isfinite(value)}


def flat_names(curves: Iterable[tuple[str, Any]]) -> list[str]:
    """Return a prefix for the numbers of each curve, from its method and k: "knn_k5_", "auto_";
    repeated names get "_2", "_3", …, and that of a single curve is empty."""
    names: list[str] = []
    for key in curves:
        stem = re.sub(r"[^a-z0-9]+", "_", curve_name(*key).replace("=", "").lower()).strip("_")
        name, number = stem or "curve", 2
        while name in names:
            name, number = f"{stem or 'curve'}_{number}", number + 1
        names.append(name)
    return [""] if len(names) == 1 else [f"{name}_" for name in names]


Value = TypeVar("Value", covariant=True)


class Values(Mapping[str, Value], Result):
    """Immutable, picklable mapping of names to values, in the order of its argument."""

    _index = "name"

    def __init__(self, values: Mapping[str, Value], info: Mapping[str, Any] | None = None) -> None:
        self._values, self._info = dict(values), dict(info or {})

    @property
    def info(self) -> Mapping[str, Any]:
        """Record of how the values were made."""
        return MappingProxyType(self._info)

    def __getitem__(self, name: str) -> Value:
        if name not in self._values:
            raise KeyError(f"one of {', '.join(map(str, self))} expected, got {name!r}")
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON: ``values``, {name: number}, infinite ones as
        "inf"; ``info``, how they were made."""
        values: Mapping[str, Any] = self._values
        plain = {name: for_json(value) for name, value in values.items()}
        return {"values": plain, "info": dict(self._info)}

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each name, in order: ``name`` and ``value``."""
        return [{"name": name, "value": value} for name, value in self.items()]

    def scalars(self, prefix: str = "") -> dict[str, Any]:
        """Return the finite numbers for a logger, a flat {name: float}, with `prefix`, a string, as
        for `PRCurve.scalars`."""
        numbers: Mapping[str, Any] = self._values
        return flat(numbers.items(), prefix)

    def text(self, name: str) -> str:
        """Return the value as it stands in a table."""
        value: Any = self[name]
        return as_text(value, ".6g")

    def _display(self) -> Display:
        return Display(
            type(self).__name__,
            [[name, self.text(name)] for name in self],
            details=[f"{key}: {value}" for key, value in self._info.items()],
        )

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={self.text(name)}" for name in self)
        return f"{type(self).__name__}({values})"
