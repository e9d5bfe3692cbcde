"""Min-sums: α at many λ for two histograms, without building the curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, read_lambdas, read_shaped, read_weights, shaped
from prfast.inputs.blocks import blocks
from prfast.kernels import masses as kernels
from prfast.kernels.threads import resolve_threads

_TERMS_AT_ONCE = 1 << 20


def min_sums(p: Any, q: Any, lam: Any, *, n_jobs: int | None = None) -> Any:
    """α_λ = Σ_i min(λ p_i, q_i) for every λ in `lam` (2018 paper, Theorem 2).

    The masses are taken as they are, not normalised.  Every λ is searched once, O((cells + L)
    log L) time and O(L) memory; the broadcast formula needs cells × L of both.

    Parameters
    ----------
    p, q : array, shape (cells,)
        Masses of the real and of the generated distribution on the same cells; finite, >= 0, all
        zero if need be.
    lam : float or array
        Values of λ in [0, ∞], of any shape, in any order.
    n_jobs : int or None
        Threads, at most the usable cores, which None (default) takes.  The result does not depend
        on it.

    Returns
    -------
    alpha : float or float64 array of the shape of `lam`
        Compensated sums, accurate to a few units of rounding however many the cells; ∞ where
        the sum is beyond float64.  Masses near the end of its range, 10³⁰⁰ and more, take O(cells
        L) time and plain sums.

    Raises
    ------
    TypeError, ValueError
        Not numbers, negative or non-finite masses, lengths that differ, a negative λ.
    """
    p = read_weights("p", p, all_zero=True)
    q = read_weights("q", q, length=p.size, all_zero=True)
    lam, shape = read_shaped("lam", lam, read_lambdas)
    threads = resolve_threads(n_jobs)
    if lam.size and _may_overflow(p, q):
        return shaped(_direct(p, q, lam), shape)
    order = np.argsort(lam, kind="stable")
    alpha = np.empty(lam.size)
    alpha[order] = kernels.minsum(p, q, lam[order], threads)
    return shaped(alpha, shape)


def _may_overflow(p: Float64s, q: Float64s) -> bool:
    """May a sum of masses overflow, which a min-sum at small λ need not do?"""
    most = max(p.max(), q.max())
    return int(np.frexp(most)[1]) + p.size.bit_length() > 1020


def _direct(p: Float64s, q: Float64s, lam: Float64s) -> Float64s:
    """The formula itself, a few λ at a time: terms that overflow are ∞, and q is the smaller."""
    alpha = np.empty(lam.size)
    used = p > 0  # 0 × ∞ = 0
    p, q = p[used], q[used]
    with np.errstate(over="ignore"):
        for some in blocks(lam.size, _TERMS_AT_ONCE // max(1, p.size)):
            alpha[some] = np.minimum(lam[some, None] * p, q).sum(axis=1)
    return alpha
