"""Sentences of a report that compare models by fixed rules, and its cautions.

- A number of one model is lower than that of another if `Comparison.differences` says so: by more
  than its ±, which holds for all pairs of models at once, at a level of 0.95.  Otherwise the two
  are alike.
- One model is less diverse, less faithful or less close to the real samples than another if its
  diversity, fidelity or area is lower.  The words are those of the rows of `prfast.curve.summary`,
  each for one number, which is stated after it.
- Real samples are out of reach if the maximal recall is below 1 by at least 0.02 and by more than
  its scatter over bootstrap samples; generated ones are unlike any real one likewise by the maximal
  precision.
- Where the cells of a curve do not count samples, no model is called better.
- A model whose samples equal real ones is not called better, nor are others compared with it: its
  numbers cannot tell copying from skill (`prfast.curve.provenance.copies`).

Cautions are on numbers of samples, methods, splits, copies, and metrics that order models otherwise
than the curves do.  Notes on samples are those of `prfast.curve.provenance`, as everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations
from typing import NamedTuple

from prfast.comparison.differences import CurveDifferences, Difference
from prfast.curve import PRCurve
from prfast.curve.provenance import copies, notes_of_several
from prfast.curve.summary import (
    Number,
    area,
    diversity,
    f_1_8,
    f_8,
    fidelity,
    max_precision,
    max_recall,
    quantile,
    row_of,
)
from prfast.estimate.intervals import DRAWS
from prfast.results.values import shortened

COPIES = 0.2  # authenticity below which there is a caution; that of equal laws is 1/3 or more
OPPOSED = {"recall": f_8, "precision": f_1_8}  # metrics, and the numbers that should order alike
_LEVELS = (0.9, 0.75, 0.5, 0.25, 0.1)  # of precision or recall at which the other one is stated
_WITHIN = "within what sampling explains"
_LOST = 0.02  # least share of a set out of reach that is stated
_UNKNOWN_DEVIATION = 0.025  # of the ends of a curve whose cells do not count samples
_UNKNOWN_ERROR = 0.05  # least difference of a metric without known error that contradicts a curve


class Reading(NamedTuple):
    """Sentences of a report; names of models are not escaped."""

    summary: list[str]
    models: list[tuple[str, list[str]]]
    cautions: list[str]
    rule: str


def read(
    differences: CurveDifferences,
    metrics: Mapping[str, Sequence[float]] | None = None,
    notes: Sequence[str] = (),
    metric_differences: Mapping[str, Sequence[Difference]] | None = None,
) -> Reading:
    """Return the reading of curves.

    metrics: {metric: its value for each model, NaN where missing}.  notes: sentences on the
    samples.  metric_differences: of metrics whose errors are known.
    """
    names, curves = differences.names, differences.curves
    return Reading(
        _summary(differences),
        [(name, _model(differences, i)) for i, name in enumerate(names)],
        [
            *notes,
            *_metric_cautions(differences, metrics or {}, metric_differences or {}),
            *cautions(names, curves),
        ],
        _rule(differences),
    )


def _rule(differences: CurveDifferences) -> str:
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


def _summary(differences: CurveDifferences) -> list[str]:
    """Return who comes closest, by the area."""
    names = differences.names
    values = [curve.area for curve in differences.curves]
    order = sorted(range(len(names)), key=lambda i: -values[i])
    judged = [i for i in order if i in _judged(differences)]
    copied = [i for i in order if i not in judged]

    def shown(numbers: Sequence[int]) -> str:
        return shortened([f"{names[i]} ({values[i]:.3f})" for i in numbers])

    scale = "by the area under the curve, which is 1 where the distributions are equal"
    if differences.unknown is not None and len(names) > 1:
        return [f"From the largest to the smallest, {scale}: {shown(order)}."]
    lines = []
    if copied:
        lines.append(
            f"Samples of {shown(copied)} equal real ones, so the area cannot tell copying from "
            "skill; no other model is compared with these."
        )
    if len(judged) < 2:
        end = "it is 1 where the distributions are equal and 0 where they have nothing in common"
        return lines + [f"The area under the curve of {shown([i])}: {end}." for i in judged]
    best, *rest = judged
    behind = [i for i in rest if differences.falls_short(area, i, best)]
    alike = [i for i in rest if i not in behind]
    if not behind:
        return [*lines, f"Overall no model can be told from the best: {shown(judged)}, {scale}."]
    lines.append(f"Overall {shown([best])} {row_of(area).words.most}, {scale}.")
    if alike:
        lines.append(f"As close, {_WITHIN}: {shown(alike)}.")
    lines.append(f"Behind: {shown(behind)}.")
    return lines


def _model(differences: CurveDifferences, i: int) -> list[str]:
    """Return how a model compares with the best by each number, and what is out of reach."""
    curve, single = differences.curves[i], len(differences.curves) == 1
    judged = _judged(differences)
    if not single and i not in judged:
        copied, of_all = copies(curve.provenance) or (0, 0)
        return [
            f"{copied} of its {of_all} samples equal a real one: its numbers cannot tell copying "
            "from skill, and it is not compared with the others.",
            *_reach(differences, i),
        ]
    others = [j for j in judged if j != i and differences.unknown is None]
    lines, alike, behind = [], [], False
    for number, coordinate in ((diversity, "recall"), (fidelity, "precision")):
        row = row_of(number)
        best = max(judged, key=lambda j: number(differences.curves[j]))
        if differences.falls_short(number, i, best):
            lines.append(_behind(number, differences, i, best, [coordinate]))
            behind = True
        elif others and all(differences.falls_short(number, j, i) for j in others):
            lines.append(f"It {row.words.most} ({row.title}).")
        elif others:
            alike.append(f"{row.words.alike} ({row.title})")
    if alike:
        lines.append(f"It {' and '.join(alike)} as any other here, {_WITHIN}.")
    best = max(judged, key=lambda j: area(differences.curves[j]))
    if not behind and differences.falls_short(area, i, best):
        lines.append(_behind(area, differences, i, best, ["recall", "precision"]))
    if single:
        recall, precision = curve.recall_at(0.9), curve.precision_at(0.9)
        lines.append(f"At precision 0.9 its recall is {recall:.2f}.")
        lines.append(f"At recall 0.9 its precision is {precision:.2f}.")
    lines += _reach(differences, i)
    return lines


def _judged(differences: CurveDifferences) -> list[int]:
    """Return the models that are compared: those whose samples are not copies of real ones, or a
    single model."""
    curves = differences.curves
    return [
        i for i, curve in enumerate(curves) if len(curves) == 1 or copies(curve.provenance) is None
    ]


def _behind(
    number: Number, differences: CurveDifferences, i: int, best: int, coordinates: Sequence[str]
) -> str:
    """Return the sentence that a number is less than that of the best, by how much, and where one
    of these coordinates of the curve shows it."""
    row = row_of(number)
    value, other = number(differences.curves[i]), number(differences.curves[best])
    examples = (_example(differences, one, i, best) for one in coordinates)
    where = next(filter(None, examples), "")
    return (
        f"It {row.words.less} {differences.names[best]} ({row.title} {value:.3f} against "
        f"{other:.3f}){where}."
    )


def _example(differences: CurveDifferences, coordinate: str, i: int, best: int) -> str:
    """Return the recalls, or precisions, of both at the highest of `_LEVELS` of the other
    coordinate at which they differ."""
    other = "precision" if coordinate == "recall" else "recall"
    for level in _LEVELS:
        number = _at(coordinate, level)
        if differences.falls_short(number, i, best):
            value, most = number(differences.curves[i]), number(differences.curves[best])
            return f": at {other} {level:g} its {coordinate} is {value:.2f} against {most:.2f}"
    return ""


@cache  # one function for a level, as `CurveDifferences` caches by function
def _at(coordinate: str, level: float) -> Number:
    return lambda curve: float(getattr(curve, f"{coordinate}_at")(level))


def _reach(differences: CurveDifferences, i: int) -> list[str]:
    """Return sentences on the share of either set that the other reaches at no trade-off."""
    # The hull of the scores: a curve that is the mean of it and a smoother one has other ends.
    curve = differences.curves[i].hull
    if curve.max_recall == 0:
        return ["It has nothing in common with the real samples."]
    ends = (
        (max_recall, "recall", "of the real samples are out of reach"),
        (max_precision, "precision", "of its samples are unlike any real one"),
    )
    lines = []
    for number, name, lost in ends:
        most = number(curve)
        # Not the interval of the end, which also covers mass that no sample hit.
        deviation = differences.deviation(number, i)
        deviation = _UNKNOWN_DEVIATION if deviation is None else deviation
        if 1 - most > max(_LOST, quantile(differences.confidence) * deviation):
            lines.append(f"Its maximal {name} is {most:.2f}: {100 * (1 - most):.0f} % {lost}.")
    return lines


# ---- cautions ------------------------------------------------------------------------------------


def cautions(names: Sequence[str], curves: Sequence[PRCurve]) -> list[str]:
    """Return cautions on the samples, methods and splits of curves."""
    made = [curve.provenance for curve in curves]
    lines = notes_of_several(dict(zip(names, made, strict=True)))
    reals = [one.n_real for one in made if one.n_real is not None]
    fakes = [one.n_fake for one in made if one.n_fake is not None]
    if len(fakes) == len(names) and max(fakes) > 1.05 * min(fakes):
        models = shortened([f"{name} ({size})" for name, size in zip(names, fakes, strict=True)])
        lines.append(
            f"The models have different numbers of samples: {models}. Estimates move with that "
            "number; compare equal ones before a small difference is believed."
        )
    if reals and fakes and max(reals + fakes) > 2 * min(reals + fakes):
        lines.append(
            "The largest set has more than twice the samples of the smallest: the metrics of "
            "nearest neighbors depend on both sizes, and are best compared at equal ones."
        )
    if len({(one.method, one.k, one.split) for one in made}) > 1:
        lines.append(
            "The curves were not estimated in one way (method, k or split differ): their "
            "differences are not those of the models alone."
        )
    scored = [one for one in made if one.method != "kmeans"]  # by a scorer
    if len(scored) < len(made):
        lines.append(
            "Cells of k-means hide differences inside a cell; the curve can lie on either side "
            "of the true one."
        )
    if any(one.held_out is False for one in scored):
        lines.append(
            "Without a split a scorer that was fitted to the samples scores these same samples: "
            "the curve can fall below the true one."
        )
    if any(one.split is not None for one in made):
        lines.append(
            "A scorer on held-out samples gives a curve above the true one, up to sampling: what "
            "it misses may be missing still."
        )
    return lines


def _metric_cautions(
    differences: CurveDifferences,
    metrics: Mapping[str, Sequence[float]],
    metric_differences: Mapping[str, Sequence[Difference]],
) -> list[str]:
    """Return cautions on metrics that indicate copies, or order models otherwise than the curves.

    metric_differences: of each metric whose errors are known.
    """
    names = differences.names
    lines = [
        f"{name} has authenticity {value:.2f}: most of its samples are copies of real ones, or "
        "nearer to one than that is to any other real one. A model that is too narrow has such "
        "samples as well."
        for name, value in zip(names, metrics.get("authenticity", ()), strict=False)
        if value < COPIES
    ]
    for key, number in OPPOSED.items():
        pairs = [
            (i, j)
            for i, j in permutations(range(len(names)), 2)
            if key in metrics
            and _exceeds(names, metrics[key], metric_differences.get(key), i, j)
            and differences.falls_short(number, i, j)
        ]
        if pairs:
            title = row_of(number).title
            i, j = pairs[0]
            more = "" if len(pairs) < 2 else f" So it is of {len(pairs)} pairs of models."
            lines.append(
                f"The metric {key} is higher for {names[i]} than for {names[j]}, {title} of the "
                f"curves is lower: the two order these models in opposite ways. What is said "
                f"here follows {title}.{more}"
            )
    return lines


def _exceeds(
    names: Sequence[str],
    values: Sequence[float],
    known: Sequence[Difference] | None,
    i: int,
    j: int,
) -> bool:
    """Return whether a metric of model i is clearly larger than that of model j.

    known: differences of the metric, None where its errors are not known.
    """
    if known is None:
        return values[i] - values[j] > _UNKNOWN_ERROR
    pair = {names[i], names[j]}
    clear = any(one.clear and {one.model, one.other} == pair for one in known)
    return clear and values[i] > values[j]
