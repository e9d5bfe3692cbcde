"""Powers, differences and sums by logarithms, and parameters dense about 0, for φ and frontiers."""

from __future__ import annotations

import math

import numpy as np

from prfast.inputs.arrays import Float64s

NUMBERS_AT_ONCE = 1 << 18  # in one array of rows (parameters) by cells
LEAST = 1e-290  # of orders: of a smaller one products with log-ratios would lose digits
REACH = 20.0  # log-odds beyond the last cell's own, where the grid gives way to the exact end


def order_of(order: float) -> float:
    """The order that is computed, 10⁻²⁹⁰ of one between 0 and it."""
    return LEAST if 0 < order < LEAST else order


def powers(log: Float64s, e: float, scale: Float64s | float = 1.0, over: float = 1.0) -> Float64s:
    """scale (u^e − 1) / e / over for u = exp(log), scale · log / over at e = 0.

    Where factors are beyond float64 and the result need not be it is
    exp(e log u + log scale − log |e · over|), beside which the 1 is less than e⁻⁴⁰.
    """
    if abs(e) < LEAST:
        return scale * log / over
    y, more = e * log, np.log(scale)
    large = np.exp(y + (more - math.log(abs(e)) - math.log(abs(over))))
    far = (y > 40) & (y + np.maximum(more, 0) >= 700)
    near = scale * np.expm1(np.minimum(y, 700)) / e / over
    return np.where(far, math.copysign(1.0, e * over) * large, near)


def difference(m: Float64s, n: Float64s, y: Float64s) -> Float64s:
    """m − n cell by cell for m = n e^y, with all digits of y where the two are nearly equal."""
    return np.where(np.abs(y) <= 1, n * np.expm1(np.clip(y, -1, 1)), m - n)


def log_sum(x: Float64s) -> Float64s:
    """log Σ e^x of every row."""
    top: Float64s = x.max(axis=1)
    top += np.log(np.exp(x - top[:, None]).sum(axis=1))
    return top


def spaced(low: float, high: float, points: int) -> Float64s:
    """Numbers from low to high, as equally spaced as their asinh: dense about 0."""
    return np.sinh(np.linspace(np.arcsinh(low), np.arcsinh(high), points))
