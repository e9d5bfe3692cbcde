"""From arrays to cells: masses (p, q) by falling ratio q / p, pooled; what PRCurve is made of.

The arrays have been read (`inputs`); what comes out is freshly allocated.
"""

from __future__ import annotations

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.kernels import masses as kernels
from prfast.kernels.threads import resolve_threads

Cells = tuple[Float64s, Float64s]

_TINY = 5e-324  # the smallest positive float64


def of_scores(
    real: Floats, fake: Floats, w_real: Float64s | None = None, w_fake: Float64s | None = None
) -> Cells:
    """The lower convex hull of (fpr, fnr) over all thresholds, as counts or weights on its edges.

    Each class is sorted for itself, by a radix sort, never the union.
    """
    threads = min(2, resolve_threads(None))  # one for each class, where these are large
    if w_real is None and w_fake is None:
        if real.dtype != fake.dtype:
            real, fake = real.astype(np.float64), fake.astype(np.float64)
        return kernels.sweep(*kernels.sort(real, fake, threads))
    w_real = np.ones(real.size) if w_real is None else rescaled(w_real)
    w_fake = np.ones(fake.size) if w_fake is None else rescaled(w_fake)
    real, fake = real.astype(np.float64, copy=False), fake.astype(np.float64, copy=False)
    return kernels.sweep_weighted(*kernels.sort_weighted(real, w_real, fake, w_fake, threads))


def of_masses(p: Float64s, q: Float64s) -> Cells:
    """Cells sorted by falling ratio, equal ratios merged, empty cells dropped."""
    order = np.argsort(-kernels.ratios(p, q), kind="stable")
    return of_edges(p[order], q[order])


def of_rates(fpr: Float64s, fnr: Float64s) -> Cells:
    """Masses on the edges of the lower convex hull of the points, (0, 1) and (1, 0).

    The hull is one of points, not of edges: a sum of edges would lose the vertices that are far
    smaller than its parts.
    """
    fpr = np.concatenate([[0.0], fpr, [1.0]])
    fnr = np.concatenate([[1.0], fnr, [0.0]])
    order = np.lexsort((-fnr, fpr))  # of equal fpr the lowest comes last, where it counts
    fpr, fnr = fpr[order], fnr[order]
    points = kernels.hull(fpr, fnr)
    return fpr[1:points] - fpr[: points - 1], fnr[: points - 1] - fnr[1:points]


def rescaled(weights: Float64s) -> Float64s:
    """Weights times a power of two, so that products with their sum stay in range.

    Weights whose largest is from 1 to 2⁵⁰, counts among them, are kept; others get a largest in
    [1, 2).  The change is exact, and what is positive stays so.
    """
    exponent = int(np.frexp(weights.max())[1]) - 1
    if 0 <= exponent <= 50:
        return weights
    return np.where(weights > 0, np.maximum(np.ldexp(weights, -exponent), _TINY), 0.0)


def normalised(weights: Float64s, total: float) -> Float64s:
    """Weights divided by their sum; what is positive stays so."""
    return np.where(weights > 0, np.maximum(weights / total, _TINY), 0.0)


def variation(p: Float64s, q: Float64s, total_p: float, total_q: float) -> float:
    """½ Σ |p_i / Σp − q_i / Σq|; from the masses, so that nearly equal ones keep their digits;
    exact in counts."""
    difference = np.abs(p * total_q - q * total_p).sum()
    return min(1.0, 0.5 * float(difference) / total_p / total_q)


def of_edges(p: Float64s, q: Float64s) -> Cells:
    """Masses on the edges of the lower convex hull of the polyline with the edges (p, −q)."""
    cells = kernels.pool(p, q)
    return p[:cells].copy(), q[:cells].copy()
