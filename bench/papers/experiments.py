"""Code of the papers' experiments: draws of the four neighbor curves, means, correlations."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prfast import PRCurve

METHODS = ("ipr", "knn", "parzen", "coverage")
SPLITS = {"half": 0.5, "none": None}


def add_draws(parser: ArgumentParser, default: int) -> None:
    help_text = f"samples drawn anew, {default} by default"
    parser.add_argument("--draws", type=int, default=default, metavar="N", help=help_text)


def draws_of(options: Namespace) -> int:
    return 2 if options.tiny else max(2, options.draws)


def draw_curves(
    truth: Any, size: int, ks: Sequence[int], split: float | None, draws: int
) -> dict[tuple[str, int], list[PRCurve]]:
    """Curves of every method and k from `size` samples of each of P and Q, one a draw."""
    import prfast

    results: dict[tuple[str, int], list[PRCurve]] = {(m, k): [] for k in ks for m in METHODS}
    for draw in range(draws):
        real, fake = truth.sample(size, random_state=draw)
        curves = prfast.pr_curves(real, fake, METHODS, ks, split=split, random_state=draw)
        for key, curve in curves.items():
            results[key].append(curve)
    return results


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of the draws and its standard error."""
    import numpy as np

    array = np.asarray(values, dtype=float)
    return float(array.mean()), float(array.std(ddof=1) / len(array) ** 0.5)


def averages(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return NAME and NAME_error, mean and standard error, of the numbers of each draw."""
    results = {}
    for name in rows[0]:
        results[name], results[f"{name}_error"] = mean_and_error([row[name] for row in rows])
    return results


def rank_correlation(rows: Sequence[Mapping[str, Any]], first: str, second: str) -> float:
    """Return Spearman's rank correlation of two numbers of the rows."""
    from scipy.stats import spearmanr

    return float(spearmanr([row[first] for row in rows], [row[second] for row in rows]).statistic)
