"""Tables as arrays of numbers: the public function `encode`, its result `Encoding`.

Ranks keep order and equality of cells and forget scales: an outlier or a heavy tail moves no other
row.  The encoding of each kind of column is in docs/tables.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Flags, Float64s
from prfast.inputs.errors import WrongValue
from prfast.inputs.frames import (
    CATEGORY,
    NUMBER,
    Column,
    Frame,
    cell_text,
    number_cells,
    read_frames,
)
from prfast.inputs.parts import parts_of
from prfast.results.values import Display, Result
from prfast.samples.noise import Noise
from prfast.samples.relations import Relation, relations
from prfast.samples.repetition import first_rows
from prfast.samples.samples import Samples

LEVELS = 50  # levels of a category with a column of their own
RARE = 5  # least rows of the fit of a level with one
_OF_PART = 16  # levels of a part of its text with a column of their own
TEXT = 8  # coordinates of the text of levels
_TEXT_FITTED = 20_000  # levels whose text the coordinates are fitted to, at most
_HASHED = 1 << 12  # features of the hashed n-grams
_DIFFERENT = 0.5  # share of different rows: above it, a level of one of them is rare

Floats = NDArray[np.float32]


class Encoding(Result):
    """Sets of rows as numbers, and how each column became numbers; prints as a table of columns.

    ``real`` and, where there are several sets, ``fake`` are the encoded rows of the first and of
    the second, float32 arrays of shapes (n, d) and (m, d); ``sets`` has all.  ``feature_names`` are
    the names of the d features, ``noise`` is the argument `noise` of `prfast.profile` that treats
    indicators as categories, and ``columns`` has the encoding of each column.
    See also `prfast.encode`.
    """

    _index = "column"

    def __init__(self, columns: list[ColumnEncoding], frames: Iterable[Frame]) -> None:
        self.columns = columns
        self.feature_names = [feature for column in columns for feature in column.features]
        indicators: list[list[int]] = []
        details: list[int] = []
        start = 0
        for step in (step for column in columns for step in column.steps):
            places = [*range(start, start := start + len(step.names))]
            indicators += [places] if step.is_category else []
            details += places if step.is_detail else ()
        self.noise = Noise(categories=indicators, details=details)
        self.sets = [self._encoded(frame) for frame in frames]
        self.real = self.sets[0]
        if len(self.sets) > 1:
            self.fake = self.sets[1]

    @property
    def coarse_sets(self) -> list[Floats]:
        """The rows of all sets without details, such as numbers of decimals: for `prfast.copies`,
        as details are no distances."""
        return [np.delete(rows, self.noise.details, axis=1) for rows in self.sets]

    def _encoded(self, frame: Frame) -> Floats:
        result, at = np.empty((frame.rows, len(self.feature_names)), np.float32), 0
        for encoding, column in zip(self.columns, frame.columns, strict=True):
            for step in encoding.steps:
                cells = step.part(column) if step.part else column
                for values in step.values(frame.columns if step.of_all else cells):
                    result[:, at] = values
                    at += 1
        return result

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each column: ``column``, ``kind``, ``features`` (how many) and
        ``encoding``, in words."""
        return [
            {"column": x.name, "kind": x.kind, "features": len(x.features), "encoding": x.text}
            for x in self.columns
        ]

    def record(self) -> dict[str, Any]:
        """Return `rows` as ``columns``, with names that are strings."""
        return {"columns": [row | {"column": str(row["column"])} for row in self.rows()]}

    def _display(self) -> Display:
        rows = self.rows()
        sizes = " + ".join(str(len(rows)) for rows in self.sets)
        return Display(
            "Encoding",
            [[str(cell) for cell in row.values()] for row in rows],
            [*rows[0]],
            words=(1, 3),
            notes=[f"{sizes} rows, {len(self.feature_names)} features."],
        )

    # Values of an encoding are arrays: only itself is equal.
    __eq__, __hash__ = object.__eq__, object.__hash__

    def __repr__(self) -> str:
        sizes = ", ".join("{} × {}".format(*rows.shape) for rows in self.sets)
        return f"Encoding of {len(self.columns)} columns: {sizes}"


