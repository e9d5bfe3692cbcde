"""Cells of a curve: masses (p_i, q_i) on the level sets of the ratio q / p, by falling ratio.

Equal ratios are merged; functions return new arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from prfast.curve.polyline import ON_CURVE
from prfast.inputs.arrays import Float64s, Floats, read_weights
from prfast.inputs.concurrency import resolve_threads
from prfast.inputs.errors import WrongValue
from prfast.kernels import masses as kernels

Cells = tuple[Float64s, Float64s]  # p, q

_TINY = 5e-324  # the smallest positive float64
FORMAT = "prfast.PRCurve/1"


def apart(p: Float64s, q: Float64s, shares: tuple[float, float]) -> Cells:
    """Return masses where shares of each set are moved to a cell of this set alone."""
    real, fake = shares
    p = np.concatenate([[0.0], (1.0 - real) * p, [real]])
    q = np.concatenate([[fake], (1.0 - fake) * q, [0.0]])
    used = p + q > 0
    return p[used], q[used]


def of_scores(scores: Sequence[Floats], weights: Sequence[Float64s | None] = (None, None)) -> Cells:
    """Return counts or weights on the edges of the hull, from scores of both sets and weights."""
    # Each class is sorted by itself, by a radix sort; the sweep merges the two.
    threads = min(2, resolve_threads(None))  # one for each class, where these are large
    (real, fake), (p, q) = map(np.ascontiguousarray, scores), weights
    has_weights = p is not None or q is not None
    if has_weights or real.dtype != fake.dtype:
        real, fake = real.astype(np.float64, copy=False), fake.astype(np.float64, copy=False)
    if not has_weights:
        return kernels.sweep(*kernels.sort(real, fake, threads))
    p = np.ones(real.size) if p is None else rescaled(p)
    q = np.ones(fake.size) if q is None else rescaled(q)
    return kernels.sweep_weighted(*kernels.sort_weighted(real, p, fake, q, threads))


def of_masses(p: Float64s, q: Float64s) -> Cells:
    """Return cells sorted by falling ratio, equal ratios merged, empty cells dropped."""
    order = np.argsort(-kernels.ratios(p, q), kind="stable")
    p, q = p[order], q[order]
    (cells,) = kernels.pool_rows(p[None], q[None])
    return p[:cells].copy(), q[:cells].copy()


def of_rates(fpr: Float64s, fnr: Float64s) -> Cells:
    """Return the masses on the edges of the lower convex hull of the points, (0, 1) and (1, 0)."""
    # Sums of edges would lose vertices that are far smaller than their terms.
    fpr = np.concatenate([[0.0], fpr, [1.0]])
    fnr = np.concatenate([[1.0], fnr, [0.0]])
    order = np.lexsort((-fnr, fpr))  # of equal fpr the lowest comes last, where it counts
    fpr, fnr = fpr[order], fnr[order]
    points = kernels.hull(fpr, fnr)
    return fpr[1:points] - fpr[: points - 1], fnr[: points - 1] - fnr[1:points]


def rescaled(weights: Float64s) -> Float64s:
    """Return weights, or rows of them, times a power of two: products with their sum are in range.

    Weights whose largest is from 1 to 2⁵⁰, counts among them, stay; others get a largest in [1, 2).
    """
    exponent = np.frexp(weights.max(axis=-1, keepdims=True))[1] - 1
    exponent = np.where((exponent >= 0) & (exponent <= 50), 0, exponent)
    if not exponent.any():
        return weights
    return np.where(weights > 0, np.maximum(np.ldexp(weights, -exponent), _TINY), 0.0)


def are_counts(masses: Float64s, total: float, size: float) -> bool:
    """Return whether the masses are whole numbers whose sum, total, is the number of samples."""
    return total == size and bool((masses == np.floor(masses)).all())


def read_record(record: Any) -> tuple[Float64s, Float64s, Any]:
    """Return the masses and the info of a record of a curve; raise WrongValue for others."""
    form = record.get("format") if isinstance(record, Mapping) else None
    if form != FORMAT:
        raise WrongValue("record", f"format {FORMAT!r} expected, got {form!r}")
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
    return p, q, record["info"]
