"""Class dropping and inventing on features of CIFAR-10 images (2018 §4.1, 2019 Fig. 2).

P: classes 0–4.  Q: classes 0 to q − 1, q = 1..9, other images, as many of each class.  The file
has `features` (n, d) and integer `labels` (n,), at least 280 images a class.
"""

from argparse import ArgumentParser, Namespace
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.report import Figure, Findings

HALF = 5  # classes of P: below it modes are dropped, above it they are invented
# Some 350 samples of each set are scored: a share of them has a standard deviation of up to 0.027,
# a difference of two of 0.04.  Steps and areas are judged beyond about so much.
NOISE = 0.05
DATA = Path(__file__).parents[3] / "shared" / "data" / "cifar10_features.npz"


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--data",
        type=Path,
        default=DATA,
        metavar="FILE",
        help=".npz of features (n, d) and whole labels (n,) of images "
        "(default: ../shared/data/cifar10_features.npz)",
    )


def run(options: Namespace) -> Findings:
    from prfast.cli import demo

    features, labels = load(options)
    qs, per_class = ((3, 7), 20) if options.tiny else (range(1, 10), 140)
    cases = demo.class_cases(features, labels, qs=qs, per_class=per_class, random_state=0)
    rows = [
        {"q": case.q, "method": method, **_numbers(curve, case.truth)}
        for case in cases
        for method, curve in case.curves.items()
    ]
    return Findings({}, _figures(rows), [f"{per_class} samples a class"], rows)


def load(options: Namespace) -> tuple[Any, Any]:
    """Return the features and labels of --data."""
    if not options.data.is_file():
        raise SystemExit(f"{options.case}: no file {options.data}; say --data FILE.npz")
    try:
        return read(options.data)
    except (KeyError, IndexError, ValueError, OSError) as error:
        raise SystemExit(
            f"{options.case}: {options.data}: a .npz file with `features` (n, d) and `labels` (n,) "
            f"expected: {error}"
        ) from None


def read(path: Path) -> tuple[Any, Any]:
    """Features, as float32, and labels of a file."""
    import numpy as np

    with np.load(path, allow_pickle=False) as archive:
        return archive["features"].astype(np.float32), archive["labels"]


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
