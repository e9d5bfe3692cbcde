"""Content of ten k-means cells: real and generated samples (2018 paper, Fig. 9).

The model blends other images with each other, by a quarter: all classes are there, none is clean.
The paper looks at the cells and finds them "clustered in a meaningful way"; here classes are
counted: how much of a cell is of its commonest class, and whether generated samples, by the class
that they come from, agree with the real ones of their cell.
"""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from bench.papers import cifar_classes, figures
from bench.papers.class_scores import halves, labeled_sets, left_out
from bench.papers.experiments import verdict
from bench.papers.faults import blended
from bench.results import Figure, Findings, columns

CELLS, WEIGHT, SHOWN = 10, 0.25, 4
HEAD = ("images", "cell", "real", "generated", "class", "share, real", "share, generated")
add_options = cifar_classes.add_options


def run(options: Namespace) -> Findings:
    import numpy as np

    import prfast

    rows, judged, panels, sentences = [], [], {}, []
    for images, (features, labels, per_class) in labeled_sets(options).items():
        rng = np.random.default_rng(0)
        ours, theirs = (np.concatenate(rows) for rows in halves(labels, per_class, rng))
        real, fake = features[ours], blended(WEIGHT)(features[theirs], labels[theirs], rng)
        cells = prfast.reference.papers.partition(real, fake, clusters=CELLS)
        contents = [
            (content(cells.real[run], labels[ours]), content(cells.fake[run], labels[theirs]))
            for run in range(cells.runs)
        ]
        rows += table_of(images, *contents[0])
        by_chance = content(rng.permutation(cells.real[0]), labels[ours])
        pure, of_fake = (
            float(np.mean([purity(pair[i], pair[0]) for pair in contents])) for i in (0, 1)
        )
        chance = purity(by_chance, by_chance)
        judged += [
            Figure(f"{images}: real samples of their cell's class", pure, at_least=0.5),
            Figure(f"{images}: generated samples of their cell's class", of_fake, at_least=0.5),
            Figure(f"{images}: the same in cells drawn at random", chance),
        ]
        sentences.append(
            f"{images}: {pure:.0%} of the real and {of_fake:.0%} of the generated samples"
        )
        pictures = [
            [x[of[0] == cell] for cell in range(CELLS)]
            for x, of in ((real, cells.real), (fake, cells.fake))
        ]
        panels[images] = (contents[0], pictures if real.shape[1] == 64 else None)
    lines = [tuple(str(row[name]) for name in HEAD) for row in rows]
    expected = "cells are meaningful: most samples of a cell are of its commonest class"
    result = f"{'; '.join(sentences)} are of their cell's commonest class"
    notes = [columns([HEAD, *lines]), *left_out(options), draw(panels, options)]
    notes.append(verdict(result, expected, judged))
    return Findings({}, judged, notes, rows)


def content(cells: Any, classes: Any) -> Any:
    """Return the number of samples of each class in each cell, shape (cells, classes)."""
    import numpy as np

    result = np.zeros((CELLS, classes.max() + 1), int)
    np.add.at(result, (cells, classes), 1)
    return result


def purity(counts: Any, real: Any) -> float:
    """Return the share of the samples that are of the commonest real class of their cell."""
    return float(counts[range(CELLS), real.argmax(axis=1)].sum() / counts.sum())


def table_of(images: str, real: Any, fake: Any) -> list[dict[str, Any]]:
    """Return a row a cell of the first run, ordered by its commonest class."""
    rows = []
    for cell in sorted(range(CELLS), key=lambda cell: int(real[cell].argmax())):
        top = int(real[cell].argmax())
        shares = [f"{of[cell][top] / max(of[cell].sum(), 1):.2f}" for of in (real, fake)]
        numbers = (images, cell, int(real[cell].sum()), int(fake[cell].sum()), top, *shares)
        rows.append(dict(zip(HEAD, numbers, strict=True)))
    return rows


def draw(panels: dict[str, Any], options: Namespace) -> str:
    """Columns: images of the cells, where there are any, and bars of the classes in each cell."""
    figure, axes = figures.sheet(1, len(panels) + 1, (5.0 * (len(panels) + 1), 6.2))
    for ax, (images, ((real, fake), pictures)) in zip(axes[1:], panels.items(), strict=True):
        order = sorted(range(CELLS), key=lambda cell: int(real[cell].argmax()))
        if pictures is not None:
            draw_pictures(axes[0], [[of[cell] for of in pictures] for cell in order])
            axes[0].set_title(f"{images} in ten cells")
        draw_classes(ax, [(real[cell], fake[cell]) for cell in order])
        ax.set_title(f"{images}: classes in each cell")
    return figures.save(figure, options)


def draw_pictures(ax: Any, cells: list[list[Any]]) -> None:
    """A line a cell: real images to the left, generated ones to the right."""
    import numpy as np

    sheet = np.full((9 * CELLS, 9 * (2 * SHOWN) + 6), np.nan)
    for row, pair in enumerate(cells):
        for side, images in enumerate(pair):
            # Evenly spread over the classes, in whose order they come.
            for column, image in enumerate(images[:: max(len(images) // SHOWN, 1)][:SHOWN]):
                left = 9 * column + side * (9 * SHOWN + 6)
                sheet[9 * row : 9 * row + 8, left : left + 8] = image.reshape(8, 8)
    ax.imshow(sheet, cmap="gray_r", vmin=0, vmax=16, interpolation="nearest")
    middle = 9 * SHOWN / 2
    ax.set_xticks([middle, middle + 9 * SHOWN + 6], ["real", "generated"])
    ax.set_yticks(9 * np.arange(CELLS) + 4, range(1, CELLS + 1))
    ax.set_ylabel("cell")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)


def draw_classes(ax: Any, cells: list[tuple[Any, Any]]) -> None:
    """Two bars a cell, real above generated, cut by class."""
    from matplotlib import colormaps

    colors = colormaps["tab10"].colors
    for row, pair in enumerate(cells):
        for shift, counts in zip((-0.2, 0.2), pair, strict=True):
            left = 0
            for number, count in enumerate(counts):
                ax.barh(row + shift, count, 0.36, left, color=colors[number % 10])
                left += count
    for number in range(len(cells[0][0])):
        ax.barh([0], [0], color=colors[number % 10], label=str(number))
    ax.set_yticks(range(CELLS), range(1, CELLS + 1))
    ax.invert_yaxis()
    ax.set(xlabel="samples; upper bar real, lower bar generated", ylabel="cell")
    ax.legend(title="class", loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
