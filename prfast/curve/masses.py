"""Cells of a curve: masses (p_i, q_i) on the level sets of the likelihood ratio, and their record.

Cells are sorted by falling ratio r_i = q_i / p_i, and equal ratios are merged.  `of_scores`,
`of_masses`, `of_rates` and `of_edges` make them of arrays that have been read (`prfast.inputs`) and
return new arrays.  `PRCurve` holds them with the error rates of the likelihood-ratio classifiers,
a_i = Σ_{j≤i} p_j (fpr) and b_i = Σ_{j>i} q_j (fnr).  `min_sums` needs no curve.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from prfast.curve.polyline import ON_CURVE
from prfast.inputs.arrays import (
    Float64s,
    Floats,
    read_lambdas,
    read_shaped,
    read_weights,
    shaped,
)
from prfast.inputs.concurrency import resolve_threads
from prfast.inputs.errors import WrongValue
from prfast.kernels import masses as kernels
from prfast.results.info import read_info

Cells = tuple[Float64s, Float64s]  # p, q

_TINY = 5e-324  # the smallest positive float64
_SCALE = 2.0**200  # of masses up to 2⁵¹, whose products are then normal float64 numbers
_FORMAT = "prfast.PRCurve/1"


def apart(p: Float64s, q: Float64s, shares: tuple[float, float]) -> Cells:
    """Return masses, by falling ratio, where shares of the real and of the generated set are moved
    to cells that have none of the other."""
    of_real, of_fake = shares
    p = np.concatenate([[0.0], (1.0 - of_real) * p, [of_real]])
    q = np.concatenate([[of_fake], (1.0 - of_fake) * q, [0.0]])
    used = p + q > 0
    return p[used], q[used]


def of_scores(
    real: Floats, fake: Floats, w_real: Float64s | None = None, w_fake: Float64s | None = None
) -> Cells:
    """Return the lower convex hull of (fpr, fnr) over all thresholds, as counts or weights on its
    edges."""
    # Each class is sorted by itself, by a radix sort; the sweep merges the two.
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
    """Return cells sorted by falling ratio, equal ratios merged, empty cells dropped."""
    order = np.argsort(-kernels.ratios(p, q), kind="stable")
    return of_edges(p[order], q[order])


def of_rates(fpr: Float64s, fnr: Float64s) -> Cells:
    """Return the masses on the edges of the lower convex hull of the points, (0, 1) and (1, 0)."""
    # The hull of the points, not `of_edges`: sums of edges would lose vertices that are far
    # smaller than their terms.
    fpr = np.concatenate([[0.0], fpr, [1.0]])
    fnr = np.concatenate([[1.0], fnr, [0.0]])
    order = np.lexsort((-fnr, fpr))  # of equal fpr the lowest comes last, where it counts
    fpr, fnr = fpr[order], fnr[order]
    points = kernels.hull(fpr, fnr)
    return fpr[1:points] - fpr[: points - 1], fnr[: points - 1] - fnr[1:points]


def majorant(theta: Float64s, values: Float64s) -> Cells:
    """Return the least concave function above the points, as the rates (a, b) of its edges: their
    values at θ = 1 and at θ = 0.

    It is above every function through the points that is convex between them.  The rates of an
    edge that ends at θ = 0 or 1 are the values there, to the last bit: a rate of 1e-17 in place of
    0 would make α_∞ = 1.
    """
    x, y = theta.copy(), -values
    size = kernels.hull(x, y)
    x, y = x[:size], -y[:size]
    slope = np.diff(y) / np.diff(x)
    b = y[:-1] - slope * x[:-1]
    a = y[1:] + slope * (1 - x[1:])
    return np.clip(a, 0.0, 1.0), np.clip(b, 0.0, 1.0)


def rescaled(weights: Float64s) -> Float64s:
    """Return weights, or rows of them, times a power of two, so that products with their sum stay
    in range.

    Weights whose largest is from 1 to 2⁵⁰, counts among them, are returned as they are; others get
    a largest in [1, 2).  The change is exact, and positive weights stay positive.
    """
    exponent = np.frexp(weights.max(axis=-1, keepdims=True))[1] - 1
    exponent = np.where((exponent >= 0) & (exponent <= 50), 0, exponent)
    if not exponent.any():
        return weights
    return np.where(weights > 0, np.maximum(np.ldexp(weights, -exponent), _TINY), 0.0)


def normalized(weights: Float64s, total: Any) -> Float64s:
    """Return the weights divided by their sum; positive ones stay positive."""
    return np.where(weights > 0, np.maximum(weights / total, _TINY), 0.0)


def variation(p: Float64s, q: Float64s, total_p: Any, total_q: Any) -> Any:
    """Return ½ Σ |p_i / Σp − q_i / Σq|, exact for counts; from the masses, so that nearly equal
    distributions keep their digits."""
    difference = np.abs(p * total_q - q * total_p).sum(axis=-1, keepdims=True)
    return np.minimum(1.0, 0.5 * difference / total_p / total_q)[..., 0]


def of_edges(p: Float64s, q: Float64s) -> Cells:
    """Return the masses on the edges of the lower convex hull of the polyline with the edges
    (p, −q)."""
    cells = kernels.pool(p, q)
    return p[:cells].copy(), q[:cells].copy()


def are_counts(masses: Float64s, total: float, size: float) -> bool:
    """Return whether the masses are whole numbers whose sum, total, is the number of samples."""
    return total == size and bool((masses == np.floor(masses)).all())


def edge_ratios(p: Float64s, q: Float64s, total_p: Any, total_q: Any) -> Float64s:
    """Return the likelihood ratio of each cell, falling; ratios of counts are exact."""
    # (q / Σq) / (p / Σp), in an order of operations that keeps ratios of counts exact
    scaled = (_SCALE * p * total_q).ravel(), (_SCALE * q * total_p).ravel()
    falling: Float64s = np.minimum.accumulate(kernels.ratios(*scaled).reshape(p.shape), axis=-1)
    return falling


def record_of(p: Float64s, q: Float64s, info: Mapping[str, Any]) -> dict[str, Any]:
    """Return a curve as a record for JSON: plain numbers and strings."""
    return {
        "format": _FORMAT,
        "p": p.tolist(),
        "q": q.tolist(),
        "info": read_info("info", info),
    }


def read_record(record: Any) -> tuple[Float64s, Float64s, dict[str, Any]]:
    """Return the masses and the info of a record of `record_of`; raise WrongValue for others."""
    form = record.get("format") if isinstance(record, Mapping) else None
    if form != _FORMAT:
        raise WrongValue("record", f"format {_FORMAT!r} expected, got {form!r}")
    missing = {"p", "q", "info"} - record.keys()
    if missing:
        raise WrongValue("record", f"entries p, q, info expected, missing {sorted(missing)}")
    p = read_weights("record['p']", record["p"])
    q = read_weights("record['q']", record["q"], length=p.size)
    p, q = rescaled(p), rescaled(q)
    ratio = kernels.ratios(p, q)
    with np.errstate(over="ignore"):
        rises = ratio[1:] > ratio[:-1] * ON_CURVE  # sums of equal ratios have been rounded
    if np.isnan(ratio).any() or rises.any():
        raise WrongValue("record", "cells by falling ratio q / p expected")
    return p, q, read_info("record['info']", record["info"])


class Vertices(NamedTuple):
    """Vertices of the error-rate polyline: arrays of one length, from (0, 1) to (1, 0)."""

    fpr: Float64s
    """Share of real samples rejected, a_i."""
    fnr: Float64s
    """Share of generated samples accepted, b_i."""
    ratio: Float64s
    """Likelihood ratio of the edge that ends at the vertex; ∞ at the first vertex."""


# ---- α of two histograms, without building the curve ---------------------------------------------


def min_sums(p: Any, q: Any, lam: Any, *, n_jobs: int | None = None) -> Any:
    """Return α_λ = Σ_i min(λ p_i, q_i) for every λ in `lam` (2018, Theorem 2).

    The masses are not normalized.  For L values of λ it takes O((cells + L) log L) time and O(L)
    memory; the broadcast formula needs cells × L of both.

    Parameters
    ----------
    p, q : array, shape (cells,)
        Masses of the real and of the generated distribution on the same cells; >= 0, with a finite
        sum; all may be zero.
    lam : float or array
        Values of λ in [0, ∞], of any shape, in any order.
    n_jobs : int or None
        Number of threads, at most that of the usable cores, which is the default (None).  The
        result does not depend on it.

    Returns
    -------
    alpha : float or float64 array of the shape of `lam`
        Compensated sums, accurate to a few units of rounding however many the cells.

    Raises
    ------
    TypeError, ValueError
        Not numbers, negative or non-finite masses, lengths that differ, a negative λ.

    References
    ----------
    2019, Definition 1; 2019, Corollary 1; 2023, Definition 1.
    """
    p = read_weights("p", p, all_zero=True)
    q = read_weights("q", q, length=p.size, all_zero=True)
    for name, masses in (("p", p), ("q", q)):
        with np.errstate(over="ignore"):  # the error below says it
            total = masses.sum()
        if np.isinf(total):
            raise WrongValue(name, "masses with a finite sum expected, got one beyond float64")
    lam, shape = read_shaped("lam", lam, read_lambdas)
    threads = resolve_threads(n_jobs)
    order = np.argsort(lam, kind="stable")
    alpha = np.empty(lam.size)
    alpha[order] = kernels.minsum(p, q, lam[order], threads)
    return shaped(alpha, shape)
