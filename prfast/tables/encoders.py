"""Encoders of columns: from the cells of a column to numbers.

What becomes of a column, by its kind:

    number, date,      the normal score Φ⁻¹((r − ½) / N) of its rank r among N cells, the mean rank
    duration           where cells are equal, and whether the cell is missing
    category           an indicator of each level; levels in fewer than `RARE` rows share one, as do
                       those beyond the `LEVELS` most frequent ones; a missing cell is a level
    parts              in addition, where they vary, the same of the parts of the cells
                       (`prfast.inputs.parts`): decimals, units, months; of a category of more than
                       `LEVELS` levels the length, the shape and a word of its text
    category of many   in addition, the normal score of the frequency of its level, not in a fit to
    levels             one set (rows that repeat count once), and `TEXT` coordinates of its text:
                       n-grams of its characters, hashed, on their leading singular vectors
    constant           nothing: a column with one value in all sets, or without any

Ranks keep order and equality of cells and forget scales: an outlier or a heavy tail moves no other
row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.frames import CATEGORY, Column, Float64s, cell_text
from prfast.inputs.parts import parts_of

LEVELS = 50  # levels of a category with a column of their own
RARE = 5  # rows of the fit, below which a level has none
RARE_IN_REAL = 20  # the same of a fit to one set, in which frequent levels are so by chance, too
_OF_PART = 16  # levels of a part of its text with a column of their own
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


@dataclass
class ColumnEncoding:
    """The encoding of one column, fitted."""

    name: Any
    kind: str
    text: str = ""
    """What becomes of the column, in words."""
    constant: str = ""
    """The cell of all rows, in words, where these are equal and left out."""
    features: list[str] = field(default_factory=list)
    """Names of the features that it becomes."""
    groups: list[list[int]] = field(default_factory=list)
    """The features, by their places among these, that are replaced together as one category."""
    details: list[int] = field(default_factory=list)
    """The features, by their places, that any noise destroys."""
    steps: list[Any] = field(default_factory=list)

    def add(
        self, step: Any, names: list[str], *, group: bool = False, detail: bool = False
    ) -> None:
        """Add the features of a step.

        group: whether they are one category, False by default; detail: whether noise destroys
        them, False by default.
        """
        places = [*range(len(self.features), len(self.features) + len(names))]
        self.groups.extend([places] if group and names else [])
        self.details.extend(places if detail else [])
        self.features.extend(names)
        self.steps.append(step)

    def transform(self, column: Column) -> Iterator[Float64s]:
        """Yield the values of its features for a column of any set."""
        for step in self.steps:
            yield from step(column)


# ---- steps: from a column to some features -------------------------------------------------------


def _cells(column: Column) -> Column:
    return column


@dataclass(frozen=True)
class _Score:
    """The normal score of a number of each cell."""

    number: Callable[[Column], Column]
    scores: _Scores

    def __call__(self, column: Column) -> list[Float64s]:
        return [self.scores.of(self.number(column).values)]


def _frequency(counts: Mapping[str, int], column: Column) -> Column:
    values = column.of_levels([counts.get(level, 0) for level in column.levels])
    return column._replace(values=values)


def _missing(column: Column) -> list[Float64s]:
    return [column.missing.astype(np.float64)]


@dataclass(frozen=True)
class _Indicators:
    """Indicators of the levels of a category; all other levels share the last one, if `others`."""

    category: Callable[[Column], Column]
    levels: tuple[str, ...]
    others: bool
    missing: bool

    def __call__(self, column: Column) -> Iterator[Float64s]:
        column = self.category(column)
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
        empty = ColumnEncoding(name, "empty", "missing or not")
        empty.add(_missing, [f"{name} missing"], group=True)
        return empty
    if kind is None or (len(np.unique(values)) == 1 and not open_levels):
        constant = "" if kind is None else cell_text(first, values[0])
        text = "all cells missing" if kind is None else f"constant, {constant}"
        return ColumnEncoding(name, kind or "empty", f"left out: {text}", constant)
    result, column = ColumnEncoding(name, kind), first._replace(values=values)
    if kind == CATEGORY:
        column = column.with_used_levels()  # not those of the tables of other models
    more, parts = [], parts_of(column)
    if kind == CATEGORY:
        levels = _levels(column, LEVELS, once, open_levels)
        _add_indicators(result, f"{name} = ", _cells, column, levels, missing, open_levels)
        of = f" of {len(column.levels)}" if len(levels) < len(column.levels) else ""
        result.text = f"{len(levels)}{of} levels"
        if len(column.levels) <= LEVELS:
            parts = []
        elif not open_levels:  # a row of the fit would count itself, a later one would not
            frequency = partial(_frequency, _different(column, once))
            scores = _Scores.fit(frequency(column).values)
            result.add(_Score(frequency, scores), [f"{name}: frequency"])
            more.append("frequency")
    else:
        result.add(_Score(_cells, _Scores.fit(values)), [str(name)])
        result.text = "normal scores"
    for part in parts:
        seen = part.of(column)
        if len(np.unique(seen.values[~seen.missing])) < 2 and not open_levels:
            continue
        more.append(part.name)
        if seen.kind == CATEGORY:
            levels = _levels(seen, _OF_PART, once, open_levels)
            prefix = f"{name}: {part.name} "
            _add_indicators(result, prefix, part.of, seen, levels, False, open_levels)
        else:
            score = _Score(part.of, _Scores.fit(seen.values))
            result.add(score, [f"{name}: {part.name}"], detail=part.is_detail)
    if kind == CATEGORY and parts:
        result.add(_Text.fit(column.levels), [f"{name}: text {i + 1}" for i in range(TEXT)])
        more.append("text")
    result.text += f"; {', '.join(more)}" if more else ""
    if missing and kind != CATEGORY:
        result.add(_missing, [f"{name} missing"], group=True)
        result.text += "; missing or not"
    return result


def _different(column: Column, once: Callable[[], Flags]) -> dict[str, int]:
    """Return the number of different rows of each level: repetition is no difference of cells."""
    places = column.values[once() & ~column.missing].astype(np.int64)
    counts = np.bincount(places, minlength=len(column.levels))
    return dict(zip(column.levels, counts.tolist(), strict=True))


def _levels(
    column: Column, most: int, once: Callable[[], Flags], open_levels: bool
) -> tuple[str, ...]:
    """Return the frequent levels of a category, the most frequent first."""
    levels = column.levels
    places = column.values[~column.missing].astype(np.int64)
    counts = np.bincount(places, minlength=len(levels))
    if len(levels) > most and not open_levels and once().mean() > _DIFFERENT:
        different = np.array([*_different(column, once).values()])
        counts = np.where(different == 1, 1, counts)
    # Equal counts by their text, not by the order of the rows.
    order = sorted(range(len(levels)), key=lambda i: (-counts[i], levels[i]))
    least = RARE_IN_REAL if open_levels else RARE
    frequent = [i for i in order[:most] if counts[i] >= least]
    if len(levels) <= most and (len(frequent) == len(levels) - 1 or not frequent):
        frequent = order  # a single rare level needs no other name, nor do those of few rows
    return tuple(levels[i] for i in frequent)


def _add_indicators(
    result: ColumnEncoding,
    prefix: str,
    category: Callable[[Column], Column],
    column: Column,
    levels: tuple[str, ...],
    missing: bool,
    open_levels: bool,
) -> None:
    """Add indicators of frequent levels; category: returns `column` of the column encoded."""
    # Where no level has a column of its own, one for all of them would say nothing.
    others = (len(column.levels) > len(levels) and (bool(levels) or missing)) or open_levels
    names = [f"{prefix}{level}" for level in levels]
    names += [f"{prefix}(other)"] if others else []
    names += [f"{result.name} missing"] if missing else []
    result.add(_Indicators(category, levels, others, missing), names, group=True)
