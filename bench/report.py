"""Findings of a case, printed and written as JSON; tables of the documentation from the JSON.

No figure of a table is typed by hand.  A table stands between the lines `<!-- bench: NAME -->` and
`<!-- /bench -->` of its page.  A run replaces it.  A table of speed has a column for each kind of
processor; a run replaces the column and the line of its kind.  Each row quotes figures of a case;
published.toml lists them.
"""

import json
import re
import shlex
import tomllib
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.contender import Contender
from bench.machine import FORCES, environment
from bench.measure import Measured, ratio, side_by_side, spread

Record = Mapping[str, Any]


@dataclass(frozen=True)
class Figure:
    """One number that a case is about, its quartiles if it has them, and its target if any."""

    name: str
    value: float
    quartiles: tuple[float, float] | None = None
    at_most: float | None = None
    at_least: float | None = None
    better: str | None = None
    """"lower" or "higher"; a target says it as well."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", float(self.value))  # of NumPy too

    @property
    def met(self) -> bool | None:
        """Whether the target is met; None without a target."""
        if self.at_most is None and self.at_least is None:
            return None
        return (self.at_most is None or self.value <= self.at_most) and (
            self.at_least is None or self.value >= self.at_least
        )

    @property
    def direction(self) -> str | None:
        """The better direction, "lower" or "higher"; None where neither is."""
        if self.at_most is not None:
            return "lower"
        return "higher" if self.at_least is not None else self.better

    @property
    def target(self) -> str:
        parts = (("<=", self.at_most), (">=", self.at_least))
        return " ".join(f"{sign} {bound:g}" for sign, bound in parts if bound is not None)


@dataclass(frozen=True)
class Findings:
    """Return value of `run(options)` of a case."""

    measured: dict[str, Measured] = field(default_factory=dict)
    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    numbers: Any = None
    """Anything else for the JSON file; a list of flat rows is printed as well."""

    def side_by_side(
        self, label: str, contenders: Mapping[str, Contender], repeats: int
    ) -> dict[str, Measured]:
        """Measure contenders and note them under a label; return them by name."""
        results = side_by_side(contenders, repeats)
        self.measured.update({f"{label}: {name}": result for name, result in results.items()})
        return results

    def ratio(
        self, name: str, over: Measured, under: Measured, *, cpu: bool = False, **target: Any
    ) -> None:
        """Add times of one contender over those of another, turn by turn."""
        result = ratio(over, under, cpu=cpu)
        self.figures.append(Figure(name, result.median, (result.low, result.high), **target))

    def peak(self, name: str, measured: Measured, at_most: float | None = None) -> None:
        """Add the peak MB of a contender beyond its inputs, where the system tells it."""
        if measured.peak_bytes is not None:
            self.figures.append(Figure(name, measured.peak_bytes / 1e6, at_most=at_most))


def table(findings: Findings, *, judged: bool = True) -> str:
    """Contenders, figures, notes.  At a tiny size targets are not judged."""
    blocks, notes = [], list(findings.notes)
    if findings.measured:
        notes += [
            "others: cores that other processes kept busy meanwhile.  "
            "peak MB: first call, beyond inputs."
        ]
        rows = [_measured_row(name, value) for name, value in findings.measured.items()]
        head = ("contender", "threads", "ms a call", "quartiles", "CPU ms", "others", "peak MB")
        blocks.append(columns([head, *rows]))
    if findings.figures:
        rows = [_figure_row(figure, judged) for figure in findings.figures]
        blocks.append(columns([("figure", "value", "quartiles", "target", "met"), *rows]))
    if isinstance(findings.numbers, list) and findings.numbers:
        blocks.append(columns(rows_of(findings.numbers)))
    blocks += ["\n".join(notes)] if notes else []
    return "\n\n".join(blocks)


def write(name: str, findings: Findings, options: Namespace) -> Path:
    """Write `name`.json into the folder of results; its path."""
    record = {
        "case": name,
        "options": {key: _plain(value) for key, value in vars(options).items()},
        "environment": environment(),
        "figures": [
            vars(figure) | {"met": figure.met, "better": figure.direction}
            for figure in findings.figures
        ],
        "measured": {
            contender: {key: value for key, value in vars(call).items() if key != "answer"}
            for contender, call in findings.measured.items()
        },
        "notes": findings.notes,
        "numbers": findings.numbers,
    }
    path: Path = options.results / f"{name}.json"
    path.write_text(json.dumps(record, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    return path


def read(case: str, results: Path, command: str) -> Record:
    """Return the record of a case that was run by a command.

    Raises
    ------
    FileNotFoundError, ValueError
        The case has not been run, or at a tiny size.
    """
    path = results / f"{case}.json"
    try:
        record: Record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} is missing; run {command} first") from None
    if record["options"].get("tiny"):
        raise ValueError(f"{path} is of a tiny run; run {command} first")
    return record


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


def _measured_row(name: str, measured: Measured) -> tuple[str, ...]:
    median, low, high = (1e3 * seconds for seconds in spread(measured.seconds))
    peak = "-" if measured.peak_bytes is None else f"{measured.peak_bytes / 1e6:.1f}"
    threads = "-" if measured.threads is None else str(measured.threads)
    cpu = f"{1e3 * spread(measured.cpu_seconds).median:.2f}"
    elsewhere = "-" if measured.others is None else f"{measured.others:.2f}"
    return name, threads, f"{median:.2f}", f"{low:.2f} .. {high:.2f}", cpu, elsewhere, peak


def _figure_row(figure: Figure, judged: bool) -> tuple[str, ...]:
    between = "" if figure.quartiles is None else "{:.3g} .. {:.3g}".format(*figure.quartiles)
    met = {True: "yes", False: "NO", None: ""}[figure.met if judged else None]
    return figure.name, f"{figure.value:.3g}", between, figure.target, met


def rows_of(numbers: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Return the head and the cells of flat rows; NAME_error stands behind NAME, after a ±."""
    keys = list(dict.fromkeys(key for row in numbers for key in row))
    heads = [
        key
        for key in keys
        if not (key.endswith("_error") and key.removesuffix("_error") in keys)
        and all(isinstance(row.get(key), str | int | float | None) for row in numbers)
    ]
    return [tuple(heads), *(tuple(_cell(row, key) for key in heads) for row in numbers)]


