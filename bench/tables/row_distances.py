"""Distances between rows of tables: to the closest record (SDMetrics), and of scaled columns
(synthcity)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from prfast.inputs.frames import CATEGORY, DATE, Column, Float64s

QUANTILES = 30
_ROWS = 256  # of a block of distances


# ---- SDMetrics: distances to the closest record --------------------------------------------------


def random_rows(real: Sequence[Column], rows: int, seed: int) -> list[Column]:
    """Return so many rows, each cell uniform among those of the real column."""
    draws, gaps = np.random.default_rng(seed), np.random.RandomState(seed)
    columns = []
    for column in real:
        present = column.values[~column.missing]
        values = np.full(rows, np.nan)
        if len(present) and column.kind == CATEGORY:
            levels = np.array([*dict.fromkeys(present.tolist())])
            values = levels[draws.choice(len(levels), size=rows)]
        elif len(present) and column.source.startswith(("Int", "UInt")):
            values = draws.integers(int(present.min()), int(present.max()) + 1, rows).astype(
                np.float64
            )
        elif len(present) and column.kind == DATE:  # in seconds, with the rounding of SDMetrics
            values = present.min() + 1e6 * draws.uniform(0, np.ptp(present) / 1e6, rows)
        elif len(present):
            values = draws.uniform(present.min(), present.max(), rows)
        values[gaps.rand(rows) < column.missing.mean()] = np.nan
        columns.append(column._replace(values=values))
    return columns


def nearest_distances(columns: Sequence[Column], reference: Sequence[Column]) -> Float64s:
    """Return the distance of each row from the nearest reference row, summed over columns."""

    def nearest(rows: slice) -> Float64s:
        total: Any = 0.0
        for column, reference_column in zip(columns, reference, strict=True):
            x, y = column.values[rows, None], reference_column.values
            present = y[~reference_column.missing]
            width = np.ptp(present) if len(present) and column.kind != CATEGORY else 0.0
            part = np.minimum(np.abs(x - y) / width, 1.0) if width else x != y
            gaps = np.isnan(x), np.isnan(y)
            total = total + np.where(gaps[0] | gaps[1], gaps[0] != gaps[1], part)
        return np.asarray(total.min(axis=1))

    starts = range(0, len(columns[0].values), _ROWS)
    return np.concatenate([nearest(slice(start, start + _ROWS)) for start in starts])


# ---- synthcity -----------------------------------------------------------------------------------


def scaled(columns: Iterable[tuple[Column, Column]]) -> tuple[Float64s, Float64s]:
    """Return both tables with columns scaled to [0, 1] by the real one; columns: each of both."""
    scaled_sets: tuple[list[Float64s], list[Float64s]] = ([], [])
    for pair in columns:
        values = [set_columns.values for set_columns in pair]
        if pair[0].kind == CATEGORY:
            used = {
                int(code)
                for set_columns in pair
                for code in set_columns.values[~set_columns.missing]
            }
            order = sorted(used, key=lambda i: pair[0].levels[i])
            places = np.full(len(pair[0].levels) + 1, float(len(order)))  # a missing cell is last
            places[order] = np.arange(len(order))
            values = [
                places[np.where(set_columns.missing, -1, set_columns.values).astype(np.int64)]
                for set_columns in pair
            ]
        present = values[0][~np.isnan(values[0])]
        low, width, mean = 0.0, 0.0, 0.0
        if len(present):
            low, width, mean = present.min(), np.ptp(present), present.mean()
        for set_columns, columns_of in zip(values, scaled_sets, strict=True):
            columns_of.append(
                (np.where(np.isnan(set_columns), mean, set_columns) - low) / (width or 1.0)
            )
    return np.column_stack(scaled_sets[0]), np.column_stack(scaled_sets[1])


def support_scores(real: Float64s, fake: Float64s) -> tuple[float, float, float]:
    """Return alpha precision, beta recall and authenticity of arrays (n, d) and (m, d).

    Authenticity is NaN unless n = m.
    """
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors()
    to_real = search.fit(real).kneighbors(real, 2)[0][:, 1]
    to_fake, nearest = (distances[:, 0] for distances in search.fit(fake).kneighbors(real, 1))
    alphas, centre = np.linspace(0, 1, QUANTILES), real.mean(axis=0)
    radii = np.quantile(np.linalg.norm(real - centre, axis=1), alphas)
    inside = np.linalg.norm(fake - centre, axis=1)[:, None] <= radii
    around = np.linalg.norm(fake[nearest] - fake.mean(axis=0), axis=1)
    covered = (around[:, None] <= np.quantile(around, alphas)) & (to_fake <= to_real)[:, None]
    precision, recall = (
        1 - np.abs(alphas - distances.mean(axis=0)).sum() / alphas.sum()
        for distances in (inside, covered)
    )
    if len(real) != len(fake):
        return precision, recall, np.nan
    return precision, recall, float(np.mean(to_real[nearest] < to_fake))