def encode(
    real: Any,
    *others: Any,
    categories: Iterable[Any] = (),
    drop: Iterable[Any] = (),
) -> Encoding:
    """Return tables of numbers, categories, dates and missing cells as arrays of numbers.

    See also `compare_tables`.

    >>> import pandas
    >>> real, fake = (pandas.DataFrame(x) for x in prfast.reference.GaussianShift(1.0).sample(500))
    >>> print(prfast.encode(real, fake))

    Parameters
    ----------
    real, *others : data frame of pandas, polars, pyarrow or another library of narwhals
        Tables with the same columns, matched by name; usually real and generated rows.  The
        encoding is fitted to the rows of all together, so equal distributions stay equal.
    categories, drop : names
        Columns whose numbers are codes of categories, and columns to leave out; by default none.

    Returns
    -------
    Encoding
        It has the arrays `real`, `fake` and `sets`, and `noise` for `prfast.profile`.

    Raises
    ------
    TypeError, ValueError
        Columns that differ in names or kinds, cells of several types or of a type without an
        encoding; the message names the column.
    """
    names = ["fake"] if len(others) == 1 else [f"others[{i}]" for i in range(len(others))]
    sets = dict(zip(["real", *names], (real, *others), strict=True))
    frames = [*read_frames(sets, categories=categories, drop=drop).values()]
    return fit_encoding(frames, [Samples(x.matrix()) for x in frames])


def fit_encoding(frames: Sequence[Frame], rows: Sequence[Samples]) -> Encoding:
    """Return the encoding of sets that were read, of the cells of their rows."""

    @cache
    def once() -> Flags:
        return np.concatenate([first_rows(x.keys) == np.arange(len(x)) for x in rows])

    by_column = zip(*(frame.columns for frame in frames), strict=True)
    columns = [fit_column(columns, once=once) for columns in by_column]
    cells = np.vstack([number_cells(frame.columns) for frame in frames])
    for relation in relations(cells):  # what others leave of columns that they determine
        column, *terms = [columns[i] for i in relation.columns]
        given = f"given {', '.join(str(term.name) for term in terms)}"
        left = partial(_left, relation)
        step = Step([f"{column.name} {given}"], left, is_detail=True, of_all=True)
        column.steps.append(step)
        column.text += f"; {given}"
    if not any(column.features for column in columns):
        raise WrongValue("real", "at least one column expected that varies, got none")
    return Encoding(columns, frames)


class Step(NamedTuple):
    """Some features of a column."""

    names: list[str]
    values: Callable[..., Iterable[Float64s]]  # for a column of any set, or for all columns of it
    part: Callable[[Column], Column] | None = None  # the cells that they come from; None: all
    is_category: bool = False  # whether the features are the code of one category
    is_detail: bool = False  # whether they are details, such as numbers of decimals
    of_all: bool = False  # whether the features depend on all columns


@dataclass
class ColumnEncoding:
    """The encoding of one column, fitted."""

    name: Any
    kind: str
    text: str = ""
    """What becomes of the column, in words."""
    steps: list[Step] = field(default_factory=list)

    @property
    def features(self) -> list[str]:
        """Names of the features that it becomes."""
        return [name for step in self.steps for name in step.names]


def _scores(grid: Float64s, scores: Float64s, column: Column) -> list[Float64s]:
    """Return the normal score of each number, 0 where it is missing."""
    places = np.minimum(np.searchsorted(grid, column.values), len(grid) - 1)
    return [np.where(column.missing, 0.0, scores[places])]


def _missing(column: Column) -> list[Float64s]:
    return [column.missing.astype(np.float64)]


def _indicators(
    levels: Sequence[str], others: bool, missing: bool, column: Column
) -> Iterator[Float64s]:
    """Yield indicators of levels; all other levels share the last one, if `others`."""
    code_of = {level: i for i, level in enumerate(levels)}
    codes = column.of_levels([code_of.get(level, len(levels)) for level in column.levels])
    yield from ((codes == i).astype(np.float64) for i in range(len(levels) + others))
    if missing:
        yield from _missing(column)


def _texts(vectors: Any, coordinates: Any, column: Column) -> list[Float64s]:
    if not column.levels:
        return [np.zeros(len(column.values))] * TEXT
    of_levels = coordinates.transform(vectors.transform(column.levels))
    scale = np.sqrt(coordinates.explained_variance_.clip(1e-12))
    return [np.nan_to_num(column.of_levels(numbers)) for numbers in (of_levels / scale).T]


def _frequency(counts: Mapping[str, int], column: Column) -> Column:
    return column.as_numbers(NUMBER, [counts.get(level, 0) for level in column.levels])


def _left(relation: Relation, columns: Sequence[Column]) -> list[Float64s]:
    return [relation.left(number_cells(columns))]


