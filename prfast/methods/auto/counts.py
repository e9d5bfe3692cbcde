"""Bases from counts: `Neighbors`, `Values` and `Ranges`.

neighbors: counts among the nearest neighbors, on the leading axes.  The radii of z are its
distances to the k-th nearest of some references of both sets.  A column for each k has the numbers
of references of either set within that radius,

    log (#real + ½) / n − log (#generated + ½) / m,

and one column has the distances to the nearest references, log d(generated) − log d(real), which
detects samples that lie too close to others.

values: values that occur more than once in a column, such as integers, codes and exact zeros, and
rows that do.  With c and e the numbers of real and generated samples that have the value, among the
n and m of some rows outside the group of the fold, the evidence of a value is

    log (c + ½) / (n + 1) − log (e + ½) / (m + 1).

A value that none of these rows has counts as new; its evidence is that of all values that occur
once, or 0 where these are most.  The base is the sum over these columns (naive Bayes): over all
values, and over frequent ones, in which all rare values are treated as one value.

ranges: the distance of a point beyond the range of each set, column by column.  Per set and tail of
a column, outside the fold: x₁ is the extreme value, g the mean spacing of the _TAIL outermost
values.  With E the sum over the tails of max(0, excess over x₁) / g and c the number of tails
exceeded, the columns are

    log (E_generated + .01) − log (E_real + .01),
    c_generated − c_real + ½ tanh(E_generated − E_real).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.methods.auto.coordinates import Data, View
from prfast.methods.auto.folds import Flags, Ints
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import Count
from prfast.samples.partition import systematic

# ---- neighbors -----------------------------------------------------------------------------------

AXES = 24
_REFERENCES = 2500  # of a set
_RADIUS_REFERENCES = 1000  # of a set, from which radii are computed
_KS = (1, 4, 16)
_TINY = 1e-12  # squared distances of coordinates up to 1: those below are rounding in float32


class Neighbors(NamedTuple):
    """A base: a column for each k, and one of the nearest distances."""

    name: str = "neighbors"
    difference: str = "samples crowd in other places or lie too close to others"
    by_fold: bool = True

    def fit(self, view: View, y: Float64s, w: Float64s) -> NeighborScorer:
        """Return references of both sets, as often as their weights say."""
        x = view.axes[:, :AXES]
        # Where all rows of a fit are at the mean, others are not beyond the range of float32.
        size = max(float(np.abs(x).max()), 1e-6 * float(np.sqrt(view.fitted.size))) or 1.0
        references = []
        for sign in (1.0, -1.0):
            places = np.flatnonzero(y == sign)
            places = places[systematic(w[places], min(_REFERENCES, len(places)))]
            step = -(-len(places) // _RADIUS_REFERENCES)
            of_radii = np.arange(len(places)) % step == 0
            points = np.ascontiguousarray(x[places] / size, np.float32)
            references.append((points[of_radii], points[~of_radii]))
        return NeighborScorer(size, references)


class NeighborScorer(NamedTuple):
    """Neighbors among references."""

    size: float
    """The largest absolute coordinate, by which all are divided."""
    references: list[tuple[Floats, Floats]]
    """The references of radii and the other ones, real and generated."""

    def score(self, view: View) -> Float64s:
        """Return the columns."""
        queries = np.ascontiguousarray(view.axes[:, :AXES] / self.size, np.float32)
        a, b = (of_radii for of_radii, _ in self.references)
        wanted = [min(k, len(a) + len(b)) for k in _KS]
        ks = sorted(set(wanted))
        search = NeighborSearch(n_jobs=1, progress=False)
        near = search.union(queries, a, b, [1], [1], ks)
        logs = []
        for (first, more), counts in zip(self.references, (near.of_a, near.of_b), strict=True):
            if len(more):
                extra = np.zeros(counts.T.shape, np.int64)
                tasks = [
                    Count(t, None, True, x) for t, x in zip(near.d2_both.T, extra, strict=True)
                ]
                search.run(queries, [more], tasks)
                counts = counts + extra.T
            logs.append(np.log((counts + 0.5) / (len(first) + len(more))))
        nearest = 0.5 * (np.log(near.d2_b + _TINY) - np.log(near.d2_a + _TINY))
        of_ks = (logs[0] - logs[1])[:, np.searchsorted(ks, wanted)]
        return np.hstack([of_ks, nearest])


# ---- values --------------------------------------------------------------------------------------

_MIN_REPEATED = 0.05  # share of rows with a repeated value, below which a column is continuous,
_FILL_SHARE = 0.005  # unless this share of the rows, and at least _FILL_ROWS, have one value
_FILL_ROWS = 8
_CONTINUOUS = 0.8  # share of values that occur once, from which on they are no evidence
_MAX_VALUES = 1 << 18  # of all columns together, the most frequent ones of each
_VALUE_ROWS = 8000  # rows whose values are counted
_FEW_ROWS = 2000  # from which most continuous columns are recognized
_NUMBERS = 1 << 22
_FREQUENT = 20  # rows with a frequent value, at least
_KEYS = -1  # the column of the keys of rows


class Values(NamedTuple):
    """A base: two columns, over all values and over frequent ones; and two of rows that repeat."""

    name: str = "values"
    difference: str = "single features have other exact values: zeros, whole numbers or rounding"
    of_exact_values: bool = True

    def fit_folds(self, data: Data) -> ValueScorer | None:
        """Return the evidence of the values of columns that repeat them."""
        places = data.labelled("values", _VALUE_ROWS)
        few = places[:: -(-len(places) // min(_FEW_ROWS, max(_NUMBERS // data.folds.width, 100)))]
        ordered = np.sort(data.read(few), axis=0)
        columns = np.flatnonzero((ordered[1:] == ordered[:-1]).any(axis=0))
        columns = np.array([j for j in columns if _repeats(ordered[:, j])], np.int64)
        values = dict(zip(columns.tolist(), data.read(places, columns).T, strict=True))
        if data.folds.discrete:
            values[_KEYS] = data.view(places).keys
        most = max(_MAX_VALUES // data.folds.width, 2)
        distinct = data.folds.distinct[data.rows[places]]
        cell = 2 * data.group[places].astype(np.int64) + ~data.real[places]
        weight = None if data.given is None else data.given[places]
        fitted = []
        for column, x in values.items():
            if _repeats(np.sort(x)):
                frequent, place = _frequent_values(x, distinct, most)
                evidence = _evidence(cell, 2 * data.folds.groups, place, len(frequent), weight)
                fitted.append(ValueColumn(column, frequent, evidence))
        return ValueScorer(fitted) if fitted else None


class ValueColumn(NamedTuple):
    """The values of a column and their evidence."""

    column: int
    values: Float64s
    """Ascending."""
    evidence: NDArray[np.float32]
    """(groups, values + 1, 2), over all values and over frequent ones; the last for a new value."""


class ValueScorer(NamedTuple):
    """The columns that repeat values."""

    columns: list[ValueColumn]

    def score(self, view: View) -> Float64s:
        """Return the sums of the evidence."""
        total = np.zeros((len(view), 2))
        of_rows = np.zeros((len(view), 1))
        for column, values, evidence in self.columns:
            x = view.keys if column == _KEYS else np.ascontiguousarray(view.points[:, column])
            at = values.searchsorted(x)
            at[at == len(values)] = 0
            at[values[at] != x] = len(values)  # a new value
            found = evidence[view.fold % len(evidence), at]
            if column == _KEYS:
                of_rows = found[:, :1]
            else:
                total += found
        return np.hstack([total, of_rows])


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
    """Return the log-ratio of the shares of both sets, (groups, values)."""
    logs = np.log((count + prior) / (size + 2 * prior))
    return np.asarray(logs[:, 0] - logs[:, 1])


# ---- ranges --------------------------------------------------------------------------------------

_TAIL = 20
_OUTERMOST = 34  # values that serve all folds: _TAIL, and those of the fold left out
_RANGE_NUMBERS = 1 << 20  # numbers in the columns that are partitioned together
_FLOOR = 1e-6  # share of a column's reach, up to which a spacing or an excess is rounding


class Ranges(NamedTuple):
    """A base: two columns, from excesses and from numbers of tails."""

    name: str = "ranges"
    difference: str = "one set reaches beyond the other in single features"
    of_exact_values: bool = True

    def fit_folds(self, data: Data) -> RangeScorer:
        """Return the ranges of each set outside each fold."""
        shape = (data.count, 2, 2, data.folds.width)
        end, spacing = np.empty(shape), np.empty(shape)
        tolerance = np.maximum(_FLOOR * data.coordinates.reach, 1e-290)
        for i, of_set in enumerate((data.real, ~data.real)):
            places = np.flatnonzero(of_set)
            for part in blocks(data.folds.width, max(1, _RANGE_NUMBERS // len(places))):
                x = np.ascontiguousarray(data.read(places, np.arange(part.start, part.stop)).T)
                for tail, sign in enumerate((1.0, -1.0)):
                    values, fold = _outermost(sign * x, data.fold[places])
                    for left_out in range(data.count):
                        ends, gap = _end_and_spacing(values, fold != left_out)
                        end[left_out, i, tail, part] = ends
                        spacing[left_out, i, tail, part] = np.maximum(gap, tolerance[part])
        return RangeScorer(end, spacing, tolerance)


class RangeScorer(NamedTuple):
    """The ranges of both sets."""

    end: Float64s
    """(folds, sets, tails, columns): the extreme value, with the sign of the tail."""
    spacing: Float64s
    tolerance: Float64s
    """(columns,); an excess up to this is rounding."""

    def score(self, view: View) -> Float64s:
        """Return the columns."""
        columns = np.empty((len(view), 2))
        for fold, rows in view.by_fold():
            x = view.points[rows]
            sums, counts = np.zeros((2, len(x))), np.zeros((2, len(x)))
            for i in range(2):
                for tail, sign in enumerate((1.0, -1.0)):
                    end = self.end[fold, i, tail]
                    at, column = np.nonzero(x > end if tail == 0 else x < -end)  # few
                    excess = sign * x[at, column] - end[column]
                    beyond = excess > self.tolerance[column]
                    at, column, excess = at[beyond], column[beyond], excess[beyond]
                    counts[i] += np.bincount(at, minlength=len(x))
                    scaled = excess / self.spacing[fold, i, tail, column]
                    sums[i] += np.bincount(at, scaled, len(x))
            (p, q), (n, m) = sums, counts
            columns[rows, 0] = np.log(q + 0.01) - np.log(p + 0.01)
            columns[rows, 1] = m - n + 0.5 * np.tanh(q - p)
        return columns


def _outermost(x: Float64s, folds: NDArray[Any]) -> tuple[Float64s, NDArray[Any]]:
    """Return the largest values of each row of x, decreasing, and their folds."""
    count = min(_OUTERMOST, x.shape[1])
    at = np.argpartition(x, x.shape[1] - count)[:, -count:]
    values = np.take_along_axis(x, at, axis=1)
    by_value = np.argsort(-values, axis=1, kind="stable")
    at = np.take_along_axis(at, by_value, axis=1)
    return np.take_along_axis(values, by_value, axis=1), folds[at]


def _end_and_spacing(values: Float64s, outside: Flags) -> tuple[Float64s, Float64s]:
    """Return the largest of the values outside a fold, and the mean spacing of the largest _TAIL.

    Where all values are of the fold left out, the end is the smallest of them.  outside: (columns,
    values).
    """
    rank = np.cumsum(outside, axis=1)
    count = rank[:, -1]
    last_rank = np.clip(count, 1, _TAIL)
    columns = np.arange(len(values))
    first = values[columns, np.argmax(outside, axis=1)]
    last = values[columns, np.argmax(rank >= last_rank[:, None], axis=1)]
    end = np.where(count > 0, first, values[:, -1])
    return end, np.where(count > 0, (first - last) / np.maximum(last_rank - 1, 1), 0.0)
