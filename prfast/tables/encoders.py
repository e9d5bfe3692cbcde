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
    numbers that       in addition, what the other columns leave of it (`prfast.samples.relations`)
    others determine
    constant           nothing: a column with one value in all sets, or without any

Ranks keep order and equality of cells and forget scales: an outlier or a heavy tail moves no other
row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.frames import CATEGORY, Column, Float64s, Frame, cell_text, number_cells
from prfast.inputs.parts import parts_of
from prfast.samples.relations import Relation, relations

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


class Step(NamedTuple):
    """Some features of a column."""

    names: list[str]
    of: Callable[..., Iterable[Float64s]]
    """Returns their values for a column of any set, or for all columns of it."""
    is_category: bool = False
    """Whether noise replaces the features together, as one category."""
    is_detail: bool = False
    """Whether any noise destroys the features."""
    of_all: bool = False
    """Whether the features depend on all columns."""


@dataclass
class ColumnEncoding:
    """The encoding of one column, fitted."""

    name: Any
    kind: str
    text: str = ""
    """What becomes of the column, in words."""
    constant: str = ""
    """The cell of all rows, in words, where these are equal and left out."""
    levels: Sequence[str] | None = None
    """The levels that are told apart, of a category that has no features for other ones."""
    steps: list[Step] = field(default_factory=list)

    @property
    def features(self) -> list[str]:
        """Names of the features that it becomes."""
        return [name for step in self.steps for name in step.names]


# ---- features of cells ---------------------------------------------------------------------------


def _cells(column: Column) -> Column:
    return column


def _scores(
    number: Callable[[Column], Column], grid: Float64s, scores: Float64s, column: Column
) -> list[Float64s]:
    """Return the normal score of a number of each cell, 0 where it is missing.

    Those between two of the grid of the fit are interpolated, those beyond its ends are _BEYOND
    farther out.
    """
    values = number(column).values
    places = np.minimum(np.searchsorted(grid, values), len(grid) - 1)
    of_cells = scores[places]
    other = (grid[places] != values) & ~np.isnan(values)
    if other.any():
        finite = np.clip(grid, -_LARGEST, _LARGEST)
        of_cells[other] = np.interp(values[other], finite, scores)
        of_cells[values > grid[-1]] = scores[-1] + _BEYOND
        of_cells[values < grid[0]] = scores[0] - _BEYOND
    return [np.where(np.isnan(values), 0.0, of_cells)]


