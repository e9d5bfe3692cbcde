"""Attribution: columns, and pairs of columns, that differ between generated and real samples.

    column  the total variation between the shares of the classes of its cells (`column_shares`)
    pair    the same between the joint shares of two columns, beyond what either shows by itself

The difference of a column is the surest of three: its values, parts of its cells
(`prfast.inputs.parts`), and what other columns leave of it (`prfast.samples.relations`).  No column
is permuted, as that would make rows that neither set has.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from prfast.estimate import column_shares
from prfast.estimate.column_shares import FOLDS, LEAST, Classes, classes_of, is_clear, percent
from prfast.inputs.arrays import Flags, Float64s, Ints
from prfast.inputs.frames import CATEGORY, NUMBER, Column, Frame, cell_text, number_cells
from prfast.inputs.parts import parts_of
from prfast.inputs.tables import Table
from prfast.results.values import listed
from prfast.samples.pair import Pair
from prfast.samples.relations import relations
from prfast.samples.repetition import Repetition

MOST = 20_000  # rows of each set that are used,
_CELLS = 2_000_000  # and their cells
_OF_PAIRS = 6  # frequent values, and ranges of the others, of a column of a pair
MOST_PAIRED = 300  # columns, up to which pairs are compared
_PREFERENCE = 0.9  # share of the surest difference of a column, above which a plainer one is named
_LEADERS = 10  # columns, along with which others may differ
_ALONG = 0.5  # share of a difference, up to which it may remain where it comes from another column
_NAMED = 3  # cells, or differences, in a sentence
REST = 0.1  # least total variation that no column shows for a sentence
_COPIES = 5  # least number of copies of a row that is reported
_SURE = 4.0  # least standard errors of a difference of its shares
_PAIRS_KEPT = 100  # pairs, besides clear ones


class ColumnDifference(NamedTuple):
    """A difference in a column, or in the dependence of two.  See also `prfast.compare_tables`."""

    columns: tuple[Any, ...]
    """The names: of a column, or of a pair."""
    value: float
    """The total variation that it shows by itself; about 0 where nothing differs, or below."""
    half_width: float
    """That of the 95 % interval."""
    words: str
    """The class that differs most, with its shares in both sets; of a pair, the dependence."""
    is_clear: bool
    """Whether it is reported: beyond chance, among all columns and pairs."""
    along: str = ""
    """Another column that accounts for this difference: among rows that are alike in that column,
    at most half of it remains."""

    @property
    def name(self) -> str:
        """The column, or the columns of a pair with × between them."""
        return " × ".join(map(str, self.columns))


class RepeatedRow(NamedTuple):
    """The row whose shares of both sets differ most, where copies of rows are no draws."""

    value: float
    """The difference of its shares."""
    words: str


@dataclass(frozen=True)
class Attribution:
    """What columns and rows show of the difference of two sets."""

    columns: list[ColumnDifference] = field(default_factory=list)
    """The differences of each column, and of pairs of columns, the largest clear ones first."""
    row: RepeatedRow | None = None
    """The row that a set repeats most, beyond chance."""

    @classmethod
    def of(cls, real: Frame, fake: Frame, cells: Pair, seed: int, *, rows: bool) -> Attribution:
        """Return the differences of two tables; cells: the rows of both; rows: whether rows that
        repeat are reported."""
        row = repeated_row(real, fake, cells.repetition) if rows else None
        return cls(differences(real, fake, cells, seed), row)

    def sentences(self, low: float, variation: str) -> list[str]:
        """Return what columns show beside the row; low: the least total variation, printed as
        `variation`."""
        low -= 0.0 if self.row is None else self.row.value
        clear = [column for column in self.columns if column.is_clear]
        if not clear:
            text = "No single column or pair shows it by itself, of the values that are looked at."
            return [text] if low > REST else []
        texts = []
        for names, value, _, words, _, along in clear[:_NAMED]:
            leader = f"along with {quoted([along], names)}" if along else ""
            details = "; ".join(filter(None, (leader, words)))
            # "column 1 0.2" would not be read.
            name = quoted(names, names) + ("" if isinstance(clear[0].columns[0], str) else ":")
            texts.append(f"{name} {value:.2f}{f' ({details})' if details else ''}")
        more = len(clear) - len(texts)
        lines = [f"Differs most in {'; '.join(texts)}{f'; and {more} more' if more > 0 else ''}."]
        if low > max(column.value for column in clear) + REST:
            lines.append(f"The total variation is {variation}: more than any one of them shows.")
        return lines


def differences(real: Frame, fake: Frame, cells: Pair, seed: int) -> list[ColumnDifference]:
    """Return the differences of all columns, and of the surest pairs; cells: the rows of both sets.

    Clear ones come first by their size, those along with another column, and pairs of which one
    column is clear by itself, after the others.  The surest of those that are not clear follow.
    """
    rows = cells.sample(min(MOST, _CELLS // len(real.columns)), seed, "attribution")
    cells = cells.take(*rows)
    is_fake = np.arange(sum(cells.sizes)) >= len(cells.real)
    # The fold of each row, with FOLDS added for generated ones.
    group = np.concatenate(cells.partition(FOLDS, seed, "folds of columns")) + FOLDS * is_fake
    # Independent rows over all rows of a set; the first row of each unit of a set.
    sizes = np.array(cells.effective_size) / cells.sizes
    first = np.zeros(len(is_fake), np.bool_)
    units = np.concatenate(cells.units) + len(is_fake) * is_fake
    first[np.unique(units, return_index=True)[1]] = True
    columns = []
    for sides in zip(real.columns, fake.columns, strict=True):
        parts = [np.asarray(x.values[i], np.float64) for x, i in zip(sides, rows, strict=True)]
        column = sides[0]._replace(values=np.concatenate(parts))
        if column.kind == CATEGORY:  # the levels that occur
            present = ~np.isnan(column.values)
            used, column.values[present] = np.unique(column.values[present], return_inverse=True)
            column = column._replace(levels=[column.levels[int(i)] for i in used])
        columns.append(column)
    results, coarse = _of_columns(columns, group, first, sizes)
    names = [result.columns[0] for result in results]
    alone = {result.columns[0] for result in results if result.is_clear}
    pairs = list(itertools.combinations(range(len(names)), 2)) if len(names) <= MOST_PAIRED else []
    words = "how they depend on each other"
    values, errors = column_shares.of_pairs(pairs, coarse, group, sizes)
    for (i, j), value, error in zip(pairs, values, errors, strict=True):
        clear = is_clear(value, error, len(pairs))
        results.append(ColumnDifference((names[i], names[j]), value, 1.96 * error, words, clear))
    ranked = []
    for result in results:
        is_second = len(result.columns) > 1 and not alone.isdisjoint(result.columns)
        order = (True, False, -result.value / result.half_width)
        if result.is_clear:
            order = (False, bool(result.along) or is_second, -result.value)
        ranked.append((order, result))
    ranked.sort(key=itemgetter(0))
    most = max(sum(result.is_clear for result in results), _PAIRS_KEPT)
    return [x for i, (_, x) in enumerate(ranked) if len(x.columns) == 1 or i < most]


def _of_columns(
    columns: Sequence[Column], group: Ints, first: Flags, sizes: Float64s
) -> tuple[list[ColumnDifference], list[Ints]]:
    """Return the differences of columns that vary, and coarse classes of these for pairs."""
    is_fake, numbers = group >= FOLDS, number_cells(columns)
    related = relations(numbers)
    measured, fine, coarse = list[Any](), list[Classes](), list[Ints]()
    for i, column in enumerate(columns):
        classes = classes_of(column, first)
        if len(classes.texts) < 2 and not classes.has_rare_levels:
            continue
        # The decimals of numbers are kinds of the classes of their values.
        parts = parts_of(column) if column.kind != NUMBER else []
        divided = (classes_of(part.of(column), first, prefix=part.prefix) for part in parts)
        tried = [classes, *(part for part in divided if len(part.texts) > 1)]
        for relation in (x for x in related if x.columns[0] == i):
            left = Column(column.name, NUMBER, relation.left(numbers), [])
            terms = [columns[j].name for j in relation.columns[1:]]
            kind = "a product or ratio" if relation.logarithms.size > 0 else "a sum"
            words = f"not what {listed([quoted([x], terms) for x in terms])} make it, as {kind}"
            tried.append(classes_of(left, first, kinds=False)._replace(sentence=words))
        # Levels that real rows lack, the values or a part: the first that is about as sure as any.
        sides = [(*column_shares.of_column(x, group, sizes), x.words(is_fake), x) for x in tried]
        if classes.has_rare_levels:
            sides.insert(0, (*column_shares.of_new_levels(column, group, sizes), classes))
        sure = [value - column_shares.CHOICE_ERRORS * error for value, error, *_ in sides]
        enough = [side for side, x in zip(sides, sure, strict=True) if x > _PREFERENCE * max(sure)]
        value, error, words, plainest = enough[0] if max(sure) > 0 else sides[-len(tried)]
        ranks = None
        if column.kind != CATEGORY:
            ranks = column_shares.of_ranks(column.values, first, is_fake)
        measured.append((column.name, value, error, words, ranks, len(tried)))
        fine.append(plainest)
        coarse.append(classes_of(column, first, _OF_PAIRS, _OF_PAIRS, kinds=False).codes)
    results = []
    for name, value, error, words, ranks, number in measured:
        clear = is_clear(value, error, len(measured), ranks, number)
        results.append(ColumnDifference((name,), value, 1.96 * error, words, clear))
    # Another column accounts for a difference that is small after the rows of both sets have been
    # weighted to common shares of it.
    leaders = list[int]()
    places = [i for i, result in enumerate(results) if result.is_clear]
    for i in sorted(places, key=lambda i: -results[i].value):
        for leader in leaders:
            remaining, error = column_shares.of_column(fine[i], group, sizes, fine[leader])
            # It counts only if enough rows remain to show the difference as it was.
            if remaining <= _ALONG * results[i].value and is_clear(results[i].value, error, 1):
                results[i] = results[i]._replace(along=str(results[leader].columns[0]))
                break
        else:
            leaders += [i] if len(leaders) < _LEADERS else []
    return results, coarse


def frames_of(real: Any, fake: Any, names: Sequence[Any] | None) -> tuple[Frame, Frame]:
    """Return two arrays as tables of numbers; names: of the columns, None: their numbers."""
    names = range(real.shape[1]) if names is None else names
    frames = []
    for points in (np.asarray(real), np.asarray(fake)):
        columns = [Column(name, NUMBER, points[:, i], []) for i, name in enumerate(names)]
        frames.append(Frame(len(points), columns, Table(len(points), [], points)))
    return frames[0], frames[1]


def quoted(names: Sequence[Any], like: Sequence[Any]) -> str:
    """Return names in quotes, or "column 3" where columns have no names, as `like` has none."""
    text = " × ".join(map(str, names))
    if all(isinstance(name, int) for name in like):
        return f"column{'s' * (len(names) > 1)} {text}"
    return repr(text)


def column_rows(differences: Sequence[ColumnDifference]) -> list[dict[str, Any]]:
    return [column._asdict() | {"columns": [*map(str, column.columns)]} for column in differences]


def repeated_row(real: Frame, fake: Frame, equal: Repetition) -> RepeatedRow | None:
    """Return the row that makes up more of one set than of the other, beyond chance, if any."""
    if equal.discrete:  # copies are evidence in the columns
        return None
    sizes = np.array([[count.sum()] for count in equal.sizes])
    shares = equal.sizes / sizes
    row = int(np.abs(shares[0] - shares[1]).argmax())
    p, counts = shares[:, row], [int(count[row]) for count in equal.sizes]
    error = float(np.sqrt((p * (1 - p) / sizes[:, 0]).sum()))
    value, i = abs(float(p[0] - p[1])), int(p[1] > p[0])  # i: the set that has more of it
    if value < max(LEAST, _SURE * error) or counts[i] < _COPIES:
        return None
    names, frames = ("real", "generated"), (real, fake)
    at = int(np.flatnonzero(np.split(equal.group, [equal.n_real])[i] == row)[0])
    new = []  # levels, missing cells, and numbers beyond the range of the other set
    for column, unlike in zip(frames[i].columns, frames[1 - i].columns, strict=True):
        cell, cells = column.values[at], unlike.values
        if np.isnan(cell):
            is_new = not np.isnan(cells).any()
        elif column.levels:
            is_new = not (cells == cell).any()
        else:
            is_new = not np.fmin.reduce(cells) <= cell <= np.fmax.reduce(cells)
        if is_new:
            new.append(f"{quoted([column.name], [column.name])} {cell_text(column, cell)}")
    more = f" Unlike any {names[1 - i]} row: {listed(new[:_NAMED])}." if new else ""
    return RepeatedRow(
        value,
        f"Row {at} of the {names[i]} set occurs {counts[i]} times, {percent(float(p[i]))} of "
        f"its rows and {percent(float(p[1 - i]))} of the {names[1 - i]} ones; it counts once where "
        f"columns are compared.{more}",
    )
