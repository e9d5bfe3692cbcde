"""Sentences of a report that compare models by fixed rules, and the glossary of its numbers.

- A number of one model is lower than that of another if `Comparison.differences` says so: by more
  than its ±, which holds for all pairs of models at once, at a level of 0.95.  Otherwise the two
  are alike.
- One model misses more than another if its F_8 is lower and its diversity is too, while its
  fidelity is at least 0.1; it invents more if its F_1/8 is lower and its fidelity is too, while its
  diversity is at least 0.1; it is not as close to the real samples if its area is smaller.  Where
  only F_8 or F_1/8 is lower, the number is stated without these words: F_1/8 weighs recall a
  little, and is low for a model that reaches next to nothing, whatever it invents.  The words are
  those of the rows of `prfast.curve.summary`, each for one number, which is stated after it.
- Real samples are out of reach if the maximal recall is below 1 by at least 0.02 and by more than
  its scatter over bootstrap samples; generated ones are unlike any real one likewise by the maximal
  precision.
- Where the cells of a curve do not count samples, no model is called better.
- A model whose samples equal real ones is not called better, nor are others compared with it: its
  numbers cannot tell copying from skill (`prfast.curve.notes.copies`).

Sentences, formulas and words of the glossary come from the rows of `prfast.curve.summary` and
`prfast.scalars.table`, so that a number has the same explanation everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from prfast.comparison.differences import CurveDifferences, Difference
from prfast.curve.curve import quantile
from prfast.curve.notes import copies
from prfast.curve.summary import (
    Number,
    Row,
    area,
    f_1_8,
    f_8,
    max_precision,
    max_recall,
    row_of,
    shown,
)
from prfast.estimate.intervals import DRAWS
from prfast.report.cautions import Column, cautions, of_metrics
from prfast.results.values import shortened
from prfast.scalars.table import TABLE

# ---- glossary ------------------------------------------------------------------------------------


class Entry(NamedTuple):
    """A number, or another term of the page."""

    title: str
    says: str
    formula: str = ""
    larger_is_better: bool = True
    words: tuple[str, ...] = ()
    """Phrases for a model with more and with less of it."""


class Part(NamedTuple):
    """Entries under a heading, and the notation of their formulas."""

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
    """Return the terms of a page that shows these metrics, with or without bands."""
    numbers = [_number(row) for table in ("report", "ends") for row in shown(table)]
    in_table = [name for name in metrics if name in TABLE]
    parts = [
        Part("A curve and its points", [*_CURVE, *_POINTS], _MASSES),
        Part("Numbers of a curve", numbers),
    ]
    if in_table:
        parts.append(Part("Metrics, not of the curves", list(map(_metric, in_table)), _BALLS))
    return [*parts, Part("How sure", _uncertainty(bool(in_table), bands))]


def metric_title(name: str) -> str:
    """Return the name of a metric on a page."""
    return name.replace("_", " ")


def _number(row: Any) -> Entry:
    words = tuple(filter(None, (row.words.more, row.words.less)))
    return Entry(row.title, row.says, row.formula, row.larger_is_better, words)


def _metric(name: str) -> Entry:
    row = TABLE[name]
    return Entry(metric_title(name), row.says, row.formula, row.larger_is_better)


def _uncertainty(metrics: bool, bands: bool) -> list[Entry]:
    halves = " Of a metric: from random halves of all, or its own error." if metrics else ""
    entries = [
        Entry(
            "±",
            "Half width of a 95 % interval: how far the number would move with other samples. Of "
            f"a number of a curve: by the bootstrap, with the scorer held fixed.{halves}",
        )
    ]
    if bands:
        entries.append(
            Entry(
                "band",
                "What the samples behind a curve prove: the scorer's own curve, on endless "
                "samples, lies inside; the true curve lies below the dotted line.",
            )
        )
    return entries


# ---- sentences -----------------------------------------------------------------------------------


_LEVELS = (0.9, 0.75, 0.5, 0.25, 0.1)  # of precision or recall at which the other one is stated
_FORGIVING = (0.5, 0.25, 0.1)  # the same for F_8 and F_1/8; at higher levels both matter
_WITHIN = "within what sampling explains"
_LOST = 0.02  # least share of a set out of reach that is stated
_UNKNOWN = 0.025  # assumed deviation of the ends of a curve whose cells do not count samples
_SHARES = {
    "a tenth": 0.1,
    "a fifth": 0.2,
    "a quarter": 0.25,
    "three tenths": 0.3,
    "a third": 1 / 3,
    "two fifths": 0.4,
    "half": 0.5,
    "three fifths": 0.6,
    "two thirds": 2 / 3,
    "seven tenths": 0.7,
    "three quarters": 0.75,
    "four fifths": 0.8,
    "nine tenths": 0.9,
}


class Reading(NamedTuple):
    """Sentences of a report; names of models are not escaped."""

    summary: list[str]
    models: list[tuple[str, list[str]]]
    cautions: list[str]
    rule: str


def sentences(
    names: Sequence[str],
    differences: CurveDifferences,
    metrics: Mapping[str, Column] | None = None,
    notes: Sequence[str] = (),
    of_halves: Mapping[str, Sequence[Difference]] | None = None,
) -> Reading:
    """Return the reading of curves.

    Parameters
    ----------
    names : sequence of str
        Names of the models.
    differences : CurveDifferences
        Differences of their curves.
    metrics : mapping, optional
        Column of each metric.
    notes : sequence of str
        Sentences on the samples.
    of_halves : mapping, optional
        Differences of each metric whose errors are known.
    """
    curves = differences.curves
    return Reading(
        _summary(names, differences),
        [(name, _model(names, differences, i)) for i, name in enumerate(names)],
        [
            *notes,
            *of_metrics(names, differences, metrics or {}, of_halves or {}),
            *cautions(names, curves),
        ],
        rule(differences),
    )


def rule(differences: CurveDifferences) -> str:
    """Return the sentences on when a difference counts; "" for a single model."""
    if len(differences.curves) == 1:
        return ""
    if differences.unknown is not None:
        return (
            f"The cells of the curve of {differences.unknown} do not count samples, so which "
            "differences sampling explains is not known, and no model is called better."
        )
    sampled = (
        "resamples the real samples, which models share, once for all"
        if differences.paired
        else "takes the models' samples as independent"
    )
    return (
        f"A difference counts if it is larger than its ±, which holds for all pairs of models at "
        f"once at a level of {differences.confidence:g}; otherwise models are called alike. The ± "
        f"comes from {DRAWS} bootstrap samples of the scores; the bootstrap keeps the scorer and "
        f"{sampled}."
    )


def _summary(names: Sequence[str], differences: CurveDifferences) -> list[str]:
    """Return who comes closest, by the area."""
    values = [curve.area for curve in differences.curves]
    if len(names) == 1:
        return [
            f"The area under the curve is {values[0]:.3f}; it is 1 where the distributions are "
            "equal and 0 where they have nothing in common."
        ]
    order = sorted(range(len(names)), key=lambda i: -values[i])
    judged = [i for i in order if i in _judged(differences)]
    copied = [i for i in order if i not in judged]

    def shown(numbers: Sequence[int]) -> str:
        return shortened([f"{names[i]} ({values[i]:.3f})" for i in numbers])

    scale = "by the area under the curve, which is 1 where the distributions are equal"
    if differences.unknown is not None:
        return [f"From the largest to the smallest, {scale}: {shown(order)}."]
    lines = []
    if copied:
        them, be = ("It", "is") if len(copied) == 1 else ("They", "are")
        have = "has samples" if len(copied) == 1 else "have samples"
        lines.append(
            f"{shown(copied)} {have} that equal real ones, so the area cannot tell copying from "
            f"skill. {them} {be} not compared with the other models."
        )
    if len(judged) < 2:
        lines += [
            f"The area under the curve of {names[i]} is {values[i]:.3f}; it is 1 where the "
            "distributions are equal."
            for i in judged
        ]
        return lines
    best, *rest = judged
    behind = [i for i in rest if differences.falls_short(area, i, best)]
    alike = [i for i in rest if i not in behind]
    if not behind:
        return [*lines, f"Overall no model can be told from the best: {shown(judged)}, {scale}."]
    lines.append(f"Overall {shown([best])} {row_of(area).words.most}, {scale}.")
    if alike:
        be = "is" if len(alike) == 1 else "are"
        lines.append(f"{shown(alike)} {be} alike, {_WITHIN}.")
    lines.append(f"Behind: {shown(behind)}.")
    return lines


def _model(names: Sequence[str], differences: CurveDifferences, i: int) -> list[str]:
    """Return how a model compares with the best by each number, and what is out of reach."""
    curve = differences.curves[i]
    judged = _judged(differences)
    if len(names) > 1 and i not in judged:
        copied, of_all = copies(curve.info) or (0, 0)
        return [
            f"{copied} of its {of_all} samples equal a real one: its numbers cannot tell copying "
            "from skill, and it is not compared with the others.",
            *_reach(differences, i),
        ]
    others = [j for j in judged if j != i and differences.unknown is None]
    lines, alike, explained = [], [], False  # explained: by words that explain the area as well
    for number, levels_of in _SIDES:
        row = row_of(number)
        best = max(judged, key=lambda j: number(differences.curves[j]))
        if differences.falls_short(number, i, best):
            where = levels_of(differences, i, best, _FORGIVING)
            lines.append(_behind(number, names, differences, i, best, where))
            explained = explained or _says_so(row, differences, i, best)
        elif others and all(differences.falls_short(number, j, i) for j in others):
            of_all = all(_says_so(row, differences, j, i) for j in others)
            lines.append(
                f"It {row.words.most} ({row.title})."
                if of_all
                else f"Its {row.title} is the highest of all."
            )
        elif others:
            alike.append(f"{row.words.alike} ({row.title})")
    if alike:
        lines.append(f"It {' and '.join(alike)} as any other here, {_WITHIN}.")
    best = max(judged, key=lambda j: area(differences.curves[j]))
    if not explained and differences.falls_short(area, i, best):
        where = _recalls(differences, i, best, _LEVELS) or _precisions(
            differences, i, best, _LEVELS
        )
        lines.append(_behind(area, names, differences, i, best, where))
    if len(names) == 1:
        recall, precision = curve.recall_at(0.9), curve.precision_at(0.9)
        lines.append(f"At precision 0.9 its recall is {recall:.2f}.")
        lines.append(f"At recall 0.9 its precision is {precision:.2f}.")
    lines += _reach(differences, i)
    return lines


def _judged(differences: CurveDifferences) -> list[int]:
    """Return the models that are compared: those whose samples are not copies of real ones, or a
    single model."""
    curves = differences.curves
    return [i for i, curve in enumerate(curves) if len(curves) == 1 or copies(curve.info) is None]


def _behind(
    number: Number,
    names: Sequence[str],
    differences: CurveDifferences,
    i: int,
    best: int,
    where: str,
) -> str:
    """Return the sentence that a number is less than that of the best, by how much, and where the
    curve shows it."""
    row = row_of(number)
    value, other = number(differences.curves[i]), number(differences.curves[best])
    example = f": {where}" if where else ""
    against = f"{value:.3f} against {other:.3f}"
    if not _says_so(row, differences, i, best):
        return f"Its {row.title} is lower than that of {names[best]} ({against}){example}."
    return f"It {row.words.less} {names[best]} ({row.title} {against}){example}."


def _says_so(row: Row, differences: CurveDifferences, i: int, best: int) -> bool:
    """Return whether the words of a number that is less than that of the best apply."""
    if row.beside is None:
        return True
    return differences.falls_short(row.beside, i, best) and row.says_of(differences.curves[i])


def _recalls(differences: CurveDifferences, i: int, best: int, levels: Sequence[float]) -> str:
    """Return the recalls of both at the highest of these precisions at which they differ."""
    for level in levels:
        number = _recall_at(level)
        if differences.falls_short(number, i, best):
            value, other = number(differences.curves[i]), number(differences.curves[best])
            return f"at precision {level:g} its recall is {value:.2f} against {other:.2f}"
    return ""


def _precisions(differences: CurveDifferences, i: int, best: int, levels: Sequence[float]) -> str:
    """Return the precisions of both at the highest of these recalls at which they differ."""
    for level in levels:
        number = _precision_at(level)
        if differences.falls_short(number, i, best):
            value, other = number(differences.curves[i]), number(differences.curves[best])
            return f"at recall {level:g} its precision is {value:.2f} against {other:.2f}"
    return ""


# Numbers that are compared, with the function that finds an example on the curve.
_SIDES = ((f_8, _recalls), (f_1_8, _precisions))


@cache  # the same function for a level, as `CurveDifferences` caches by function
def _recall_at(precision: float) -> Number:
    return lambda curve: float(curve.recall_at(precision))


@cache
def _precision_at(recall: float) -> Number:
    return lambda curve: float(curve.precision_at(recall))


def _reach(differences: CurveDifferences, i: int) -> list[str]:
    """Return sentences on the share of either set that the other reaches at no trade-off."""
    # The hull of the scores: a curve that is the mean of it and a smoother one has other ends.
    curve = differences.curves[i].hull
    if curve.max_recall == 0:
        return ["It has nothing in common with the real samples."]
    ends = (
        (max_recall, "recall", "of the real samples {} out of reach"),
        (max_precision, "precision", "of its samples {} unlike any real one"),
    )
    lines = []
    for number, name, lost in ends:
        most = number(curve)
        # Not the interval of the end, which also covers mass that no sample hit.
        deviation = differences.deviation(number, i)
        deviation = _UNKNOWN if deviation is None else deviation
        if 1 - most > max(_LOST, quantile(differences.confidence) * deviation):
            part = share(1 - most)
            verb = "are" if part.endswith(("s", "%")) else "is"
            lines.append(f"Its maximal {name} is {most:.2f}: {part} {lost.format(verb)}.")
    return lines


def share(value: float) -> str:
    """Return a share in words, such as "about a fifth" or "3 %"."""
    name, nearest = min(_SHARES.items(), key=lambda item: abs(item[1] - value))
    if abs(nearest - value) <= 0.005:
        return name
    return f"about {name}" if abs(nearest - value) <= 0.02 else f"{100 * value:.0f} %"
