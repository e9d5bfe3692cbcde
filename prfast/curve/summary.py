"""`ROWS`, the numbers of a curve that are displayed, with names and wording; `Interval`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from operator import attrgetter, methodcaller
from typing import Any, NamedTuple

from prfast.inputs.errors import WrongType, WrongValue, closest
from prfast.inputs.options import is_word
from prfast.results.values import Display, Result, value_and_error

Number = Callable[[Any], float]

LEVEL = 0.95  # confidence of every ± that is shown without a level of its own
ALIKE = 0.98  # area, fidelity or diversity from which on no difference is reported
_QUANTILE_AT_LEVEL = 1.9599639845400536


def quantile(confidence: float) -> float:
    """Return z with P(|Z| <= z) = confidence for a standard normal Z."""
    if confidence == LEVEL:  # the usual case, without an import that takes as long as a curve
        return _QUANTILE_AT_LEVEL
    from statistics import NormalDist

    return NormalDist().inv_cdf((1 + confidence) / 2)


@dataclass(frozen=True)
class Interval(Result):
    """A number of a curve with its confidence interval; prints as "0.812 ± 0.014"."""

    value: float
    """The number of the curve."""
    low: float
    """Lower end of the interval."""
    high: float
    """Upper end of the interval."""
    confidence: float
    """Confidence level, in (0, 1)."""

    @property
    def half_width(self) -> float:
        """Length of the longer side of the interval, printed after the ±."""
        if math.isinf(self.value):  # a level that is not reached
            return math.inf
        return max(self.high - self.value, self.value - self.low)

    def rows(self) -> list[dict[str, Any]]:
        """Return one record, that of `to_dict`."""
        return [self.to_dict()]

    def to_dict(self) -> dict[str, float]:
        """Return plain numbers for JSON: ``value``, ``low``, ``high``, ``confidence``."""
        return asdict(self)

    def _display(self) -> Display:
        ends = f"level {self.confidence:g}: {self.low:.4g} to {self.high:.4g}"
        return Display(notes=[f"{self} ({ends})"])

    def __format__(self, digits: str) -> str:
        """Return the value and its ± in a format such as ``".2f"``; by default ``".3f"``."""
        return value_and_error(self.value, self.half_width, digits or None)

    def __str__(self) -> str:
        return f"{self}"

    def __float__(self) -> float:
        return self.value


f_8: Number = methodcaller("f_score", 8.0)  # weighs recall (2018, §4.3)
f_1_8: Number = methodcaller("f_score", 1 / 8)  # weighs precision


class Row(NamedTuple):
    """A number of a curve; a new one is a function and a row of `ROWS`."""

    key: str  # name in JSON and in logs: letters, digits and _ alone
    title: str  # name in headings
    value: Number
    places: Sequence[str]
    """Tables that show it: json, repr, report, comparison of models; and "interval", the
    numbers whose interval is in the JSON."""
    says: str = ""
    """Meaning, in a sentence of the report for readers who do not know the formula."""
    formula: str = ""
    larger_is_better: bool = True
    more: str = ""  # phrase for a model with more of it than another
    ends: tuple[float, float] = (0.0, 1.0)  # least and largest possible value


_MAIN = ("json", "repr", "report", "comparison", "interval")
ROWS = (
    Row(
        "fidelity",
        "fidelity",
        attrgetter("fidelity"),
        _MAIN,
        "How much of what is generated looks real, be it up to 20 times too much of one kind.",
        "α = Σ min(λ pᵢ, qᵢ) at λ = 20",
        more="is more faithful than",
    ),
    Row(
        "diversity",
        "diversity",
        attrgetter("diversity"),
        _MAIN,
        "How much of what is real is generated, in full where at least half as often as it is "
        "real.",
        "β = Σ min(pᵢ, qᵢ / λ) at λ = 1/2",
        more="is more diverse than",
    ),
    Row(
        "area",
        "area",
        attrgetter("area"),
        _MAIN,
        "How close the two distributions are as a whole: 1 if they are equal, 0 if they have "
        "nothing in common.",
        "½ ∫ β² dλ, the area under the curve",
        more="is closer to the real samples than",
    ),
    Row(
        "overlap",
        "overlap",
        attrgetter("overlap"),
        _MAIN,
        "The share that the two distributions have in common, where nothing in excess is forgiven: "
        "1 if they are equal, 0 if they have nothing in common.",
        "1 − total variation = Σ min(pᵢ, qᵢ): α = β at λ = 1",
    ),
    Row(
        "f8",
        "F8",
        f_8,
        _MAIN,
        "How little of what is real is missed: recall weighs 8 times as much as precision, of "
        "which too little lowers it too.",
        "max (1 + b²) precision · recall / (b² precision + recall) along the curve, b = 8",
    ),
    Row(
        "f1_8",
        "F1/8",
        f_1_8,
        _MAIN,
        "How little of what is generated is invented: precision weighs 8 times as much as recall, "
        "of which too little lowers it too.",
        "the same with b = 1/8",
    ),
    Row(
        "total_variation",
        "total variation",
        attrgetter("total_variation"),
        ("json", "interval"),
        larger_is_better=False,
    ),
    # The ends are 1 for any two distributions of full support: narrow tables leave them out.
    Row(
        "max_precision",
        "max precision",
        attrgetter("max_precision"),
        ("json",),
        "The end of the curve at recall 0: the share of what is generated where there is anything "
        "real at all.",
        "α at λ = ∞",
    ),
    Row(
        "max_recall",
        "max recall",
        attrgetter("max_recall"),
        ("json",),
        "The end of the curve at precision 0: the share of what is real where anything at all is "
        "generated.",
        "β at λ = 0",
    ),
    Row("median_lambda", "median λ", attrgetter("median"), ("json",), ends=(0.0, math.inf)),
)


def rows_of_table(table: str) -> list[Row]:
    return [row for row in ROWS if table in row.places]


def for_record(curve: Any) -> dict[str, float]:
    """Return the numbers of a curve for JSON, by their keys; every one is finite."""
    return {row.key: row.value(curve) for row in rows_of_table("json")}


def read_row(name: str, number: Any) -> Row:
    """Return the row of a number, by its key, title or function; a new one of another function."""
    for row in ROWS:
        if number is row.value or is_word(number, row.key, row.title):
            return row
    if isinstance(number, str):
        keys = [row.key for row in ROWS]
        text = f"one of {', '.join(keys)}, or a function of a curve expected, got {number!r}"
        raise WrongValue(name, text + closest(number, keys))
    if not callable(number):
        text = f"a name or a function of a curve expected, got {type(number).__name__}"
        raise WrongType(name, text)
    title = str(getattr(number, "__name__", number))
    return Row("", title, number, (), ends=(-math.inf, math.inf))
