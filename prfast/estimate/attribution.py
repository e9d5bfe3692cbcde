"""Attribution: the columns, and pairs of columns, in which generated samples differ from real ones.

    column  the total variation between the shares of the classes of its cells (`column_classes`)
    pair    the same between the joint shares of two columns, beyond what either shows by itself

Both are held-out estimates (`held_out`).  The parts of the cells that an encoding compares
(`prfast.inputs.parts`), such as units of times and words of text, have classes of their own, as has
what other columns leave of one that they determine (`prfast.samples.relations`): the difference of
a column is that of the values or of a part, whichever is the surer.  One more try of
a column of numbers is the mean rank of its cells, of which a difference in few rows is clear before
one of shares is: such a column is clear with a value that may be below its error.

Columns that depend on one that differs often differ as well.  So the difference of each is measured
again after the rows of both sets have been weighted to common shares of the values of a column that
differs more.  No column is permuted, as that would make rows that neither set has.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.estimate.column_classes import Classes, classes_of, percent
from prfast.estimate.held_out import (
    CHOICE_ERRORS,
    FOLDS,
    LEAST,
    is_clear,
    of_column,
    of_new_levels,
    of_pairs,
    of_ranks,
)
from prfast.inputs.frames import (
    CATEGORY,
    NUMBER,
    Column,
    Float64s,
    Frame,
    Ints,
    cell_text,
    number_cells,
)
from prfast.inputs.parts import parts_of
from prfast.inputs.tables import Table
from prfast.results.values import listed
from prfast.samples.pair import Pair
from prfast.samples.relations import relations
from prfast.samples.repetition import Repetition

MOST = 20_000  # rows of each set that are used,
_CELLS = 2_000_000  # and their cells
_VALUES, _RANGES = 40, 20  # classes of a column: its most frequent values, ranges of the others
_OF_PAIRS = 6  # of each, of a column of a pair
MOST_PAIRED = 300  # columns, up to which pairs are compared
_PREFERENCE = 0.9  # of the surest difference of a column, from which on a plainer one is named
_LEADERS = 10  # columns, along with which others may differ
_ALONG = 0.5  # share of a difference, up to which it may remain where it comes from another column
_DEPENDS = "how they depend on each other"  # the words of a pair
_NAMED = 3  # cells, or differences, in a sentence
REST = 0.1  # of the total variation that no column shows, from which on a sentence tells it
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


def differences(real: Frame, fake: Frame, cells: Pair, seed: int) -> list[ColumnDifference]:
    """Return the differences of all columns, of the pairs that differ clearly, and of the surest of
    the other pairs.

    cells: the rows of both sets.

    Clear ones come first, the largest before others; but those along with another column, and pairs
    of which one column is clear by itself, after all others.  Then come those that are not clear,
    the surest first.
    """
    rows = cells.sample(min(MOST, _CELLS // len(real.columns)), seed, "attribution")
    cells = cells.take(*rows)
    is_fake = np.arange(sum(cells.sizes)) >= len(cells.real)
    # The fold of each row, with FOLDS added for generated ones.
    group = np.concatenate(cells.partition(FOLDS, seed, "folds of columns")) + FOLDS * is_fake
    # Independent rows over all rows of a set; the first row of each unit of a set.
    sizes = np.array(cells.effective_size) / cells.sizes
    first = np.zeros(len(is_fake), np.bool_)
    first[np.unique(cells.units + len(is_fake) * is_fake, return_index=True)[1]] = True
    names: list[Any] = []
    fine: list[Classes] = []
    coarse: list[Ints] = []
    of_columns: list[tuple[float, float, str, float | None, int]] = []
    joined = [_joined(*both, rows) for both in zip(real.columns, fake.columns, strict=True)]
    cells_of_numbers = number_cells(joined)
    related = {relation.columns[0]: relation for relation in relations(cells_of_numbers)}
    for i, column in enumerate(joined):
        classes = classes_of(column, first, _VALUES, _RANGES)
        if len(classes.texts) < 2 and classes.levels is None:
            continue
        # The decimals of numbers are kinds of the classes of their values.
        of_parts = (
            classes_of(part.of(column), first, _VALUES, _RANGES, prefix=part.prefix)
            for part in (parts_of(column) if column.kind != NUMBER else [])
        )
        tried = [classes, *(part for part in of_parts if len(part.texts) > 1)]
        if i in related:
            left = Column(column.name, NUMBER, related[i].left(cells_of_numbers), [])
            terms = [joined[j].name for j in related[i].columns[1:]]
            sentence = _of_relation(terms, is_product=related[i].logarithms.size > 0)
            remainder = classes_of(left, first, _VALUES, _RANGES, kinds=False)
            tried.append(remainder._replace(sentence=sentence))
        value, error, words, plainest = _plainest(tried, group, sizes, is_fake)
        ranks = None if column.kind == CATEGORY else of_ranks(column.values, first, is_fake)
        names.append(column.name)
        fine.append(plainest)
        coarse.append(classes_of(column, first, _OF_PAIRS, _OF_PAIRS, kinds=False).codes)
        of_columns.append((value, error, words, ranks, len(tried)))
    results = [
        ColumnDifference(
            (name,), value, 1.96 * error, words, is_clear(value, error, len(names), ranks, tried)
        )
        for name, (value, error, words, ranks, tried) in zip(names, of_columns, strict=True)
    ]
    results = _with_leaders(results, fine, group, sizes)
    by_themselves = {result.columns[0] for result in results if result.is_clear}
    pairs = list(itertools.combinations(range(len(names)), 2)) if len(names) <= MOST_PAIRED else []
    for (i, j), value, error in zip(pairs, *of_pairs(pairs, coarse, group, sizes), strict=True):
        clear = is_clear(value, error, len(pairs))
        results.append(ColumnDifference((names[i], names[j]), value, 1.96 * error, _DEPENDS, clear))

    def order(one: ColumnDifference) -> tuple[bool, bool, float]:
        if not one.is_clear:
            return True, False, -one.value / one.half_width
        is_second = len(one.columns) > 1 and not by_themselves.isdisjoint(one.columns)
        return False, bool(one.along) or is_second, -one.value

    results.sort(key=order)
    most = max(sum(one.is_clear for one in results), _PAIRS_KEPT)
    return [one for i, one in enumerate(results) if len(one.columns) == 1 or i < most]


def _of_relation(terms: Sequence[Any], *, is_product: bool) -> str:
    names = listed([quoted([name], terms) for name in terms])
    return f"not what {names} make it, as a {'product or ratio' if is_product else 'sum'}"


def _joined(real: Column, fake: Column, rows: Sequence[Any]) -> Column:
    """Return the cells of rows of both sets as float64, with the levels that occur."""
    cells = [np.asarray(x.values[of], np.float64) for x, of in zip((real, fake), rows, strict=True)]
    values = np.concatenate(cells)
    if real.kind != CATEGORY:
        return real._replace(values=values)
    present = ~np.isnan(values)
    used, values[present] = np.unique(values[present], return_inverse=True)
    return real._replace(values=values, levels=[real.levels[int(i)] for i in used])


def _plainest(
    several: Sequence[Classes], group: Ints, sizes: Float64s, is_fake: NDArray[np.bool_]
) -> tuple[float, float, str, Classes]:
    """Return the difference of a column, its standard error, words and classes: of levels that real
    rows lack, of its values or of a part of them, the first that is about as sure as any.

    several: the classes of its values, and of the parts of its cells.
    """
    tried = [(*of_column(one, group, sizes), one.words(is_fake), one) for one in several]
    if several[0].levels is not None:
        tried.insert(0, (*of_new_levels(several[0].levels, group, sizes), several[0]))
    sure = [value - CHOICE_ERRORS * error for value, error, *_ in tried]
    if max(sure) <= 0:
        return tried[-len(several)]
    return next(
        one for one, least in zip(tried, sure, strict=True) if least > _PREFERENCE * max(sure)
    )


def _with_leaders(
    results: Sequence[ColumnDifference], several: Sequence[Classes], group: Ints, sizes: Float64s
) -> list[ColumnDifference]:
    """Return the differences of all columns, with `along` where another column accounts for one."""
    named, leaders = list(results), list[int]()
    for i in sorted(range(len(results)), key=lambda i: -results[i].value):
        if not results[i].is_clear:
            continue
        for leader in leaders:
            rest, error = of_column(several[i], group, sizes, several[leader])
            # If too few rows remain to show the difference as it was, none of it says nothing.
            if rest <= _ALONG * results[i].value and is_clear(results[i].value, error, 1):
                named[i] = results[i]._replace(along=results[leader].name)
                break
        else:
            leaders += [i] if len(leaders) < _LEADERS else []
    return named


def frames_of(real: Any, fake: Any, names: Sequence[Any] | None) -> tuple[Frame, Frame]:
    """Return two arrays as tables of numbers; names: of the columns, None: their numbers."""
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


def sentences_of_columns(
    several: Sequence[ColumnDifference], low: float, variation: str
) -> list[str]:
    """Return what the columns show, in words.

    low, variation: the least total variation of both sets, and how it is printed.
    """
    clear = [one for one in several if one.is_clear]
    if not clear:
        text = "No single column or pair shows it by itself, of the values that are looked at."
        return [text] if low > REST else []
    colon = "" if isinstance(clear[0].columns[0], str) else ":"  # "column 1 0.2" would not be read
    texts = [
        f"{column.label}{colon} {column.value:.2f}{_in_brackets(column)}"
        for column in clear[:_NAMED]
    ]
    more = len(clear) - len(texts)
    lines = [f"Differs most in {'; '.join(texts)}{f'; and {more} more' if more > 0 else ''}."]
    if low > max(one.value for one in clear) + REST:
        lines.append(f"The total variation is {variation}: more than any one of them shows.")
    return lines


def _in_brackets(one: ColumnDifference) -> str:
    along = f"along with {quoted([one.along], one.columns)}" if one.along else ""
    words = [text for text in (along, one.words) if text]
    return f" ({'; '.join(words)})" if words else ""


# ---- rows that repeat ----------------------------------------------------------------------------


class RepeatedRow(NamedTuple):
    """The row whose shares of both sets differ most, where copies of rows are no draws."""

    value: float
    """The difference of its shares."""
    words: str
    """A sentence, with its cells that the other set has not."""


def repeated_row(real: Frame, fake: Frame, equal: Repetition) -> RepeatedRow | None:
    """Return the row that makes up more of one set than of the other, beyond chance; None without
    copies, and where the real set is discrete, as copies are evidence in the columns there."""
    if equal.discrete:
        return None
    groups = np.split(equal.group, [equal.n_real])
    counts = np.array([np.bincount(group, minlength=len(equal.group)) for group in groups])
    sizes = np.array([real.rows, fake.rows])
    shares = counts / sizes[:, None]
    row = int(np.abs(shares[0] - shares[1]).argmax())
    p = shares[:, row]
    value, which = abs(float(p[0] - p[1])), int(p[1] > p[0])
    error = math.sqrt((p * (1 - p) / sizes).sum())
    if value < max(LEAST, _SURE * error) or counts[which, row] < _COPIES:
        return None
    sets = [("real", real), ("generated", fake)]
    (repeating, frame), (other, others) = sets[which], sets[1 - which]
    at = int(np.flatnonzero(groups[which] == row)[0])
    new = [
        f"{quoted([column.name], [column.name])} {cell_text(column, column.values[at])}"
        for column, cells in zip(frame.columns, others.columns, strict=True)
        if _is_new(column, column.values[at], cells.values)
    ]
    unlike = f" Unlike any {other} row: {listed(new[:_NAMED])}." if new else ""
    return RepeatedRow(
        value,
        f"Row {at} of the {repeating} set occurs {counts[which, row]} times, "
        f"{percent(float(p[which]))} of its rows and {percent(float(p[1 - which]))} of the {other} "
        f"ones; it counts once where columns are compared.{unlike}",
    )


def _is_new(column: Column, cell: Any, cells: NDArray[Any]) -> bool:
    """Return whether a cell is missing, a level or a number beyond the range of all cells."""
    if np.isnan(cell):
        return not np.isnan(cells).any()
    if column.levels:
        return not (cells == cell).any()
    return not np.fmin.reduce(cells) <= cell <= np.fmax.reduce(cells)