def _fit_scores(name: str, number: Callable[[Column], Column], column: Column) -> Step:
    from scipy.special import ndtri

    values = number(column).values
    grid, counts = np.unique(values[~np.isnan(values)], return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2  # mean ranks, from 1
    return Step([name], partial(_scores, number, grid, ndtri((ranks - 0.5) / counts.sum())))


def _frequency(counts: Mapping[str, int], column: Column) -> Column:
    values = column.of_levels([counts.get(level, 0) for level in column.levels])
    return column._replace(values=values)


def _missing(column: Column) -> list[Float64s]:
    return [column.missing.astype(np.float64)]


def _indicators(
    category: Callable[[Column], Column],
    levels: Sequence[str],
    others: bool,
    missing: bool,
    column: Column,
) -> Iterator[Float64s]:
    """Yield indicators of the levels of a category; all other levels share the last one, if
    `others`."""
    column = category(column)
    code_of, rest = {level: i for i, level in enumerate(levels)}, len(levels)
    codes = _by_level([code_of.get(level, rest) for level in column.levels] + [rest + 1], column)
    shown = [*range(rest), *([rest] if others else []), *([rest + 1] if missing else [])]
    yield from ((codes == i).astype(np.float64) for i in shown)


def _by_level(values: Any, column: Column) -> Any:
    """Return the value of the level of each cell, the last one where the cell is missing."""
    places = np.where(column.missing, len(column.levels), column.values)
    return np.asarray(values)[np.nan_to_num(places).astype(np.int64)]


def _texts(vectors: Any, coordinates: Any, column: Column) -> list[Float64s]:
    """Return coordinates of the text of levels."""
    if not column.levels:
        return [np.zeros(len(column.values))] * TEXT
    of_levels = coordinates.transform(vectors.transform(column.levels))
    scale = np.sqrt(coordinates.explained_variance_.clip(1e-12))
    return list(_by_level(np.vstack([of_levels / scale, np.zeros(TEXT)]), column).T)


def _fit_texts(column: Column) -> Step:
    """Return coordinates of hashed n-grams on their leading singular vectors."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import HashingVectorizer

    vectors = HashingVectorizer(
        analyzer="char", ngram_range=(1, 3), n_features=_HASHED, lowercase=False
    )
    every = max(1, -(-len(column.levels) // _TEXT_FITTED))
    coordinates = TruncatedSVD(TEXT, random_state=0)
    coordinates.fit(vectors.transform(sorted(column.levels)[::every]))
    names = [f"{column.name}: text {i + 1}" for i in range(TEXT)]
    return Step(names, partial(_texts, vectors, coordinates))


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
    is_missing = Step([f"{name} missing"], _missing, is_category=True)
    if kind is None and open_levels:
        return ColumnEncoding(name, "empty", "missing or not", steps=[is_missing])
    if kind is None or (len(np.unique(values)) == 1 and not open_levels):
        constant = "" if kind is None else cell_text(first, values[0])
        text = "all cells missing" if kind is None else f"constant, {constant}"
        return ColumnEncoding(name, kind or "empty", f"left out: {text}", constant)
    result, column = ColumnEncoding(name, kind), first._replace(values=values)
    if kind == CATEGORY:
        column = column.with_used_levels()  # not those of the tables of other models
    more, parts, steps = [], parts_of(column), result.steps
    if kind == CATEGORY:
        levels = _levels(column, LEVELS, once, open_levels)
        others = _has_others(column, levels, missing, open_levels)
        steps.append(_fit_indicators(f"{name} = ", name, _cells, levels, others, missing))
        of = f" of {len(column.levels)}" if len(levels) < len(column.levels) else ""
        result.text = f"{len(levels)}{of} levels"
        if len(column.levels) <= LEVELS:
            parts = []
            result.levels = None if others else levels
        elif not open_levels:  # a row of the fit would count itself, a later one would not
            frequency = partial(_frequency, _different(column, once))
            steps.append(_fit_scores(f"{name}: frequency", frequency, column))
            more.append("frequency")
    else:
        steps.append(_fit_scores(str(name), _cells, column))
        result.text = "normal scores"
    for part in parts:
        seen = part.of(column)
        if len(np.unique(seen.values[~seen.missing])) < 2 and not open_levels:
            continue
        more.append(part.name)
        if seen.kind == CATEGORY:
            levels = _levels(seen, _OF_PART, once, open_levels)
            others = _has_others(seen, levels, False, open_levels)
            prefix = f"{name}: {part.name} "
            steps.append(_fit_indicators(prefix, name, part.of, levels, others, False))
        else:
            score = _fit_scores(f"{name}: {part.name}", part.of, column)
            steps.append(score._replace(is_detail=part.is_detail))
    if kind == CATEGORY and parts:
        steps.append(_fit_texts(column))
        more.append("text")
    result.text += f"; {', '.join(more)}" if more else ""
    if missing and kind != CATEGORY:
        steps.append(is_missing)
        result.text += "; missing or not"
    return result


def add_relations(columns: Sequence[ColumnEncoding], frames: Sequence[Frame]) -> None:
    """Add what others leave of columns that they determine, in rows of the sets of the fit."""
    for relation in relations(np.vstack([number_cells(frame.columns) for frame in frames])):
        column, *terms = [columns[i] for i in relation.columns]
        given = f"given {', '.join(str(term.name) for term in terms)}"
        name = f"{column.name} {given}"
        column.steps.append(Step([name], partial(_left, relation), is_detail=True, of_all=True))
        column.text += f"; {given}"


def _left(relation: Relation, columns: Sequence[Column]) -> list[Float64s]:
    return [relation.left(number_cells(columns))]


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


def _has_others(column: Column, levels: Sequence[str], missing: bool, open_levels: bool) -> bool:
    """Return whether levels without a feature share one."""
    # Where no level has a column of its own, one for all of them would say nothing.
    return (len(column.levels) > len(levels) and (bool(levels) or missing)) or open_levels


def _fit_indicators(
    prefix: str,
    name: Any,
    category: Callable[[Column], Column],
    levels: Sequence[str],
    others: bool,
    missing: bool,
) -> Step:
    """Return indicators of levels; category: returns the category of a column `name`."""
    names = [f"{prefix}{level}" for level in levels]
    names += [f"{prefix}(other)"] if others else []
    names += [f"{name} missing"] if missing else []
    values = partial(_indicators, category, levels, others, missing)
    return Step(names, values, is_category=bool(names))
