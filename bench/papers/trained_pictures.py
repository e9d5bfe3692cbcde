"""The two pictures of trained.py: training at a glance, and a pair of one Fréchet distance."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from math import dist
from statistics import fmean
from typing import TYPE_CHECKING, Any

from bench.papers import figures
from bench.papers.trained_figures import Losses, Row, bias, runs_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMES = {"vae": "VAE", "gan": "GAN", "wgan": "Wasserstein GAN"}
STYLES = {
    "vae": (figures.BLUE, "-", "o"),
    "gan": (figures.VERMILION, "-.", "s"),
    "wgan": (figures.GREEN, figures.LONG, "^"),
}
OVER_EPOCHS = {
    "kmeans_area": "area, k-means (PRD)",
    "auto_area": "area, auto",
    "precision": "precision",
    "recall": "recall",
    "density": "density",
    "coverage": "coverage",
    "frechet_distance": "Fréchet distance",
}
LABELS = {"vae": (-4, 11), "gan": (14, 0), "wgan": (4, -11)}  # from its mark, in points
SAMPLES = (4, 6)  # rows and columns of a block

Key = tuple[str, int, int]  # model, seed, epoch


def draw_training(
    rows: Sequence[Row],
    losses: Losses,
    samples: Mapping[Key, Any],
    options: Namespace,
    real: Row,
) -> str:
    """Losses, F_8 against F_1/8, metrics over epochs, samples; `rows` and `real` of one view."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 13.6), layout="constrained")
    parts: Any = figure.subfigures(3, 1, height_ratios=(4.4, 5, 4.2))
    top, middle, bottom = parts
    epochs = sorted({row["epoch"] for row in rows})

    ax, *others = top.subplots(1, 3)
    for (kind, seed), results in losses.items():
        color, dashes, _ = STYLES[kind]
        label = NAMES[kind] if seed == 0 else None
        ax.plot(smooth(results), color=color, linestyle=dashes, linewidth=1, label=label)
    over_epochs(ax, epochs, "loss / its largest, running mean")
    ax.set_ylim(bottom=min(0, ax.get_ylim()[0]))
    ax.legend(loc="best", frameon=False, handlelength=3.2)
    for ax, method, name in zip(others, ("kmeans", "auto"), ("k-means (PRD)", "auto"), strict=True):
        draw_paths(ax, rows, method)
        ax.set_title(f"{name}; numbers are epochs")

    *panels, legend = middle.subplots(2, 4).ravel()
    for ax, (number, name) in zip(panels, OVER_EPOCHS.items(), strict=True):
        for kind in NAMES:
            color, dashes, mark = STYLES[kind]
            for run in runs_of(rows, kind):
                ax.plot(epochs, [row[number] for row in run], color=color, alpha=0.3, linewidth=1)
            means = mean_of(rows, kind, number)
            ax.plot(epochs, means, mark, color=color, linestyle=dashes, markersize=4)
        ax.axhline(real[number], color="black", linestyle=":", linewidth=1)
        over_epochs(ax, epochs, name)
        if number == "frechet_distance":
            ax.set_yscale("log")
        else:
            ax.set_ylim(0, max(1.05, ax.get_ylim()[1]))
    legend.axis("off")
    for kind, name in NAMES.items():
        color, dashes, mark = STYLES[kind]
        legend.plot([], [], mark, color=color, linestyle=dashes, markersize=5, label=name)
    legend.plot([], [], color="0.6", linewidth=1, label="each training, faint")
    legend.plot([], [], color="black", linestyle=":", label="real against real")
    legend.legend(loc="center", frameon=False, handlelength=3.2)

    shown = [epoch for epoch in epochs if epoch != 1][-6:]
    grid = bottom.subplots(len(NAMES), len(shown) + 1, squeeze=False)
    for line, kind in zip(grid, NAMES, strict=True):
        for ax, epoch in zip(line, shown, strict=False):
            block(ax, samples[kind, 0, epoch], f"epoch {epoch}" if kind == "vae" else "")
        block(line[-1], samples[real["model"], 0, 0], "real" if kind == "vae" else "")
        line[0].set_ylabel(NAMES[kind], color=STYLES[kind][0])
        line[-1].set_visible(kind == "vae")
    return figures.save(figure, options, "Three generators of digits over their training")


