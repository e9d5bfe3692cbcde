"""Groups and Change, the results of `by_class`; tables of numbers with ±; HTML for notebooks.

`numbers_of` lists the numbers of curves and metrics with their half widths, `cell` formats one.
The functions `of_evaluation`, `of_comparison`, `of_differences` and `of_groups` are the
`_repr_html_` of the classes that they are named after.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prfast.curve import PRCurve
from prfast.curve.curve import LEVEL, legend
from prfast.curve.notes import FEW, ROUGH
from prfast.curve.summary import area, shown
from prfast.estimate.explain import column_sentences, drawn, value_and_error
from prfast.estimate.intervals import has_intervals, several_intervals
from prfast.inputs.options import read_share
from prfast.results import values
from prfast.results.values import Result, aligned, as_text, curve_name, shortened
from prfast.scalars.result import Halves, Metrics, half_width
from prfast.scalars.table import SET_METRICS, digits

Told = tuple[float, float | None]  # a value and its half width, None where it is not known


def numbers_of(
    curves: Mapping[Any, PRCurve],
    metrics: Metrics,
    halves: Halves | None = None,
    confidence: float | None = None,
) -> dict[str, Told]:
    """Return {heading: (value, half width)} of each curve, as "auto: area", then of the metrics.

    halves: metrics of halves of the samples, for errors of metrics without a standard error.
    confidence: level of the half widths; None (default) for none.
    """
    level = None if confidence is None else read_share("confidence", confidence)
    found: dict[str, Told] = {}
    half: float | None
    for (method, k), curve in curves.items():
        rows = shown("comparison")
        widths: list[float | None] = [None] * len(rows)
        if level is not None and has_intervals(curve):
            intervals = several_intervals(curve, [row.value for row in rows], level)
            widths = [one.half_width for one in intervals]
        for row, half in zip(rows, widths, strict=True):
            found[f"{curve_name(method, k)}: {row.title}"] = row.value(curve), half
    for name, value in metrics.items():
        half = None
        if level is not None:
            half = half_width(name, value, metrics.errors, halves, level)
        found[name] = value, half
    return found


def digits_of(name: str, known: bool) -> str:
    """Return the format of a number: one digit less where ± is known.

    Metrics with a unit have formats of their own.
    """
    if name in SET_METRICS:
        return digits(name)
    return ".3f" if known else ".4f"


def cell(name: str, value: float, half: float | None, known: bool) -> str:
    """Return a cell of a table, as "0.712 ±.014".

    known: whether any cell of the table has ±, so that others are padded.
    """
    digits = digits_of(name, known)
    if not known:
        return as_text(value, digits)
    told = "" if half is None else "±" + as_text(half, digits).removeprefix("0")
    return f"{as_text(value, digits)} {told:5}"


def of_evaluation(one: Any) -> str:
    """Return an evaluation as HTML: its curves, every number with ±, notes and cautions."""
    curves = {curve_name(*key): curve for key, curve in one.curves.items()}
    numbers = one.numbers(LEVEL)
    return values.shown(
        values.cautions(one.cautions()),
        drawn(curves),
        _numbers(["value"], [numbers], "Evaluation"),
        *_below([numbers], one.notes()),
        values.folded(
            "How it was made",
            [line for line in one.curve.explain().splitlines() if line not in one.notes()],
        ),
    )


def of_comparison(models: Mapping[str, Any]) -> str:
    """Return a comparison as HTML: the first curve of each model, numbers, notes, cautions."""
    cautions = [f"{name}: {text}" for name, one in models.items() for text in one.cautions()]
    numbers = [one.numbers(LEVEL) for one in models.values()]
    notes = [
        f"{name}: {text}"
        for name, one in models.items()
        for text in (*one.notes(), *column_sentences(one.curve)[:1])
    ]
    return values.shown(
        values.cautions(cautions),
        drawn({name: one.curve for name, one in models.items()}),
        _numbers(list(models), numbers, "Comparison"),
        *_below(numbers, notes),
        values.sentence("Is one better than another? differences() says.") * (len(models) > 1),
    )


def _below(numbers: Sequence[Mapping[str, Told]], notes: Sequence[str]) -> list[str]:
    """Return the explanation of ±, where there is one, and the notes."""
    known = any(half is not None for of_model in numbers for _, half in of_model.values())
    return [values.sentence(one) for one in (*([legend()] if known else []), *notes)]


def of_differences(found: Any) -> str:
    """Return differences as HTML: a table, and for what the level holds simultaneously."""
    rest = f"to_frame(), {len(found.clear)} of all are clear"
    lines = [
        [
            f"{one.model} − {one.other}",
            f"{one.curve}: {one.number}" if one.curve else one.number,
            f"{one.value:+.3f} ± {one.half_width:.3f}",
            f"{one.p:.3f}",
            "clear" if one.clear else "",
        ]
        for one in found
    ]
    head = ["models", "number", "difference", "p", "clear?"]
    return values.shown(
        values.table(head, lines, "Differences", rest), values.sentence(f"{found.family}.")
    )


def of_groups(groups: Any) -> str:
    """Return groups as HTML: a table of the classes, and the classes without a curve."""
    head, *lines = groups.lines()
    told = [f"{label}: {why}" for label, why in groups.left_out.items()]
    return values.shown(
        values.table([*head[:3], "clear", *head[4:]], lines, "Classes"),
        values.folded("Without a curve or metrics", told),
    )


def _numbers(head: Sequence[str], columns: Sequence[Mapping[str, Told]], caption: str) -> str:
    """Return a table with a line a number."""
    names = dict.fromkeys(name for column in columns for name in column)
    lines = [[name, *(_cell(column, name) for column in columns)] for name in names]
    return values.table(["", *head], lines, caption)


def _cell(column: Mapping[str, Told], name: str) -> str:
    """Return a number with its ±; "" where a model does not have it."""
    if name not in column:
        return ""
    value, half = column[name]
    return value_and_error(value, half, digits_of(name, half is not None))


@dataclass(frozen=True)
class Change:
    """The shares of a class in the real and in the generated samples."""

    label: Any
    real: float
    fake: float
    standard_error: float
    """Standard error of fake − real: √(p(1 − p)/n + q(1 − q)/m)."""

    @property
    def difference(self) -> float:
        """fake − real: invented mass if positive, dropped mass if negative."""
        return self.fake - self.real

    @property
    def clear(self) -> bool:
        """Whether the difference exceeds three standard errors."""
        return abs(self.difference) > 3 * self.standard_error


@dataclass(frozen=True, repr=False)
class Groups(Result):
    """The result of `prfast.by_class`; prints as a table.

    curves: {label: {(method, k): PRCurve}}.  metrics: {label: Metrics}.  labels: the curve of the
    two histograms of labels.  changes: a `Change` for each class, in the order of the labels.
    left_out: {label: reason} for classes that have no curve or no metrics.
    """

    _index = "class"

    curves: Mapping[Any, dict[tuple[str, Any], PRCurve]]
    metrics: Mapping[Any, Metrics]
    labels: PRCurve
    changes: Sequence[Change]
    left_out: Mapping[Any, str]

    @property
    def dropped(self) -> list[Change]:
        """Classes with clearly less generated than real mass, the largest loss first."""
        found = [one for one in self.changes if one.clear and one.difference < 0]
        return sorted(found, key=lambda one: one.difference)

    @property
    def invented(self) -> list[Change]:
        """Classes with clearly more generated than real mass, the largest gain first."""
        found = [one for one in self.changes if one.clear and one.difference > 0]
        return sorted(found, key=lambda one: -one.difference)

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each class.

        ``class``, its shares ``real`` and ``fake``, their ``difference``, its ``standard_error``,
        whether it is ``clear``; then the numbers of its curves and metrics under the headings of
        `Evaluation.numbers`, as far as there are any, and after a metric with a standard error
        the half width of its 95 % interval, as "kernel_distance ±".
        """
        found = []
        for one in self.changes:
            row: dict[str, Any] = {
                "class": one.label,
                "real": one.real,
                "fake": one.fake,
                "difference": one.difference,
                "standard_error": one.standard_error,
                "clear": one.clear,
            }
            of_class = self.metrics.get(one.label, Metrics({}))
            numbers = numbers_of(self.curves.get(one.label, {}), of_class)
            for name, (value, _) in numbers.items():
                row[name] = value
                half = half_width(name, value, of_class.errors)
                if half is not None:
                    row[f"{name} ±"] = half
            found.append(row)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``labels``, the curve of the histograms of labels; ``classes``, as `rows` has them;
            ``curves``, a list with ``class``, ``method``, ``k`` and ``curve``; ``left_out``, a list
            with ``class`` and ``why``.
        """
        return {
            "labels": self.labels.to_dict(),
            "classes": self.rows(),
            "curves": [
                {"class": label, "method": method, "k": k, "curve": curve.to_dict()}
                for label, curves in self.curves.items()
                for (method, k), curve in curves.items()
            ],
            "left_out": [{"class": label, "why": why} for label, why in self.left_out.items()],
        }

    def _repr_html_(self) -> str:
        return of_groups(self)

    def lines(self) -> list[list[str]]:
        """Return the cells of the printed table, the header first."""
        names = list(next(iter(self.metrics.values()), ()))
        lines = [["class", "real", "fake", "", "area", *names]]
        for one in self.changes:
            curves, metrics = self.curves.get(one.label), self.metrics.get(one.label)
            line = [str(one.label), f"{one.real:.4f}", f"{one.fake:.4f}", _word(one)]
            line.append(_area(next(iter(curves.values()))) if curves else "-")
            line += [metrics.text(name) if metrics else "-" for name in names]
            lines.append(line)
        return lines

    def __repr__(self) -> str:
        found = {"dropped": self.dropped, "invented": self.invented}
        told = (f"{len(ones)} clearly {word}" for word, ones in found.items())
        return f"Groups({len(self.changes)} classes, {', '.join(told)})"

    def __str__(self) -> str:
        """Return a line for each class: shares, the kind of a clear change, area, metrics."""
        return "\n".join(
            [
                *aligned(self.lines(), first=str.rjust),
                *([legend()] if any(has_intervals(c) for c in self._first_curves()) else []),
                *(f"{shortened(labels)}: {why}" for why, labels in self._reasons().items()),
                *self._cautions(),
            ]
        )

    def _first_curves(self) -> list[PRCurve]:
        return [next(iter(curves.values())) for curves in self.curves.values()]

    def _reasons(self) -> dict[str, list[str]]:
        """Return {reason: labels} of the classes that are left out."""
        found: dict[str, list[str]] = {}
        for label, why in self.left_out.items():
            found.setdefault(why, []).append(str(label))
        return found

    def _cautions(self) -> list[str]:
        sizes = {label: _fewest(one.info) for label, one in self.metrics.items()}
        few = [str(label) for label, size in sizes.items() if size < FEW]
        if not few:
            return []
        return [f"{shortened(few)}: with fewer than {FEW} samples of either set {ROUGH}."]


def _area(curve: PRCurve) -> str:
    """Return the area, with ± where the curve has sample counts."""
    if not has_intervals(curve):
        return f"{curve.area:.4f}"
    return str(several_intervals(curve, [area], LEVEL)[0])


def _fewest(info: Mapping[str, Any]) -> float:
    """Return the smaller number of samples of a class, by the info of its metrics."""
    sizes = (info.get(f"class_{one}", info.get(f"n_{one}", math.inf)) for one in ("real", "fake"))
    return min(float(size) for size in sizes)


def _word(change: Change) -> str:
    """Return the word for a clear change: of all the mass of a class, or of a part of it."""
    if not change.clear:
        return ""
    if change.difference < 0:
        return "dropped" if change.fake == 0 else "less"
    return "invented" if change.real == 0 else "more"
