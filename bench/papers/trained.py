"""Generators over their training: F_8 against F_1/8, PRD, metrics (2018, Fig. 1, 6, 7, 10).

The papers judge GANs and VAEs that others trained.  Here three small ones (generators.py) are
trained on one half of scikit-learn's digits, and checkpoints of several epochs are judged against
the other half by one `Evaluator`; the training half itself is the ceiling.  Features: the
penultimate layer of a classifier of the training half, as in the paper, and pixels beside it.

Of the papers: F_8 against F_1/8 of VAEs and GANs (2018, Fig. 7); of all checkpoints, the two of
nearly one Fréchet distance whose F_1/8 − F_8 are farthest apart (Fig. 1, 6); the rank correlation
of precision with the entropy of p(y|x) and of recall with that of p(y) (Fig. 10); curves of
generators by clusters and by a classifier, and the automatic one (2019, Fig. 5, 6).

Each of --draws is a training from another seed.  Checkpoints and losses are kept in the folder
`trained` beside the results.  Needs torch.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from bench.papers.experiments import add_draws, draws_of
from bench.papers.trained_figures import EPOCHS, JUDGED, REAL, Row, figures_of
from bench.results import Findings, columns, rows_of

FEW_EPOCHS = (0, 2)
METHODS = ("kmeans", "auto", "classifier")
METRICS = ("precision", "recall", "density", "coverage", "frechet_distance")


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 3)


@dataclass
class Judged:
    """A row a checkpoint and view, losses by (model, seed), notes."""

    rows: list[Row] = field(default_factory=list)
    losses: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def run(options: Namespace) -> Findings:
    if find_spec("torch") is None:
        install = "python -m pip install 'prfast[features]'"
        raise SystemExit(f"{options.case}: torch is needed: {install}")
    return findings_of(measure(options))


def measure(options: Namespace) -> Judged:
    """Train, keep, load again, sample, judge."""
    import numpy as np

    from bench.papers import generators
    from bench.papers.digit_classifier import train_classifier
    from prfast import Evaluator
    from prfast.cli import demo

    pixels, digits = demo.digits()
    order = np.random.default_rng(0).permutation(len(pixels))[: 160 if options.tiny else None]
    images, labels = pixels[order] / generators.LEVELS, digits[order]
    half = len(order) // 2
    reference = images[half:]
    classifier = train_classifier(images[:half], labels[:half], seed=0)
    views = {"penultimate": classifier.features, "pixels": lambda images: images}
    evaluators = {
        name: Evaluator(of(reference), METHODS, which=METRICS) for name, of in views.items()
    }
    result = Judged()

    def judge(model: str, seed: int, epoch: int, images: Any) -> None:
        labels = {"model": model, "seed": seed, "epoch": epoch, **seen(classifier, images)}
        for name in views if seed == 0 else [JUDGED]:
            evaluation = evaluators[name].evaluate(views[name](images))
            result.rows.append({"features": name, **labels, **evaluation.scalars()})

    judge(REAL, 0, 0, images[:half])
    folder = options.results / options.case
    folder.mkdir(exist_ok=True)
    epochs = FEW_EPOCHS if options.tiny else EPOCHS
    for seed in range(draws_of(options)):
        for kind in generators.KINDS:
            path = folder / f"{kind}-{seed}.pt"
            generators.train(kind, images[:half], epochs, seed).save(path)
            training = generators.Trained.load(path)
            result.losses[kind, seed] = training.losses
            for epoch, state in training.states.items():
                judge(kind, seed, epoch, generators.sample(state, len(reference), seed))
    right = (classifier.probabilities(reference).argmax(axis=1) == labels[half:]).mean()
    result.notes += [
        f"{draws_of(options)} trainings of each on {half} digits, against {len(reference)} others",
        f"the classifier is right on {right:.3f} of those others",
    ]
    return result


def findings_of(result: Judged) -> Findings:
    losses = [
        {"model": kind, "seed": seed, "losses": of} for (kind, seed), of in result.losses.items()
    ]
    judged = figures_of(result.rows, result.losses)
    lines = columns(rows_of(result.rows))
    return Findings({}, judged, [lines, *result.notes], {"rows": result.rows, "losses": losses})


def seen(classifier: Any, images: Any) -> dict[str, Any]:
    """Return the classifier's view: shares of digits, confidence, entropies of p(y|x) and p(y)."""
    import numpy as np
    from scipy.stats import entropy

    of_each = classifier.probabilities(images)
    return {
        "shares": np.bincount(of_each.argmax(axis=1), minlength=10).tolist(),
        "confidence": float(of_each.max(axis=1).mean()),
        "entropy of p(y|x)": float(entropy(of_each, axis=1).mean()),
        "entropy of p(y)": float(entropy(of_each.mean(axis=0))),
    }