def fit_column(columns: Sequence[Column], *, once: Callable[[], Flags]) -> ColumnEncoding:
    """Return the encoding of a column, given by its part of each set.

    once: returns whether a row is the first of the equal rows of its set.
    """
    first = columns[0]
    name, kind = first.name, first.kind
    values = np.concatenate([column.values for column in columns])
    missing = bool(np.isnan(values).any())
    if kind is None:
        return ColumnEncoding(name, "empty", "left out: all cells missing")
    if len(np.unique(values)) == 1:
        return ColumnEncoding(name, kind, f"left out: constant, {cell_text(first, values[0])}")
    result, column = ColumnEncoding(name, kind), first._replace(values=values)
    if kind == CATEGORY:
        column = column.with_used_levels()  # not those of the tables of other models
    more, parts, steps = [], parts_of(column), result.steps
    if kind == CATEGORY:
        step, levels = _fit_indicators(column, f"{name} = ", LEVELS, once, missing)
        steps.append(step)
        of = f" of {len(column.levels)}" if len(levels) < len(column.levels) else ""
        result.text = f"{len(levels)}{of} levels"
        if len(column.levels) <= LEVELS:
            parts = []
        else:
            frequency = partial(_frequency, _different(column, once))
            score = _fit_scores(f"{name}: frequency", frequency(column))
            steps.append(score._replace(part=frequency))
            more.append("frequency")
    else:
        steps.append(_fit_scores(str(name), column))
        result.text = "normal scores"
    for part in parts:
        cells, title = part.of(column), f"{name}: {part.name}"
        if len(np.unique(cells.values[~cells.missing])) < 2:
            continue
        more.append(part.name)
        if cells.kind == CATEGORY:
            step, _ = _fit_indicators(cells, f"{title} ", _OF_PART, once)
        else:
            step = _fit_scores(title, cells)._replace(is_detail=part.is_detail)
        steps.append(step._replace(part=part.of))
    if kind == CATEGORY and parts:
        steps.append(_fit_texts(column))
        more.append("text")
    result.text += f"; {', '.join(more)}" if more else ""
    if missing and kind != CATEGORY:
        steps.append(Step([f"{name} missing"], _missing, is_category=True))
        result.text += "; missing or not"
    return result


def _fit_scores(name: str, column: Column) -> Step:
    from scipy.special import ndtri

    grid, counts = np.unique(column.values[~column.missing], return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2  # mean ranks, from 1
    return Step([name], partial(_scores, grid, ndtri((ranks - 0.5) / counts.sum())))


def _fit_texts(column: Column) -> Step:
    """Return coordinates of hashed n-grams on their leading singular vectors."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import HashingVectorizer

    how: dict[str, Any] = {"analyzer": "char", "ngram_range": (1, 3), "lowercase": False}
    vectors = HashingVectorizer(n_features=_HASHED, **how)
    every = max(1, -(-len(column.levels) // _TEXT_FITTED))
    coordinates = TruncatedSVD(TEXT, random_state=0)
    coordinates.fit(vectors.transform(sorted(column.levels)[::every]))
    names = [f"{column.name}: text {i + 1}" for i in range(TEXT)]
    return Step(names, partial(_texts, vectors, coordinates))


def _different(column: Column, once: Callable[[], Flags]) -> dict[str, int]:
    """Return the number of different rows of each level: repetition is no difference of cells."""
    places = column.values[once() & ~column.missing].astype(np.int64)
    counts = np.bincount(places, minlength=len(column.levels))
    return dict(zip(column.levels, counts.tolist(), strict=True))


def _fit_indicators(
    column: Column,
    prefix: str,
    most: int,
    once: Callable[[], Flags],
    missing: bool = False,
) -> tuple[Step, list[str]]:
    """Return indicators of the frequent levels of a category, and of missing cells where these
    have one; and the levels, the most frequent first."""
    levels = column.levels
    places = column.values[~column.missing].astype(np.int64)
    counts = np.bincount(places, minlength=len(levels))
    if len(levels) > most and once().mean() > _DIFFERENT:
        different = np.array([*_different(column, once).values()])
        counts = np.where(different == 1, 1, counts)
    # Equal counts by their text, not by the order of the rows.
    order = sorted(range(len(levels)), key=lambda i: (-counts[i], levels[i]))
    frequent = [i for i in order[:most] if counts[i] >= RARE]
    if len(levels) <= most and (len(frequent) == len(levels) - 1 or not frequent):
        frequent = order  # a single rare level needs no new name, nor do those of few rows
    # If no level has a column, one for all of them would be constant.
    others = len(levels) > len(frequent) and (bool(frequent) or missing)
    shown = [levels[i] for i in frequent]
    names = [f"{prefix}{level}" for level in [*shown, *["(other)"] * others]]
    names += [f"{column.name} missing"] * missing
    values = partial(_indicators, shown, others, missing)
    return Step(names, values, is_category=bool(names)), shown
