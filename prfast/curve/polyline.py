"""The curve read off the vertices of its error-rate polyline (2019 paper, Theorem 4).

With the vertices (a_i, b_i) = (fpr, fnr) and r_i the ratios of the edges, falling, α_λ = min_i (λ
a_i + b_i) is taken at the vertex whose edges have ratios > λ before it, <= λ after it.  Every
function here takes the arrays a, b (one number a vertex) and r (one number an edge); what callers
ask for is flat.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.curve import arcs
from prfast.inputs.arrays import Float64s

Polyline = tuple[Float64s, Float64s, Float64s]  # a, b, r

# Sets of points are closed: what rounding puts this far outside is on the border.
ROUNDING = 16 * float(np.finfo(np.float64).eps)
ON_CURVE = 1 + ROUNDING  # as a factor


def ends(r: Float64s) -> tuple[int, int]:
    """The last vertex of fpr = 0 and the first of fnr = 0: cells of ratio ∞ lie before the one,
    cells of ratio 0 behind the other."""
    return int(np.isinf(r).sum()), int(np.count_nonzero(r))


def most(a: Float64s, b: Float64s, r: Float64s) -> tuple[float, float]:
    """The largest precision α_∞, fnr at fpr = 0, and the largest recall β_0, fpr at fnr = 0."""
    first, last = ends(r)
    return float(b[first]), float(a[last])


class Knots(NamedTuple):
    """Where arcs meet: the k-th knot is between the arcs first + k and first + k + 1.

    Knots have a finite positive ratio; recall rises, precision falls.
    """

    first: int
    precision: Float64s
    recall: Float64s


def knots(a: Float64s, b: Float64s, r: Float64s) -> Knots:
    first, last = ends(r)
    lam = r[first:last]
    precision, recall = arcs.points(a[first:last], b[first:last], lam)
    if lam.size:  # the curve is level before the first knot and vertical after the last
        precision[0], recall[-1] = most(a, b, r)
    return Knots(first, precision, np.maximum.accumulate(recall))


def at(a: Float64s, b: Float64s, r: Float64s, lam: Float64s) -> tuple[Float64s, Float64s]:
    """Precision and recall at λ in [0, ∞]."""
    # The minimiser follows the edges of ratio > λ (at ∞: of ratio ∞); ratios fall.
    i = np.searchsorted(-r, -lam, side="left")
    i = np.where(np.isinf(lam), np.searchsorted(-r, -np.inf, side="right"), i)
    precision, recall = arcs.points(a[i], b[i], lam)
    max_precision, max_recall = most(a, b, r)
    return np.minimum(precision, max_precision), np.minimum(recall, max_recall)


def precision_at(a: Float64s, b: Float64s, r: Float64s, recall: Float64s) -> Float64s:
    """The largest precision at which at least this recall is reached; 0 where none does.

    On an arc (α − b)(β − a) = ab, so α = bβ / (β − a).
    """
    found = knots(a, b, r)
    max_precision, max_recall = most(a, b, r)
    k = np.searchsorted(found.recall, recall, side="left")
    a, b = a[found.first + k], b[found.first + k]
    with np.errstate(divide="ignore", invalid="ignore"):
        on_arc = np.where(a > 0, b * recall / (recall - a), b)
    # Neighbouring knots bound what rounding may do; below the first the curve is level.
    upper = np.append(max_precision, found.precision)[k]
    lower = np.append(found.precision, 0.0)[k]
    precision = np.clip(on_arc, lower, upper)
    precision = np.where(k == 0, max_precision, precision)
    return np.where(recall > max_recall * ON_CURVE, 0.0, precision)


def contains(
    a: Float64s, b: Float64s, r: Float64s, precision: Float64s, recall: Float64s
) -> NDArray[np.bool_]:
    """Is (precision, recall), a point of the plane, under the curve at λ = precision / recall?"""
    inside = (precision >= 0) & (recall >= 0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        lam = np.abs(precision) / np.abs(recall)
    neither = (precision != 0) & (recall != 0)
    lam = np.where(neither, np.clip(lam, 5e-324, np.finfo(np.float64).max), lam)
    lam = np.where((precision == 0) & (recall == 0), 1.0, lam)
    alpha, beta = at(a, b, r, lam)
    return inside & (precision <= alpha * ON_CURVE) & (recall <= beta * ON_CURVE)


def f_score(a: Float64s, b: Float64s, r: Float64s, beta: float) -> float:
    """F_β, the maximum over the knots: on an arc the score is monotone in λ (2018 paper, §4.3).

    F = precision · recall / (w precision + v recall),  w = β² / (1 + β²),  v = 1 / (1 + β²);
    at β = 0 the largest precision, at β = ∞ the largest recall.
    """
    if beta == 0 or np.isinf(beta):
        max_precision, max_recall = most(a, b, r)
        return max_recall if beta else max_precision
    _, precision, recall = knots(a, b, r)
    if not precision.size:
        return 0.0
    square = min(beta, 1 / beta) ** 2
    w, v = 1 / (1 + square), square / (1 + square)
    if beta < 1:
        w, v = v, w
    harmonic = w * precision + v * recall  # between the two, so that no quotient overflows
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        share = np.minimum(precision, recall) / harmonic
    scores = np.where(harmonic > 0, np.maximum(precision, recall) * share, 0.0)
    return float(
        np.clip(scores, np.minimum(precision, recall), np.maximum(precision, recall)).max()
    )
