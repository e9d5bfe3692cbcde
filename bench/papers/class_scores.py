"""FD and IS beside F_8 and F_1/8 as classes are dropped and invented (2018 paper, Fig. 5 left, 11).

P: classes 0 to 4.  Q_q: classes 0 to q − 1, other images, as many of each class; of scikit-learn's
digits, and of features of CIFAR-10 images.  The Fréchet distance is that of pixels and of these
features; the inception score asks a classifier trained on images of every class that no Q has.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from itertools import pairwise
from typing import Any

from bench.papers import cifar_classes, figures
from bench.papers.class_cases import HALF, NOISE
from bench.papers.experiments import add_draws, draws_of, mean_and_error, verdict
from bench.papers.judge import Judge
from bench.results import Figure, Findings, columns

NAMES = ("frechet_distance", "inception_score", "f_8", "f_1/8")
HEAD = ("images", "q", "FD", "IS", "F_8", "F_1/8")


def add_options(parser: ArgumentParser) -> None:
    cifar_classes.add_options(parser)
    add_draws(parser, 3)


def run(options: Namespace) -> Findings:
    rows = [
        row
        for images, (features, labels, per_class) in labeled_sets(options).items()
        for row in scores(images, features, labels, per_class, options)
    ]
    names = list(dict.fromkeys(row["images"] for row in rows))
    judged = [figure for name in names for figure in figures_of(name, rows)]
    lines = [
        (row["images"], str(row["q"]), *(f"{row[name]:.3g}" for name in NAMES)) for row in rows
    ]
    summary = "; ".join(
        f"{name}: FD of Q_4 and Q_6 {_of(rows, name, 4)['frechet_distance']:.3g} and "
        f"{_of(rows, name, 6)['frechet_distance']:.3g}, "
        f"F_1/8 − F_8 {_lean(rows, name, 4):+.2f} and {_lean(rows, name, 6):+.2f}"
        for name in names
    )
    expected = (
        "IS only grows, FD is least at Q_5 and alike at Q_4 and Q_6, which F_8, F_1/8 tell apart"
    )
    notes = [columns([HEAD, *lines]), f"{draws_of(options)} draws", *left_out(options)]
    notes.append(draw(rows, options))
    return Findings({}, judged, [*notes, verdict(summary, expected, judged)], rows)


def labeled_sets(options: Namespace) -> dict[str, tuple[Any, Any, int]]:
    """{name: (features, labels, images of a class in each of P and Q)}; of no file digits alone."""
    from prfast.cli import demo

    sizes = (20, 20) if options.tiny else (87, 140)
    results = {"digits": (*demo.digits(), sizes[0])}
    if not left_out(options):
        results["CIFAR-10"] = (*cifar_classes.load(options), sizes[1])
    return results


def runs_of(options: Namespace) -> int:
    """Return the number of runs of k-means, by default that of `pr_curve`."""
    return 2 if options.tiny else 10


def left_out(options: Namespace) -> list[str]:
    """Return a note where no --data was said and the file that it is by default is not there."""
    missing = options.data == cifar_classes.DATA and not options.data.is_file()
    return ["CIFAR-10: left out; say --data FILE.npz"] if missing else []


def halves(labels: Any, per_class: int, rng: Any) -> tuple[list[Any], list[Any]]:
    """Return rows of each class for P, and as many others for Q."""
    import numpy as np

    of_class = [rng.permutation(np.flatnonzero(labels == c)) for c in np.unique(labels)]
    return (
        [rows[:per_class] for rows in of_class],
        [rows[per_class : 2 * per_class] for rows in of_class],
    )


def scores(
    images: str, features: Any, labels: Any, per_class: int, options: Namespace
) -> list[dict[str, Any]]:
    """Return a row a q: means over the draws, with their standard errors."""
    import numpy as np

    from prfast import metrics, pr_curve

    draws = draws_of(options)
    results: dict[int, list[tuple[float, ...]]] = {}
    for draw_number in range(draws):
        ours, theirs = halves(labels, per_class, np.random.default_rng(draw_number))
        known = np.concatenate(ours)
        judge = Judge(features[known], labels[known])
        real = features[np.concatenate(ours[:HALF])]
        for q in range(1, len(theirs) + 1):
            fake = features[np.concatenate(theirs[:q])]
            distance = metrics(real, fake, which="frechet_distance")["frechet_distance"]
            curve = pr_curve(real, fake, "kmeans", runs=runs_of(options), random_state=draw_number)
            numbers = distance, judge(fake).score, curve.f_score(8), curve.f_score(1 / 8)
            results.setdefault(q, []).append(numbers)
    rows = []
    for q, of_draws in results.items():
        row: dict[str, Any] = {"images": images, "q": q, "draws": draws}
        for name, values in zip(NAMES, zip(*of_draws, strict=True), strict=True):
            row[name], row[f"{name}_error"] = mean_and_error(values)
        rows.append(row)
    return rows


def figures_of(images: str, rows: list[dict[str, Any]]) -> list[Figure]:
    own = [row for row in rows if row["images"] == images]
    distance = {row["q"]: row["frechet_distance"] for row in own}
    rise = [b["inception_score"] - a["inception_score"] for a, b in pairwise(own)]
    falls = [b - a for (q, a), (_, b) in pairwise(distance.items()) if q < HALF]
    grows = [b - a for (q, a), (_, b) in pairwise(distance.items()) if q >= HALF]
    apart = distance[HALF - 1] / distance[HALF + 1]
    return [
        Figure(f"{images}: IS, least step", min(rise), at_least=0),
        Figure(f"{images}: FD up to q = 5, largest step", max(falls), at_most=0),
        Figure(f"{images}: FD from q = 5 on, least step", min(grows), at_least=0),
        Figure(f"{images}: FD of Q_4 and Q_6, larger / smaller", max(apart, 1 / apart), at_most=2),
        Figure(f"{images}: F_1/8 − F_8 of Q_4", _lean(rows, images, 4), at_least=NOISE),
        Figure(f"{images}: F_1/8 − F_8 of Q_6", _lean(rows, images, 6), at_most=-NOISE),
    ]


def _of(rows: list[dict[str, Any]], images: str, q: int) -> dict[str, Any]:
    (results,) = (row for row in rows if (row["images"], row["q"]) == (images, q))
    return results


def _lean(rows: list[dict[str, Any]], images: str, q: int) -> float:
    """Above 0: precision is the better; below it: recall."""
    row = _of(rows, images, q)
    return float(row["f_1/8"] - row["f_8"])


def draw(rows: list[dict[str, Any]], options: Namespace) -> str:
    """Draw a row a kind of images: FD and IS on two axes, and F_8 with F_1/8."""
    names = list(dict.fromkeys(row["images"] for row in rows))
    figure, axes = figures.sheet(len(names), 2, (9.6, 3.4 * len(names)))
    for number, name in enumerate(names):
        own = [row for row in rows if row["images"] == name]
        q = [row["q"] for row in own]
        left, right = axes[2 * number : 2 * number + 2]
        other = left.twinx()
        for ax, key, label, style in (
            (left, "frechet_distance", "FD", 0),
            (other, "inception_score", "IS", 1),
            (right, "f_8", "$F_8$ (recall)", 2),
            (right, "f_1/8", "$F_{1/8}$ (precision)", 3),
        ):
            color, dashes = figures.SERIES[style]
            ax.plot(
                q,
                [row[key] for row in own],
                color=color,
                linestyle=dashes,
                marker=figures.MARKS[style],
                markersize=5,
                label=label,
            )
        left.set(yscale="log", ylabel="FD (log)", title=f"{name}: one number each")
        other.set(ylabel="IS", ylim=(0, None))
        lines = [*left.get_lines(), *other.get_lines()]
        left.legend(lines, [line.get_label() for line in lines], loc="upper center")
        right.set(ylim=(0, 1.03), title=f"{name}: the two ends of the PRD curve")
        right.legend(loc="lower right")
        for ax in (left, right):
            ax.axvline(HALF, color="0.75", linewidth=1, zorder=0)
            ax.set(xlabel="q: classes of Q; P has the first five", xticks=q)
    return figures.save(figure, options, "FD and IS cannot tell dropped classes from invented ones")