def _cell(row: Mapping[str, Any], key: str) -> str:
    value, error = row.get(key), row.get(f"{key}_error")
    text = "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
    return text if error is None else f"{text} ± {error:.2g}"


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Return a head and rows of text as a table of Markdown, the cells of a column of one width."""
    rows = [[cell.replace("|", r"\|") for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        " | ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        for row in [*rows[:1], ["-" * width for width in widths], *rows[1:]]
    ]
    return "\n".join(f"| {line} |" for line in lines)


# ---- tables of the documentation -------------------------------------------------------------


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
    """Return the kind of processor that decides how fast distances are, or the path forced."""
    path = record["environment"]["variables"].get(FORCES, "avx512vnni")
    has_vnni = "avx512_vnni" in record["environment"]["processor"]
    return "AVX-512 VNNI" if has_vnni and path == "avx512vnni" else "AVX2"


def render(table: Table, results: Path) -> str:
    """Return the table as Markdown, from the records in a folder.

    Raises
    ------
    FileNotFoundError, KeyError
        A case that has not been run; a figure that its record lacks.
    """
    records = {row.case: read(row.case, results, row.command) for row in table.rows}
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
        (place["cpu"], place["cores"], place["python"], place["variables"].get(FORCES))
        for place in environments
    }
    if len(places) > 1:
        raise ValueError(f"results of one machine expected, got {len(places)}: {sorted(places)}")
    cpu, cores, python, path = places.pop()
    cpu += "" if path is None else f" with {FORCES}={path}"
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
