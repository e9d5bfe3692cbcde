"""The library of bases; `LIBRARY` names them, and others can be added (`model.cross_fit`).

A base is sensitive to one kind of difference.  Most are ridge regressions on features of views;
`densities` and `counts` have the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.kernels import trees as boosting
from prfast.methods.auto.coordinates import MANY_COLUMNS, SOME_ROWS, Data, View
from prfast.methods.auto.counts import Neighbors, Ranges, Values
from prfast.methods.auto.densities import Gaussians, Means, Modes
from prfast.methods.auto.folds import Ints, evenly
from prfast.methods.auto.ridge import CENTERED, Features, Ridge

_KNOTS = (0.05, 0.2, 0.4, 0.6, 0.8, 0.95)  # quantiles
_PAIRED, _TRIPLED = 64, 20  # columns


class Hinges(NamedTuple):
    """x and max(x − knot, 0) for each knot, of every column of a coordinate."""

    coordinate: str
    knots: Floats
    """(knots, columns)"""

    def __call__(self, view: View) -> Floats:
        x = getattr(view, self.coordinate)
        width = x.shape[1]
        phi = np.empty((len(x), (1 + len(self.knots)) * width), np.float32)
        phi[:, :width] = x
        for i, knot in enumerate(self.knots.astype(np.float32), 1):
            part = phi[:, i * width : (i + 1) * width]
            np.maximum(phi[:, :width], knot, out=part)
            part -= knot
        return phi


class Products(NamedTuple):
    """Bounded products of columns of `std`."""

    columns: Ints
    """(products, factors)"""
    steep: float

    def __call__(self, view: View) -> Floats:
        used = view.std.T[: self.columns.max() + 1]
        x = np.tanh(np.ascontiguousarray(self.steep * used, np.float32))
        product = x[self.columns[:, 0]]
        for factor in self.columns.T[1:]:
            product = product * x[factor]
        return np.asarray(product.T)


def _lines(data: Data) -> tuple[Features, Sequence[float]]:
    return CENTERED, (0.3, 3.0) if data.coordinates.is_wide else (1e-3, 0.3, 3.0)


def _polylines(coordinate: str, data: Data) -> tuple[Hinges | None, Sequence[float]]:
    x = getattr(data.view(data.random("knots", SOME_ROWS)), coordinate)
    features = Hinges(coordinate, np.quantile(x, _KNOTS, axis=0)) if x.shape[1] else None
    are_many = coordinate == "std" and len(data) < 7 * x.shape[1]
    return features, (0.1,) if are_many else (1e-3, 0.1)


def _products(
    factors: int, most: int, steep: float, penalties: Sequence[float], data: Data
) -> tuple[Products | None, Sequence[float]]:
    width = min(int(data.coordinates.varies.sum()), most)
    if width < factors:
        return None, penalties
    columns = np.array(list(combinations(range(width), factors)), np.int64)
    return Products(columns, steep), penalties


# ---- columns that differ most --------------------------------------------------------------------

_SCREENED = 48
_SCREENING_NUMBERS = 1 << 22
_EDGES = np.linspace(-1.5, 1.5, 7)  # of bins, in reaches from the median


def differing_columns(x: Float64s, y: Float64s, w: Float64s) -> Ints:
    """Return the columns whose distributions differ most between the sets, ascending: by
    Σ (p − q)² / (p + q) over the shares of both sets in bins."""
    rows = evenly(y > 0, np.arange(len(y)), _SCREENING_NUMBERS // x.shape[1])
    x, y, w = x[rows], y[rows], w[rows]
    middle, spread = np.median(x, axis=0), x.std(axis=0)
    bins = np.zeros(x.shape, np.int8)
    for edge in _EDGES:
        bins += x > middle + edge * spread
    distance = np.zeros(x.shape[1])
    for number in range(len(_EDGES) + 1):
        inside = bins == number
        p, q = (w * (y == sign) @ inside / w[y == sign].sum() for sign in (1.0, -1.0))
        distance += (p - q) ** 2 / np.maximum(p + q, 1e-9)
    return np.sort(np.argsort(-distance, kind="stable")[:_SCREENED])


# ---- boosted trees -------------------------------------------------------------------------------

_TREES, _RATE, _PENALTY = 30, 0.2, 1.0  # of the step of a tree, and of the square of a leaf
_LEAVES, _LEAST = 16, 20  # samples of a leaf
_FEW_ROWS = 500  # below which trees are smaller, and bins fewer
_TREE_AXES = 16
_BINS = 64
_MIN_SHARE = 0.1  # of the score, below which a base is not named
_MAX_NAMED = 3  # bases that are named


class Trees(NamedTuple):
    """Boosted trees on the columns, the leading axes and the distances from the center."""

    name: str = "trees"
    difference: str = "thresholds and combinations of a few features differ"
    by_fold: bool = False
    rows: int = 4000

    def fit(self, view: View, y: Float64s, w: Float64s) -> Boosted:
        """Return trees; weights of the sets would change the odds by little but a constant."""
        columns = None
        if view.fitted.width > MANY_COLUMNS:
            columns = differing_columns(view.points, y, w)
        few = len(y) < _FEW_ROWS
        x = _tree_columns(view, columns)
        ascending = np.sort(np.ascontiguousarray(x[:: -(-len(x) // SOME_ROWS)].T))
        edges = boosting.edges(ascending, (_BINS // 4 if few else _BINS) - 1)
        real = y > 0
        # Only the caller's weights vary within a set.
        within = w / np.where(real, w[real].mean(), w[~real].mean())
        weights = None if np.ptp(within) < 1e-9 else within
        mass, total = float(within[real].sum()), float(within.sum())
        start = float(np.log(mass / (total - mass)))
        bins = boosting.binned(x, edges)
        leaves = _LEAVES // 2 if few else _LEAVES
        grown = boosting.boost(
            bins, real.view(np.uint8), _TREES, leaves, _LEAST, _RATE, _PENALTY, start, weights
        )
        return Boosted(columns, edges, start, *grown)


class Boosted(NamedTuple):
    """Boosted trees on columns in bins (`prfast.kernels.trees`)."""

    columns: Ints | None
    edges: Float64s
    start: float
    splits: Any
    values: Float64s

    def score(self, view: View) -> Float64s:
        odds = np.full(len(view.axes), self.start)
        bins = boosting.binned(_tree_columns(view, self.columns), self.edges)
        boosting.add_trees(self.splits, self.values, bins, odds)
        return odds


def _tree_columns(view: View, columns: Ints | None) -> Float64s:
    points = view.points if columns is None else view.points[:, columns]
    return np.ascontiguousarray(np.hstack([points, view.axes[:, :_TREE_AXES], view.distances]))


# ---- the library ---------------------------------------------------------------------------------

_BASES: list[Any] = [
    Trees(),
    Ridge("columns", "the shapes of single features differ", partial(_polylines, "std")),
    Ridge("linear", "the means differ", _lines),
    Means(),
    Ridge(
        "sizes",
        "spread, distances from the center or fine detail differ",
        partial(_polylines, "distances"),
    ),
    Ridge(
        "pairs",
        "two features depend on each other in another way",
        partial(_products, 2, _PAIRED, 1.0, (0.01, 0.3)),
        keep=64,
    ),
    Ridge(
        "triples",
        "three features depend on each other in another way",
        partial(_products, 3, _TRIPLED, 4.0, (0.01,)),
        keep=48,
    ),
    Gaussians("gaussians", "the covariances differ as a whole", "white"),
    Gaussians(
        "rank_gaussians", "the distributions of features, or their correlations, differ", "ranks"
    ),
    Gaussians("product_gaussians", "products or ratios of features differ", "products"),
    Neighbors(),
    Modes(),
    Ranges(),
    Values(),
]
LIBRARY: dict[str, Any] = {base.name: base for base in _BASES}
"""The bases of `auto` by name."""


def explain_bases(weights: Mapping[str, float]) -> str:
    """Return a sentence on the bases that separate the two sets and the differences that they
    detect, the largest share first.

    weights: the share of each base in the score, >= 0, with any sum.
    """
    total = sum(weights.values())
    if not total > 0:
        return "No base separates the two sets."
    shares = {name: weight / total for name, weight in weights.items()}
    order = sorted(shares, key=lambda name: -shares[name])
    named = [name for name in order if shares[name] >= _MIN_SHARE][:_MAX_NAMED] or order[:1]
    parts = [
        f"{name} ({shares[name]:.0%}): {getattr(LIBRARY.get(name), 'difference', 'another base')}"
        for name in named
    ]
    return f"{'Mostly' if shares[order[0]] >= 0.5 else 'By several bases:'} {'; '.join(parts)}."
