"""Code of the papers' experiments: numbers of draws, means."""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence

import numpy as np

METHODS = ("ipr", "knn", "parzen", "coverage")
SPLITS = {"half": 0.5, "none": None}


def add_draws(parser: ArgumentParser, default: int) -> None:
    help_text = f"samples drawn anew, {default} by default"
    parser.add_argument("--draws", type=int, default=default, metavar="N", help=help_text)


def draws_of(options: Namespace) -> int:
    return 2 if options.tiny else max(2, options.draws)


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of the draws and its standard error."""
    array = np.asarray(values, dtype=float)
    return float(array.mean()), float(array.std(ddof=1) / len(array) ** 0.5)


def averages(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return NAME and NAME_error, mean and standard error, of the numbers of each draw."""
    results = {}
    for name in rows[0]:
        results[name], results[f"{name}_error"] = mean_and_error([row[name] for row in rows])
    return results
