"""Many classes, a share of them common (2019 paper, Fig. 3), on synthetic modes.

P and Q of 80 classes each, the share ρ of them common: the exact curve is the square of side ρ.  The
paper finds, on ImageNet, that 20 k-means clusters mix both sets in the same cells, so that their
curves "depart strongly from the expected ones", and that a classifier's do not.  Here a class is
N(m_c, I) with a random centre m_c.
"""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from bench import figures
from bench.results import Figure, Findings, columns

CLASSES, DIM, PER_CLASS = 80, 256, 100
SPREAD = 0.75  # sd of a centre's coordinates: centres 17 apart, samples of one class 23
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
METHODS = ("kmeans", "classifier", "knn")
HEAD = ("ρ", "method", "expected", "F_1/8", "F_8", "expected area", "area", "IoU with square")


def run(options: Namespace) -> Findings:
    import numpy as np

    import prfast
    from prfast.reference import Discrete

    classes, per_class = (8, 20) if options.tiny else (CLASSES, PER_CLASS)
    figure, axes = figures.panels(2, 3)
    rows = []
    for number, share in enumerate(SHARES):
        rng = np.random.default_rng(number)
        first = classes - round(share * classes)  # Q's classes: first, first + 1, …
        centres = SPREAD * rng.standard_normal((classes + first, DIM))
        real = sample(rng, centres[:classes], per_class)
        fake = sample(rng, centres[first:], per_class)
        cells = np.arange(classes + first)
        truth = Discrete(cells < classes, cells >= first).curve()
        curves = {method: prfast.pr_curve(real, fake, method) for method in METHODS}
        figures.draw(axes[number], curves, truth, f"ρ = {share:g}")
        for method, curve in curves.items():
            row = {"rho": share, "method": method, "f_1/8": curve.f_score(1 / 8)}
            row |= {"f_8": curve.f_score(8), "area": curve.area, "true_area": truth.area}
            rows.append(row | {"iou": curve.iou(truth)})
    axes[-1].set_axis_off()
    figures.legend(figure, axes[1])
    picture = figures.save(figure, options)
    table = [
        (
            f"{row['rho']:g}",
            row["method"],
            f"{row['rho']:.3f}",
            f"{row['f_1/8']:.3f}",
            f"{row['f_8']:.3f}",
            f"{row['true_area']:.3f}",
            f"{row['area']:.3f}",
            f"{row['iou']:.3f}",
        )
        for row in rows
    ]
    partial = [row for row in rows if 0 < row["rho"] < 1]
    iou = {m: [row["iou"] for row in partial if row["method"] == m] for m in METHODS}
    over = {
        m: max(row["area"] - row["true_area"] for row in rows if row["method"] == m)
        for m in METHODS
    }
    judged = [
        Figure("0 < ρ < 1: best IoU of 20 clusters", max(iou["kmeans"]), at_most=0.7),
        Figure("0 < ρ < 1: least IoU of the classifier", min(iou["classifier"]), at_least=0.7),
        Figure("0 < ρ < 1: least IoU of knn", min(iou["knn"])),
        Figure("20 clusters: largest area above the square's", over["kmeans"], at_least=0.3),
        Figure("classifier: largest area above the square's", over["classifier"], at_most=0.1),
    ]
    verdict = (
        f"20 clusters mix the classes: area up to {over['kmeans']:.2f} too large, IoU at most "
        f"{max(iou['kmeans']):.2f}; the classifier keeps them apart: at most "
        f"{over['classifier']:.2f} too large, IoU at least {min(iou['classifier']):.2f}.  "
        "Expected: the same."
    )
    sizes = f"{classes} classes each, {per_class} samples a class, d = {DIM}"
    return Findings({}, judged, [columns([HEAD, *table]), sizes, picture, verdict], rows)


def sample(rng: Any, centres: Any, per_class: int) -> Any:
    import numpy as np

    points = np.repeat(centres, per_class, axis=0)
    return points + rng.standard_normal(points.shape)
