"""What every number on the page means; nothing that is not on it.

A number says the same wherever it stands: its sentence, its formula and its words come from its
row, in `prfast.curve.summary` or `prfast.scalars.table`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from prfast.curve.summary import shown
from prfast.scalars.table import TABLE


class Entry(NamedTuple):
    """A number, or another term of the page."""

    title: str
    says: str
    formula: str = ""
    larger_is_better: bool = True
    words: tuple[str, ...] = ()
    """What is said of a model with more and with less of it."""


class Part(NamedTuple):
    """Entries under a heading, and what their formulas call things."""

    title: str
    entries: list[Entry]
    signs: str = ""


_CURVE = [
    Entry(
        "λ",
        "The trade-off of a point on the curve: how many times too often something may be "
        "generated and still count in full. Large λ asks what is invented, small λ what is missed.",
        "λ = precision / recall",
    ),
    Entry(
        "precision at λ",
        "The share of what is generated that counts as real, at this trade-off.",
        "α = Σ min(λ pᵢ, qᵢ)",
    ),
    Entry(
        "recall at λ",
        "The share of what is real that counts as generated, at this trade-off.",
        "β = Σ min(pᵢ, qᵢ / λ)",
    ),
]
_POINTS = [
    Entry(
        "recall at precision x",
        "The largest recall of the points of the curve whose precision is x or more.",
    ),
    Entry(
        "precision at recall x",
        "The largest precision of the points of the curve whose recall is x or more.",
    ),
]
_MASSES = "pᵢ and qᵢ: the shares of the real and of the generated samples whose scores are alike."
_BALLS = (
    "X: the real samples. Y: the generated ones. r_k(z): how far z is from the k-th nearest of its "
    "own set. A ball: what is no farther. Of precision and recall cover k is cover_k, and k′ is "
    "cover_reach, or cover_factor times k; R is p_radius, or p_factor times the mean r_k, k being "
    "p_k."
)


def glossary(metrics: Iterable[str], bands: bool) -> list[Part]:
    """The terms of a page that shows these metrics, and bands or not."""
    numbers = [_number(row) for table in ("report", "ends") for row in shown(table)]
    known = [name for name in metrics if name in TABLE]
    parts = [
        Part("A curve and its points", [*_CURVE, *_POINTS], _MASSES),
        Part("Numbers of a curve", numbers),
    ]
    if known:
        parts.append(Part("Metrics, not of the curves", list(map(_metric, known)), _BALLS))
    return [*parts, Part("How sure", _sure(bool(known), bands))]


def metric_title(name: str) -> str:
    """What a page calls a metric."""
    return name.replace("_", " ")


def _number(row: Any) -> Entry:
    words = tuple(filter(None, (row.words.more, row.words.less)))
    return Entry(row.title, row.says, row.formula, row.larger_is_better, words)


def _metric(name: str) -> Entry:
    row = TABLE[name]
    return Entry(metric_title(name), row.says, row.formula, row.larger_is_better)


def _sure(metrics: bool, bands: bool) -> list[Entry]:
    halves = " Of a metric: from random halves of all, or its own error." if metrics else ""
    found = [
        Entry(
            "±",
            "Half width of a 95 % interval: how far the number would move with other samples. Of "
            f"a number of a curve: by the bootstrap, with the scorer held fixed.{halves}",
        )
    ]
    if bands:
        found.append(
            Entry(
                "band",
                "What the samples behind a curve prove: the scorer's own curve, on endless "
                "samples, lies inside; the true curve lies below the dotted line.",
            )
        )
    return found
