"""Min-sums: α at many λ for two histograms, without building the curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast import _kernels
from prfast.samples import read_lambdas, read_shaped, read_weights, shaped
from prfast.threads import resolve_threads


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
        Threads; None (default) is every usable core.  The result does not depend on it.

    Returns
    -------
    alpha : float or float64 array of the shape of `lam`
        Compensated sums, accurate to a few units of rounding however many the cells.

    Raises
    ------
    TypeError, ValueError
        Not numbers, negative or non-finite masses, lengths that differ, a negative λ.
    """
    p = read_weights("p", p, all_zero=True)
    q = read_weights("q", q, length=p.size, all_zero=True)
    lam, shape = read_shaped("lam", lam, read_lambdas)
    threads = resolve_threads(n_jobs)
    order = np.argsort(lam, kind="stable")
    alpha = np.empty(lam.size)
    alpha[order] = _kernels.minsum(p, q, lam[order], threads)
    return shaped(alpha, shape)
