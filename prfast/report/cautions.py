"""What a reader of a report has to know before believing its numbers: contradictions, sizes,
methods, splits, metrics that are of copies, or that order models as the curves do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any

from prfast.comparison.difference import Difference
from prfast.comparison.differences import CurveDifferences
from prfast.curve import PRCurve
from prfast.curve.notes import notes_of_several
from prfast.curve.summary import f_1_8, f_8, row_of
from prfast.estimate.guard import contradictions
from prfast.report.tables import Column
from prfast.results.text import shortened

COPIES = 0.2  # an authenticity below which it does; of other samples of one law it is 1/3 or more
OPPOSED = {"recall": f_8, "precision": f_1_8}  # metrics, and the numbers that should order alike
_UNKNOWN = 0.05  # of a metric whose error is not known, before it contradicts a curve


def alerts(models: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Models whose curves contradict each other or the metrics, and how."""
    found = []
    for name, one in models.items():
        alone = isinstance(one, PRCurve)
        curves = {"its method": one} if alone else one.curves
        said = contradictions(curves, None if alone else one.metrics)
        if said:
            found.append((name, said))
    return found


def cautions(names: Sequence[str], curves: Sequence[PRCurve]) -> list[str]:
    """What a reader has to know before believing the numbers."""
    said = []
    reals, fakes = _sizes(curves, "n_real"), _sizes(curves, "n_fake")
    known = reals + fakes
    said += notes_of_several(dict(zip(names, (curve.info for curve in curves), strict=True)))
    if len(fakes) == len(names) and max(fakes) > 1.05 * min(fakes):
        shown = shortened([f"{name} ({size})" for name, size in zip(names, fakes, strict=True)])
        said.append(
            f"The models have different numbers of samples: {shown}. Estimates move with that "
            "number; compare equal ones before a small difference is believed."
        )
    if reals and fakes and max(known) > 2 * min(known):
        said.append(
            "The largest set has more than twice the samples of the smallest: the metrics of "
            "nearest neighbours depend on both sizes, and are best compared at equal ones."
        )
    hows = [{key: curve.info.get(key) for key in ("method", "k", "split")} for curve in curves]
    if any(how != hows[0] for how in hows):
        said.append(
            "The curves were not estimated in one way (method, k or split differ): their "
            "differences are not those of the models alone."
        )
    methods = {str(how["method"]) for how in hows if how["method"] is not None}
    if "kmeans" in methods:
        said.append(
            "Cells of k-means hide differences inside a cell; the curve can lie on either side "
            "of the true one."
        )
    if any(
        "split" in curve.info
        and curve.info["split"] is None
        and curve.info.get("fitted") is not False
        and curve.info.get("folds") is None
        and how["method"] != "kmeans"
        for curve, how in zip(curves, hows, strict=True)
    ):
        said.append(
            "Without a split a scorer that was fitted to the samples scores these same samples: "
            "the curve can fall below the true one."
        )
    if any(curve.info.get("split") is not None for curve in curves):
        said.append(
            "A scorer on held-out samples gives a curve above the true one, up to sampling: what "
            "it misses may be missing still."
        )
    return said


def of_metrics(
    names: Sequence[str],
    differences: CurveDifferences,
    metrics: Mapping[str, Column],
    of_halves: Mapping[str, Sequence[Difference]],
) -> list[str]:
    """Return what metrics tell that the curves do not, or tell otherwise.

    of_halves: the differences of each metric whose errors are known.
    """
    said = []
    if "authenticity" in metrics:
        for name, value in zip(names, metrics["authenticity"].values, strict=True):
            if value < COPIES:
                said.append(
                    f"{name} has authenticity {value:.2f}: most of its samples are copies of real "
                    "ones, or nearer to one than that is to any other real one. A model that is "
                    "too narrow has such samples as well."
                )
    for key, number in OPPOSED.items():
        pairs = (
            _opposite(differences, number, metrics[key], of_halves.get(key))
            if key in metrics
            else []
        )
        if pairs:
            title = row_of(number).title
            i, j = pairs[0]
            more = "" if len(pairs) < 2 else f" So it is of {len(pairs)} pairs of models."
            said.append(
                f"The metric {key} is higher for {names[i]} than for {names[j]}, {title} of the "
                f"curves is lower: the two order these models in opposite ways. What is said "
                f"here follows {title}.{more}"
            )
    return said


def _opposite(
    differences: CurveDifferences,
    number: Any,
    metric: Column,
    of_halves: Sequence[Difference] | None,
) -> list[tuple[int, int]]:
    """Return the models i, j of which i has the clearly larger metric, and the clearly smaller
    number of the curve."""
    clear = {(one.model, one.other) for one in of_halves or () if one.clear}

    def exceeds(i: int, j: int) -> bool:
        excess = metric.values[i] - metric.values[j]
        if of_halves is None:
            return excess > _UNKNOWN
        pair = differences.names[i], differences.names[j]
        return excess > 0 and (pair in clear or pair[::-1] in clear)

    return [
        (i, j)
        for i, j in permutations(range(len(metric.values)), 2)
        if exceeds(i, j) and differences.falls_short(number, i, j)
    ]


def _sizes(curves: Sequence[PRCurve], key: str) -> list[int]:
    found = [curve.info.get(key) for curve in curves]
    return [size for size in found if isinstance(size, int)]
