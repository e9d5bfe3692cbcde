"""P is 60 % one mode, Q that mode alone: a step at recall 0.6 (2019 paper, Fig. 4), synthetic.

The paper takes faces, 60 % female against female only: a classifier captures the step, while
"varying the number of clusters always leads to an oversmooth estimate, with either under estimated
precision or over-estimated recall".  Here two Gaussian modes lie 6 standard deviations apart along
one coordinate; as with faces, others vary far more than the one that tells the modes apart.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from bench.papers.experiments import add_draws, averages, draws_of
from bench.results import Figure, Findings

SHARE, APART = 0.6, 6.0
DIM, WIDE, WIDE_SD = 64, 8, 6.0  # so many of the coordinates have this standard deviation
CLUSTERS = (5, 20, 100, 400)


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 3)


def run(options: Namespace) -> Findings:
    from prfast import pr_curve

    size, draws = 200 if options.tiny else 2000, draws_of(options)
    modes = pair()
    truth = modes.curve()
    methods: dict[str, dict[str, Any]] = {
        "classifier": {"method": "classifier"},
        "knn": {"method": "knn"},
    }
    clusters = CLUSTERS[:2] if options.tiny else CLUSTERS
    cells = {f"{n} clusters": {"method": "kmeans", "clusters": n} for n in clusters}
    results: dict[str, list[dict[str, float]]] = {name: [] for name in methods | cells}
    for draw in range(draws):
        real, fake = modes.sample(size, random_state=draw)
        for name, settings in (methods | cells).items():
            curve = pr_curve(real, fake, **settings, random_state=draw)
            results[name].append(numbers(curve) | {"iou": curve.iou(truth)})
    by = {name: averages(of) for name, of in results.items()}
    exact = numbers(truth)
    # The larger of what precision at recall 0.5 lacks and recall at precision 0.9 is off.
    off = {
        name: max(abs(row[key] - exact[key]) for key in ("precision at .5", "recall at .9"))
        for name, row in by.items()
    }
    best = max(by[name]["iou"] for name in cells)
    least = min(off[name] for name in cells)
    judged = [
        Figure("classifier: IoU with truth", by["classifier"]["iou"], at_least=0.9),
        Figure("clusters: best IoU with truth", best, at_most=0.9),
        Figure("classifier: off at the step", off["classifier"], at_most=0.05),
        Figure("clusters: least off at the step, over that", least / off["classifier"], at_least=2),
    ]
    rows = [{"method": name} | row for name, row in ({"truth": exact} | by).items()]
    return Findings({}, judged, [f"{size} + {size} samples, {draws} draws"], rows)


def pair() -> Any:
    """Return two modes, of which Q has one."""
    import numpy as np

    from prfast.reference import GaussianMixtures

    sds = np.ones(DIM)
    sds[1 : 1 + WIDE] = WIDE_SD
    means = np.zeros((2, DIM))
    means[1, 0] = APART
    return GaussianMixtures(means, [SHARE, 1 - SHARE], [1, 0], np.diag(sds**2))


def numbers(curve: Any) -> dict[str, float]:
    return {
        "precision at .5": curve.precision_at(0.5),
        "recall at .9": curve.recall_at(0.9),
        "area": curve.area,
    }
