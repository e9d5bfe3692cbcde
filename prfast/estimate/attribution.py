"""Attribution: the columns, and pairs of columns, in which generated samples differ from real ones.

The cells of a column are divided into classes: its most frequent values, the missing cells, and the
ranges between quantiles of the others, for each kind of cell where that varies: numbers by their
decimals, rare text by its length and shape.  The parts of the cells that an encoding compares
(`prfast.inputs.parts`), such as units of times and words of text, are divided likewise.  Classes
are made of the rows of both sets, without a look at which is which.

    column  the total variation between the shares of the classes in both sets
    pair    the same between the joint shares of two columns, after the rows of both sets have been
            weighted to common shares of either column, those that both sets have: what their
            dependence alone accounts for

Both are estimated in folds: a set of classes is chosen on the other folds, and the difference of
its shares is measured on the fold; equal rows are in one fold, and count as one where the real rows
are not discrete.  Their mean is a lower bound of the total variation up to its error.  Sets that
are tried are the classes whose shares differ by more than 0, 1 or 2 standard errors in one
direction, and the values on one side of a threshold; of a category also the levels that the real
rows of the other folds lack.  The best is reported, and its significance allows for the choice.
The difference of a column is that of the values or of a part of the cells, whichever is the surer.
One more try of a column of numbers is the mean rank of its cells, of which a difference in few rows
is clear before one of shares is: such a column is clear with a value that may be below its error.

Columns that depend on one that differs often differ as well.  So the difference of each is measured
again after the rows of both sets have been weighted to common shares of the values of a column that
differs more.  Where it vanishes, the column differs along with that one.  No column is permuted, as
that would make rows that neither set has.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.estimate.notes import MOST_NAMED
from prfast.inputs.frames import CATEGORY, NUMBER, Column, Float64s, Frame, Ints, cell_text
from prfast.inputs.options import stream
from prfast.inputs.parts import decimals_of, is_weekday, parts_of, rounding_of, shape_of
from prfast.inputs.tables import Table
from prfast.results.values import listed
from prfast.samples.repetition import equal_rows

MOST = 20_000  # rows of each set that are used,
_CELLS = 2_000_000  # and their cells
_VALUES, _RANGES = 40, 20  # classes of a column: its most frequent values, ranges of the others
_OF_PAIRS = 12  # classes of a column of a pair
_COARSE = 0.3  # share of multiples of 10, 100 or 1000, from which on they are a kind
_FREQUENT = 0.002  # share of the rows, from which on a value is a class of its own
MOST_PAIRED = 300  # columns, up to which pairs are compared
_AT_ONCE = 2000  # pairs whose tables are in memory
_ADJUSTMENTS = 12  # steps of iterative proportional fitting
_FOLDS = 4
# Each fold is measured by sets that the others chose, and takes part in choosing theirs: where
# nothing differs, the variance of the mean is twice that of independent measurements.
_DEPENDENCE = np.sqrt(2.0)
_CHOSEN_ERRORS = (0.0, 1.0, 2.0)  # of the shares of a class that is chosen
_PREFERENCE = 0.9  # of the surest difference of a column, from which on a plainer one is named
_SETS = 2 * len(_CHOSEN_ERRORS) + 1  # that are tried, with that of a threshold or of new levels
_TRIED = _SETS + 2  # with either sign of the test of ranks
_CHOICE_ERRORS = 2.0  # by which a set is better whose difference is surer
_LEADERS = 10  # columns, along with which others may differ
_ALONG = 0.5  # share of a difference, up to which it may remain where it comes from another column
LEVEL = 0.05  # probability that any difference is reported where nothing differs
LEAST = 0.01  # total variation, below which none is reported
_DEPENDS = "how they depend on each other"  # the words of a pair
_NAMED = 3  # differences in a sentence
_COPIES = 5  # of a row, from which on it is reported
_SURE = 4.0  # standard errors of a difference of its shares, from which on it is reported
_PAIRS_KEPT = 100  # pairs, besides clear ones


class ColumnDifference(NamedTuple):
    """A difference between the sets in one column, or in the dependence of two."""

    columns: tuple[Any, ...]
    """The names: of a column, or of a pair."""
    value: float
    """The total variation that it shows by itself; about 0 where nothing differs, or below."""
    half_width: float
    """That of the 95 % interval."""
    words: str
    """The class of a column that differs most, with its shares in both sets; of a pair that its
    columns depend on each other in another way."""
    is_clear: bool
    """Whether it is reported: beyond chance, among all columns and pairs."""
    along: str = ""
    """Another column that accounts for this difference: among rows that are alike in that column,
    at most half of it remains."""

    @property
    def name(self) -> str:
        """The column, or the columns of a pair with × between them."""
        return " × ".join(map(str, self.columns))

    @property
    def label(self) -> str:
        """The name in a sentence: in quotes, or "column 3" where columns have no names."""
        return quoted(self.columns, self.columns)


class _Classes(NamedTuple):
    """The class of each row of both sets, real ones first."""

    codes: Ints
    texts: list[str]
    """Each class in words."""
    centers: Float64s
    """The mean of the cells of each class; NaN of missing cells and of categories."""
    lowest: list[str]
    """The smallest cell of each class."""
    kinds: list[str]
    """The kind of the cells of each class, in words; "" where all are of one."""
    levels: Column | None = None
    """Of a category with rare levels, the column."""
    prefix: str = ""
    """What comes before values in a sentence."""

    def words(self, is_fake: NDArray[np.bool_]) -> str:
        """Return the values whose shares differ most, with their shares: a class, all classes of a
        kind, or those up to a threshold."""
        p, q = (
            np.bincount(self.codes[rows], minlength=len(self.texts)) / rows.sum()
            for rows in (~is_fake, is_fake)
        )
        sets = [([i], text) for i, text in enumerate(self.texts)]
        sets += [
            ([i for i, one in enumerate(self.kinds) if one == kind], kind)
            for kind in dict.fromkeys(self.kinds)
            if kind
        ]
        order = [
            i for i in np.argsort(self.centers, kind="stable") if not np.isnan(self.centers[i])
        ]
        below = np.cumsum((p - q)[order])
        if len(order) > 2:
            at = int(np.abs(below).argmax())
            text = f"{self.prefix}below {self.lowest[order[at + 1]]}" if at + 1 < len(order) else ""
            sets += [(order[: at + 1], text)] if text else []

        def rank(one: tuple[Any, str]) -> tuple[float, float]:
            some, _ = one
            size = abs((p - q)[some].sum())
            if len(some) > 1:  # a single class says more than a range
                size /= 1.5
            if min(p[some].sum(), q[some].sum()) == 0:  # so does a value that only one set has
                size *= 1.5
            rarity = -float((p + q)[some].sum())  # of a kind and its complement, the rarer one
            return round(size, 9), rarity

        some, text = max(sets, key=rank)
        shares = [_percent(float(share[some].sum())) for share in (p, q)]
        return f"{text} in {shares[0]} of the real and {shares[1]} of the generated rows"


def differences(real: Frame, fake: Frame, seed: int) -> list[ColumnDifference]:
    """Return the differences of all columns and of all pairs of columns.

    Clear ones come first, the largest before others; but those along with another column, and pairs
    of which one column is clear by itself, after all others.  Then come those that are not clear,
    the surest first.
    """
    from scipy.special import ndtri

    rng = stream(seed, "attribution")
    most = min(MOST, _CELLS // len(real.columns))
    real, fake = (_subsample(one, most, rng) for one in (real, fake))
    is_fake = np.arange(real.rows + fake.rows) >= real.rows
    group, sizes, first = _folds(real, fake, is_fake, rng)
    several, coarse, names, ranks = [], [], [], []
    for one, other in zip(real.columns, fake.columns, strict=True):
        column = _joined(one, other)
        classes = _classes(column, first, _VALUES, _RANGES)
        if len(classes.texts) > 1 or classes.levels is not None:
            # The decimals of numbers are kinds of the classes of their values.
            parts = [] if column.kind == NUMBER else parts_of(column)
            of_parts = [
                _classes(part.of(column), first, _VALUES, _RANGES, prefix=part.prefix)
                for part in parts
            ]
            several.append([classes, *(x for x in of_parts if len(x.texts) > 1)])
            few = _OF_PAIRS // 2
            coarse.append(_classes(column, first, few, few, kinds=False).codes)
            names.append(column.name)
            ranks.append(
                None if column.kind == CATEGORY else _of_ranks(column.values, first, is_fake)
            )
    pairs = list(itertools.combinations(range(len(names)), 2)) if len(names) <= MOST_PAIRED else []

    def is_clear(
        value: float, error: float, number: int, of_ranks: float | None = None, parts: int = 1
    ) -> bool:
        # Half of the level is for columns, half for pairs; each is the best of several sets.
        tried = _SETS * parts + (0 if of_ranks is None else _TRIED - _SETS)
        errors = float(ndtri(1.0 - LEVEL / (2 * number * tried)))
        return value >= LEAST and (value >= errors * error or abs(of_ranks or 0.0) >= errors)

    results: list[ColumnDifference] = []
    fine: list[_Classes] = []
    for name, tried, of_ranks in zip(names, several, ranks, strict=True):
        value, error, words, classes = _plainest(tried, group, sizes, is_fake)
        clear = is_clear(value, error, len(names), of_ranks, len(tried))
        results.append(ColumnDifference((name,), value, 1.96 * error, words, clear))
        fine.append(classes)
    results = _with_leaders(results, fine, group, sizes, is_clear)
    by_themselves = {one.columns[0] for one in results if one.is_clear}
    for (i, j), value, error in zip(pairs, *_of_pairs(pairs, coarse, group, sizes), strict=True):
        clear = is_clear(value, error, len(pairs))
        results.append(ColumnDifference((names[i], names[j]), value, 1.96 * error, _DEPENDS, clear))

    def order(one: ColumnDifference) -> tuple[bool, bool, float]:
        if not one.is_clear:
            return True, False, -one.value / one.half_width
        is_pair = len(one.columns) > 1
        return (
            False,
            bool(one.along) or (is_pair and bool(by_themselves & {*one.columns})),
            -one.value,
        )

    return sorted(results, key=order)


def _joined(real: Column, fake: Column) -> Column:
    """Return the cells of both sets, with the levels that occur."""
    values = np.concatenate([real.values, fake.values])
    if real.kind != CATEGORY:
        return real._replace(values=values)
    known = ~np.isnan(values)
    used, values[known] = np.unique(values[known], return_inverse=True)
    return real._replace(values=values, levels=[real.levels[int(i)] for i in used])


def _plainest(
    several: Sequence[_Classes], group: Ints, sizes: Float64s, is_fake: NDArray[np.bool_]
) -> tuple[float, float, str, _Classes]:
    """Return the difference of a column, its standard error, words and classes: of levels that real
    rows lack, of its values or of a part of them, the first that is about as sure as any.

    several: the classes of its values, and of the parts of its cells.
    """
    tried = [(*_of_column(one, group, sizes), one.words(is_fake), one) for one in several]
    if several[0].levels is not None:
        tried.insert(0, (*_of_new_levels(several[0].levels, group, sizes), several[0]))
    sure = [value - _CHOICE_ERRORS * error for value, error, *_ in tried]
    if max(sure) <= 0:
        return tried[-len(several)]
    return next(
        one for one, least in zip(tried, sure, strict=True) if least > _PREFERENCE * max(sure)
    )


def _with_leaders(
    results: Sequence[ColumnDifference],
    several: Sequence[_Classes],
    group: Ints,
    sizes: Float64s,
    is_clear: Callable[[float, float, int], bool],
) -> list[ColumnDifference]:
    """Return the differences of all columns, with `along` where another column accounts for one."""
    named, leaders = list(results), list[int]()
    for i in sorted(range(len(results)), key=lambda i: -results[i].value):
        if not results[i].is_clear:
            continue
        for leader in leaders:
            rest, error = _of_column(several[i], group, sizes, several[leader])
            # If too few rows remain to show the difference as it was, none of it says nothing.
            if rest <= _ALONG * results[i].value and is_clear(results[i].value, error, 1):
                named[i] = results[i]._replace(along=results[leader].name)
                break
        else:
            leaders += [i] if len(leaders) < _LEADERS else []
    return named


def of_arrays(
    real: Any, fake: Any, names: Sequence[Any] | None, seed: int
) -> list[ColumnDifference]:
    """Return the differences of the columns of two arrays, and of all pairs of columns; none beyond
    MOST_NAMED columns, as those of an embedding mean nothing by themselves.

    names: of the columns; None: their numbers.
    """
    if real.shape[1] > MOST_NAMED:
        return []
    return differences(*frames_of(real, fake, names), seed)


def frames_of(real: Any, fake: Any, names: Sequence[Any] | None) -> tuple[Frame, Frame]:
    """Return two arrays as tables of numbers; names as for `of_arrays`."""
    names = range(real.shape[1]) if names is None else names
    first, second = (
        Frame(
            len(one),
            [Column(name, NUMBER, one[:, i], []) for i, name in enumerate(names)],
            Table(len(one), [], one),
        )
        for one in map(np.asarray, (real, fake))
    )
    return first, second


class RepeatedRow(NamedTuple):
    """The row whose shares of both sets differ most, where copies of rows are no draws."""

    value: float
    """The difference of its shares."""
    words: str
    """A sentence, with its cells that the other set has not."""


def repeated_row(real: Frame, fake: Frame) -> RepeatedRow | None:
    """Return the row that makes up more of one set than of the other, beyond chance; None without
    copies, and where the real set is discrete, as copies are evidence in the columns there."""
    equal = equal_rows(real.matrix(), fake.matrix())
    n, size = equal.n_real, len(equal.group)
    counts = [np.bincount(some, minlength=size) for some in np.split(equal.group, [n])]
    shares = counts[0] / n, counts[1] / (size - n)
    row = int(np.abs(shares[0] - shares[1]).argmax())
    value, which = abs(float(shares[0][row] - shares[1][row])), int(shares[1][row] > shares[0][row])
    error = math.sqrt(
        sum(p[row] * (1 - p[row]) / of for p, of in zip(shares, (n, size - n), strict=True))
    )
    if equal.discrete or value < max(LEAST, _SURE * error) or counts[which][row] < _COPIES:
        return None
    sets = [("real", real), ("generated", fake)]
    (own, frame), (other, others) = sets[which], sets[1 - which]
    at = int(np.flatnonzero(np.split(equal.group, [n])[which] == row)[0])
    new = []
    for column, known in zip(frame.columns, others.columns, strict=True):
        cell, cells = column.values[at], known.values
        if np.isnan(cell) or column.levels:
            is_new = not (np.isnan(cells).any() if np.isnan(cell) else (cells == cell).any())
        else:
            is_new = not np.fmin.reduce(cells) <= cell <= np.fmax.reduce(cells)
        new += [f"{quoted([column.name], [column.name])} {cell_text(column, cell)}"] * is_new
    unlike = f" Unlike any {other} row: {listed(new[:_NAMED])}." if new else ""
    of_own, of_other = (_percent(float(shares[i][row])) for i in (which, 1 - which))
    return RepeatedRow(
        value,
        f"Row {at} of the {own} set occurs {counts[which][row]} times, {of_own} of its rows and "
        f"{of_other} of the {other} ones; it counts once where columns are compared.{unlike}",
    )


def relevant(several: Sequence[ColumnDifference]) -> list[ColumnDifference]:
    """Return all single columns, clear pairs and the first of the others."""
    most = max(sum(one.is_clear for one in several), _PAIRS_KEPT)
    return [one for i, one in enumerate(several) if len(one.columns) == 1 or i < most]


def quoted(names: Sequence[Any], like: Sequence[Any]) -> str:
    """Return names in a sentence: in quotes, or "column 3" where columns have no names, as `like`
    has none."""
    text = " × ".join(map(str, names))
    if all(isinstance(one, int) for one in like):
        return f"column{'s' * (len(names) > 1)} {text}"
    return repr(text)


def column_rows(several: Sequence[ColumnDifference]) -> list[dict[str, Any]]:
    """Return differences of columns as records for JSON."""
    return [one._asdict() | {"columns": [*map(str, one.columns)]} for one in several]


def _subsample(frame: Frame, most: int, rng: np.random.Generator) -> Frame:
    """Return some of the rows, with numbers as float64: those of arrays are of any type."""
    rows: Any = slice(None)
    if frame.rows > most:
        rows = np.sort(rng.choice(frame.rows, most, replace=False))
    columns = [
        one._replace(values=np.asarray(one.values[rows], np.float64)) for one in frame.columns
    ]
    return Frame(min(frame.rows, most), columns, frame.table)


def _folds(
    real: Frame, fake: Frame, is_fake: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[Ints, Float64s, NDArray[np.bool_]]:
    """Return the fold of each row, with _FOLDS added for generated ones; the number of independent
    rows over that of all, of the real and of the generated rows; and whether a row is independent
    of those before it."""
    equal = equal_rows(real.matrix(), fake.matrix())
    if equal.discrete:
        units, sizes = np.arange(len(is_fake)), (real.rows, fake.rows)
    else:
        units, sizes = equal.group, equal.effective_size
    fold = (rng.permutation(len(is_fake)) % _FOLDS)[units]
    shares = [size / one.rows for size, one in zip(sizes, (real, fake), strict=True)]
    first = np.zeros(len(is_fake), np.bool_)
    first[np.unique(units + len(units) * is_fake, return_index=True)[1]] = True
    return fold + _FOLDS * is_fake, np.array(shares), first


# ---- classes of a column -------------------------------------------------------------------------


def _classes(
    column: Column,
    first: NDArray[np.bool_],
    values: int,
    ranges: int,
    *,
    kinds: bool = True,
    prefix: str = "",
) -> _Classes:
    """Divide the cells of a column into classes.

    first: the rows whose values are counted; values, ranges: the most classes of single values and
    of ranges; kinds: whether ranges are divided by the kinds of their cells; prefix: what comes
    before values in a sentence.
    """
    cells, missing = column.values, column.missing
    distinct, place = np.unique(cells[~missing], return_inverse=True)
    counts = np.bincount(place, first[~missing], len(distinct))
    least = max(2.0, _FREQUENT * first.sum())
    frequent = [i for i in np.argsort(-counts, kind="stable")[:values] if counts[i] >= least]
    of_values = np.full(len(distinct), -1)
    of_values[frequent] = np.arange(len(frequent))
    codes = np.full(len(cells), -1)
    codes[~missing] = of_values[place]
    texts = [f"{prefix}{cell_text(column, distinct[i])}" for i in frequent]
    names, kind = _kinds(column) if kinds else ([""], np.zeros(len(cells), np.int64))
    rest = (codes < 0) & ~missing
    if column.kind == CATEGORY and rest.any():
        shapes, of_rest = _shapes(column, rest, ranges)
        codes[rest] = len(texts) + of_rest
        texts += shapes
        rest[:] = False
    for number, name in enumerate(names):
        rows = np.flatnonzero(rest & (kind == number))
        if not rows.size:
            continue
        finite = cells[rows][np.isfinite(cells[rows])]  # infinite ones are in the outer ranges
        shares = np.linspace(0, 1, ranges + 1)
        ends = np.unique(np.quantile(finite, shares)) if finite.size else np.zeros(1)
        of_range = np.searchsorted(ends[1:-1], cells[rows], side="left")
        for i in np.unique(of_range):
            inside = rows[of_range == i]
            codes[inside] = len(texts)
            low, high = (cell_text(column, end(cells[inside])) for end in (np.min, np.max))
            to = f" to {high}" if low != high else ""
            texts.append(f"{prefix}{f'{name}, ' if name else ''}{low}{to}")
    if missing.any():
        codes[missing] = len(texts)
        texts.append("missing")
    examples = np.unique(codes, return_index=True)[1]
    if column.kind == CATEGORY:
        nothing = [""] * len(texts)
        rare = column if len(column.levels) > len(frequent) else None
        return _Classes(codes, texts, np.full(len(texts), np.nan), nothing, nothing, rare, prefix)
    centers = np.bincount(codes, cells.clip(-1e300, 1e300)) / np.bincount(codes)
    lowest = np.full(len(texts), np.inf)
    np.minimum.at(lowest, codes, np.where(missing, np.inf, cells))
    return _Classes(
        codes,
        texts,
        centers,
        [cell_text(column, low) if low < np.inf else "" for low in lowest],
        ["" if missing[row] else names[kind[row]] for row in examples],
        prefix=prefix,
    )


def _shapes(column: Column, rows: NDArray[np.bool_], most: int) -> tuple[list[str], Ints]:
    """Return classes of the text of rare levels, in words, and that of each of the rows: by its
    length and its shape."""
    levels, place, counts = np.unique(
        column.values[rows].astype(np.int64), return_inverse=True, return_counts=True
    )
    texts = [column.levels[i] for i in levels]
    shapes = [(len(text), shape_of(text)) for text in texts]
    rows_of: Counter[tuple[int, str]] = Counter()
    for shape, count in zip(shapes, counts.tolist(), strict=True):
        rows_of[shape] += count
    frequent = sorted(rows_of, key=lambda shape: (-rows_of[shape], shape))[: max(1, most - 1)]
    places = {shape: i for i, shape in enumerate(frequent)}
    of_levels = np.array([places.get(shape, len(frequent)) for shape in shapes])
    known, codes = np.unique(of_levels[place], return_inverse=True)
    words = ["other rare text"] * (len(frequent) + 1)
    for text, i in zip(texts, of_levels.tolist(), strict=True):
        if words[i] == "other rare text" and i < len(frequent):
            words[i] = f"rare text such as {text!r}"
    return [words[i] for i in known], codes.reshape(-1)


def _kinds(column: Column) -> tuple[list[str], Ints]:
    """Return kinds of cells in words, and that of each cell: numbers by their decimals, days of the
    week by weekend; one kind, "", where it does not vary."""
    cells = np.where(np.isfinite(column.values), column.values, 0.0)
    one_kind = [""], np.zeros(len(cells), np.int64)
    if is_weekday(column):
        return ["Monday to Friday", "weekends"], (cells >= 5).astype(np.int64)
    if column.kind != NUMBER:
        return one_kind
    decimals = decimals_of(cells)
    known = decimals[np.isfinite(column.values) & (cells != 0)]
    if not known.size or known.min() == known.max():
        return one_kind
    for digits in (-3, -2, -1):
        if (known <= digits).mean() > _COARSE:
            names = [f"multiples of {10**-digits}", "other numbers"]
            return names, ((decimals > digits) & (cells != 0)).astype(np.int64)
    if known.max() <= 0:
        return one_kind
    usual = rounding_of(cells)
    if usual is None:
        usual = max(int(np.median(known)), 0)
    whole = "whole numbers"
    if usual in (0, known.max()):
        return [whole, "numbers with decimals"], (decimals > 0).astype(np.int64)
    more = f"numbers of more than {usual} decimal{'s' if usual > 1 else ''}"
    names = [whole, f"numbers of up to {usual} decimal{'s' if usual > 1 else ''}", more]
    return names, np.where(decimals <= 0, 0, 1 + (decimals > usual))


# ---- held-out differences ------------------------------------------------------------------------


def _of_column(
    classes: _Classes, group: Ints, sizes: Float64s, leader: _Classes | None = None
) -> tuple[float, float]:
    """Return the difference of a column and its standard error; leader: the classes of another
    column, to common shares of which the rows of both sets are weighted."""
    size = len(classes.texts)
    weight = None
    if leader is not None:
        is_fake = group >= _FOLDS
        sets = leader.codes[~is_fake], leader.codes[is_fake]
        shares = [np.bincount(one, minlength=len(leader.texts)) / len(one) for one in sets]
        common = [np.minimum(*shares) / np.maximum(one, 1e-300) for one in shares]
        weight = np.where(is_fake, common[1][leader.codes], common[0][leader.codes])
    counts = np.bincount(group * size + classes.codes, weight, minlength=2 * _FOLDS * size)
    real, fake = counts.reshape(2, _FOLDS, 1, size).astype(np.float64)
    one = np.ones((1, size))
    order = np.argsort(classes.centers, kind="stable")
    value, error = _held_out((real, fake), (one, one), sizes, order)
    return float(value[0]), float(error[0])


def _of_ranks(cells: Float64s, first: NDArray[np.bool_], is_fake: NDArray[np.bool_]) -> float:
    """Return the normal score of the mean rank of the generated cells among all, without missing
    ones; first: the rows that count."""
    from scipy.stats import rankdata

    some = first & ~np.isnan(cells)
    number, n = int(some.sum()), int((some & is_fake).sum())
    if not 0 < n < number:
        return 0.0
    ranks = rankdata(cells[some])
    error = np.sqrt(ranks.var() * (number - n) / (n * (number - 1)))
    mean = ranks[is_fake[some]].mean()
    return float((mean - (number + 1) / 2) / error) if error > 0 else 0.0


def _of_new_levels(column: Column, group: Ints, sizes: Float64s) -> tuple[float, float, str]:
    """Return how much more often generated than real rows have a level that no real row of the
    other folds has, its standard error, and words."""
    level = np.where(column.missing, -1, column.values).astype(np.int64)
    shares: list[Float64s] = []
    numbers: list[Float64s] = []
    examples: list[int] = []
    for fold in range(_FOLDS):
        known = np.unique(level[(group < _FOLDS) & (group != fold)])
        rows = [level[group == fold], level[group == fold + _FOLDS]]
        new = [~np.isin(one, known) & (one >= 0) for one in rows]
        # All rows of a set that are equal are in one fold.
        counts = np.array([max(len(one), 1) for one in rows])
        shares.append(np.array([one.sum() for one in new]) / counts)
        numbers.append(counts * sizes)
        examples += rows[1][new[1]].tolist()
    p, q = np.mean(shares, axis=0)
    variance = [_variance(*of_one, *n) for of_one, n in zip(shares, numbers, strict=True)]
    error = float(_DEPENDENCE * np.sqrt(np.sum(variance)) / _FOLDS)
    if not examples:
        return 0.0, error, ""
    example = column.levels[max(set(examples), key=lambda i: (examples.count(i), -i))]
    text = (
        f"levels that other real rows lack, such as {example!r}, in {_percent(float(p))} of the "
        f"real and {_percent(float(q))} of the generated rows"
    )
    return float(q - p), error, text


def _of_pairs(
    pairs: Sequence[tuple[int, int]], codes: Sequence[Ints], group: Ints, sizes: Float64s
) -> tuple[list[float], list[float]]:
    size = 1 + max((int(one.max()) for one in codes), default=0)
    groups = [[one[group == number] for one in codes] for number in range(2 * _FOLDS)]
    values: list[float] = []
    errors: list[float] = []
    for start in range(0, len(pairs), _AT_ONCE):
        some = pairs[start : start + _AT_ONCE]
        counts = np.empty((2 * _FOLDS, len(some), size, size))
        for number, own in enumerate(groups):
            for at, (i, j) in enumerate(some):
                joint = np.bincount(own[i] * size + own[j], minlength=size * size)
                counts[number, at] = joint.reshape(size, size)
        sets = counts[:_FOLDS], counts[_FOLDS:]
        factors = _adjustments(*(one.sum(axis=0) for one in sets))
        real, fake = (one.reshape(_FOLDS, len(some), -1) for one in sets)
        flat = (factors[0].reshape(len(some), -1), factors[1].reshape(len(some), -1))
        value, error = _held_out((real, fake), flat, sizes, None)
        values += value.tolist()
        errors += error.tolist()
    return values, errors


def _adjustments(real: Float64s, fake: Float64s) -> tuple[Float64s, Float64s]:
    """Return factors of the joint counts of both sets that give them common shares of either
    column: the smaller ones of both sets, over their sum.

    Iterative proportional fitting (Deming and Stephan, 1940).
    """
    shares = [one / one.sum(axis=(1, 2), keepdims=True) for one in (real, fake)]
    targets = {}
    for axis in (1, 2):
        both = np.minimum(*(one.sum(axis=axis, keepdims=True) for one in shares))
        targets[axis] = both / np.maximum(both.sum(axis=(1, 2), keepdims=True), 1e-300)
    factors = [np.ones_like(one) for one in shares]
    for share, factor in zip(shares, factors, strict=True):
        for _ in range(_ADJUSTMENTS):
            for axis in (2, 1):
                own = (share * factor).sum(axis=axis, keepdims=True)
                factor *= targets[axis] / np.where(own > 0, own, 1.0)
    return factors[0], factors[1]


def _held_out(
    counts: tuple[Float64s, Float64s],
    factors: tuple[Float64s, Float64s],
    sizes: Float64s,
    order: Ints | None,
) -> tuple[Float64s, Float64s]:
    """Return held-out differences and their standard errors.

    counts: of real and of generated rows in the classes, (folds, differences, classes).
    factors: the weights of the rows of each class, (differences, classes).
    sizes: the numbers of independent rows over those of all, of both sets.
    order: classes in the order of their values, for thresholds; None without.
    """
    values, variances = [], []
    sets = list(zip(counts, factors, sizes, strict=True))
    for fold in range(_FOLDS):
        (p, n), (q, m) = (_shares(one.sum(axis=0) - one[fold], *how) for one, *how in sets)
        chosen = _chosen(p, q, n, m, order)
        (p, n), (q, m) = (_shares(one[fold], *how) for one, *how in sets)
        of_p, of_q = (np.einsum("ktc,tc->kt", chosen, one) for one in (p, q))
        values.append(of_p - of_q)
        variances.append(_variance(np.abs(of_p), np.abs(of_q), n[:, 0], m[:, 0]))
    value = np.mean(values, axis=0)
    error = _DEPENDENCE * np.sqrt(np.sum(variances, axis=0)) / _FOLDS
    best = np.argmax(value - _CHOICE_ERRORS * error, axis=0), np.arange(value.shape[1])
    return value[best], error[best]


def _shares(counts: Float64s, factors: Float64s, size: float) -> tuple[Float64s, Float64s]:
    """Return the shares of weighted rows, and the number of independent rows with the same
    variances (Kish)."""
    weighted = counts * factors
    total = weighted.sum(axis=1, keepdims=True)
    squares = (weighted * factors).sum(axis=1, keepdims=True)
    number = size * total**2 / np.where(squares > 0, squares, 1.0)
    return weighted / np.where(total > 0, total, 1.0), np.maximum(number, 1.0)


def _variance(p: Float64s, q: Float64s, n: Float64s, m: Float64s) -> Float64s:
    """Return the variance of the difference of two shares; that of one row where both are 0."""
    of_one = [np.maximum(x * (1 - x), 1.0 / size) / size for x, size in ((p, n), (q, m))]
    return np.asarray(of_one[0] + of_one[1])


def _chosen(p: Float64s, q: Float64s, n: Float64s, m: Float64s, order: Ints | None) -> Float64s:
    """Return the sets of classes that are tried, (sets, differences, classes): 1 for a class of a
    larger real share, −1 for those of a smaller one, 0 for the others."""
    z = (p - q) / np.sqrt(_variance(p, q, n, m))
    sets = [
        (sign * (sign * z > least)).astype(np.float64)
        for least in _CHOSEN_ERRORS
        for sign in (1, -1)
    ]
    if order is not None:
        below = np.cumsum((p - q)[:, order], axis=1)
        at = np.abs(below).argmax(axis=1)
        side = np.zeros_like(p)
        side[:, order] = np.arange(p.shape[1]) <= at[:, None]
        sets.append(side * np.sign(below[np.arange(len(p)), at])[:, None])
    return np.stack(sets)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.1 or share == 0 else f"{100 * share:.2g} %"
