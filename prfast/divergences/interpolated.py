"""Interpolated φ-divergences: of P and Q from mixtures (Liu et al. 2021; Pillutla et al. 2023).

Every pair is two φ-divergences between P and Q themselves: D_φ(P‖R_λ) = D_{φ_λ}(P‖Q) with
φ_λ(u) = (λu + 1 − λ) φ(u / (λu + 1 − λ)), so the PR curve determines them (2023 paper, Remark 22).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.divergences.choose import phi_function
from prfast.divergences.frontiers import Frontier
from prfast.divergences.numerics import NUMBERS_AT_ONCE, REACH, spaced
from prfast.divergences.phi import Phi, known
from prfast.divergences.sums import divergence
from prfast.inputs.arrays import Float64s, read_rates
from prfast.inputs.blocks import blocks
from prfast.inputs.options import read_count


def interpolated_frontier(
    curve: PRCurve,
    phi: Any = "kl",
    weights: Any = None,
    points: int = 1001,
    *,
    at_zero: float | None = None,
    dual_at_zero: float | None = None,
) -> Frontier:
    """Pairs of interpolated φ-divergences: (D_φ(Q‖R_λ), D_φ(P‖R_λ)), R_λ = λP + (1 − λ)Q.

    (Liu et al. 2021, Pillutla et al. 2023, any φ on mixtures; 2023 paper, Remark 22.)  For "kl" it
    is the inclusive frontier of order 1, where mixtures are the best compromises; for any other φ
    they are compromises, not the best ones.  Twice the integral of
    λ KL(P‖R_λ) + (1 − λ) KL(Q‖R_λ) is the frontier integral,
    `phi_divergence(curve, "frontier_integral")`; at λ = ½ the two of "kl" add to "js".

    Parameters
    ----------
    curve : PRCurve
    phi : str or function
        As for `phi_divergence`.
    weights : array, shape (m,), optional
        λ in [0, 1], in any order.  By default from 0 to 1, densest in the middle.
    points : int
        Number of the default weights, at least 2.
    at_zero, dual_at_zero : float, optional
        As for `phi_divergence`.

    Returns
    -------
    Frontier
        Arrays of shape (m,) or (points,), in [0, ∞], by rising λ: from (0, D_φ(P‖Q)) at λ = 0 to
        (D_φ(Q‖P), 0) at 1.  P = Q gives zeros; disjoint supports for "kl" (−log(1 − λ), −log λ).

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; a φ that `phi_divergence` refuses; weights outside [0, 1]; `points` not an
        integer of at least 2.
    """
    read_curve("curve", curve)
    chosen = phi_function(phi, at_zero, dual_at_zero)
    points = read_count("points", points, at_least=2, at_most=100_000_000)
    p, q = curve.masses
    if weights is not None:
        lam = np.sort(read_rates("weights", weights))
        return Frontier(
            _from(curve.swap(), chosen, 1 - lam, lam), _from(curve, chosen, lam, 1 - lam)
        )
    common = (p > 0) & (q > 0)
    reach = REACH + np.abs(np.log(p[common]) - np.log(q[common])).max(initial=0.0)
    u = spaced(-reach, reach, points)
    lam, rest = np.exp(-np.logaddexp(0, -u)), np.exp(-np.logaddexp(0, u))
    lam[[0, -1]], rest[[0, -1]] = (0.0, 1.0), (1.0, 0.0)
    return Frontier(_from(curve.swap(), chosen, rest, lam), _from(curve, chosen, lam, rest))


def _from(curve: PRCurve, phi: Phi, lam: Float64s, rest: Float64s) -> Float64s:
    """D_φ(P‖λP + (1 − λ)Q) of every λ and its rest 1 − λ."""
    p, q = curve.masses
    both = (p > 0) & (q > 0)
    # Cell by cell on the scale of its larger mass: no mixture is 0 there.
    scale = np.maximum(p, q)[both]
    x, y = p[both] / scale, q[both] / scale
    only_p, only_q = float(p[q == 0].sum()), float(q[p == 0].sum())
    found = np.empty(lam.size)
    inner = (lam > 0) & (rest > 0)
    found[lam == 0] = divergence(curve, phi) if (lam == 0).any() else 0.0
    found[rest == 0] = 0.0
    of_p, of_q = lam[inner, None], rest[inner, None]
    total = np.zeros(of_p.size)
    with np.errstate(over="ignore"):
        for rows in blocks(of_p.size, NUMBERS_AT_ONCE // max(1, x.size)):
            mixed = of_p[rows] * x + of_q[rows] * y
            terms = phi.terms(np.broadcast_to(x, mixed.shape).ravel(), mixed.ravel())
            total[rows] = (scale * terms.reshape(mixed.shape)).sum(axis=1)
        if only_p > 0:
            total += only_p * phi.terms(np.ones(of_p.size), of_p[:, 0])
        if only_q > 0:
            total += known(phi.at_zero, "φ(0)", "at_zero") * only_q * of_q[:, 0]
    found[inner] = np.maximum(total, 0.0)
    return found
