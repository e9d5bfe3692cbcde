"""P is 60 % one mode, Q that mode alone: a step at recall 0.6 (2019 paper, Fig. 4), synthetic.

The paper takes faces, 60 % female against female only: a classifier captures the step, while
"varying the number of clusters always leads to an oversmooth estimate, with either under estimated
precision or over-estimated recall".  Here two Gaussian modes lie 6 standard deviations apart along
one coordinate; as with faces, others vary far more than the one that tells the modes apart.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from typing import Any

from bench.papers import figures
from bench.papers.experiments import add_draws, draws_of, mean_and_error, verdict
from bench.results import Figure, Findings, columns

SHARE, APART = 0.6, 6.0
DIM, WIDE, WIDE_SD = 64, 8, 6.0  # so many of the coordinates have this standard deviation
CLUSTERS = (5, 20, 100, 400)
HEAD = ("method", "precision at recall .5", "recall at precision .9", "area", "IoU with truth")


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 3)


def run(options: Namespace) -> Findings:
    from prfast import PRCurve, pr_curve

    size, draws = 200 if options.tiny else 2000, draws_of(options)
    modes = pair()
    truth = modes.curve()
    methods: dict[str, dict[str, Any]] = {"classifier": {"method": "classifier"}}
    methods |= {"knn": {"method": "knn"}}
    clusters = CLUSTERS[:2] if options.tiny else CLUSTERS
    methods |= {f"{n} clusters": {"method": "kmeans", "clusters": n} for n in clusters}
    results: dict[str, list[PRCurve]] = {name: [] for name in methods}
    for draw in range(draws):
        real, fake = modes.sample(size, random_state=draw)
        for name, settings in methods.items():
            results[name].append(pr_curve(real, fake, **settings, random_state=draw))
    figure, axes = figures.panels(1, 2, 4.4)
    averages = {name: PRCurve.mean(curves) for name, curves in results.items()}
    scored = {name: averages[name] for name in ("classifier", "knn")}
    cells = {name: curve for name, curve in averages.items() if name not in scored}
    figures.draw(axes[0], scored, truth, "scorers")
    figures.draw(axes[1], cells, truth, "k-means")
    for ax in axes:
        ax.legend(loc="lower left", handlelength=3.2)
    picture = figures.save(figure, options)
    rows = [{"method": name} | numbers(curves, truth) for name, curves in results.items()]
    exact = ("truth", *(f"{value:.3f}" for value in summary(truth)), "")
    table = columns([HEAD, exact, *map(line, rows)])
    by = {row["method"]: row for row in rows}
    best = max(by[name]["iou"] for name in cells)
    off = {name: error(by[name], truth) for name in methods}
    least = min(off[name] for name in cells)
    judged = [
        Figure("classifier: IoU with truth", by["classifier"]["iou"], at_least=0.9),
        Figure("clusters: best IoU with truth", best, at_most=0.9),
        Figure("classifier: off at the step", off["classifier"], at_most=0.05),
        Figure("clusters: least off at the step, over that", least / off["classifier"], at_least=2),
    ]
    last = verdict(
        f"classifier: IoU {by['classifier']['iou']:.2f}, off by {off['classifier']:.2f} at the "
        "step; "
        f"k-means at any number of clusters: IoU at most {best:.2f}, off by {least:.2f} or more in "
        "precision before the step or recall beyond it",
        "a sharp step from the classifier, a smooth one from any number of clusters",
        judged,
    )
    notes = [table, f"{size} + {size} samples, {draws} draws", picture, last]
    return Findings({}, judged, notes, rows)


def pair() -> Any:
    """Return two modes, of which Q has one."""
    import numpy as np

    from prfast.reference import GaussianMixtures

    sds = np.ones(DIM)
    sds[1 : 1 + WIDE] = WIDE_SD
    means = np.zeros((2, DIM))
    means[1, 0] = APART
    return GaussianMixtures(means, [SHARE, 1 - SHARE], [1, 0], np.diag(sds**2))


def summary(curve: Any) -> tuple[float, float, float]:
    return curve.precision_at(0.5), curve.recall_at(0.9), curve.area


def error(row: dict[str, float], truth: Any) -> float:
    """The larger of what precision at recall 0.5 lacks and recall at precision 0.9 is off."""
    precision, recall, _ = summary(truth)
    return max(abs(row["precision"] - precision), abs(row["recall"] - recall))


def numbers(curves: list[Any], truth: Any) -> dict[str, float]:
    """Means over the draws."""
    values = zip(*map(summary, curves), strict=True)
    names = ("precision", "recall", "area")
    results = {name: mean_and_error(of)[0] for name, of in zip(names, values, strict=True)}
    iou, apart = mean_and_error([curve.iou(truth) for curve in curves])
    return results | {"iou": iou, "iou_error": apart}


def line(row: dict[str, Any]) -> tuple[str, ...]:
    names = ("precision", "recall", "area")
    iou = f"{row['iou']:.3f} ± {row['iou_error']:.3f}"
    return (row["method"], *(f"{row[name]:.3f}" for name in names), iou)
