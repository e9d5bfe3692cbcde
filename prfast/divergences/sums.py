"""φ-divergences of the two distributions of a PR curve (2023 paper, §4.2).

With the masses (p_i, q_i) of P (real) and Q (generated),

    D_φ(P‖Q) = Σ q_i φ(p_i/q_i) + φ(0) Q(p = 0) + φ◇(0) P(q = 0),   ∞ · 0 = 0      (Definition 15)
and D_φ = ½ ∫ ΔF¹_π dΓ_φ(π) (Corollary 19): merging cells raises the curve and lowers every D_φ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.divergences.choose import phi_function
from prfast.divergences.phi import Phi, known
from prfast.divergences.table import NAMES, named, scales
from prfast.inputs.errors import WrongType
from prfast.inputs.options import read_list
from prfast.results.text import aligned, as_text
from prfast.results.values import Values


def phi_divergence(
    curve: PRCurve, phi: Any, *, at_zero: float | None = None, dual_at_zero: float | None = None
) -> float:
    """D_φ(P‖Q), P the real and Q the generated distribution; `curve.swap()` gives D_φ(Q‖P).

    D_φ = Σ q_i φ(p_i/q_i) + φ(0) Q(p = 0) + φ◇(0) P(q = 0), with φ◇(0) = lim φ(u)/u at ∞ and
    ∞ · 0 = 0 (2023 paper, Definition 15).  Of a curve estimated from samples it is the divergence
    of the level sets of its scorer: at most the true one, up to the noise of the sample.

    Parameters
    ----------
    curve : PRCurve
    phi : str or function
        "kl" Σ p ln(p/q), in [0, ∞]: ∞ where P has mass that Q has not;
        "reverse_kl" Σ q ln(q/p), in [0, ∞]: ∞ where Q has mass that P has not;
        "js" Σ p ln(p/m) + q ln(q/m), m = (p + q)/2, in [0, 2 ln 2]: twice what is usual elsewhere;
        "chi2" Σ (p − q)²/q, in [0, ∞]: ∞ as kl;
        "hellinger" Σ (√p − √q)², in [0, 2];
        "tv" Σ |p − q|, in [0, 2]: twice `curve.total_variation`;
        "frontier_integral" Σ (p + q)/2 − pq ln(p/q)/(p − q), in [0, 1]: Liu et al. (2021), twice
        the integral of λ KL(P‖R_λ) + (1 − λ) KL(Q‖R_λ) over λ, R_λ = λP + (1 − λ)Q (Remark 22);
        "tsallis:a" (Σ p^a q^{1−a} − 1) / (a(a−1)), any order a in [−10⁶, 10⁶]; kl at 1, reverse_kl
        at 0, which are limits; ∞ as kl for a >= 1, as reverse_kl for a <= 0;
        or any convex function of float64 arrays u > 0 with φ(1) = 0 that is strictly convex at 1.
    at_zero, dual_at_zero : float, optional
        φ(0) and φ◇(0) of a function, in (−∞, ∞]; by default found from its values.

    Returns
    -------
    float
        In [0, ∞]; 0 for P = Q.  Disjoint supports give φ(0) + φ◇(0).  What is beyond float64 is ∞.

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; an unknown name; a function that is not 0 at 1, not finite, not convex or not
        strictly so at 1, or
        whose limit is needed but cannot be told from its values.
    """
    read_curve("curve", curve)
    return divergence(curve, phi_function(phi, at_zero, dual_at_zero))


def divergence(curve: PRCurve, phi: Phi) -> float:
    """D_φ of a φ that has been read."""
    p, q = curve.masses
    both = (p > 0) & (q > 0)
    with np.errstate(over="ignore"):
        parts = [float(phi.terms(p[both], q[both]).sum())]
    only_q, only_p = float(q[p == 0].sum()), float(p[q == 0].sum())
    if only_q > 0:
        parts.append(known(phi.at_zero, "φ(0)", "at_zero") * only_q)
    if only_p > 0:
        slope = known(phi.dual_at_zero, "φ◇(0) = lim φ(u)/u at ∞", "dual_at_zero")
        parts.append(slope * only_p)
    return max(0.0, sum(parts))


class Divergences(Values[float]):
    """Names and values, in the order asked for; ``info`` is the curve's."""

    def __str__(self) -> str:
        lines = [[name, as_text(value, ".6g")] for name, value in self.items()]
        return "\n".join(aligned(lines, least=12))

    def _below(self) -> list[str]:
        return [scales(self)] if scales(self) else []


def divergence_table(curve: PRCurve, which: str | Sequence[str] | None = None) -> Divergences:
    """Several φ-divergences at once; printed, a line each.

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
    wanted = read_names(which)
    return Divergences({phi.name: divergence(curve, phi) for phi in wanted}, curve.info)


def read_names(which: Any, name: str = "which") -> list[Phi]:
    """The φ of one or several names, "all" and None being those of Table 1."""
    found = []
    for one in NAMES if which is None else read_list(name, which, (str,)):
        if not isinstance(one, str):
            raise WrongType(name, f"names expected, got {type(one).__name__}")
        found += [named(name, each) for each in (NAMES if one == "all" else [one])]
    return found
