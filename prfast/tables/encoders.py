"""Encoders of columns: from the cells of a column to numbers.

What becomes of a column, by its kind:

    number, duration   the normal score Φ⁻¹((r − ½) / N) of its rank r among N cells, the mean rank
                       where cells are equal; in addition, where they vary, the number of decimals,
                       which any noise destroys, and whether the cell is missing
    date               the normal score of the time, and those of its month, weekday and time of the
                       day, where they vary
    category           an indicator of each level; levels in fewer than `RARE` rows share one, as do
                       those beyond the `LEVELS` most frequent ones; a missing cell is a level
    category of many   in addition, the normal score of the frequency of its level, not in a fit to
    levels             one set (rows that repeat count once), and `TEXT` coordinates of its text:
                       n-grams of its characters, hashed, on their leading singular vectors
    constant           nothing: a column with one value in all sets, or without any

Ranks keep order and equality of cells and forget scales: an outlier or a heavy tail moves no other
row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.frames import (
    CATEGORY,
    DATE,
    NUMBER,
    PARTS,
    Column,
    Float64s,
    cell_text,
    decimals_of,
    part_of,
)

LEVELS = 50  # levels of a category with a column of their own
RARE = 5  # rows of the fit, below which a level has none
RARE_IN_REAL = 20  # the same of a fit to one set, in which frequent levels are so by chance, too
TEXT = 8  # coordinates of the text of levels
_TEXT_FITTED = 20_000  # levels whose text the coordinates are fitted to, at most
_HASHED = 1 << 12  # features of the hashed n-grams
_DIFFERENT = 0.5  # share of different rows, above which a level of one of them is rare
_BEYOND = 0.5  # of the score of a value beyond those of the fit
_LARGEST = 1e300  # of a number between two others of the fit, which stands for ∞

Flags = NDArray[np.bool_]


class _Scores(NamedTuple):
    """Normal scores of numbers: those of the distinct values of the fit."""

    grid: Float64s
    scores: Float64s

    @classmethod
    def fit(cls, values: Float64s) -> _Scores:
        from scipy.special import ndtri

        grid, counts = np.unique(values[~np.isnan(values)], return_counts=True)
        ranks = np.cumsum(counts) - (counts - 1) / 2  # mean ranks, from 1
        return cls(grid, ndtri((ranks - 0.5) / counts.sum()))

    def of(self, values: Float64s) -> Float64s:
        """Return scores, of missing values 0; those between two of the fit are interpolated, those
        beyond its ends are _BEYOND farther out."""
        places = np.minimum(np.searchsorted(self.grid, values), len(self.grid) - 1)
        scores = self.scores[places]
        other = (self.grid[places] != values) & ~np.isnan(values)
        if other.any():
            finite = np.clip(self.grid, -_LARGEST, _LARGEST)
            scores[other] = np.interp(values[other], finite, self.scores)
            scores[values > self.grid[-1]] = self.scores[-1] + _BEYOND
            scores[values < self.grid[0]] = self.scores[0] - _BEYOND
        return np.where(np.isnan(values), 0.0, scores)


@dataclass(frozen=True)
class ColumnEncoding:
    """The encoding of one column, fitted."""

    name: Any
    kind: str
    features: list[str]
    """Names of the features that it becomes."""
    groups: list[list[int]]
    """The features, by their places among these, that are replaced together as one category."""
    details: list[int]
    """The features, by their places, that any noise destroys."""
    text: str
    """What becomes of the column, in words."""
    steps: tuple[Any, ...]
    constant: str
    """The cell of all rows, in words, where these are equal and left out."""

    def transform(self, column: Column) -> Iterator[Float64s]:
        """Yield the values of its features for a column of any set."""
        for step in self.steps:
            yield from step(column)


# ---- steps: from a column to some features -------------------------------------------------------


@dataclass(frozen=True)
class _Score:
    """The normal score of a number of each cell."""

    number: Callable[[Column], Float64s]
    scores: _Scores

    def __call__(self, column: Column) -> list[Float64s]:
        return [self.scores.of(self.number(column))]


def _part(part: str, column: Column) -> Float64s:
    return part_of(column.values, part)


def _decimals(column: Column) -> Float64s:
    return decimals_of(column.values).astype(np.float64)


def _frequency(counts: Mapping[str, int], column: Column) -> Float64s:
    return column.of_levels([counts.get(level, 0) for level in column.levels])


def _missing(column: Column) -> list[Float64s]:
    return [column.missing.astype(np.float64)]


@dataclass(frozen=True)
class _Indicators:
    """Indicators of levels; all other levels share the last one, if `others`."""

    levels: tuple[str, ...]
    others: bool
    missing: bool

    def __call__(self, column: Column) -> Iterator[Float64s]:
        own = {level: i for i, level in enumerate(self.levels)}
        rest = len(self.levels)
        codes = np.array([own.get(level, rest) for level in column.levels] + [rest + 1])
        places = np.where(column.missing, len(column.levels), column.values)
        codes = codes[np.nan_to_num(places).astype(np.int64)]
        yield from ((codes == i).astype(np.float64) for i in range(rest))
        if self.others:
            yield (codes == rest).astype(np.float64)
        if self.missing:
            yield (codes == rest + 1).astype(np.float64)


@dataclass(frozen=True)
class _Text:
    """Coordinates of the text of levels: hashed n-grams on their leading singular vectors."""

    vectors: Any
    coordinates: Any

    @classmethod
    def fit(cls, levels: Sequence[str]) -> _Text:
        from sklearn.decomposition import TruncatedSVD
        from sklearn.feature_extraction.text import HashingVectorizer

        vectors = HashingVectorizer(
            analyzer="char", ngram_range=(1, 3), n_features=_HASHED, lowercase=False
        )
        step = max(1, -(-len(levels) // _TEXT_FITTED))
        coordinates = TruncatedSVD(TEXT, random_state=0)
        return cls(vectors, coordinates.fit(vectors.transform(sorted(levels)[::step])))

    def __call__(self, column: Column) -> list[Float64s]:
        if not column.levels:
            return [np.zeros(len(column.values))] * TEXT
        of_levels = self.coordinates.transform(self.vectors.transform(column.levels))
        scale = np.sqrt(self.coordinates.explained_variance_.clip(1e-12))
        of_levels = np.vstack([of_levels / scale, np.zeros(TEXT)])
        places = np.where(column.missing, len(column.levels), column.values)
        return list(of_levels[np.nan_to_num(places).astype(np.int64)].T)


# ---- fit -----------------------------------------------------------------------------------------


def fit_column(
    columns: Sequence[Column], *, once: Callable[[], Flags], open_levels: bool
) -> ColumnEncoding:
    """Return the encoding of a column, given by its part of each set of the fit.

    once: returns whether a row of the fit is the first of those of its set that equal it.
    open_levels: whether sets outside the fit may have other levels, or missing cells.
    """
    first = columns[0]
    name, kind = first.name, first.kind
    values = np.concatenate([one.values for one in columns])
    missing = bool(np.isnan(values).any()) or open_levels
    if kind is None and open_levels:
        name_of = f"{name} missing"
        return ColumnEncoding(
            name, "empty", [name_of], [[0]], [], "missing or not", (_missing,), ""
        )
    if kind is None or (len(np.unique(values)) == 1 and not open_levels):
        constant = "" if kind is None else cell_text(first, values[0])
        text = "all cells missing" if kind is None else f"constant, {constant}"
        return ColumnEncoding(name, kind or "empty", [], [], [], f"left out: {text}", (), constant)
    if kind == CATEGORY:
        return _fit_category(first, values, missing, once, open_levels)
    steps: list[Any] = [_Score(partial(_part, ""), _Scores.fit(values))]
    features = [str(name)]
    if kind == DATE:
        for part in PARTS:
            parts = part_of(values, part)
            if len(np.unique(parts[~np.isnan(parts)])) > 1:
                steps.append(_Score(partial(_part, part), _Scores.fit(parts)))
                features.append(f"{name}: {part}")
    text = f"normal scores{' of the time, ' if len(features) > 1 else ''}"
    text += ", ".join(feature.partition(": ")[2] for feature in features[1:])
    groups, details = [], []
    decimals = decimals_of(values).astype(np.float64) if kind == NUMBER else np.zeros(1)
    if kind == NUMBER and (decimals.min() < decimals.max() or open_levels):
        steps.append(_Score(_decimals, _Scores.fit(decimals)))
        details.append(len(features))
        features.append(f"{name}: decimals")
        text += ", number of decimals"
    if missing:
        steps.append(_missing)
        groups.append([len(features)])
        features.append(f"{name} missing")
        text += "; missing or not"
    return ColumnEncoding(name, kind, features, groups, details, text, tuple(steps), "")


def _fit_category(
    column: Column, values: Float64s, missing: bool, once: Callable[[], Flags], open_levels: bool
) -> ColumnEncoding:
    name, levels = column.name, column.levels
    known = ~np.isnan(values)
    counts = np.bincount(values[known].astype(np.int64), minlength=len(levels))
    many = len(levels) > max(LEVELS, TEXT)
    if many and not open_levels:
        # A row that repeats counts once: repetition is no difference of the cells.
        different = np.bincount(values[once() & known].astype(np.int64), minlength=len(levels))
        if once().mean() > _DIFFERENT:
            counts = np.where(different == 1, 1, counts)
    # The most frequent first; equal counts by their text, not by the order of the rows.
    order = sorted(range(len(levels)), key=lambda i: (-counts[i], levels[i]))
    least = RARE_IN_REAL if open_levels else RARE
    frequent = [i for i in order[:LEVELS] if counts[i] >= least]
    rare = len(levels) - len(frequent)
    if len(levels) <= LEVELS and (rare == 1 or not frequent):
        frequent = order  # a single rare level needs no other name, nor do those of few rows
    own = tuple(levels[i] for i in frequent)
    # Where no level has a column of its own, one for all of them would say nothing.
    others = (len(levels) > len(own) and (bool(own) or missing)) or open_levels
    steps: list[Any] = [_Indicators(own, others, missing)]
    features = [f"{name} = {level}" for level in own]
    features += [f"{name} = (other)"] if others else []
    features += [f"{name} missing"] if missing else []
    groups = [[*range(len(features))]] if features else []
    text = f"{len(own)} of {len(levels)} levels" if len(own) < len(levels) else f"{len(own)} levels"
    if many:
        if not open_levels:  # a row of the fit would count itself, a later one would not
            frequency = partial(_frequency, dict(zip(levels, different.tolist(), strict=True)))
            of_cells = frequency(column._replace(values=values))
            steps.append(_Score(frequency, _Scores.fit(of_cells)))
            features.append(f"{name}: frequency")
        steps.append(_Text.fit(levels))
        features += [f"{name}: text {i + 1}" for i in range(TEXT)]
        text += f"; {'' if open_levels else 'frequency and '}text of the level"
    return ColumnEncoding(name, CATEGORY, features, groups, [], text, tuple(steps), "")
