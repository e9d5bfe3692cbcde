"""Many classes, a share of them common (2019 paper, Fig. 3), on synthetic modes.

P and Q of 80 classes each, the share ρ common: the exact curve is the square of side ρ.  The paper
finds, on ImageNet, that 20 k-means clusters mix both sets in the same cells, so that their curves
"depart strongly from the expected ones", and that a classifier's do not.  Here a class is N(m_c, I)
with a random center m_c.  One linear score has to set up to 160 centers apart, for which the
ensemble's weight decay is a tenth of its default; the default is shown beside it.
"""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from bench.results import Figure, Findings

# Classes of each set, samples of a class, features: as in the paper's figure, and tiny.
SIZES = {False: (80, 50, 1024), True: (8, 20, 64)}
SPREAD = 2.0  # standard deviation of the coordinates of centers
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
METHODS: dict[str, dict[str, Any]] = {
    "20 clusters": {"method": "kmeans"},
    "classifier": {"method": "classifier", "weight_decay": 0.0004},
    "classifier, default": {"method": "classifier"},
    "knn": {"method": "knn"},
}


def run(options: Namespace) -> Findings:
    import prfast

    rows: list[dict[str, Any]] = []
    for share in SHARES:
        real, fake, truth = pair(share, options.tiny)
        for method, settings in METHODS.items():
            curve = prfast.pr_curve(real, fake, **settings)
            row = {"rho": share, "method": method, "f_1/8": curve.f_score(1 / 8)}
            row |= {"f_8": curve.f_score(8), "area": curve.area, "true_area": truth.area}
            rows.append(row | {"iou": curve.iou(truth)})
    partial = [row for row in rows if 0 < row["rho"] < 1]
    iou = {m: [row["iou"] for row in partial if row["method"] == m] for m in METHODS}
    over = {
        m: max(row["area"] - row["true_area"] for row in rows if row["method"] == m)
        for m in METHODS
    }
    judged = [
        Figure("0 < ρ < 1: best IoU of 20 clusters", max(iou["20 clusters"]), at_most=0.7),
        Figure("0 < ρ < 1: least IoU of the classifier", min(iou["classifier"]), at_least=0.7),
        Figure("0 < ρ < 1: least IoU of knn", min(iou["knn"])),
        Figure("20 clusters: largest area above the square's", over["20 clusters"], at_least=0.3),
        Figure("classifier: largest area above the square's", over["classifier"], at_most=0.1),
    ]
    classes, per_class, dim = SIZES[options.tiny]
    sizes = f"{classes} classes each, {per_class} samples a class, d = {dim}"
    return Findings({}, judged, [sizes], rows)


def pair(share: float, tiny: bool) -> tuple[Any, Any, Any]:
    """Real and generated samples, and their curve; each share has its own seed."""
    import numpy as np

    from prfast.reference import Discrete

    classes, per_class, dim = SIZES[tiny]
    rng = np.random.default_rng(SHARES.index(share))
    first = classes - round(share * classes)  # Q's classes: first, first + 1, …
    centers = SPREAD * rng.standard_normal((classes + first, dim))
    real = sample(rng, centers[:classes], per_class)
    fake = sample(rng, centers[first:], per_class)
    cells = np.arange(classes + first)
    return real, fake, Discrete(cells < classes, cells >= first).curve()


def sample(rng: Any, centers: Any, per_class: int) -> Any:
    import numpy as np

    points = np.repeat(centers, per_class, axis=0)
    return points + rng.standard_normal(points.shape)