def draw_pair(
    pair: Sequence[Row],
    curves: Mapping[Key, Mapping[str, Any]],
    samples: Mapping[Key, Any],
    options: Namespace,
) -> str:
    """Draw samples, classes that a classifier sees and curves of two checkpoints of nearly one
    Fréchet distance; beside them the curves of all models at the end."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(14, 6.4), layout="constrained")
    sides: Any = figure.subfigures(1, 2, width_ratios=(6, 8.6))
    left, right = sides
    grid = left.subplots(2, 2, height_ratios=(3, 1.7))
    of_pair, of_ends = right.subplots(1, 2)
    shown = []
    highest = max(max(row["shares"]) / sum(row["shares"]) for row in pair)
    for number, row in enumerate(pair):
        key = row["model"], row["seed"], row["epoch"]
        name = f"{NAMES[key[0]]}, seed {key[1]}, epoch {key[2]}"
        color = (figures.PINK, figures.SKY)[number]
        shown.append((name, color, curves[key]))
        title = "\n".join(
            (
                name,
                f"Fréchet distance {row['frechet_distance']:.1f}",
                f"$F_{{1/8}}$ {row['kmeans_f1_8']:.2f}, $F_8$ {row['kmeans_f8']:.2f}",
                f"precision {row['precision']:.2f}, recall {row['recall']:.2f}",
            )
        )
        block(grid[0, number], samples[key], title, (6, 8))
        bars = grid[1, number]
        shares = [share / len(samples[key]) for share in row["shares"]]
        bars.bar(range(10), shares, color=color)
        bars.axhline(0.1, color="black", linestyle=":", linewidth=1)
        axis_label = f"digit that a classifier sees\nits confidence: {row['confidence']:.2f}"
        bars.set(xticks=range(10), ylim=(0, 1.1 * highest), xlabel=axis_label)
    grid[1, 0].set_ylabel("share of samples")
    draw_methods(of_pair, shown, "Their curves")
    last = max(epoch for model, _, epoch in curves if model in NAMES)
    ends = [(NAMES[kind], STYLES[kind][0], curves[kind, 0, last]) for kind in NAMES]
    draw_methods(of_ends, ends, f"All three at epoch {last}")
    name = f"{options.case}_pair"
    title = (
        "The two checkpoints of nearly one Fréchet distance that are farthest apart: "
        f"$F_{{1/8}} - F_8$ by {bias(pair[0]) - bias(pair[1]):.2f}"
    )
    return figures.save(figure, options, title, name=name)


# ---- what they are made of -----------------------------------------------------------------------


def mean_of(rows: Sequence[Row], kind: str, number: str) -> list[float]:
    """Means over the trainings, epoch by epoch."""
    import numpy as np

    results = [[row[number] for row in run] for run in runs_of(rows, kind)]
    means: list[float] = np.mean(results, axis=0).tolist()
    return means


def draw_paths(ax: Axes, rows: Sequence[Row], method: str) -> None:
    """F_8 against F_1/8, a path a model: the mean of its trainings, each of them faint."""
    ax.plot([0, 1], [0, 1], color="0.75", linewidth=1, zorder=0)
    epochs = sorted({row["epoch"] for row in rows})
    for kind in NAMES:
        color, dashes, mark = STYLES[kind]
        x, y = (mean_of(rows, kind, f"{method}_{number}") for number in ("f8", "f1_8"))
        for run in runs_of(rows, kind):
            each = [[row[f"{method}_{number}"] for row in run] for number in ("f8", "f1_8")]
            ax.plot(*each, color=color, alpha=0.25, linewidth=1)
        ax.plot(x, y, mark, color=color, linestyle=dashes, markersize=5, clip_on=False)
        last = (0.0, 0.0)
        for at, epoch in zip(zip(x, y, strict=True), epochs, strict=True):
            if epoch >= 10 and dist(at, last) > 0.07:  # so that they can be read
                style: dict[str, Any] = {
                    "color": color,
                    "fontsize": 9,
                    "textcoords": "offset points",
                }
                ax.annotate(str(epoch), at, LABELS[kind], ha="center", va="center", **style)
                last = at
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="$F_8$ (recall)", ylabel="$F_{1/8}$ (precision)")
    ax.set_aspect("equal")
    ax.grid(color="0.92")
    ax.set_axisbelow(True)


def smooth(losses: Sequence[float], share: float = 0.15) -> list[float]:
    """Means over epochs e (1 − share) to e (1 + share), over the largest loss."""
    top = max(losses)
    near = [
        losses[round(epoch * (1 - share)) : round(epoch * (1 + share)) + 1]
        for epoch in range(len(losses))
    ]
    return [fmean(each) / top for each in near]


def draw_methods(ax: Axes, shown: Sequence[tuple[str, str, Mapping[str, Any]]], title: str) -> None:
    """Curves of (name, color, {method: curve}): by clusters, and dotted by a classifier."""
    from prfast.plots import plot_curves

    names, colors, curves = zip(*shown, strict=True)
    clusters = [of["kmeans"] for of in curves]
    plot_curves(clusters, ax, labels=names, colors=colors, legend=False, title=title)
    before = len(ax.get_lines())
    plot_curves([of["classifier"] for of in curves], ax, colors=colors, legend=False, title=title)
    for line in ax.get_lines()[before:]:
        line.set_linestyle(figures.DOTS)
    ax.plot([], [], color="black", label="by 20 clusters")
    ax.plot([], [], color="black", linestyle=figures.DOTS, label="by a classifier")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), frameon=False, handlelength=3)


def over_epochs(ax: Axes, epochs: Sequence[int], title: str) -> None:
    """Epochs on a logarithmic axis that has 0."""
    ax.set_xscale("symlog", linthresh=1, linscale=0.4)
    ax.set_xticks(epochs, [str(epoch) for epoch in epochs])
    ax.minorticks_off()
    ax.set(xlim=(0, epochs[-1]), xlabel="epoch", title=title)
    ax.grid(color="0.92")
    ax.set_axisbelow(True)


def block(ax: Axes, images: Any, title: str, shape: tuple[int, int] = SAMPLES) -> None:
    """The first images, (n, 64), side by side in one picture; white is 0."""
    import numpy as np

    tall, wide = shape
    padded = np.pad(
        images[: tall * wide].reshape(tall, wide, 8, 8), ((0, 0), (0, 0), (1, 1), (1, 1))
    )
    ax.imshow(
        padded.transpose(0, 2, 1, 3).reshape(10 * tall, 10 * wide), cmap="gray_r", vmin=0, vmax=1
    )
    ax.set(xticks=[], yticks=[], title=title)
