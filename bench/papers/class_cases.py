"""Code of the two class experiments: the demo as a table and JSON numbers."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from bench.report import Figure, Findings

HALF = 5  # classes of P: below it modes are dropped, above it they are invented
# Some 350 samples of each set are scored: a share of them has a standard deviation of up to 0.027,
# a difference of two of 0.04.  Steps and areas are judged beyond about so much.
NOISE = 0.05


def compare(features: Any, labels: Any, *, qs: Iterable[int], per_class: int) -> Findings:
    from prfast.cli import demo

    rows = [
        {"q": case.q, "method": method, **_numbers(curve, case.truth)}
        for case in demo.class_cases(features, labels, qs=qs, per_class=per_class, random_state=0)
        for method, curve in case.curves.items()
    ]
    return Findings({}, _figures(rows), [f"{per_class} samples a class"], rows)


def _numbers(curve: Any, truth: Any) -> dict[str, Any]:
    # The ray through the corner of the rectangle: a rectangle reaches 1 of it.
    corner = truth.max_precision / truth.max_recall
    return {
        "max_precision": curve.max_precision,
        "max_recall": curve.max_recall,
        "f_1/8": curve.f_score(1 / 8),
        "expected_f_1/8": truth.f_score(1 / 8),
        "f_8": curve.f_score(8),
        "expected_f_8": truth.f_score(8),
        "area": curve.area,
        "area_over_rectangle": curve.area / truth.area,
        "corner": curve.at(corner)[0] / truth.max_precision,
        "iou_with_rectangle": curve.iou(truth),
    }


def _figures(rows: list[dict[str, Any]]) -> list[Figure]:
    """2018: recall rises as classes are added, then precision falls.  2019: the classifier curve
    over-estimates up to the noise of the sample, and is more accurate at the corners."""
    by = {
        method: [row for row in rows if row["method"] == method]
        for method in dict.fromkeys(row["method"] for row in rows)
    }
    results = []
    for method, outcomes in by.items():
        drops = [row["f_8"] for row in outcomes if row["q"] <= HALF]
        invents = [row["f_1/8"] for row in outcomes if row["q"] >= HALF]
        rise = min((b - a for a, b in pairwise(drops)), default=0.0)
        fall = max((b - a for a, b in pairwise(invents)), default=0.0)
        results += [
            Figure(f"{method}: F_8 up to q = 5, least step", rise, at_least=-NOISE),
            Figure(f"{method}: F_1/8 from q = 5 on, largest step", fall, at_most=NOISE),
        ]
    least = {m: min(row["area_over_rectangle"] for row in outcomes) for m, outcomes in by.items()}
    gain = _mean(by["classifier"], "corner") - _mean(by["kmeans"], "corner")
    results += [
        Figure("classifier: least area / rectangle", least["classifier"], at_least=1 - 2 * NOISE),
        Figure("kmeans: least area / rectangle", least["kmeans"]),
        Figure("share of the corner, classifier − kmeans, mean", gain, at_least=0),
    ]
    results += [
        Figure(f"{method}: mean IoU with rectangle", _mean(outcomes, "iou_with_rectangle"))
        for method, outcomes in by.items()
    ]
    return results


def _mean(rows: list[dict[str, Any]], name: str) -> float:
    return float(sum(row[name] for row in rows) / len(rows))
