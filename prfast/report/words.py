"""Sentences of a report on models, and its cautions.

- Every model is compared with the one of the largest area by `Differences.sentences`.
- Real samples are out of reach if the maximal recall is below 1 by at least 0.02 and by more than
  its scatter over bootstrap samples; generated ones are unlike any real one likewise by the maximal
  precision.
- Where the cells of a curve do not count samples, no models are compared.
- A model whose samples equal real ones is not compared with others: its numbers cannot tell copying
  from skill (`prfast.curve.provenance.copies`).

Cautions are on numbers of samples, methods, splits, copies, and metrics that order models otherwise
than the curves do.  Notes on samples are those of `prfast.curve.provenance`, as everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from prfast.comparison.differences import CurveDifferences, Difference, Differences
from prfast.curve import PRCurve
from prfast.curve.provenance import copies, notes_of_several
from prfast.curve.summary import (
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
_COMPARED = (diversity, fidelity, area)  # numbers by which models are compared
_LOST = 0.02  # least share of a set out of reach that is stated
_UNKNOWN_DEVIATION = 0.025  # of the ends of a curve whose cells do not count samples


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
    single = len(curves) == 1
    copied = [i for i, curve in enumerate(curves) if not single and copies(curve.provenance)]
    compared = _comparisons(differences, copied)
    return Reading(
        _summary(differences, copied),
        [(name, [*compared.get(name, []), *_ends(differences, i)]) for i, name in enumerate(names)],
        [
            *notes,
            *_copy_cautions(names, metrics or {}),
            *_metric_cautions(differences, metric_differences or {}),
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
            "differences sampling explains is not known, and no models are compared."
        )
    sampled = (
        "resamples the real samples, which models share, once for all"
        if differences.paired
        else "takes the models' samples as independent"
    )
    return (
        "A difference counts if it is larger than its ±, which holds for all pairs of models at "
        f"once at a level of {differences.confidence:g}. The ± comes from {DRAWS} bootstrap "
        f"samples of the scores; the bootstrap keeps the scorer and {sampled}."
    )


def _by_area(differences: CurveDifferences) -> list[int]:
    """Return the models, that with the largest area first."""
    return sorted(range(len(differences.names)), key=lambda i: -differences.curves[i].area)


def _summary(differences: CurveDifferences, copied: Sequence[int]) -> list[str]:
    """Return the areas, and which models are not compared."""
    names, order = differences.names, _by_area(differences)
    areas = shortened([f"{names[i]} ({differences.curves[i].area:.3f})" for i in order])
    first = ", largest first" if len(order) > 1 else ""
    scale = "1: the distributions are equal, 0: they have nothing in common"
    lines = [f"By the area under the curve{first} ({scale}): {areas}."]
    if copied:
        which = shortened([names[i] for i in copied])
        lines.append(f"Compared with no other, as samples equal real ones: {which}.")
    return lines


def _comparisons(differences: CurveDifferences, copied: Sequence[int]) -> dict[str, list[str]]:
    """Return sentences that compare each model with that of the largest area."""
    order = [differences.names[i] for i in _by_area(differences) if i not in copied]
    if len(order) < 2 or differences.unknown is not None:
        return {}
    best, *others = order
    every = [one for row in map(row_of, _COMPARED) for one in differences.of(row.value, row.title)]
    sentences = Differences(every, differences.confidence, len(every) // len(_COMPARED)).sentences()
    return {
        name: [
            f"{sentence}."
            for one, sentence in zip(every, sentences, strict=True)
            if {one.model, one.other} == {best, name}
        ]
        for name in others
    }


def _ends(differences: CurveDifferences, i: int) -> list[str]:
    """Return a point of the curve near either end, and the share of either set that the other
    reaches at no trade-off."""
    curve = differences.curves[i]
    lines = [
        f"At precision 0.9 its recall is {curve.recall_at(0.9):.2f}, at recall 0.9 its precision "
        f"{curve.precision_at(0.9):.2f}."
    ]
    # The hull of the scores: a curve that is the mean of it and a smoother one has other ends.
    curve = curve.hull
    if curve.max_recall == 0:
        return ["It has nothing in common with the real samples."]
    ends = (
        (max_recall, "recall", "of the real samples are out of reach"),
        (max_precision, "precision", "of its samples are unlike any real one"),
    )
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


def _copy_cautions(names: Sequence[str], metrics: Mapping[str, Sequence[float]]) -> list[str]:
    """Return cautions on models whose authenticity indicates copies."""
    return [
        f"{name} has authenticity {value:.2f}: most of its samples are copies of real ones, or "
        "nearer to one than that is to any other real one. A model that is too narrow has such "
        "samples as well."
        for name, value in zip(names, metrics.get("authenticity", ()), strict=False)
        if value < COPIES
    ]


def _metric_cautions(
    differences: CurveDifferences, metric_differences: Mapping[str, Sequence[Difference]]
) -> list[str]:
    """Return cautions on metrics that order models clearly otherwise than the curves do."""
    lines = []
    for key, by_metric in metric_differences.items():
        if differences.unknown is not None:
            continue
        title = row_of(OPPOSED[key]).title
        pairs = [
            (one.model, one.other) if one.value > 0 else (one.other, one.model)
            for one, by_curve in zip(by_metric, differences.of(OPPOSED[key]), strict=True)
            if one.clear and by_curve.clear and one.value * by_curve.value < 0
        ]
        if pairs:
            higher, lower = pairs[0]
            more = "" if len(pairs) < 2 else f" So it is of {len(pairs)} pairs of models."
            lines.append(
                f"The metric {key} is higher for {higher} than for {lower}, {title} of the "
                f"curves is lower: the two order these models in opposite ways.{more}"
            )
    return lines
