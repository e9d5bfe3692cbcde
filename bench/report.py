"""Tables of the documentation from the JSON of the cases: no figure in them is typed by hand.

A table stands between the lines `<!-- bench: NAME -->` and `<!-- /bench -->` of its page.  A run
replaces it.  A table of speed has a column for each kind of processor; a run replaces the column
and the line of its kind.  Each row quotes figures of a case; published.toml lists them.
"""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Row:
    """The thing measured, the case, and the figures quoted: `{name}` in `quote` is replaced by
    the value of that figure, `{name|.2f}` formats it, `{name|quartiles}` is value (low to high)."""

    what: str
    case: str
    quote: str
    options: str = ""

    @property
    def command(self) -> str:
        return f"`python -m bench {self.case}{' ' + self.options if self.options else ''}`"


@dataclass(frozen=True)
class Table:
    """The page of docs/ that it is on, and its rows; a column of commands where they differ, and
    a column for each of `kinds` of processors."""

    page: str
    head: tuple[str, ...]
    rows: tuple[Row, ...]
    kinds: tuple[str, ...] = ()


def _read_tables() -> dict[str, Table]:
    """Return the tables of published.toml; a table may state the case and options of its rows."""
    text = Path(__file__).with_name("published.toml").read_text(encoding="utf-8")
    tables = {}
    for name, entry in tomllib.loads(text).items():
        shared = {key: entry[key] for key in ("case", "options") if key in entry}
        rows = tuple(Row(**(shared | row)) for row in entry["rows"])
        kinds = tuple(entry.get("kinds", ()))
        tables[name] = Table(entry["page"], tuple(entry["head"]), rows, kinds)
    return tables


TABLES = _read_tables()


def commands(chosen: Iterable[Table], data: Path) -> list[list[str]]:
    """Words of the commands that make the records, each case once, with the options of its rows.

    Raises
    ------
    ValueError
        Rows of a case have different options.
    """
    options: dict[str, str] = {}
    for row in (row for table in chosen for row in table.rows):
        earlier = options.get(row.case) or row.options
        if row.options not in ("", earlier):
            raise ValueError(f"{row.case}: one record expected, of {earlier} and of {row.options}")
        options[row.case] = earlier
    words = {case: shlex.split(text) for case, text in options.items()}
    return [
        [case, *(str(data) if word == "FILE.npz" else word for word in of)]
        for case, of in words.items()
    ]


def fill(text: str, name: str, table: str) -> str:
    """Return the text with the table between its marks.

    Raises
    ------
    ValueError
        There are no marks of this name.
    """
    marks = re.compile(rf"(<!-- bench: {name} -->\n).*?(<!-- /bench -->)", re.DOTALL)
    result, places = marks.subn(lambda mark: mark[1] + _completed(table, mark[0]) + mark[2], text)
    if places != 1:
        raise ValueError(f"one place for the table {name} expected, got {places}")
    return result


def _completed(table: str, before: str) -> str:
    """Return the table with the cells and lines that it leaves to another run (–) from the table
    before."""
    rows = {line.split(" | ")[0]: line.split(" | ") for line in before.splitlines()}
    lines = []
    for line in table.splitlines():
        cells = line.split(" | ")
        earlier = rows.get(cells[0], cells)
        if len(earlier) == len(cells) > 1:
            cells = [old if cell == "–" else cell for cell, old in zip(cells, earlier, strict=True)]
        elif line.endswith(": –"):
            cells = next(([x] for x in before.splitlines() if x.startswith(line[:-1])), cells)
        lines.append(" | ".join(cells))
    return "\n".join([*lines, ""])


def kind_of(record: Record) -> str:
    """Return the kind of processor that decides how fast distances are."""
    processor = record["environment"]["processor"]
    return "AVX-512 VNNI" if "avx512_vnni" in processor else "AVX2"


def render(table: Table, results: Path) -> str:
    """Return the table as Markdown, from the records in a folder.

    Raises
    ------
    FileNotFoundError, KeyError
        A case that has not been run; a figure that its record lacks.
    """
    records = {row.case: _record(row, results) for row in table.rows}
    differ = len({row.command for row in table.rows}) > 1
    head = [*table.head, *table.kinds, *["command"] * differ]
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    kind = kind_of(next(iter(records.values()))) if table.kinds else ""
    for row in table.rows:
        quoted = _quoted(row, records[row.case])
        values = [quoted if name == kind else "–" for name in table.kinds] or [quoted]
        lines.append(f"| {' | '.join([row.what, *values, *[row.command] * differ])} |")
    where = _where(records) if differ else f"{table.rows[0].command}; {_where(records)}"
    places = [f"{name}: {where if name == kind else '–'}" for name in table.kinds] or [where]
    return "\n".join([*lines, "", "\n\n".join(places), ""])


def _record(row: Row, results: Path) -> Record:
    path = results / f"{row.case}.json"
    try:
        record: Record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} is missing; run {row.command} first") from None
    if record["options"].get("tiny"):
        raise ValueError(f"{path} is of a tiny run; run {row.command} first")
    return record


def _quoted(row: Row, record: Record) -> str:
    figures = {figure["name"]: figure for figure in record["figures"]}

    def value(result: re.Match[str]) -> str:
        name, form = result[1], result[2] or ".3g"
        if name not in figures:
            raise KeyError(f"{row.case}: no figure {name!r}; there are {', '.join(figures)}")
        figure = figures[name]
        if form == "quartiles":
            low, high = figure["quartiles"]
            return f"{figure['value']:.3g} ({low:.3g} to {high:.3g})"
        return format(figure["value"], form)

    return re.sub(r"\{([^{}]+?)(?:\|([^{}|]*))?\}", value, row.quote)


def _where(records: Mapping[str, Record]) -> str:
    """Return the machine and the libraries, which all records of a table must share, but for
    libraries that a case does without."""
    environments = [record["environment"] for record in records.values()]
    places = {
        (environment["cpu"], environment["cores"], environment["python"])
        for environment in environments
    }
    if len(places) > 1:
        raise ValueError(f"results of one machine expected, got {len(places)}: {sorted(places)}")
    cpu, cores, python = places.pop()
    versions: dict[str, str] = {}
    for name, version in (pair for place in environments for pair in place["versions"].items()):
        if versions.setdefault(name, version) != version:
            raise ValueError(f"results of one {name} expected, got {versions[name]} and {version}")
    days = sorted({record["environment"]["date"][:10] for record in records.values()})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    return (
        f"{when}, {cpu}, {cores} cores, Python {python}, "
        + ", ".join(f"{name} {version}" for name, version in versions.items())
        + (
            "; medians of ratios taken turn by turn, quartiles in brackets."
            if any(record["measured"] for record in records.values())
            else "."
        )
    )
