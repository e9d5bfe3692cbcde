"""Findings of a case: a table of text and a JSON file."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.contender import Contender
from bench.machine import environment
from bench.measure import Measured, ratio, side_by_side, spread


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
