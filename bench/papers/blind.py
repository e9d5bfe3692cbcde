"""Damaged features of images, and imitations of them: every curve method beside metrics of shares.

One half of the file is real, the other half is damaged and stored as the file is (float16), or
replaced by something that only resembles it.  `fidelity`, `diversity` and the area are those of
"auto"; of every other method the area; precision, recall, density and coverage as prdc has them,
Fréchet and kernel distance as torch-fidelity has them.
"""

import warnings
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

import prfast
from bench.papers import cifar_classes
from bench.papers.experiments import METHODS
from bench.report import Figure, Findings
from prfast.estimate.diagnostics import contradictions

ALL = ("auto", *METHODS, "kmeans", "classifier")
METRICS = ("precision", "recall", "density", "coverage", "frechet_distance", "kernel_distance")
NOTHING = ("noise", "independent columns", "shuffled columns", "normal", "noise .5 sd")
add_options = cifar_classes.add_options


def run(options: Namespace) -> Findings:
    rows, notes = [], []
    for name, real, fake in pairs(options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", prfast.Contradiction)  # they are the subject
            curves = {method: prfast.pr_curve(real, fake, method) for method in ALL}
        metrics = prfast.metrics(real, fake, which=METRICS)
        auto = curves["auto"]
        rows.append(
            {"against": name, "fidelity": auto.fidelity, "diversity": auto.diversity}
            | {f"area of {method}": curve.area for method, curve in curves.items()}
            | dict(metrics)
            | {"1000 kernel_distance": 1000 * metrics["kernel_distance"]}
        )
        notes += [f"{name}: {sentence}" for sentence in contradictions(curves, metrics)]
    judged = [
        Figure(f"{row['against']}: {key}", value, **_target(row["against"], key))
        for row in rows
        for key, value in row.items()
        if key != "against"
    ]
    return Findings({}, judged, notes, rows)


def _target(against: str, number: str) -> dict[str, float]:
    """Return the target of a number of samples whose share in common with the real ones is
    known."""
    if number != "area of auto":
        return {}
    return (
        {"at_least": 0.99}
        if against == "other images"
        else ({"at_most": 0.01} if against in NOTHING else {})
    )


def pairs(options: Namespace) -> Iterator[tuple[str, Any, Any]]:
    """Yield a name, the real half, and what stands against it."""
    from bench.auto import damages
    from bench.auto.sets import RealSet, half_precision

    of = RealSet("images", *cifar_classes.load(options), half_precision)
    pool = damages.pool_of(of, len(of.features) // 2, 0)
    damaged = {
        "other images": damages.others,
        "classes missing": damages.classes_missing(4),
        "10 % junk": damages.junk(0.1),
        "noise .1 sd": damages.noise(0.1),
        "noise .5 sd": damages.noise(0.5),
        "blur 20 %": damages.blur(0.2),
        "blur 50 %": damages.blur(0.5),
        "each twice": damages.repeated(None),
        "200 copied": damages.repeated(min(200, pool.n // 2)),
        "noise": lambda pool: (pool.real, pool.normal() / of.sd.clip(1e-9)),
        "independent columns": lambda p: (p.real, p.other.mean(axis=0) + p.normal()),
        "shuffled columns": damages.shuffled,
        "normal": damages.gaussian,
    }
    for name, damage in damaged.items():
        real, fake = damage(pool)
        yield name, real, of.store(fake)
