"""Generators over their training: F_8 against F_1/8, PRD, metrics (2018, Fig. 1, 6, 7, 10).

The papers judge GANs and VAEs that others trained.  Here three small ones (generators.py) are
trained on one half of scikit-learn's digits, and checkpoints of several epochs are judged against
the other half by one `Evaluator`; the training half itself is the ceiling.  Features: the
penultimate layer of a classifier of the training half, as in the paper, and pixels beside it.

Of the papers: F_8 against F_1/8 of VAEs and GANs (2018, Fig. 7); two models of one Fréchet distance
whose curves differ (Fig. 1, 6); the rank correlation of precision with the entropy of p(y|x) and of
recall with that of p(y) (Fig. 10); clusters that see less than a classifier (2019, Fig. 6).

Each of --draws is a training from another seed.  Checkpoints and losses are kept in the folder
`trained` beside the results.  Needs torch.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from importlib.util import find_spec
from itertools import combinations
from statistics import fmean
from typing import Any

from bench.papers import trained_pictures
from bench.papers.experiments import add_draws, draws_of, verdict
from bench.results import Figure, Findings, columns

EPOCHS, FEW_EPOCHS = (0, 1, 3, 10, 30, 100, 300), (0, 2)
METHODS = ("kmeans", "auto", "classifier")
METRICS = ("precision", "recall", "density", "coverage", "frechet_distance")
FEATURES = ("penultimate", "pixels")
SHOWN = ("kmeans_f8", "kmeans_f1_8", "kmeans_area", "auto_f8", "auto_f1_8", "auto_area", *METRICS)
REAL = "training half"


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 3)


def run(options: Namespace) -> Findings:
    if find_spec("torch") is None:
        raise SystemExit(
            f"{options.case}: torch is needed: python -m pip install 'prfast[features]'"
        )
    import numpy as np

    from bench.papers import generators
    from bench.papers.digit_classifier import train_classifier
    from prfast import Evaluator
    from prfast.cli import demo

    pixels, digits = demo.digits()
    order = np.random.default_rng(0).permutation(len(pixels))[: 160 if options.tiny else None]
    half = len(order) // 2
    images, labels = pixels[order[:half]] / generators.LEVELS, digits[order[:half]]
    reference = pixels[order[half:]] / generators.LEVELS
    classifier = train_classifier(images, labels, seed=0)
    views = {"penultimate": classifier.features, "pixels": lambda images: images}
    evaluators = {
        name: Evaluator(of(reference), METHODS, which=METRICS) for name, of in views.items()
    }
    epochs = FEW_EPOCHS if options.tiny else EPOCHS

    rows: list[dict[str, Any]] = []
    curves, samples = {}, {}

    def judge(model: str, seed: int, epoch: int, made: Any, loss: float | None = None) -> None:
        told = {
            "model": model,
            "seed": seed,
            "epoch": epoch,
            "loss": loss,
            **seen(classifier, made),
        }
        samples[model, seed, epoch] = made
        for name in FEATURES if seed == 0 else FEATURES[:1]:
            found = evaluators[name].evaluate(views[name](made))
            if name == FEATURES[0]:
                curves[model, seed, epoch] = {key[0]: c for key, c in found.curves.items()}
            rows.append({"features": name, **told, **found.scalars()})

    judge(REAL, 0, 0, images)
    losses = {}
    folder = options.results / options.case
    folder.mkdir(exist_ok=True)
    for seed in range(draws_of(options)):
        for kind in generators.KINDS:
            path = folder / f"{kind}-{seed}.pt"
            generators.train(kind, images, epochs, seed).save(path)
            kept = generators.Trained.load(path)
            losses[kind, seed] = kept.losses
            for epoch, state in kept.states.items():
                made = generators.sample(state, len(reference), seed=seed)
                judge(kind, seed, epoch, made, kept.losses[epoch])

    judged = figures_of(rows, losses)
    pair, ceiling = alike(rows), of_real(rows)
    share = accuracy(classifier, reference, digits[order[half:]])
    notes = [
        table(rows),
        f"{draws_of(options)} trainings of each on {half} digits, against {len(reference)} others",
        f"the classifier is right on {share:.3f} of those others",
        trained_pictures.draw_training(of_generators(rows), losses, samples, options, ceiling),
        trained_pictures.draw_pair(pair, curves, samples, options),
    ]
    found = (
        f"F_1/8 − F_8 at the end {end(rows, 'vae'):+.2f} (VAE), {end(rows, 'gan'):+.2f} (GAN), "
        f"{end(rows, 'wgan'):+.2f} (Wasserstein GAN)"
    )
    notes.append(verdict(found, "VAEs below the diagonal, GANs above it", judged))
    return Findings({}, judged, notes, {"rows": rows, "losses": list_losses(losses), "pair": pair})


def seen(classifier: Any, images: Any) -> dict[str, Any]:
    """What the classifier sees: shares of digits, its confidence, entropies of p(y|x) and p(y)."""
    import numpy as np
    from scipy.stats import entropy

    of_each = classifier.probabilities(images)
    return {
        "shares": np.bincount(of_each.argmax(axis=1), minlength=10).tolist(),
        "confidence": float(of_each.max(axis=1).mean()),
        "entropy of p(y|x)": float(entropy(of_each, axis=1).mean()),
        "entropy of p(y)": float(entropy(of_each.mean(axis=0))),
    }


def accuracy(classifier: Any, images: Any, digits: Any) -> float:
    return float((classifier.probabilities(images).argmax(axis=1) == digits).mean())


def list_losses(losses: dict[tuple[str, int], list[float]]) -> list[dict[str, Any]]:
    return [{"model": kind, "seed": seed, "losses": of} for (kind, seed), of in losses.items()]


# ---- figures -------------------------------------------------------------------------------------


def of_generators(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of generators, in the features that are judged."""
    return [r for r in rows if r["features"] == FEATURES[0] and r["model"] != REAL]


