"""The 2019 paper's own classifier (§6, ADAM) and prfast's default, on its Fig. 2, 3 and 4.

The data are those of the cases cifar_classes, many_classes and step.  "adam" is the paper's: 50
epochs, weight decay 0.1, features as they are; "sgd" is prfast's default, beside it with a tenth of
its weight decay.  20 k-means cells are what the paper compares with.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.papers import cifar_classes, many_classes, step
from bench.results import Figure, Findings

if TYPE_CHECKING:
    from prfast import PRCurve

WAYS: dict[str, dict[str, Any]] = {
    "adam": {"method": "classifier", "training": "adam"},
    "sgd": {"method": "classifier"},
    "sgd, decay / 10": {"method": "classifier", "weight_decay": 0.0004},
    "20 clusters": {"method": "kmeans"},
}


class Case(NamedTuple):
    figure: int
    name: str
    truth: PRCurve
    curves: dict[str, PRCurve]


add_options = cifar_classes.add_options


def run(options: Namespace) -> Findings:
    cases = [*classes(options), *shares(options), *steps(options)]
    rows = [numbers(case, way) for case in cases for way in WAYS]
    return Findings({}, judge(rows), [], rows)


def curves_of(real: Any, fake: Any) -> dict[str, PRCurve]:
    import prfast

    return {way: prfast.pr_curve(real, fake, **how) for way, how in WAYS.items()}


def classes(options: Namespace) -> Iterator[Case]:
    """Fig. 2: five classes of images against the first q."""
    from prfast.cli import demo

    features, labels = cifar_classes.load(options)
    qs, per_class = ((3, 7), 20) if options.tiny else (range(1, 10), 140)
    for q, *pair in demo.class_pairs(features, labels, qs=qs, per_class=per_class):
        yield Case(2, f"q = {q}", demo.rectangle(q), curves_of(*pair))


def shares(options: Namespace) -> Iterator[Case]:
    """Fig. 3: 80 classes, a share ρ of them common."""
    for share in (0.25, 0.5, 0.75):
        real, fake, truth = many_classes.pair(share, options.tiny)
        yield Case(3, f"ρ = {share:g}", truth, curves_of(real, fake))


def steps(options: Namespace) -> Iterator[Case]:
    """Fig. 4: two modes against one."""
    pair = step.pair()
    real, fake = pair.sample(200 if options.tiny else 2000, random_state=0)
    yield Case(4, "60/40", pair.curve(), curves_of(real, fake))


def numbers(case: Case, way: str) -> dict[str, Any]:
    curve, truth = case.curves[way], case.truth
    results: dict[str, Any] = {"figure": case.figure, "case": case.name, "way": way}
    # The ray through the corner of the rectangle: a rectangle reaches 1 of it.
    corner = truth.max_precision / truth.max_recall
    return results | {
        "iou": curve.iou(truth),
        "area": curve.area,
        "true_area": truth.area,
        "corner": curve.at(corner)[0] / truth.at(corner)[0],
    }


def judge(rows: list[dict[str, Any]]) -> list[Figure]:
    """The claims of the paper, of the classifier as it trains it: on Fig. 2 more accurate at the
    corners than clusters, on Fig. 3 and 4 near the truth where they are not."""
    results = []
    for number, least in ((2, None), (3, 0.7), (4, 0.9)):
        for way in WAYS:
            ious = [r["iou"] for r in rows if (r["figure"], r["way"]) == (number, way)]
            name, mean = f"Fig. {number}, {way}", sum(ious) / len(ious)
            results.append(Figure(f"{name}: mean IoU", mean))
            if number == 3 or way == "adam":
                target = least if way == "adam" else None
                results.append(Figure(f"{name}: least IoU", min(ious), at_least=target))
    corner = {
        way: [r["corner"] for r in rows if (r["figure"], r["way"]) == (2, way)] for way in WAYS
    }
    gains = [a - b for a, b in zip(corner["adam"], corner["20 clusters"], strict=True)]
    name = "Fig. 2: share of the corner, adam − clusters"
    results.append(Figure(name, sum(gains) / len(gains), at_least=0))
    best = max(r["iou"] for r in rows if r["figure"] == 3 and r["way"] == "20 clusters")
    results.append(Figure("Fig. 3: best IoU of 20 clusters", best, at_most=0.7))
    return results
