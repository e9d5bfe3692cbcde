"""Bases that compare densities: by normal ones, mixtures, neighbors, values and ranges."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats
from prfast.methods.auto.coordinates import Data, Scorer, View, densities
from prfast.methods.auto.folds import Ints
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import Nearest
from prfast.samples.partition import systematic
from prfast.samples.repetition import row_keys

_PSEUDO, _PRIOR = 5.0, 0.3
_STEPS = 8  # of EM


class Gaussians(NamedTuple):
    """A base: the log-ratio of two Gaussians, fitted to a coordinate of each set.

    One column has the covariance S of Ledoit and Wolf (2004), shrunk to its mean variance v; one
    has only variances:

        (1 − h) S + h v 1,   h = min(1, (Σ |x − x̄|⁴ / n − |S|²) / (n |S − v 1|²));
        (n S_jj + 1.5) / (n + 5).

    All follow from sums of the products of x, |x|² and 1: those over all rows minus those of the
    fold.
    """

    name: str
    difference: str
    coordinate: str

    def fit_folds(self, data: Data) -> list[Scorer] | None:
        width = getattr(data.view(slice(1)), self.coordinate).shape[1]
        if not width:
            return None
        products = np.zeros((data.count, 2, width + 2, width + 2))
        for fold, block, view in data.blocks():
            x = getattr(view, self.coordinate)
            x = np.column_stack([x, np.einsum("ij,ij->i", x, x), np.ones(len(x))])
            real, weight = data.real[block], data.given[block]
            for sums, used in zip(products[fold], (real, ~real), strict=True):
                inside = x[used]
                sums += inside.T @ (weight[used, None] * inside)
        scorers = []
        for outside in products.sum(axis=0) - products:
            ratios = []
            for is_full in (True, False):
                (m, p, v), (k, q, u) = (_gaussian(sums, is_full) for sums in outside)
                a, b = p @ m, q @ k
                constant = (-0.5 * float(a @ m) - v) - (-0.5 * float(b @ k) - u)
                ratios.append((0.5 * (q - p), a - b, constant))
            scorers.append(Scorer(_quadratic, (self.coordinate, ratios)))
        return scorers


def _quadratic(view: View, coordinate: str, ratios: list[Any]) -> Float64s:
    """Return a column xᵀA x + bᵀx + c for each A, b and c."""
    x = getattr(view, coordinate)
    return np.column_stack([np.einsum("ij,ij->i", x, x @ a + b) + c for a, b, c in ratios])


def _gaussian(sums: Float64s, is_full: bool) -> tuple[Float64s, Float64s, float]:
    """Return the mean, the inverse covariance and ½ log det of the covariance."""
    n, x = max(float(sums[-1, -1]), 1e-9), slice(-2)
    mean = sums[x, -1] / n
    covariance = sums[x, x] / n - np.outer(mean, mean)
    size = float(np.trace(covariance)) / len(mean)
    if not is_full or n < 2 or size < 1e-12:  # the variance of both sets is 1
        variance = np.maximum(np.diagonal(sums)[x] / n - mean**2, 0.0)
        variance = (n * variance + _PSEUDO * _PRIOR) / (n + _PSEUDO)
        return mean, np.diag(1.0 / variance), 0.5 * float(np.log(variance).sum())
    length = float(mean @ mean)
    along, trace = float(mean @ sums[x, x] @ mean), float(np.trace(sums[x, x]))
    fourth = float(sums[-2, -2]) - 4 * float(mean @ sums[x, -2]) + 4 * along
    fourth = (fourth + 2 * length * trace - 3 * n * length**2) / n  # Σ |x − mean|⁴ / n
    squares = float((covariance**2).sum())
    noise, distance = max(fourth - squares, 0.0) / n, squares - len(mean) * size**2
    shrinkage = noise / distance if distance > noise else 1.0
    covariance *= 1.0 - shrinkage
    np.einsum("ii->i", covariance)[:] += (shrinkage + 1e-6) * size
    volume = 0.5 * float(np.linalg.slogdet(covariance)[1])
    return mean, np.asarray(np.linalg.inv(covariance)), volume


class Modes(NamedTuple):
    """A base: a column log Σ_j p_j f_j(z) − log Σ_j q_j f_j(z) for each mixture.  Its components
    f_j are common to both sets, with the shares p_j and q_j."""

    name: str = "modes"
    difference: str = "clusters have other weights, or other places and spreads"
    rows: int = 10_000

    def fit(self, view: View, y: Float64s, w: Float64s) -> Scorer:
        """Return the shares of the components, by EM with a Dirichlet(½) prior."""
        shares = []
        for mixture in view.fitted.modes:
            f = densities(view.axes, *mixture)
            shares.append(np.full((2, f.shape[1]), 1.0 / f.shape[1]))
            for share, used in zip(shares[-1], (y > 0, y < 0), strict=True):
                mass, inside = w[used] / w[used].mean(), f[used]
                for _ in range(_STEPS):
                    share *= (mass / np.maximum(inside @ share, 1e-300)) @ inside
                    share += 0.5
                    share /= share.sum()
        return Scorer(_mixture_ratios, (shares,))


def _mixture_ratios(view: View, shares: list[Float64s]) -> Float64s:
    columns = []
    for mixture, (p, q) in zip(view.fitted.modes, shares, strict=True):
        f = densities(view.axes, *mixture)
        columns.append(np.log(f @ p + 1e-300) - np.log(f @ q + 1e-300))
    return np.column_stack(columns)


AXES = 24
_REFERENCES = 2500  # of a set
_KS = (2, 8, 32)
_TINY = 1e-12  # squared distances of coordinates up to 1: those below are rounding in float32


class Neighbors(NamedTuple):
    """A base: a column for each k, and one of the distances to the nearest references.

    The columns have the numbers of references of either set among the k nearest ones on the leading
    axes, and those at the same distance.  The distances of the nearest are d,

        log (#real + ½) / n − log (#generated + ½) / m,    log d(generated) − log d(real).
    """

    name: str = "neighbors"
    difference: str = "samples crowd in other places or lie too close to others"
    by_fold: bool = True
    rows: int = 2 * _REFERENCES

    def fit(self, view: View, y: Float64s, w: Float64s) -> Scorer:
        """Return references of both sets, as often as their weights demand."""
        x = view.axes[:, :AXES]
        # If all rows of a fit are at the mean, others are not beyond the range of float32.
        size = max(float(np.abs(x).max()), 1e-6 * float(np.sqrt(view.fitted.size))) or 1.0
        sets = []
        for sign in (1.0, -1.0):
            places = np.flatnonzero(y == sign)
            places = places[systematic(w[places], min(_REFERENCES, len(places)))]
            sets.append(np.ascontiguousarray(x[places] / size, np.float32))
        return Scorer(_neighbor_ratios, (size, *sets))


def _neighbor_ratios(view: View, size: float, real: Floats, fake: Floats) -> Float64s:
    """Return the columns by references, in units of the largest absolute coordinate."""
    queries = np.ascontiguousarray(view.axes[:, :AXES] / size, np.float32)
    n, m = len(real), len(fake)
    wanted = [min(k, n + m) for k in _KS]
    ks = sorted(set(wanted))
    near = Nearest(np.array([1]), np.array([1]), np.array(ks))
    NeighborSearch(n_jobs=1, progress=False).run(queries, [real, fake], [near])
    logs = np.log((near.of_a + 0.5) / n) - np.log((near.of_b + 0.5) / m)
    nearest = 0.5 * (np.log(near.d2_b + _TINY) - np.log(near.d2_a + _TINY))
    return np.hstack([logs[:, np.searchsorted(ks, wanted)], nearest])


_MIN_REPEATED = 0.05  # share of rows with a repeated value, below which a column is continuous,
_FILL_SHARE = 0.005  # unless this share of the rows, and at least _FILL_ROWS, have one value
_FILL_ROWS = 8
_CONTINUOUS = 0.8  # share of values that occur once: above it they are no evidence
_VALUE_ROWS = 8000  # rows whose values are counted
_FEW_ROWS = 2000  # enough to recognize most continuous columns
_NUMBERS = 1 << 22
_KEYS = -1  # the column of the keys of rows


class Values(NamedTuple):
    """A base: a column of the values of columns, and one of rows that repeat.

    Among n real and m generated rows outside the group of the fold, c and e have a value.  The
    evidence of a value that repeats is

        log (c + ½) / (n + 1) − log (e + ½) / (m + 1).

    A value that none of these rows has counts as new.  Its evidence is that of all values that
    occur once, or 0 if these are most.  The base is the sum over these columns (naive Bayes).
    """

    name: str = "values"
    difference: str = "single features have other exact values: zeros, whole numbers or rounding"
    of_exact_values: bool = True

    def fit_folds(self, data: Data) -> list[Scorer] | None:
        places = data.labelled("values", _VALUE_ROWS)
        few = places[:: -(-len(places) // min(_FEW_ROWS, max(_NUMBERS // data.folds.width, 100)))]
        ordered = np.sort(data.read(few), axis=0)
        columns = [
            j
            for j in np.flatnonzero((ordered[1:] == ordered[:-1]).any(axis=0)).tolist()
            if _repeats(np.unique(ordered[:, j], return_counts=True)[1])
        ]
        values = dict(zip(columns, data.read(places, np.array(columns, np.int64)).T, strict=True))
        if data.folds.discrete:
            values[_KEYS] = _keys(data.read(places))
        cell = 2 * data.group[places].astype(np.int64) + ~data.real[places]
        columns_of: list[list[Any]] = [[] for _ in range(data.groups)]
        for column, x in values.items():
            distinct, place, count = np.unique(x, return_inverse=True, return_counts=True)
            if _repeats(count):
                # Values that occur once count as others, whose number is that of the other values.
                recurs, number = count > 1, int((count > 1).sum())
                place = np.where(recurs, np.cumsum(recurs) - 1, number)[place]
                evidence = _evidence(cell, 2 * data.groups, place, number, data.given[places])
                for found, row in zip(columns_of, evidence, strict=True):
                    found.append((column, distinct[recurs], row))
        scorers = [Scorer(_value_evidence, (found,)) for found in columns_of]
        return scorers if columns_of[0] else None


def _value_evidence(view: View, columns: list[tuple[int, Float64s, Floats]]) -> Float64s:
    """Return the sums; columns: those that repeat values, with these, ascending, and the evidence
    of these and of a new one."""
    sums = np.zeros((len(view.axes), 2))
    for column, values, evidence in columns:
        points = view.points
        x = _keys(points) if column == _KEYS else np.ascontiguousarray(points[:, column])
        at = values.searchsorted(x)
        at[at == len(values)] = 0
        at[values[at] != x] = len(values)  # a new value
        sums[:, int(column == _KEYS)] += evidence[at]
    return sums


def _keys(points: Float64s) -> Float64s:
    """Return a number of each row, equal for equal rows."""
    return (row_keys(points) >> np.uint64(11)).astype(np.float64)


def _repeats(counts: Ints) -> bool:
    """Return whether enough of the values occur more than once, or one of them often, but not all
    are equal.  counts: how often each value occurs."""
    rows = int(counts.sum())
    often = max(int(_FILL_SHARE * rows), _FILL_ROWS)
    repeated = int(counts[counts > 1].sum())
    return len(counts) > 1 and bool(repeated >= _MIN_REPEATED * rows or counts.max() >= often)


def _evidence(
    cell: Ints, cells: int, place: Ints, values: int, weight: Float64s
) -> NDArray[np.float32]:
    """Return the evidence of every value and of a new one for each group of folds left out."""
    slots = values + 1  # the last one for all other values: these count as new

    def outside_of_groups(weight: Float64s | None) -> Float64s:
        count = np.bincount(cell * slots + place, weight, cells * slots)
        count = count.reshape(-1, 2, slots).astype(np.float64)
        return np.asarray(count.sum(axis=0) - count)

    def log_ratio(count: Float64s, prior: float) -> Float64s:
        logs = np.log((count + prior) / (size + 2 * prior))
        return np.asarray(logs[:, 0] - logs[:, 1])

    outside = outside_of_groups(weight)
    size = outside.sum(axis=2, keepdims=True)
    recurring = outside[:, :, :-1]
    total = outside_of_groups(None)[:, :, :-1].sum(axis=1)  # how rare values are, by rows
    once = (recurring * (total == 1)[:, None]).sum(axis=2, keepdims=True) + outside[:, :, -1:]
    mostly_once = once.sum(axis=1) >= _CONTINUOUS * size.sum(axis=1)
    new = np.where(mostly_once, 0.0, log_ratio(once, 1.0))
    return np.hstack([np.where(total == 0, new, log_ratio(recurring, 0.5)), new]).astype(np.float32)


_FLOOR = 1e-6  # share of a column's reach, up to which a spacing or an excess is rounding


class Ranges(NamedTuple):
    """A base: the distance of a point beyond the range of each set, column by column.

    Per set and tail of a column, outside the fold: x₁ is the extreme value, g the mean spacing of
    the extreme values of the folds.  The sum over the tails of max(0, excess over x₁) / g is E, the
    number of tails exceeded c.  The columns are

        log (E_generated + .01) − log (E_real + .01),
        c_generated − c_real + ½ tanh(E_generated − E_real).
    """

    name: str = "ranges"
    difference: str = "one set reaches beyond the other in single features"
    of_exact_values: bool = True

    def fit_folds(self, data: Data) -> list[Scorer]:
        extreme = np.full((data.count, 2, 2, data.folds.width), -np.inf)
        for fold, block, view in data.blocks():
            for flags, tails in zip((data.real, ~data.real), extreme[fold], strict=True):
                x = view.points[flags[block]]
                for sign, so_far in zip((1.0, -1.0), tails, strict=True):
                    np.maximum(so_far, (sign * x).max(axis=0, initial=-np.inf), out=so_far)
        tolerance, scorers = np.maximum(_FLOOR * data.coordinates.reach, 1e-290), []
        for left_out in range(data.count):
            used = np.delete(extreme, left_out, axis=0)
            end = used.max(axis=0)
            gap = end - np.where(np.isfinite(used), used, end).min(axis=0)
            spacing = np.maximum(gap / max(len(used) - 1, 1), tolerance)
            scorers.append(Scorer(_excesses, (end, spacing, tolerance)))
        return scorers


def _excesses(view: View, ends: Float64s, spacing: Float64s, tolerance: Float64s) -> Float64s:
    """Return the columns; ends, spacing: (sets, tails, columns), with the sign of the tail;
    tolerance: (columns,), an excess up to it is rounding."""
    x = view.points
    sums, counts = np.zeros((2, len(x))), np.zeros((2, len(x)))
    for i, tail in np.ndindex(2, 2):
        end, sign = ends[i, tail], (1.0, -1.0)[tail]
        at, column = np.nonzero(x > end if tail == 0 else x < -end)  # few
        excess = sign * x[at, column] - end[column]
        beyond = excess > tolerance[column]
        at, column, excess = at[beyond], column[beyond], excess[beyond]
        counts[i] += np.bincount(at, minlength=len(x))
        sums[i] += np.bincount(at, excess / spacing[i, tail, column], len(x))
    (p, q), (n, m) = sums, counts
    return np.column_stack([np.log(q + 0.01) - np.log(p + 0.01), m - n + 0.5 * np.tanh(q - p)])
