"""Share of draws in which the truth lies below the bound, and how far (no paper: docs/theory.md).

Six pairs of known curves, 1000 + 1000 samples (1000 + 300 where they differ), drawn anew 500 times.
Scorers: one fixed beforehand, the exact ratio where it is of use; kNN fitted on a half and scored
on the other; and logistic regression scored in ten folds, whose bound is empirical.  The claim: the
truth is below `upper(0.95)` at every λ in at least 95 % of the draws, and the fixed scorer's own
curve, which is the truth, inside `band(0.95)`.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from bench.papers import figures
from bench.papers.experiments import add_draws, draws_of, verdict
from bench.results import Figure, Findings, columns

if TYPE_CHECKING:
    from prfast import PRCurve

LEVEL = 0.95
SCORERS = ("fixed", "knn", "folds")
HEAD = ("pair", "scorer", "bound", "truth below upper", "inside band", "upper − curve at λ = 1")


class Pair(NamedTuple):
    sample: Callable[[int], Any]  # real and generated samples of a draw
    score: Callable[[Any], Any]
    truth: PRCurve


class Shares(NamedTuple):
    """Results of one pair, scorer and bound, one a draw."""

    below: list[bool]
    inside: list[bool]
    width: list[float]


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 500)


def pairs(size: int) -> dict[str, Pair]:
    import numpy as np

    from prfast import PRCurve
    from prfast.reference import Discrete, GaussianShift

    def of(reference: Any, m: int = size, score: Any = None) -> Pair:
        return Pair(
            lambda seed: reference.sample(size, m, random_state=seed),
            score or reference.log_ratio,
            reference.curve(),
        )

    def halves(seed: int) -> Any:
        points = np.random.default_rng(seed).random((2, size, 1))
        return points[0], points[1] + 1.0

    return {
        "Δ = 1": of(GaussianShift(1.0, 4)),
        "Δ = 3": of(GaussianShift(3.0, 4)),
        "ties": of(Discrete([4, 3, 2, 1, 0.5, 0], [0, 1, 2, 3, 3, 1])),
        "n ≠ m": of(GaussianShift(1.0, 4), m=3 * size // 10),
        "P = Q": of(GaussianShift(0.0, 4), score=lambda points: points[:, 0]),
        "disjoint": Pair(halves, lambda points: -points[:, 0], PRCurve.from_masses([1, 0], [0, 1])),
    }


def curve_of(scorer: str, pair: Pair, seed: int) -> PRCurve:
    """One draw, scored."""
    import prfast

    real, fake = pair.sample(seed)
    if scorer == "fixed":
        return prfast.pr_curve(real, fake, pair.score)
    if scorer == "knn":
        return prfast.pr_curve(real, fake, random_state=seed)
    return in_folds(real, fake, seed)


def in_folds(real: Any, fake: Any, seed: int) -> PRCurve:
    """Each sample scored by a fit that has not seen it, the scores of all folds together."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    from prfast import PRCurve

    n, m = len(real), len(fake)
    points, is_real = np.concatenate([real, fake]), np.repeat([1, 0], [n, m])
    folds = StratifiedKFold(10, shuffle=True, random_state=seed)
    score = cross_val_predict(
        LogisticRegression(), points, is_real, cv=folds, method="decision_function"
    )
    info = {"split": None, "folds": 10, "scored_real": n, "scored_fake": m}
    return PRCurve.from_scores(score[:n], score[n:], info=info)


def measure(pair: Pair, scorer: str, draws: int) -> dict[str, Shares]:
    from prfast.curve.bands import BOUNDS
    from prfast.curve.polyline import lambdas

    lam = lambdas(401)[1:-1]
    truth = pair.truth.at(lam)[0]
    results = {bound: Shares([], [], []) for bound in BOUNDS}
    for seed in range(draws):
        curve = curve_of(scorer, pair, seed)
        for bound, one in results.items():
            upper = curve.upper(LEVEL, bound=bound)
            low, high = (side.at(lam)[0] for side in curve.band(LEVEL, bound=bound))
            one.below.append(bool((truth <= upper.at(lam)[0] + 1e-6).all()))
            one.inside.append(bool((low <= truth + 1e-6).all() and (truth <= high + 1e-6).all()))
            one.width.append(upper.at(1.0)[0] - curve.at(1.0)[0])
    return results


def run(options: Namespace) -> Findings:
    size, draws = 60 if options.tiny else 1000, draws_of(options)
    rows = []
    for name, pair in pairs(size).items():
        for scorer in SCORERS:
            for bound, results in measure(pair, scorer, draws).items():
                below, inside, width = (sum(one) / draws for one in results)
                row = {"pair": name, "scorer": scorer, "bound": bound, "below": below}
                rows.append(row | {"inside": inside, "width": width})
    judged = [
        Figure(f"{what}, {scorer}: least coverage", least, at_least=at_least)
        for scorer, at_least in (("fixed", LEVEL), ("knn", LEVEL), ("folds", None))
        for what, key in (("upper", "below"), ("band", "inside"))
        if key == "below" or scorer == "fixed"
        for least in [min(row[key] for row in rows if row["scorer"] == scorer)]
    ]
    judged += [
        Figure(
            f"{bound} at λ = 1, {name}, halves: width / dkw",
            width_of(rows, name, bound) / width_of(rows, name, "dkw"),
        )
        for name in ("Δ = 1", "Δ = 3")
        for bound in ("mixture", "joint")
    ]
    picture = draw(size, options)
    lines = [
        (
            row["pair"],
            row["scorer"],
            row["bound"],
            f"{row['below']:.3f}",
            f"{row['inside']:.3f}" if row["scorer"] == "fixed" else "",
            f"{row['width']:.3f}",
        )
        for row in rows
    ]
    last = verdict(
        f"the truth is below in at least {min(judged[0].value, judged[2].value):.3f} of the draws "
        f"of scorers that had not seen what they score, {judged[3].value:.3f} in folds",
        f"at least {LEVEL}",
        judged,
    )
    notes = [columns([HEAD, *lines]), f"{size} samples, {draws} draws", picture, last]
    return Findings({}, judged, notes, rows)


def width_of(rows: Any, pair: str, bound: str) -> float:
    key = (pair, "knn", bound)
    return next(row["width"] for row in rows if (row["pair"], row["scorer"], row["bound"]) == key)


def draw(size: int, options: Namespace) -> str:
    """Draw a panel a pair: one draw scored by kNN, and what it proves by each bound."""
    from prfast.curve.bands import BOUNDS

    figure, axes = figures.panels(2, 3)
    for ax, (name, pair) in zip(axes, pairs(size).items(), strict=True):
        curve = curve_of("knn", pair, 0)
        curves = {"knn": curve} | {bound: curve.upper(LEVEL, bound=bound) for bound in BOUNDS}
        figures.draw(ax, curves, pair.truth, name)
    figures.legend(figure, axes[0])
    return figures.save(figure, options)
