"""The library of bases; `LIBRARY` names them, and others can be added (`model.cross_fit`).

A base is sensitive to one kind of difference.  Most are ridge regressions on features of views
(`ridge`); those here compare densities.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import prfast.kernels.trees as boosting
from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.decimals import fine_decimals, may_be_rounded, rounding_of
from prfast.kernels.masses import ascending, coded
from prfast.methods.auto.coordinates import MANY_COLUMNS, Data, Scorer, View, densities
from prfast.methods.auto.folds import Ints
from prfast.methods.auto.ridge import Means, Ridge, lines, polylines, products
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import Nearest
from prfast.samples.partition import systematic
from prfast.samples.repetition import row_keys

_SCREENED, _SCREENING_NUMBERS, _TREE_AXES = 48, 1 << 22, 16
_TREES, _RATE, _PENALTY = 30, 0.2, 1.0  # of the step of a tree, and of the square of a leaf
_BINS, _LEAVES, _LEAST = 64, 16, 20  # samples of a leaf
_FEW_ROWS, _FEW_BINS, _FEW_LEAVES = 500, 16, 8


def differing_columns(x: Float64s, edges: Float64s, y: Float64s, w: Float64s) -> Ints:
    """Return the columns whose distributions differ most between the sets, ascending.  The measure
    is Σ (p − q)² / (p + q) over the shares of both sets in bins."""
    x, y, w = (np.ascontiguousarray(v[:: -(-x.size // _SCREENING_NUMBERS)]) for v in (x, y, w))
    bins = boosting.binned(x, np.nextafter(edges, np.inf))  # an edge is in the bin below it
    masses = np.array([w * (y == sign) / w[y == sign].sum() for sign in (1.0, -1.0)], np.float32)
    distance, inside = np.zeros(x.shape[1]), np.empty(x.shape, np.float32)
    for number in range(edges.shape[1] + 1):
        p, q = masses @ np.equal(bins, number, out=inside)
        distance += (p - q) ** 2 / np.maximum(p + q, 1e-9)
    return np.sort(np.argsort(-distance, kind="stable")[:_SCREENED])


class Trees(NamedTuple):
    """Boosted trees on the columns, the leading axes and the distances from the center."""

    name: str = "trees"
    difference: str = "thresholds and combinations of a few features differ"
    rows: int = 4000

    def fit(self, view: View, y: Float64s, w: Float64s) -> Scorer:
        """Return trees; weights of the sets would change the odds by little but a constant."""
        is_wide, edges = view.fitted.width > MANY_COLUMNS, view.fitted.edges
        columns = differing_columns(view.points, edges, y, w) if is_wide else slice(None)
        count, leaves = (_BINS, _LEAVES) if len(y) >= _FEW_ROWS else (_FEW_BINS, _FEW_LEAVES)
        real, x = y > 0, _tree_columns(view, columns)
        edges = boosting.edges(ascending(x), count - 1)
        # Only the caller's weights vary within a set.
        within = w / np.where(real, w[real].mean(), w[~real].mean())
        weights = None if np.ptp(within) < 1e-9 else within
        mass, total = float(within[real].sum()), float(within.sum())
        start = float(np.log(mass / (total - mass)))
        labels, bins = real.view(np.uint8), boosting.binned(x, edges)
        made = boosting.boost(bins, labels, _TREES, leaves, _LEAST, _RATE, _PENALTY, start, weights)
        return Scorer(partial(_odds, columns, edges, start, made))


def _odds(columns: Any, edges: Float64s, start: float, made: Any, view: View) -> Float64s:
    (splits, values), odds = made, np.full(len(view.axes), start)
    boosting.add_trees(splits, values, boosting.binned(_tree_columns(view, columns), edges), odds)
    return odds


def _tree_columns(view: View, columns: Any) -> Float64s:
    points = view.points[:, columns]
    return np.ascontiguousarray(np.hstack([points, view.axes[:, :_TREE_AXES], view.distances]))


_PSEUDO, _PRIOR = 5.0, 0.3


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
            scorers.append(Scorer(partial(_quadratic, self.coordinate, ratios)))
        return scorers


def _quadratic(coordinate: str, ratios: list[Any], view: View) -> Float64s:
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
    error, distance = max(fourth - squares, 0.0) / n, squares - len(mean) * size**2
    shrinkage = error / distance if distance > error else 1.0
    covariance *= 1.0 - shrinkage
    np.einsum("ii->i", covariance)[:] += (shrinkage + 1e-6) * size
    volume = 0.5 * float(np.linalg.slogdet(covariance)[1])
    return mean, np.asarray(np.linalg.inv(covariance)), volume


_STEPS = 8  # of EM


class Modes(NamedTuple):
    """A base: log Σ_j p_j f_j(z) − log Σ_j q_j f_j(z) for components f_j that are common to both
    sets, with their shares p_j and q_j in either set."""

    name: str = "modes"
    difference: str = "clusters have other weights, or other places and spreads"
    rows: int = 10_000

    def fit(self, view: View, y: Float64s, w: Float64s) -> Scorer:
        """Return the shares of the components, by EM with a Dirichlet(½) prior."""
        f = densities(view.axes, *view.fitted.mixture)
        shares = np.full((2, f.shape[1]), 1.0 / f.shape[1])
        for share, used in zip(shares, (y > 0, y < 0), strict=True):
            mass, inside = w[used] / w[used].mean(), f[used]
            for _ in range(_STEPS):
                share *= (mass / np.maximum(inside @ share, 1e-300)) @ inside
                share += 0.5
                share /= share.sum()
        return Scorer(partial(_mixture_ratio, shares))


def _mixture_ratio(shares: Float64s, view: View) -> Float64s:
    p, q = shares @ densities(view.axes, *view.fitted.mixture).T + 1e-300
    return np.asarray(np.log(p) - np.log(q))


AXES = 24
_REFERENCES, _KS = 2500, (2, 8, 32)  # of a set; neighbors
_TINY = 1e-12  # squared distances of coordinates up to 1: those below are rounding in float32


class Neighbors(NamedTuple):
    """A base: a column for each k, and one of the distances to the nearest references.

    The columns have the numbers of references of either set among the k nearest ones on the leading
    axes, and those at the same distance, and the distances d of the nearest,

        log (#real + ½) / n − log (#generated + ½) / m,    log d(generated) − log d(real).
    """

    name: str = "neighbors"
    difference: str = "samples crowd in other places or lie too close to others"
    by_fold: bool = True
    rows: int = 2 * _REFERENCES

    def fit(self, view: View, y: Float64s, w: Float64s) -> Scorer:
        """Return references of both sets, as often as their weights say."""
        x = view.axes[:, :AXES]
        # Where all rows of a fit are at the mean, others are not beyond the range of float32.
        size = max(float(np.abs(x).max()), 1e-6 * float(np.sqrt(view.fitted.size))) or 1.0
        sets = []
        for sign in (1.0, -1.0):
            places = np.flatnonzero(y == sign)
            places = places[systematic(w[places], min(_REFERENCES, len(places)))]
            sets.append(np.ascontiguousarray(x[places] / size, np.float32))
        return Scorer(partial(_neighbor_ratios, size, sets[0], sets[1]))


def _neighbor_ratios(size: float, real: Floats, fake: Floats, view: View) -> Float64s:
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


_MIN_AGAIN = 0.05  # share of rows with a value of another row; below it a column is continuous,
_FILL_SHARE, _FILL_ROWS = 0.005, 8  # unless this share and number of rows have one value
_CONTINUOUS = 0.8  # share of values that occur once, from which on they are no evidence
_VALUE_ROWS, _FIRST_ROWS = 8000, 2000  # whose values are counted; that show continuous columns
_NUMBERS, _AT_ONCE = 1 << 22, 1 << 18
_Key = tuple[int, int | None]  # a column, and the number of decimals of rounded ones of its numbers
_ROWS: _Key = (-1, None)  # rows as a whole


class Values(NamedTuple):
    """A base: a column of the values of columns and their rounding, and one of rows that repeat.

    With c and e the numbers of real and generated samples that have a value, among the n and m of
    some rows outside the bundle of the fold, the evidence of a value that repeats is

        log (c + ½) / (n + 1) − log (e + ½) / (m + 1).

    A value that none of these rows has counts as new; its evidence is that of all values that occur
    once, or 0 where these are most.  Rounding is a value as well if some numbers of a column are
    rounded and others are not.  The base is the sum over these columns (naive Bayes).
    """

    name: str = "values"
    difference: str = "single features have other exact values: zeros, whole numbers or rounding"
    of_exact_values: bool = True

    def fit_folds(self, data: Data) -> tuple[list[Scorer], Float64s] | None:
        places = data.folds.labelled("values", _VALUE_ROWS)
        first = min(_FIRST_ROWS, max(_NUMBERS // data.folds.width, 100))
        rows = np.ascontiguousarray(data.view(places[:: -(-len(places) // first)]).points.T)
        columns, recur = list[_Key](), (np.diff(ascending(rows.T)) == 0).any(axis=1)
        may_be = may_be_rounded(rows)
        for i, x in enumerate(rows):
            if recur[i] and _occur_again(coded(x)[2]):
                columns.append((i, None))
            if may_be[i] and (digits := rounding_of(x)) is not None:
                columns.append((i, digits))
        bundle, sums = data.bundle.astype(np.int64), np.zeros((2, len(data.y)))
        cell = (2 * bundle + ~data.real)[places]
        weights = [] if (data.given == 1).all() else [data.given[places]]
        found: list[tuple[_Key, Float64s, Floats]] = []
        for key, x in _columns(data, columns):
            values, place, _ = coded(x)
            count = np.bincount(place[places], minlength=len(values))
            if _occur_again(count):
                # Values that occur once count as others, whose number is that of the other values.
                recurs, number = count > 1, int((count > 1).sum())
                place = np.where(recurs, np.cumsum(recurs) - 1, number)[place]
                evidence = _evidence(cell, 2 * data.bundles, place[places], number + 1, weights)
                sums[int(key == _ROWS)] += evidence.take(bundle * (number + 1) + place)
                found.append((key, values[recurs], evidence))
        scorers = [Scorer(partial(_value_evidence, found, i)) for i in range(data.bundles)]
        return (scorers, sums.T) if found else None


def _columns(data: Data, keys: list[_Key]) -> Iterator[tuple[_Key, Float64s]]:
    """Yield what these keys name of all rows, and the keys of rows that are draws."""
    points = data.stored["points"]
    for part in blocks(data.folds.width, _AT_ONCE // len(data.y)):
        if used := [key for key in keys if part.start <= key[0] < part.stop]:
            rows = replace(points, sets=tuple(x[:, part] for x in points.sets))[:]
            for key in used:
                yield key, _rounded(np.ascontiguousarray(rows[:, key[0] - part.start]), key)
    if data.folds.are_draws:
        yield _ROWS, np.concatenate([_column(view, _ROWS) for *_, view in data.blocks()])


def _value_evidence(columns: list[Any], bundle: int, view: View) -> Float64s:
    """Return the sums; columns: those whose values occur again, with these, ascending, and the
    evidence of these and of a new one without each bundle."""
    sums = np.zeros((len(view.axes), 2))
    for key, values, evidence in columns:
        x = _column(view, key)
        at = np.minimum(values.searchsorted(x), len(values) - 1)
        at[values[at] != x] = len(values)  # a new value
        sums[:, int(key == _ROWS)] += evidence[bundle, at]
    return sums


def _column(view: View, key: _Key) -> Float64s:
    """Return what a key names; for _ROWS a number of each row, equal for equal rows."""
    if key == _ROWS:
        return (row_keys(view.points) >> np.uint64(11)).astype(np.float64)
    return _rounded(np.ascontiguousarray(view.points[:, key[0]]), key)


def _rounded(x: Float64s, key: _Key) -> Float64s:
    """Return a column, or whether each of its numbers is rounded, as 1 or 0."""
    return x if key[1] is None else (fine_decimals(x) <= key[1]).astype(np.float64)


def _occur_again(counts: Ints) -> bool:
    """Return whether enough of the values occur more than once, or one of them often, but not all
    are equal; counts: how often each value occurs."""
    rows, most = int(counts.sum()), int(counts.max())
    often = max(int(_FILL_SHARE * rows), _FILL_ROWS)
    again = rows - int((counts == 1).sum())
    return most < rows and (again >= _MIN_AGAIN * rows or most >= often)


def _evidence(cell: Ints, cells: int, place: Ints, slots: int, weights: list[Any]) -> Floats:
    """Return the evidence of every value and, in the last slot, of a new one for each bundle of
    folds left out.  weights: those of the rows, none where all are 1."""

    def log_ratio(count: Float64s, prior: float) -> Float64s:
        logs = np.log((count + prior) / (size + 2 * prior))
        return np.asarray(logs[:, 0] - logs[:, 1])

    at = cell * slots + place
    inside = [np.bincount(at, w, cells * slots).reshape(-1, 2, slots) for w in (*weights, None)]
    sums = [x.sum(axis=0) - x for x in inside]
    outside, rows = sums[0], sums[-1]
    size, recurring = outside.sum(axis=2, keepdims=True), outside[:, :, :-1]
    total = rows[:, :, :-1].sum(axis=1)  # rows, not weights, show how rare values are
    once = (recurring * (total == 1)[:, None]).sum(axis=2, keepdims=True) + outside[:, :, -1:]
    mostly_once = once.sum(axis=1) >= _CONTINUOUS * size.sum(axis=1)
    new = np.where(mostly_once, 0.0, log_ratio(once, 1.0))
    return np.hstack([np.where(total == 0, new, log_ratio(recurring, 0.5)), new]).astype(np.float32)


_FLOOR = 1e-6  # share of a column's reach, up to which a spacing or an excess is rounding


class Ranges(NamedTuple):
    """A base: the distance of a point beyond the range of each set, column by column.

    Per set and tail of a column, outside the fold: x₁ is the extreme value, g the mean spacing of
    the extreme values of the folds.  With E the sum over the tails of max(0, excess over x₁) / g
    and c the number of tails exceeded, the columns are

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
                ends = x.max(axis=0, initial=-np.inf), -x.min(axis=0, initial=np.inf)
                np.maximum(tails, ends, out=tails)
        reach, units = data.coordinates.reach, data.coordinates.divisor
        tolerance, scorers = _FLOOR * np.where(reach > 0, reach, _FLOOR * units), []
        for left_out in range(data.count):
            used = np.delete(extreme, left_out, axis=0)
            end = used.max(axis=0)
            gap = end - np.where(np.isfinite(used), used, end).min(axis=0)
            spacing = np.maximum(gap / max(len(used) - 1, 1), tolerance)
            scorers.append(Scorer(partial(_excesses, end, spacing, tolerance)))
        return scorers


def _excesses(ends: Float64s, spacing: Float64s, tolerance: Float64s, view: View) -> Float64s:
    """Return the columns; ends, spacing: (sets, tails, columns), with the sign of the tail;
    tolerance: (columns,), an excess up to it is rounding."""
    x = view.points
    sums, counts = np.zeros((2, len(x))), np.zeros((2, len(x)))
    for i, tail in np.ndindex(2, 2):
        end, sign = ends[i, tail], (1.0, -1.0)[tail]
        at, column = divmod(np.flatnonzero(x > end if tail == 0 else x < -end), x.shape[1])  # few
        excess = sign * x[at, column] - end[column]
        beyond = excess > tolerance[column]
        at, column, excess = at[beyond], column[beyond], excess[beyond]
        counts[i] += np.bincount(at, minlength=len(x))
        sums[i] += np.bincount(at, excess / spacing[i, tail, column], len(x))
    (p, q), (n, m) = sums, counts
    return np.column_stack([np.log(q + 0.01) - np.log(p + 0.01), m - n + 0.5 * np.tanh(q - p)])


_SHAPES = "the distributions of features, or their correlations, differ"
_SIZES = "spread, distances from the center or fine detail differ"
_BASES: list[Any] = [
    Trees(),
    Ridge("columns", "the shapes of single features differ", partial(polylines, "std")),
    Ridge("linear", "the means differ", lines),
    Means(),
    Ridge("sizes", _SIZES, partial(polylines, "distances")),
    Ridge("lags", "products of adjacent features differ", partial(polylines, "lags")),
    Ridge("pairs", "pairs of features differ", partial(products, 2, 64, 1.0), keep=64),
    Ridge("triples", "triples of features differ", partial(products, 3, 20, 4.0), keep=48),
    Gaussians("rank_gaussians", _SHAPES, "ranks"),
    Gaussians("product_gaussians", "products or ratios of features differ", "products"),
    Neighbors(),
    Modes(),
    Ranges(),
    Values(),
]
LIBRARY: dict[str, Any] = {base.name: base for base in _BASES}
