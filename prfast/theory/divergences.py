"""φ-divergences of a curve.

With the masses (p_i, q_i) of P (real) and Q (generated),

    D_φ(P‖Q) = Σ q_i φ(p_i/q_i) + φ(0) Q(p = 0) + φ◇(0) P(q = 0),   ∞ · 0 = 0

(2023 paper, Definition 15), and D_φ = ½ ∫ ΔF¹_π dΓ_φ(π) (Corollary 19): merging cells raises the
curve and lowers every D_φ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongType
from prfast.inputs.options import read_list
from prfast.results.values import Values
from prfast.theory.phi import NAMES, Phi, phi_by_name, phi_function, scales


def phi_divergence(curve: PRCurve, phi: Any) -> float:
    """Return D_φ(P‖Q), P the real and Q the generated distribution; `curve.swap()` has D_φ(Q‖P).

    D_φ = Σ q_i φ(p_i/q_i) + φ(0) Q(p = 0) + φ◇(0) P(q = 0), with φ◇(0) = lim φ(u)/u at ∞ and
    ∞ · 0 = 0 (2023 paper, Definition 15).  For a curve estimated from samples it is the divergence
    of the level sets of its scorer: at most the true one, up to sampling noise.

    Parameters
    ----------
    curve : PRCurve
    phi : str or Phi
        "kl" Σ p ln(p/q), in [0, ∞]: ∞ if P has mass where Q has none;
        "reverse_kl" Σ q ln(q/p), in [0, ∞]: ∞ if Q has mass where P has none;
        "js" Σ p ln(p/m) + q ln(q/m), m = (p + q)/2, in [0, 2 ln 2]: twice the usual definition;
        "chi2" Σ (p − q)²/q, in [0, ∞]: ∞ as kl;
        "hellinger" Σ (√p − √q)², in [0, 2];
        "tv" Σ |p − q|, in [0, 2]: twice `curve.total_variation`;
        "frontier_integral" Σ (p + q)/2 − pq ln(p/q)/(p − q), in [0, 1]: Liu et al. (2021), twice
        the integral of λ KL(P‖R_λ) + (1 − λ) KL(Q‖R_λ) over λ, R_λ = λP + (1 − λ)Q (Remark 22);
        "tsallis:a" (Σ p^a q^{1−a} − 1) / (a(a−1)), any order a in [−10⁶, 10⁶]; kl at 1, reverse_kl
        at 0, which are limits; ∞ as kl for a >= 1, as reverse_kl for a <= 0.

    Returns
    -------
    float
        In [0, ∞]; 0 for P = Q.  Disjoint supports give φ(0) + φ◇(0).  Overflow gives ∞.

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; an unknown name.
    """
    read_curve("curve", curve)
    return divergence(curve, phi_function(phi))


def divergence(curve: PRCurve, phi: Phi) -> float:
    """Return D_φ(P‖Q) for checked arguments."""
    return max(0.0, measure_divergence(*curve.masses, phi))


def measure_divergence(p: Float64s, q: Float64s, phi: Phi, lam: float = 1.0) -> float:
    """Return D_φ(P‖λQ), 0 < λ < ∞, which rounding may make negative."""
    both = (p > 0) & (q > 0)
    with np.errstate(over="ignore", under="ignore"):
        # No mass of λQ may underflow to 0, where terms are not defined.
        total = float(phi.terms(p[both], np.maximum(lam * q[both], 5e-324)).sum())
    only_q, only_p = lam * float(q[p == 0].sum()), float(p[q == 0].sum())
    if only_q > 0:  # 0 · ∞ = 0
        total += phi.at_zero * only_q
    if only_p > 0:
        total += phi.dual_at_zero * only_p
    return total


class Divergences(Values[float]):
    """Mapping of names to divergences, in the order of the request; ``info`` is the curve's."""

    def notes(self) -> list[str]:
        """Return the note on scales below the table."""
        return [scales(self)] if scales(self) else []


def divergence_table(curve: PRCurve, which: str | Sequence[str] | None = None) -> Divergences:
    """Return several φ-divergences; printed, a line each.

    Parameters
    ----------
    curve : PRCurve
    which : str or sequence of str, optional
        Names as for `phi_divergence`; by default those of Table 1: kl, reverse_kl, js, chi2,
        hellinger, tv.

    Returns
    -------
    Divergences
        A mapping of names to values.

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; an unknown name.
    """
    read_curve("curve", curve)
    phis = read_names(which)
    return Divergences({phi.name: divergence(curve, phi) for phi in phis}, curve.info)


def read_names(which: Any, name: str = "which") -> list[Phi]:
    """Return the φ of one or several names; "all" and None stand for those of Table 1."""
    phis = []
    for entry in NAMES if which is None else read_list(name, which, (str,)):
        if not isinstance(entry, str):
            raise WrongType(name, f"names expected, got {type(entry).__name__}")
        phis += [phi_by_name(name, phi) for phi in (NAMES if entry == "all" else [entry])]
    return phis
