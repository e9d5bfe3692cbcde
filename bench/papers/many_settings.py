"""F_1/8 and F_8 of many models against a classifier's entropies (2018 paper, Fig. 10), and cells.

The paper's GANs and VAEs at many settings are here models of known faults at random settings: the
first c classes, c drawn from one to all, and one fault of `bench.papers.faults` of a random
strength.  Spearman's rank correlation of F_1/8 with the mean entropy of p(y|x) is −0.83 in the
paper, of F_8 with the entropy of p(y) 0.89.  The same F with other numbers of cells than 20 shows
how much the choice decides of the order of models.

Precision and p(y|x) disagree where the classifier is sure of what is no image (shuffled pixels are
some digit to it), and where k-means sees nothing (noise inside the cells).
"""

import warnings
from argparse import ArgumentParser, Namespace
from typing import Any

import numpy as np

import prfast
from bench.papers import cifar_classes
from bench.papers.class_scores import halves, labeled_sets, left_out, runs_of
from bench.papers.experiments import rank_correlation
from bench.papers.faults import FAULTS, with_fewer
from bench.papers.judge import Judge
from bench.report import Figure, Findings

CELLS = {"digits": (5, 10, 20, 50), "CIFAR-10": (20,)}  # others take minutes a model
CHOSEN = 20
PAPER = {"f_1/8": -0.83, "f_8": 0.89}
PAIRS = (("f_1/8", "conditional", "H(y|x)"), ("f_8", "marginal", "H(y)"))
FAIR = 0.7  # what is called "fairly high" is at least this


def add_options(parser: ArgumentParser) -> None:
    cifar_classes.add_options(parser)
    help_text = "models of each kind of images, 32 by default"
    parser.add_argument("--models", type=int, default=32, metavar="N", help=help_text)


def run(options: Namespace) -> Findings:
    number = 4 if options.tiny else options.models
    by = {
        images: models_of(images, features, labels, per_class, number, runs_of(options))
        for images, (features, labels, per_class) in labeled_sets(options).items()
    }
    judged = [figure for images, rows in by.items() for figure in figures_of(images, rows)]
    rows = [row for of in by.values() for row in of]
    return Findings({}, judged, [f"{number} models of each", *left_out(options)], rows)


def models_of(
    images: str, features: Any, labels: Any, per_class: int, number: int, runs: int
) -> list[dict[str, Any]]:
    """Return a row a model: its setting, what the classifier says, F with every number of cells."""
    rng = np.random.default_rng(0)
    ours, theirs = (np.concatenate(rows) for rows in halves(labels, per_class, rng))
    real = features[ours]
    judge = Judge(real, labels[ours])
    # Features of a network have no neighboring pixels to be smoothed.
    kinds = [name for name in FAULTS if name != "blur" or images == "digits"]
    rows = []
    for seed in range(number):
        rng = np.random.default_rng(seed)
        classes, fault = int(rng.integers(1, len(np.unique(labels)) + 1)), str(rng.choice(kinds))
        make, (mild, severe) = FAULTS[fault]
        strength = float(rng.uniform(*sorted((mild, severe))))
        fake = with_fewer(classes, make(strength))(features[theirs], labels[theirs], rng)
        row = {"images": images, "classes": classes, "fault": fault, "strength": strength}
        row |= judge(fake)._asdict()
        for cells in CELLS[images]:
            with warnings.catch_warnings():
                # Some faults lie inside the cells; what that does to the ranks is the subject.
                warnings.simplefilter("ignore", prfast.Contradiction)
                settings = {"clusters": cells, "runs": runs, "random_state": seed}
                curve = prfast.pr_curve(real, fake, "kmeans", **settings)
            row |= {f"f_8, {cells}": curve.f_score(8), f"f_1/8, {cells}": curve.f_score(1 / 8)}
        rows.append(row)
    return rows


def figures_of(images: str, selected: list[dict[str, Any]]) -> list[Figure]:
    results = []
    for f, entropy, name in PAIRS:
        value = rank_correlation(selected, f"{f}, {CHOSEN}", entropy)
        target = {"at_most": -FAIR} if PAPER[f] < 0 else {"at_least": FAIR}
        results.append(Figure(f"{images}: rank correlation of {f} and {name}", value, **target))
    cells = CELLS[images]
    for f, _, _ in PAIRS if len(cells) > 1 else ():
        least = min(
            rank_correlation(selected, f"{f}, {number}", f"{f}, {CHOSEN}") for number in cells
        )
        label = f"{images}: {f} with {cells[0]} to {cells[-1]} cells, least rank correlation"
        results.append(Figure(label, least))
    return results