def of_real(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return next(r for r in rows if r["features"] == FEATURES[0] and r["model"] == REAL)


def runs_of(rows: list[dict[str, Any]], model: str) -> list[list[dict[str, Any]]]:
    """Checkpoints of each training of a model, in order."""
    own = [row for row in of_generators(rows) if row["model"] == model]
    return [[row for row in own if row["seed"] == seed] for seed in {row["seed"] for row in own}]


def bias(row: dict[str, Any], method: str = "kmeans") -> float:
    """Above the diagonal of Fig. 7 (precision) or below it (recall)."""
    return float(row[f"{method}_f1_8"] - row[f"{method}_f8"])


def end(rows: list[dict[str, Any]], model: str) -> float:
    return fmean(bias(run[-1]) for run in runs_of(rows, model))


def alike(rows: list[dict[str, Any]], within: float = 0.05) -> list[dict[str, Any]]:
    """The two trained checkpoints of nearly one Fréchet distance whose curves lean apart most.

    The one that leans to precision is first.
    """
    trained = [row for row in of_generators(rows) if row["epoch"]]
    pairs = [
        sorted(pair, key=bias, reverse=True)
        for pair in combinations(trained, 2)
        if abs(pair[0]["frechet_distance"] / pair[1]["frechet_distance"] - 1) <= within
    ]
    closest = sorted(trained, key=bias, reverse=True)  # of a tiny run
    return max(
        pairs, key=lambda pair: bias(pair[0]) - bias(pair[1]), default=[closest[0], closest[-1]]
    )


def figures_of(
    rows: list[dict[str, Any]], losses: dict[tuple[str, int], list[float]]
) -> list[Figure]:
    from scipy.stats import spearmanr

    models = list(dict.fromkeys(kind for kind, _ in losses))
    all_rows = of_generators(rows)
    ceiling = of_real(rows)
    untrained = [row for row in rows if row["epoch"] == 0 and row["model"] != REAL]
    found = []
    for model in models:
        runs = runs_of(rows, model)
        fall = max(of[-1] / of[0] for (kind, _), of in losses.items() if kind == model)
        found.append(Figure(f"{model}: loss at the end / before, largest", fall, at_most=0.9))
        for method, least in (("kmeans", 0.3), ("auto", 0.05)):
            rise = [
                max(r[f"{method}_area"] for r in run) - run[0][f"{method}_area"] for run in runs
            ]
            name = f"{model}: {method} area, best − untrained, mean"
            found.append(Figure(name, fmean(rise), at_least=least))
        lean = {"at_most": 0.0} if model == "vae" else {"at_least": 0.0}
        found.append(Figure(f"{model}: F_1/8 − F_8 at the end, mean", end(rows, model), **lean))
    for method in ("kmeans", "auto"):
        name = f"{method}: area of real against real"
        found.append(Figure(name, ceiling[f"{method}_area"], at_least=0.95))
        worst = max(row[f"{method}_area"] for row in untrained)
        found.append(Figure(f"{method}: area of untrained, largest", worst, at_most=0.02))
    trained = [row for row in all_rows if row["epoch"]]
    one, other = alike(rows)
    ranks = {
        "F_1/8, entropy of p(y|x)": spearmanr(
            *columns_of(trained, "kmeans_f1_8", "entropy of p(y|x)")
        ),
        "F_8, entropy of p(y)": spearmanr(*columns_of(trained, "kmeans_f8", "entropy of p(y)")),
    }
    first, second = (float(rank.statistic) for rank in ranks.values())
    over = [row["kmeans_area"] - row["classifier_area"] for row in trained]
    return [
        *found,
        Figure("one Fréchet distance: F_1/8 − F_8 apart by", bias(one) - bias(other), at_least=0.2),
        Figure("rank correlation of F_1/8 and entropy of p(y|x)", first, at_most=-0.5),
        Figure("rank correlation of F_8 and entropy of p(y)", second, at_least=0.5),
        Figure("area of kmeans − classifier, mean over checkpoints", fmean(over), at_least=0),
    ]


def columns_of(rows: list[dict[str, Any]], *names: str) -> list[list[float]]:
    return [[row[name] for row in rows] for name in names]


def table(rows: list[dict[str, Any]]) -> str:
    """Of the first training, features by features."""
    lines = [("features", "model", "epoch", *SHOWN)]
    for features in FEATURES:
        for row in rows:
            if row["features"] == features and row["seed"] == 0:
                numbers = [f"{row[name]:.3f}" for name in SHOWN]
                lines.append((features, row["model"], str(row["epoch"]), *numbers))
    return columns(lines)
