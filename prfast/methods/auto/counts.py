"""Bases from counts outside the fold: neighbors, values, duplicates; and ranges.

neighbors: counts among the nearest neighbors, on the leading axes.  The radii of z are its
distances to the k-th nearest of some references of both classes.  A column for each k has the
numbers of references of either class within that radius,

    log (#real + ½) / n − log (#generated + ½) / m,

and one column has the distances to the nearest of the same references, which detects samples that
lie too close to others of the other class or of their own,

    log d(generated) − log d(real).

Radii from a subsample save half of the time: the k-th of 2000 is about the 4k-th of 8000.

values: values that occur more than once in a column, such as integers, codes, exact zeros, or one
frequent value among continuous ones, such as a fill value.  With c and e the numbers of real and
generated samples that have the value, among the n and m of some rows outside the group of the fold,
the evidence of a value is

    log (c + ½) / (n + 1) − log (e + ½) / (m + 1).

A value that none of these rows has counts as new; its evidence is that of all values that occur
once, or 0 where these are most: a number near 0 would differ between groups by the frequent values
of the group itself, and the meta-learner ranks it.  The base is the sum over these columns (naive
Bayes): one column over all values, one over the frequent ones, in which all rare values, except new
ones, are treated as one value.

duplicates: identical rows, where the real set is discrete (`Repetition.discrete`).  With c and e
the numbers of rows equal to z among the n real and m generated samples outside its fold, the column
is

    log (c + ½) / (n + ½) − log (e + ½) / (m + ½);    0 where neither class has one.

ranges: the distance of a point beyond the range of each class, column by column.  Per class and
tail of a column, outside the fold: x₁ is the extreme value, g the mean spacing of the _TAIL
outermost values.  With E the sum over the tails of max(0, excess over x₁) / g and c the number of
tails exceeded, the columns are

    log (E_generated + .01) − log (E_real + .01),
    c_generated − c_real + ½ tanh(E_generated − E_real).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.options import stream
from prfast.methods.auto.coordinates import Block, Coordinates
from prfast.methods.auto.sample import NUMBERS, Flags, Ints
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import Count

_MIN_REPEATED = 0.05  # share of rows with a repeated value, below which a column is continuous,
_FILL_SHARE = 0.005  # unless this share of the rows, and at least _FILL_ROWS, have one value
_FILL_ROWS = 8
_CONTINUOUS = 0.8  # share of values that occur once, from which on they are no evidence
MAX_VALUES = 1 << 18  # of all columns together, the most frequent ones of each
_ROWS = 8000  # rows whose values are counted
_FEW_ROWS = 2000  # from which most continuous columns are recognized
_FREQUENT = 20  # rows with a frequent value, at least


class ValueColumn(NamedTuple):
    """The values of a column and their evidence."""

    column: int
    values: Float64s
    """Ascending."""
    evidence: NDArray[np.float32]
    """(groups, values + 1, 2), over all values and over frequent ones; the last for a new value."""


class Values(NamedTuple):
    """Two columns, over all values and over frequent ones."""

    columns: list[ValueColumn]

    def score(self, block: Block) -> Float64s:
        total = np.zeros((len(block), 2))
        for column, values, evidence in self.columns:
            x = np.ascontiguousarray(block.points[:, column])
            at = values.searchsorted(x)
            at[at == len(values)] = 0
            at[values[at] != x] = len(values)  # a new value
            total += evidence[block.fold % len(evidence), at]
        return total


def values(coords: Coordinates) -> Values | None:
    """Return the evidence of the values of columns that repeat them; None where no column does."""
    sample = coords.sample
    places = sample.subsample("values", _ROWS)
    rows = sample.fitted[places]
    cell, cells = sample.group_and_class(places), 2 * sample.groups
    max_values = max(MAX_VALUES // sample.width, 2)
    columns = []
    few = rows[:: -(-len(rows) // _FEW_ROWS)]
    for part in blocks(sample.width, max(1, NUMBERS // len(few))):
        some = np.sort(sample.columns(few, part).T, axis=1)
        for j in np.flatnonzero((some[:, 1:] == some[:, :-1]).any(axis=1)).tolist():
            if not _repeats(some[j]):
                continue
            x = sample.columns(rows, np.array([part.start + j]))[:, 0]
            if _repeats(np.sort(x)):
                frequent, place = _frequent_values(x, sample.distinct[rows], max_values)
                evidence = _evidence(cell, cells, place, len(frequent), sample.weight_of(rows))
                columns.append(ValueColumn(part.start + j, frequent, evidence))
    return Values(columns) if columns else None


def _repeats(x: Float64s) -> bool:
    """Return whether enough of the values, ascending, occur more than once, or one of them often,
    but not all are equal."""
    equal = x[1:] == x[:-1]
    repeated = np.append(equal, False) | np.append(False, equal)
    apart = max(int(_FILL_SHARE * len(x)), _FILL_ROWS) - 1
    return bool(
        x[0] != x[-1]
        and (repeated.mean() >= _MIN_REPEATED or (x[apart:] == x[: max(len(x) - apart, 0)]).any())
    )


def _frequent_values(x: Float64s, is_distinct: Flags, max_values: int) -> tuple[Float64s, Ints]:
    """Return the distinct values, ascending, or the `max_values` most frequent ones, and the place
    of each x among them: the number of values where it is none of them.

    is_distinct: the rows from which frequencies are counted.
    """
    distinct, place = np.unique(x, return_inverse=True)
    if len(distinct) <= max_values:
        return distinct, place
    number = np.bincount(place[is_distinct], minlength=len(distinct))
    frequent = np.sort(np.argsort(-number, kind="stable")[:max_values])
    places = np.full(len(distinct), max_values)
    places[frequent] = np.arange(max_values)
    return distinct[frequent], places[place]


def _evidence(
    cell: Ints, cells: int, place: Ints, values: int, weight: Float64s | None
) -> NDArray[np.float32]:
    """Return the evidence of every value and of a new one for each group of folds left out."""
    slots = values + 1  # the last one for all other values, which count as new

    def outside_of_groups(weight: Float64s | None) -> Float64s:
        count = np.bincount(cell * slots + place, weight, cells * slots)
        count = count.reshape(-1, 2, slots).astype(np.float64)
        return np.asarray(count.sum(axis=0) - count)

    outside = outside_of_groups(weight)
    size = outside.sum(axis=2, keepdims=True)
    known = outside[:, :, :-1]
    # How rare values are, rows say, not weights.
    rows = outside if weight is None else outside_of_groups(None)
    total = rows[:, :, :-1].sum(axis=1)
    rare = total < _FREQUENT
    once = (known * (total == 1)[:, None]).sum(axis=2, keepdims=True) + outside[:, :, -1:]
    mostly_once = once.sum(axis=1) >= _CONTINUOUS * size.sum(axis=1)
    new = np.where(mostly_once, 0.0, _log_ratio(once, size, 1.0))
    few = _log_ratio((known * rare[:, None]).sum(axis=2, keepdims=True), size, 1.0)
    evidence = np.empty((len(outside), slots, 2), np.float32)
    evidence[:, :-1, 0] = _log_ratio(known, size, 0.5)
    evidence[:, :-1, 1] = np.where(rare, few, evidence[:, :-1, 0])
    evidence[:, :-1] = np.where((total == 0)[:, :, None], new[:, :, None], evidence[:, :-1])
    evidence[:, -1] = new
    return evidence


def _log_ratio(count: Float64s, size: Float64s, prior: float) -> Float64s:
    """Return the log-ratio of the shares of both classes, (groups, values)."""
    logs = np.log((count + prior) / (size + 2 * prior))
    return np.asarray(logs[:, 0] - logs[:, 1])


class Duplicates(NamedTuple):
    """One column."""

    keys: Ints
    """The keys of the distinct rows, ascending."""
    outside: Float64s
    """The numbers of rows of each class outside each fold, (folds, 2, distinct rows)."""
    sizes: Float64s
    """The sums of these numbers, (folds, 2)."""

    def score(self, block: Block) -> Float64s:
        keys = _row_keys(block.points)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        known = self.keys[at] == keys
        count = np.where(known, self.outside[block.fold][:, at], 0.0)
        log = np.log((count + 0.5) / (self.sizes[block.fold][:, None] + 0.5))
        column = np.where(count.sum(axis=0) > 0, log[0] - log[1], 0.0)
        return column[:, None]


def duplicates(coords: Coordinates) -> Duplicates | None:
    """Return the counts of identical rows; None where the real set is not discrete."""
    sample = coords.sample
    if not sample.discrete:
        return None
    keys = coords.features(lambda block: _row_keys(block.points))
    distinct, place = np.unique(keys, return_inverse=True)
    count = np.zeros((sample.folds, 2, len(distinct)))
    weight = sample.weight_of(sample.fitted)
    np.add.at(
        count,
        (sample.fitted_fold, 1 - sample.fitted_real, place),
        1.0 if weight is None else weight,
    )
    outside = count.sum(axis=0) - count
    return Duplicates(distinct, outside, outside.sum(axis=2))


def _row_keys(points: Float64s) -> Ints:
    """Return a 64-bit hash of each row; 0 equals −0."""
    from hashlib import blake2b

    rows = np.ascontiguousarray(points + 0.0)
    digests = [blake2b(row, digest_size=8).digest() for row in rows.view(np.uint8)]
    return np.frombuffer(b"".join(digests), np.int64)


_TAIL = 20
_OUTERMOST = 34  # values that serve all folds: _TAIL, and those of the fold left out
_RANGE_NUMBERS = 1 << 20  # numbers in the columns that are partitioned together
_FLOOR = 1e-6  # share of a column's reach, up to which a spacing or an excess is rounding


class Ranges(NamedTuple):
    """Two columns, from excesses and from numbers of tails."""

    end: Float64s
    """(folds, classes, tails, columns): the extreme value, with the sign of the tail."""
    spacing: Float64s
    tolerance: Float64s
    """(columns,); an excess up to this is rounding."""

    def score(self, block: Block) -> Float64s:
        points, width = block.points, block.points.shape[1]
        sums, exceeded = [], []
        for i in range(2):
            total, count = np.zeros(len(block)), np.zeros(len(block))
            for tail, sign in enumerate((1.0, -1.0)):
                end, spacing = (x[block.fold, i, tail] for x in (self.end, self.spacing))
                beyond = points > end if tail == 0 else points < -end
                at = np.flatnonzero(beyond)  # few
                rows, columns = np.divmod(at, width)
                excess = sign * points.ravel()[at] - end[columns]
                some = excess > self.tolerance[columns]
                rows, columns, excess = rows[some], columns[some], excess[some]
                count += np.bincount(rows, minlength=len(block))
                total += np.bincount(rows, excess / spacing[columns], len(block))
            sums.append(total)
            exceeded.append(count)
        (p, q), (n, m) = sums, exceeded
        return np.column_stack([np.log(q + 0.01) - np.log(p + 0.01), m - n + 0.5 * np.tanh(q - p)])


def ranges(coords: Coordinates) -> Ranges:
    """Return the ranges of each class outside each fold."""
    sample = coords.sample
    shape = (sample.folds, 2, 2, sample.width)
    end, spacing = np.empty(shape), np.empty(shape)
    tolerance = np.maximum(_FLOOR * coords.reach, 1e-290)
    for i, real in enumerate((True, False)):
        own = np.flatnonzero(sample.fitted_real == real)
        rows, folds = sample.fitted[own], sample.fitted_fold[own]
        for columns in blocks(sample.width, max(1, _RANGE_NUMBERS // len(rows))):
            x = sample.columns(rows, columns)
            floor = tolerance[columns]
            for tail, (values, of_fold) in enumerate(_outermost(x, folds)):
                outside = of_fold != np.arange(sample.folds)[:, None, None]
                end[:, i, tail, columns], gap = _ends_and_spacings(values, outside)
                spacing[:, i, tail, columns] = np.maximum(gap, floor)
    return Ranges(end, spacing, tolerance)


def _outermost(x: Float64s, folds: NDArray[Any]) -> Iterator[tuple[Float64s, NDArray[Any]]]:
    """Yield the largest values of each column, decreasing, and their folds; then those of −x."""
    count = min(_OUTERMOST, len(x))
    x = np.ascontiguousarray(x.T)
    for sign in (1.0, -1.0):
        # Two partitions at one place each take half the time of one at two places.
        if sign > 0:
            at = np.argpartition(x, x.shape[1] - count)[:, -count:]
        else:
            at = np.argpartition(x, count - 1)[:, :count]
        values = sign * np.take_along_axis(x, at, axis=1)
        by_value = np.argsort(-values, axis=1, kind="stable")
        at = np.take_along_axis(at, by_value, axis=1)
        yield np.take_along_axis(values, by_value, axis=1).T, folds[at].T


def _ends_and_spacings(values: Float64s, outside: Flags) -> tuple[Float64s, Float64s]:
    """Return the largest of the values outside each fold, and the mean spacing of the largest
    _TAIL, (folds, columns).

    Where all values are of the fold left out, the end is the smallest of them.  outside: (folds,
    values, columns).
    """
    rank = np.cumsum(outside, axis=1)
    count = rank[:, -1]
    last_rank = np.clip(count, 1, _TAIL)
    columns = np.arange(values.shape[1])
    first = values[np.argmax(outside, axis=1), columns]
    last = values[np.argmax(rank >= last_rank[:, None], axis=1), columns]
    end = np.where(count > 0, first, values[-1])
    return end, np.where(count > 0, (first - last) / np.maximum(last_rank - 1, 1), 0.0)


AXES = 24
_REFERENCES = 4000  # of a class
_RADIUS_REFERENCES = 1000  # of a class, from which radii are computed
_KS = (1, 4, 16)
_TINY = 1e-12  # squared distances of coordinates up to 1: those below are rounding in float32


class Neighbors(NamedTuple):
    """A column for each k, and one of the nearest distances."""

    size: float
    """The largest absolute coordinate, by which all are divided."""
    references: list[tuple[Floats, Floats]]
    """The real and the generated references of each fold, in random order."""

    @property
    def columns(self) -> int:
        """The number of different k for the fewest references of a fold, the same for all folds."""
        fewest = min(len(a) + len(b) for a, b in self.references)
        return len({min(k, fewest) for k in _KS})

    def score(self, block: Block) -> Float64s:
        sets = self.references[block.fold]
        queries = neighbor_points(block, self.size)
        a, b = (points[:_RADIUS_REFERENCES] for points in sets)
        ks = sorted({min(k, len(a) + len(b)) for k in _KS})[: self.columns]
        search = NeighborSearch(n_jobs=1, progress=False)
        near = search.union(queries, a, b, [1], [1], ks)
        logs = []
        for points, counts in zip(sets, (near.of_a, near.of_b), strict=True):
            if len(points) > _RADIUS_REFERENCES:
                more = np.zeros(counts.T.shape, np.int64)
                tasks = [Count(t, None, True, x) for t, x in zip(near.d2_both.T, more, strict=True)]
                search.run(queries, [points[_RADIUS_REFERENCES:]], tasks)
                counts = counts + more.T
            logs.append(np.log((counts + 0.5) / len(points)))
        nearest = 0.5 * (np.log(near.d2_b + _TINY) - np.log(near.d2_a + _TINY))
        return np.hstack([logs[0] - logs[1], nearest])


def neighbors(coords: Coordinates) -> Neighbors:
    """Return references for each fold, drawn from the others."""
    sample = coords.sample
    size = max(float(np.abs(coords.fitted_axes[:, :AXES]).max()), 1e-290)
    points = coords.features(lambda block: neighbor_points(block, size))
    shuffled = stream(sample.seed, "references").permutation(len(points))
    # Densities of smoothed samples vary little between the neighbors of fewer references.
    count = _RADIUS_REFERENCES if sample.smoothed else _REFERENCES
    references = []
    for fold in range(sample.folds):
        outside = shuffled[sample.fitted_fold[shuffled] != fold]
        real = sample.fitted_real[outside]
        a, b = (sample.references(outside[of], count) for of in (real, ~real))
        references.append((points[a], points[b]))
    return Neighbors(size, references)


def neighbor_points(block: Block, size: float) -> Floats:
    """Return the leading axes of a block in float32, divided by `size`."""
    return np.ascontiguousarray(block.axes[:, :AXES] / size, np.float32)
