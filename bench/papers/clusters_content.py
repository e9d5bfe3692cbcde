"""Content of ten k-means cells: real and generated samples (2018 paper, Fig. 9).

The model blends other images with each other, by a quarter: all classes are there, none is clean.
The paper looks at the cells and finds them "clustered in a meaningful way"; here classes are
counted: how much of a cell is of its commonest class, and whether generated samples, by the class
that they come from, agree with the real ones of their cell.
"""

from argparse import Namespace
from typing import Any

import numpy as np

import prfast
from bench.papers import cifar_classes
from bench.papers.class_scores import blended, halves, labeled_sets, left_out
from bench.report import Figure, Findings

CELLS, WEIGHT = 10, 0.25
add_options = cifar_classes.add_options


def run(options: Namespace) -> Findings:
    rows, judged = [], []
    for images, (features, labels, per_class) in labeled_sets(options).items():
        rng = np.random.default_rng(0)
        ours, theirs = (np.concatenate(rows) for rows in halves(labels, per_class, rng))
        real, fake = features[ours], blended(features[theirs], WEIGHT, rng)
        cells = prfast.reference.papers.partition(real, fake, clusters=CELLS)
        contents = [
            (content(cells.real[run], labels[ours]), content(cells.fake[run], labels[theirs]))
            for run in range(len(cells.real))
        ]
        by_chance = content(rng.permutation(cells.real[0]), labels[ours])
        pure, fake_purity = (
            float(np.mean([purity(pair[i], pair[0]) for pair in contents])) for i in (0, 1)
        )
        judged += [
            Figure(f"{images}: real samples of their cell's class", pure, at_least=0.5),
            Figure(f"{images}: generated samples of their cell's class", fake_purity, at_least=0.5),
            Figure(f"{images}: the same in cells drawn at random", purity(by_chance, by_chance)),
        ]
        for cell, (real_counts, fake_counts) in enumerate(zip(*contents[0], strict=True)):
            row = {"images": images, "cell": cell, "class": int(real_counts.argmax())}
            row |= {"real": int(real_counts.sum()), "generated": int(fake_counts.sum())}
            rows.append(row | {"share": real_counts.max() / max(real_counts.sum(), 1)})
    return Findings({}, judged, left_out(options), rows)


def content(cells: Any, classes: Any) -> Any:
    """Return the number of samples of each class in each cell, shape (cells, classes)."""
    result = np.zeros((CELLS, classes.max() + 1), int)
    np.add.at(result, (cells, classes), 1)
    return result


def purity(counts: Any, real: Any) -> float:
    """Return the share of the samples that are of the commonest real class of their cell."""
    return float(counts[range(CELLS), real.argmax(axis=1)].sum() / counts.sum())
