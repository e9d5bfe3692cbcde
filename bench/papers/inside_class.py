"""Two models collapsed to one class, which IS and a classifier cannot tell apart (2018, Fig. 8).

Real samples are of every class.  One model makes a single class, and of it only the samples nearest
to each other; the second makes as many of that class, of every shape.  The classifier says the same
of both; the recall of the second is the higher, a little.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from math import hypot
from typing import Any

from bench.papers import cifar_classes, figures
from bench.papers.class_scores import halves, labeled_sets, left_out
from bench.papers.experiments import add_draws, draws_of, mean_and_error, verdict
from bench.papers.judge import Judge
from bench.results import Figure, Findings, columns

CLASS = 1  # the digit 1, as in the paper; automobiles
SHARE = 1 / 3  # of the class: what the narrow model makes
NARROW, VARIED = "one shape", "every shape"
NAMES = ("share_of_class", "inception_score", "max_recall", "f_8", "f_1/8")


def add_options(parser: ArgumentParser) -> None:
    cifar_classes.add_options(parser)
    add_draws(parser, 3)


def run(options: Namespace) -> Findings:
    rows, judged, panels = [], [], {}
    for images, (features, labels, per_class) in labeled_sets(options).items():
        results, curves = compare(features, labels, per_class, draws_of(options))
        panels[images] = curves
        own = []
        for model, of_draws in results.items():
            row: dict[str, Any] = {"images": images, "model": model}
            for name, values in zip(NAMES, zip(*of_draws, strict=True), strict=True):
                row[name], row[f"{name}_error"] = mean_and_error(values)
            own.append(row)
        rows += own
        judged += figures_of(images, *own)
    lines = [(row["images"], row["model"], *(f"{row[name]:.3f}" for name in NAMES)) for row in rows]
    summary = "; ".join(
        f"{row['images']}, {row['model']}: IS {row['inception_score']:.2f}, F_8 {row['f_8']:.3f}"
        for row in rows
    )
    expected = (
        "the classifier says the same of both models, the second has a slightly higher recall"
    )
    notes = [columns([("images", "model", *NAMES), *lines]), f"{draws_of(options)} draws"]
    notes += [*left_out(options), draw(panels, options), verdict(summary, expected, judged)]
    return Findings({}, judged, notes, rows)


def compare(features: Any, labels: Any, per_class: int, draws: int) -> tuple[Any, Any]:
    """({model: numbers a draw}, {model: mean curve})"""
    import numpy as np

    from prfast import PRCurve, pr_curve

    results: dict[str, list[tuple[float, ...]]] = {NARROW: [], VARIED: []}
    curves: dict[str, list[Any]] = {NARROW: [], VARIED: []}
    for number in range(draws):
        rng = np.random.default_rng(number)
        ours, theirs = halves(labels, per_class, rng)
        known = np.concatenate(ours)
        judge = Judge(features[known], labels[known])
        of_class = features[theirs[CLASS]]
        size = round(SHARE * len(of_class))
        models = {NARROW: nearest_to_each_other(of_class, size), VARIED: of_class[:size]}
        for name, fake in models.items():
            curve = pr_curve(features[known], fake, "kmeans", random_state=number)
            judgement = judge(fake)
            ends = curve.max_recall, curve.f_score(8), curve.f_score(1 / 8)
            results[name].append((judgement.shares[CLASS], judgement.score, *ends))
            curves[name].append(curve)
    return results, {name: PRCurve.mean(of_draws) for name, of_draws in curves.items()}


def nearest_to_each_other(samples: Any, size: int) -> Any:
    """Return the sample whose neighbors are the nearest, and these."""
    import numpy as np
    from scipy.spatial.distance import cdist

    distances = cdist(samples, samples)
    closest = np.sort(distances, axis=1)[:, size - 1].argmin()
    return samples[np.argsort(distances[closest])[:size]]


def figures_of(images: str, narrow: dict[str, Any], varied: dict[str, Any]) -> list[Figure]:
    gain = varied["f_8"] - narrow["f_8"]
    error = hypot(varied["f_8_error"], narrow["f_8_error"])
    shares = [row["share_of_class"] for row in (narrow, varied)]
    scores = [row["inception_score"] for row in (narrow, varied)]
    return [
        Figure(f"{images}: least share of samples seen as the class", min(shares), at_least=0.9),
        Figure(
            f"{images}: IS of the two, larger / smaller", max(scores) / min(scores), at_most=1.25
        ),
        Figure(f"{images}: F_8, every shape − one, beyond 2 SE", gain - 2 * error, at_least=0),
        Figure(f"{images}: F_8, every shape − one", gain),
    ]


def draw(panels: dict[str, Any], options: Namespace) -> str:
    """Draw a panel a kind of images: the curves of both models, where they are."""
    figure, axes = figures.panels(1, len(panels), 4.2)
    for ax, (images, curves) in zip(axes, panels.items(), strict=True):
        figures.draw(ax, curves, title=images)
        ax.set_xlim(0, 0.5)
        ax.set_aspect("auto")
        ax.set_xlabel("recall (to 0.5)")
    figures.legend(figure, axes[0])
    return figures.save(figure, options, "Models collapsed to one class of ten or nine")
