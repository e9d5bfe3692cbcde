"""Scores to curve: 10⁶ + 10⁶ float32 scores against two sorts and scikit-learn's roc_curve.

One thread.  Three kinds of scores: normals shifted by 1, the same distribution twice, and shifted
normals rounded to 2 decimals (many ties).  The curve is the sort of both classes and one sweep, so
its time is told in sorts (below 1 would be an error of measurement); roc_curve gives the same
thresholds without the hull.  Both must agree on the total variation, 1 − α_1 = max_t tpr − fpr.
"""

from __future__ import annotations

import math
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.measure import Measured, side_by_side
from bench.results import Figure, Findings

KINDS = ("shifted", "equal", "tied")


def run(options: Namespace) -> Findings:
    size = 2000 if options.tiny else 10**6
    repeats = options.repeats or (2 if options.tiny else 21)
    measured: dict[str, Measured] = {}
    figures = []
    for kind in KINDS[-1:] if options.tiny else KINDS:
        settings = {"kind": kind, "size": size}
        found = side_by_side(
            {
                "prfast": Contender(prfast_curve, settings, answer=curve_distance),
                "np.sort": Contender(two_sorts, settings),
                "roc_curve": Contender(sklearn_roc, settings, answer=roc_distance),
            },
            repeats,
        )
        ours, sort, roc = found["prfast"], found["np.sort"], found["roc_curve"]
        if not math.isclose(ours.answer, roc.answer, rel_tol=1e-9, abs_tol=1e-12):
            raise ArithmeticError(f"{kind}: {ours.answer} by prfast, {roc.answer} by roc_curve")
        figures += [
            Figure.of_ratio(f"{kind}: prfast / np.sort", ours, sort, at_most=3),
            Figure.of_ratio(f"{kind}: roc_curve / prfast", roc, ours, at_least=15),
        ]
        measured |= {f"{kind}: {name}": one for name, one in found.items()}
    return Findings(measured, figures, [f"{size} + {size} scores, {repeats} turns"])


def scores(kind: str, size: int) -> tuple[Any, Any]:
    """Real and fake scores, larger where more like real."""
    import numpy as np

    rng = np.random.default_rng(0)
    real = rng.standard_normal(size, np.float32)
    fake = rng.standard_normal(size, np.float32)
    if kind != "equal":
        real += 1
    return (real.round(2), fake.round(2)) if kind == "tied" else (real, fake)


# ---- contenders --------------------------------------------------------------------------------


def prfast_curve(kind: str, size: int) -> Callable[[], Any]:
    from prfast import PRCurve

    real, fake = scores(kind, size)
    return lambda: PRCurve.from_scores(real, fake)


def curve_distance(curve: Any) -> float:
    return float(curve.total_variation)


def two_sorts(kind: str, size: int) -> Callable[[], Any]:
    import numpy as np

    real, fake = scores(kind, size)
    return lambda: (np.sort(real), np.sort(fake))


def sklearn_roc(kind: str, size: int) -> Callable[[], Any]:
    import numpy as np
    from sklearn.metrics import roc_curve

    labels = np.repeat([1, 0], size)
    union = np.concatenate(scores(kind, size))
    return lambda: roc_curve(labels, union)


def roc_distance(roc: Any) -> float:
    fpr, tpr, _ = roc
    return float((tpr - fpr).max())
