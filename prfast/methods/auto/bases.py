"""The library of bases; `LIBRARY` names them, and others can be added (`model.cross_fit`).

A base is sensitive to one kind of difference.  Most are ridge regressions on features of views.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.kernels import trees as boosting
from prfast.methods.auto.coordinates import MANY_COLUMNS, SOME_ROWS, Scorer, View
from prfast.methods.auto.densities import Gaussians, Modes, Neighbors, Ranges, Values
from prfast.methods.auto.folds import Ints, evenly
from prfast.methods.auto.ridge import Means, Ridge, lines, polylines, products

_SCREENED = 48
_SCREENING_NUMBERS = 1 << 22
_EDGES = np.linspace(-1.5, 1.5, 7)  # of bins, in reaches from the median
_TREES, _RATE, _PENALTY = 30, 0.2, 1.0  # of the step of a tree, and of the square of a leaf
_LEAVES, _LEAST = 16, 20  # samples of a leaf
_FEW_ROWS = 500  # below which trees are smaller, and bins fewer
_TREE_AXES = 16
_BINS = 64
_MIN_SHARE = 0.1  # of the score, below which a base is not named
_MAX_NAMED = 3  # bases that are named


def differing_columns(x: Float64s, y: Float64s, w: Float64s) -> Ints:
    """Return the columns whose distributions differ most between the sets, ascending.  The measure
    is Σ (p − q)² / (p + q) over the shares of both sets in bins."""
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


class Trees(NamedTuple):
    """Boosted trees on the columns, the leading axes and the distances from the center."""

    name: str = "trees"
    difference: str = "thresholds and combinations of a few features differ"
    rows: int = 4000

    def fit(self, view: View, y: Float64s, w: Float64s) -> Scorer:
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
        return Scorer(_odds, (columns, edges, start, *grown))


def _odds(
    view: View, columns: Ints | None, edges: Float64s, start: float, splits: Any, values: Float64s
) -> Float64s:
    odds = np.full(len(view.axes), start)
    boosting.add_trees(splits, values, boosting.binned(_tree_columns(view, columns), edges), odds)
    return odds


def _tree_columns(view: View, columns: Ints | None) -> Float64s:
    points = view.points if columns is None else view.points[:, columns]
    return np.ascontiguousarray(np.hstack([points, view.axes[:, :_TREE_AXES], view.distances]))


_SHAPES = "the distributions of features, or their correlations, differ"
_SIZES = "spread, distances from the center or fine detail differ"
_PAIRS = "two features depend on each other in another way"
_TRIPLES = "three features depend on each other in another way"
_BASES: list[Any] = [
    Trees(),
    Ridge("columns", "the shapes of single features differ", partial(polylines, "std")),
    Ridge("linear", "the means differ", lines),
    Means(),
    Ridge("sizes", _SIZES, partial(polylines, "distances")),
    Ridge("pairs", _PAIRS, partial(products, 2, 64, 1.0, (0.01, 0.3)), keep=64),
    Ridge("triples", _TRIPLES, partial(products, 3, 20, 4.0, (0.01,)), keep=48),
    Gaussians("gaussians", "the covariances differ as a whole", "white"),
    Gaussians("rank_gaussians", _SHAPES, "ranks"),
    Gaussians("product_gaussians", "products or ratios of features differ", "products"),
    Neighbors(),
    Modes(),
    Ranges(),
    Values(),
]
LIBRARY: dict[str, Any] = {base.name: base for base in _BASES}


def explain_bases(weights: Mapping[str, float]) -> str:
    """Return a sentence on the bases that separate the two sets and the differences that they
    detect, the largest share first.  weights: the share of each base in the score, with any sum."""
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
