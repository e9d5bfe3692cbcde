"""Distances between rows of tables: to the closest record (SDMetrics), and of scaled columns
(synthcity)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.concurrency import bounded_map, thread_pool
from prfast.inputs.frames import CATEGORY, DATE, Column, Float64s

QUANTILES = 30
_TILE = 256, 1024  # rows and reference rows of one block of distances: 2 MiB


# ---- SDMetrics: distances to the closest record --------------------------------------------------


def random_rows(real: Sequence[Column], rows: int, seed: int) -> list[Column]:
    """Return so many rows, each cell uniform among those of the real column."""
    draws, gaps = np.random.default_rng(seed), np.random.RandomState(seed)
    columns = []
    for column in real:
        known = column.values[~column.missing]
        values = np.full(rows, np.nan)
        if len(known) and column.kind == CATEGORY:
            levels = np.array([*dict.fromkeys(known.tolist())])
            values = levels[draws.choice(len(levels), size=rows)]
        elif len(known) and column.source.startswith(("Int", "UInt")):
            values = draws.integers(int(known.min()), int(known.max()) + 1, rows).astype(np.float64)
        elif len(known) and column.kind == DATE:  # in seconds, with the rounding of SDMetrics
            values = known.min() + 1e6 * draws.uniform(0, np.ptp(known) / 1e6, rows)
        elif len(known):
            values = draws.uniform(known.min(), known.max(), rows)
        values[gaps.rand(rows) < column.missing.mean()] = np.nan
        columns.append(column._replace(values=values))
    return columns


def nearest_distances(
    columns: Sequence[Column], reference: Sequence[Column], threads: int
) -> Float64s:
    """Return the distance of each row from the nearest reference row, summed over columns."""
    pairs = [(a, b, _range(b)) for a, b in zip(columns, reference, strict=True)]
    rows, others = len(columns[0].values), len(reference[0].values)

    def nearest(start: int) -> Float64s:
        block = slice(start, start + _TILE[0])
        best = np.full(len(range(rows)[block]), np.inf)
        for first in range(0, others, _TILE[1]):
            tile = slice(first, first + _TILE[1])
            total = np.zeros((len(best), len(range(others)[tile])))
            part = np.empty_like(total)
            for a, b, width in pairs:
                _add_column(total, part, a, a.values[block, None], b.values[tile], width)
            np.minimum(best, total.min(axis=1), out=best)
        return best

    with thread_pool(threads) as pool:
        return np.concatenate([*bounded_map(pool, nearest, range(0, rows, _TILE[0]))])


def _range(column: Column) -> float:
    known = column.values[~column.missing]
    return float(np.ptp(known)) if len(known) else 0.0


def _add_column(
    total: Float64s, part: Float64s, column: Column, a: Float64s, b: Float64s, width: float
) -> None:
    """Add the distances of one column to a block; `part` is its buffer."""
    if column.kind == CATEGORY or width == 0:
        np.not_equal(a, b, out=part)
    else:
        np.subtract(a, b, out=part)
        np.abs(part, out=part)
        np.divide(part, width, out=part)
        if not max(a.max() - b.min(), b.max() - a.min()) <= width:  # also where one is NaN
            np.minimum(part, 1.0, out=part)
    gaps: tuple[NDArray[np.bool_], NDArray[np.bool_]] = (np.isnan(a), np.isnan(b))
    if gaps[0].any() or gaps[1].any():
        np.copyto(part, gaps[0] != gaps[1], where=gaps[0] | gaps[1])
    total += part


# ---- synthcity -----------------------------------------------------------------------------------


def scaled(columns: Iterable[tuple[Column, Column]]) -> tuple[Float64s, Float64s]:
    """Return both tables with columns scaled to [0, 1] by the real one; columns: each of both."""
    both: tuple[list[Float64s], list[Float64s]] = ([], [])
    for pair in columns:
        values = [one.values for one in pair]
        if pair[0].kind == CATEGORY:
            used = {int(code) for one in pair for code in one.values[~one.missing]}
            order = sorted(used, key=lambda i: pair[0].levels[i])
            places = np.full(len(pair[0].levels) + 1, float(len(order)))  # a missing cell is last
            places[order] = np.arange(len(order))
            values = [
                places[np.where(one.missing, -1, one.values).astype(np.int64)] for one in pair
            ]
        known = values[0][~np.isnan(values[0])]
        low, width, mean = 0.0, 0.0, 0.0
        if len(known):
            low, width, mean = known.min(), np.ptp(known), known.mean()
        for one, columns_of in zip(values, both, strict=True):
            columns_of.append((np.where(np.isnan(one), mean, one) - low) / (width or 1.0))
    return np.column_stack(both[0]), np.column_stack(both[1])


def support_scores(real: Float64s, fake: Float64s, threads: int) -> tuple[float, float, float]:
    """Return alpha precision, beta recall and authenticity of arrays (n, d) and (m, d).

    Authenticity is NaN unless n = m.
    """
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_jobs=threads)
    to_real = search.fit(real).kneighbors(real, 2)[0][:, 1]
    to_fake, nearest = (one[:, 0] for one in search.fit(fake).kneighbors(real, 1))
    alphas, centre = np.linspace(0, 1, QUANTILES), real.mean(axis=0)
    radii = np.quantile(np.linalg.norm(real - centre, axis=1), alphas)
    inside = np.linalg.norm(fake - centre, axis=1)[:, None] <= radii
    around = np.linalg.norm(fake[nearest] - fake.mean(axis=0), axis=1)
    covered = (around[:, None] <= np.quantile(around, alphas)) & (to_fake <= to_real)[:, None]
    precision, recall = (
        1 - np.abs(alphas - one.mean(axis=0)).sum() / alphas.sum() for one in (inside, covered)
    )
    if len(real) != len(fake):
        return precision, recall, np.nan
    return precision, recall, float(np.mean(to_real[nearest] < to_fake))
