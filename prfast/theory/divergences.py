"""φ-divergences of a curve, frontiers of divergences, and the error of the best classifier.

D_φ = ½ ∫ ΔF¹_π dΓ_φ(π) (2023, Corollary 19): merging cells raises the curve and lowers every D_φ.
The exclusive and the inclusive frontier mirror each other, as D̂_a(μ‖ν) = D̂_{1−a}(ν‖μ) for all
real a (φ_a^◇ = φ_{1−a}, footnote 7).  The inclusive one of order a is the exclusive one of order 1
− a.  For 0 < a < 1 the latter is restricted to the common support.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.inputs.arrays import Float64s, read_rates, read_shaped, shaped
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.options import (
    read_count,
    read_flag,
    read_list,
    read_number,
    read_positive,
)
from prfast.results.values import Columns, Display, Values
from prfast.theory import renyi
from prfast.theory.phi import NAMES, SCALES, Phi, phi_function
from prfast.theory.renyi import LEAST, tsallis


def phi_divergence(curve: PRCurve, phi: Any) -> float:
    """Return D_φ(P‖Q), P the real and Q the generated distribution; `curve.swap()` has D_φ(Q‖P).

    D_φ = Σ q_i φ(p_i/q_i) + φ(0) Q(p = 0) + φ◇(0) P(q = 0), with φ◇(0) = lim φ(u)/u at ∞ and
    ∞ · 0 = 0 (2023, Definition 15; 2023, Eq. 14; 2023, Eq. 16).  A curve estimated from samples has
    the divergence of the level sets of its scorer: at most the true one, up to sampling noise, and
    for `curve.upper()` with the confidence of that curve.
    Example: ``prfast.theory.phi_divergence(prfast.reference.TOYS["a"].curve(), "js")``.
    See also `divergence_table`.

    Parameters
    ----------
    curve : PRCurve
    phi : str or Phi
        "kl" Σ p ln(p/q), in [0, ∞]: ∞ if P has mass where Q has none; "reverse_kl" Σ q ln(q/p), in
        [0, ∞]: ∞ if Q has mass where P has none; "js" Σ p ln(p/m) + q ln(q/m), m = (p + q)/2, in
        [0, 2 ln 2]: twice the usual definition; "chi2" Σ (p − q)²/q, in [0, ∞]: ∞ as kl;
        "hellinger" Σ (√p − √q)², in [0, 2]: twice the usual squared distance; "tv" Σ |p − q|, in
        [0, 2]: twice `curve.total_variation`; "frontier_integral" Σ (p + q)/2 − pq ln(p/q)/(p − q),
        in [0, 1]: Liu et al. (2021), twice the integral of λ KL(P‖R_λ) + (1 − λ) KL(Q‖R_λ) over λ,
        R_λ = λP + (1 − λ)Q (Remark 22); "tsallis:a" (Σ p^a q^{1−a} − 1) / (a(a−1)), any order a in
        [−10⁶, 10⁶]; kl at 1, reverse_kl at 0, both limits; ∞ as kl for a >= 1, as reverse_kl for a
        <= 0.

    Returns
    -------
    float
        In [0, ∞]; 0 for P = Q.  Disjoint supports give φ(0) + φ◇(0).  Overflow gives ∞.
    """
    read_curve("curve", curve)
    return max(0.0, measure_divergence(*curve.masses, phi_function(phi)))


def measure_divergence(p: Float64s, q: Float64s, phi: Phi, lam: float = 1.0) -> float:
    """Return D_φ(P‖λQ), 0 < λ < ∞; rounding may make it negative."""
    common = (p > 0) & (q > 0)
    with np.errstate(all="ignore"):
        # No mass of λQ may underflow to 0, where terms are not defined.
        total = float(phi.terms(p[common], np.maximum(lam * q[common], 5e-324)).sum())
    only_q, only_p = lam * float(q[p == 0].sum()), float(p[q == 0].sum())
    if only_q > 0:  # 0 · ∞ = 0
        total += phi.at_zero * only_q
    if only_p > 0:
        total += phi.dual_at_zero * only_p
    return total


class Divergences(Values[float]):
    """Divergences by name, as requested; ``info`` is the curve's.  See also `divergence_table`."""

    def _display(self) -> Display:
        # Definitions that differ by a factor.
        notes = [SCALES[name] for name in self if name in SCALES]
        return super()._display()._replace(notes=["; ".join(notes)] if notes else [])


def divergence_table(curve: PRCurve, which: str | Sequence[str] | None = None) -> Divergences:
    """Return several φ-divergences, a mapping of names to values; printed, a line each.

    which: one or more names as for `phi_divergence`, optional; by default those of Table 1: kl,
    reverse_kl, js, chi2, hellinger, tv.
    Example: ``print(prfast.theory.divergence_table(prfast.reference.TOYS["a"].curve()))``.
    See also `phi_divergence`.
    """
    read_curve("curve", curve)
    names = NAMES if which is None else read_list("which", which, (str,))
    try:
        phis = [phi_function(name) for name in names]
    except ArgumentError as error:
        raise error.renamed(error.argument.replace("phi", "which", 1)) from None
    return Divergences({phi.name: phi_divergence(curve, phi) for phi in phis}, curve.info)


def degroot(curve: PRCurve, pi: Any) -> Any:
    """Return DeGroot's B_π(P, Q) = Σ min(π p_i, (1 − π) q_i) (2023, Remark 5; 2023, Eq. 4).

    It is the error of the best classifier if a share π of the samples is real, in [0, 1], of any
    shape: at most min(π, 1 − π), as for P = Q, and 0 for disjoint supports.
    B_π = (1 − π) α_λ = π β_λ at λ = π / (1 − π), and 2 B_π is the F1 score there, the harmonic mean
    of α_λ and β_λ (2023, Proposition 18).
    Example: ``prfast.theory.degroot(prfast.reference.TOYS["a"].curve(), 0.5)``.  See also `lorenz`.
    """
    read_curve("curve", curve)
    flat, shape = read_shaped("pi", pi, read_rates)
    with np.errstate(divide="ignore"):
        precision, _ = curve.at(flat / (1 - flat))
    return shaped(np.minimum((1 - flat) * precision, flat), shape)


def degroot_information(curve: PRCurve, pi: Any) -> Any:
    """Return DeGroot's information ΔB_π = min(π, 1 − π) − B_π(P, Q), as `degroot` (2023, Eq. 15).

    It is half the gap of the F1 score, what the best classifier gains over a guess.  P = Q gives 0,
    disjoint supports give min(π, 1 − π).
    Example: ``prfast.theory.degroot_information(prfast.reference.TOYS["a"].curve(), 0.5)``.
    See also `degroot`.
    """
    risk = degroot(curve, pi)
    flat, shape = read_shaped("pi", pi, read_rates)
    return shaped(np.minimum(flat, 1 - flat) - np.ravel(risk), shape)


class _InclusiveFrontier(NamedTuple):
    fake: Float64s  # exp(−c D(Q‖R)), decreasing from 1
    real: Float64s  # exp(−c D(P‖R)), increasing to 1


class InclusiveFrontier(Columns, _InclusiveFrontier):
    """Points of the inclusive frontier, from (1, 0) to (0, 1).  See also `mauve_frontier`."""

    __slots__ = ()

    @property
    def area(self) -> float:
        """Area under the polyline, of order 1 the MAUVE score; 1 for P = Q."""
        return float(np.sum(-np.diff(self.fake) * (self.real[1:] + self.real[:-1])) / 2)


def mauve_frontier(
    curve: PRCurve,
    scale: float = 5.0,
    weights: Any = None,
    points: int = 1001,
    *,
    order: float = 1.0,
) -> InclusiveFrontier:
    """Return MAUVE's frontier (exp(−c KL(Q‖R_λ)), exp(−c KL(P‖R_λ))), R_λ = λP + (1 − λ)Q.

    (Djolonga et al. 2020, the inclusive frontier of order 1; Pillutla et al. 2021.)  Its `area` is
    the MAUVE score of the two histograms; even disjoint supports have a finite frontier.
    Example: ``prfast.theory.mauve_frontier(prfast.reference.TOYS["a"].curve(), points=11)``.
    See also `tsallis_frontier`.

    Parameters
    ----------
    curve : PRCurve
    scale : float
        c, positive and finite; 5 by default, as in the package mauve-text.
    weights : array, shape (m,), optional
        λ in [0, 1], in any order; `np.linspace(1e-6, 1 - 1e-6, 25)` reproduces mauve-text's curve
        and score.  Default: those of `renyi_frontier`, densest in the middle, with both ends.
        Order ∞ takes no others, as all λ in (0, 1) have the same compromise.
    points : int
        Number of the default weights, 1001 by default, at least 2.
    order : float
        a in (0, ∞] of Rényi's divergence D_a instead of KL; 1 (default) is MAUVE.  Its compromises
        are R_λ ∝ (λ p^a + (1−λ) q^a)^{1/a} of `renyi_frontier(curve, a, inclusive=True)`.

    Returns
    -------
    InclusiveFrontier
        Arrays of shape (weights + 2,): by increasing λ, between the corners (1, 0) and (0, 1).
    """
    read_curve("curve", curve)
    scale = read_positive("scale", scale, finite=True)
    points = read_count("points", points, at_least=2, at_most=100_000_000)
    order = read_positive("order", order)
    if weights is None:
        divergences = renyi.frontier(*curve.masses, max(order, LEAST), points, inclusive=True)
    else:
        lam = np.sort(read_rates("weights", weights))
        if np.isinf(order):
            raise WrongValue("weights", "a finite order expected with them, got order ∞")
        divergences = renyi.inclusive_at(*curve.masses, order, lam)
    with np.errstate(over="ignore"):
        fake, real = (np.exp(-scale * divergence) for divergence in divergences)
    return InclusiveFrontier(np.hstack([1.0, fake, 0.0]), np.hstack([0.0, real, 1.0]))


def renyi_divergence(curve: PRCurve, order: float) -> float:
    """Return Rényi's D_a(P‖Q), P the real and Q the generated distribution, in [0, ∞].

    D_a = log(Σ p^a q^{1−a}) / (a − 1), the logarithm of a norm of dP/dQ (2023, Definition 7;
    2023, Eq. 7); `curve.swap()` has D_a(Q‖P).  The order a is in (0, ∞]: 1 is the Kullback-Leibler
    divergence, ∞ the logarithm of the largest p/q.  It is 0 for P = Q, ∞ without a common support,
    and for a >= 1 if P has mass where Q has none.
    Example: ``prfast.theory.renyi_divergence(prfast.reference.TOYS["a"].curve(), 2)``.
    See also `phi_divergence`.
    """
    read_curve("curve", curve)
    order = max(read_positive("order", order), LEAST)
    return float(renyi.frontier(*curve.masses, order, 2, inclusive=True)[1][0])


class _Frontier(NamedTuple):
    to_fake: Float64s  # D(μ‖Q) or, inclusive, D(Q‖R), of increasing magnitude; −log α of order ∞
    to_real: Float64s  # D(μ‖P) or, inclusive, D(P‖R), of decreasing magnitude; −log β of order ∞


class Frontier(Columns, _Frontier):
    """Points of a frontier, from θ = 0 (at Q) to 1 (at P).  See also `renyi_frontier`."""

    __slots__ = ()


def renyi_frontier(
    curve: PRCurve, order: float, points: int = 1001, *, inclusive: bool = False
) -> Frontier:
    """Return the Rényi divergence frontier of an order (2023, Definitions 7 and 8, Proposition 21).

    It consists of the pairs (D_a(μ‖Q), D_a(μ‖P)) for μ = μ_θ, or inclusive, (D_a(Q‖R), D_a(P‖R))
    for R = R_θ, with

        D_a(μ‖ν) = log(Σ μ^a ν^{1−a}) / (a − 1)
        μ_θ ∝ (θ p^{1−a} + (1−θ) q^{1−a})^{1/(1−a)},   R_θ ∝ (θ p^a + (1−θ) q^a)^{1/a}

    (2023, Eq. 8; 2023, Eq. 9; 2023, Footnote 6; 2023, Lemma 10;
    2023, Proposition 21; 2023, Eq. 18; 2023, Remark 23; inclusive: Djolonga et al. 2020.)  Order 1
    is the Kullback-Leibler divergence, on the geometric path and, inclusive, on the mixtures.
    Order ∞ is the PR curve as (−log α_λ, −log β_λ) from its largest to its smallest ratio in
    (0, ∞), beyond which μ does not change (2023, Theorem 11), and inclusive as
    (log(1 + λ − α_λ), log((1 + λ − α_λ) / λ)).  See also `tsallis_frontier`.
    Example: ``prfast.theory.renyi_frontier(prfast.reference.TOYS["a"].curve(), order=2.0)``.

    Parameters
    ----------
    curve : PRCurve
    order : float
        a in [−∞, ∞].  Order 0 depends on the supports only: all points are (−log Q(p > 0), −log P(q
        > 0)).  Inclusive they are (0, 0) except for the ends or, without a common support, (−log(1
        − t), −log t).  Orders below 0 are D_a(μ‖ν) = a / (1 − a) · D_{1−a}(ν‖μ) <= 0, closer to 0
        for closer distributions.  This is the frontier of order 1 − a of the other kind, times a /
        (1 − a).  Orders between 0 and 10⁻²⁹⁰ are computed as 10⁻²⁹⁰, whose frontier agrees to as
        many digits.
    points : int
        Number of points, 1001 by default, at least 2, densest in the middle; both ends are exact.
    inclusive : bool
        Whether the compromise is the second argument of the divergences instead of the first; it
        then has any support; False by default.

    Returns
    -------
    Frontier
        Arrays of shape (points,), exclusive >= 0 and finite for a >= 0.  The ends are μ = Q and μ =
        P on the common support, so (−log α_∞, D_a(Q/α_∞‖P)) and (D_a(P/β_0‖Q), −log β_0).  Mass of
        P or Q outside the common support moves the frontier away from the axes.  Inclusive, they
        are R = Q and R = P, (0, D_a(P‖Q)) and (D_a(Q‖P), 0).  They are ∞ for a >= 1 if P or Q has
        mass outside the support of the other.  P = Q gives zeros.  Without a common support the
        exclusive frontier is the single point (∞, ∞), of shape (1,).  The time is proportional to
        points × cells.
    """
    order = _read_order(curve, order, points, inclusive)
    if order >= 0:
        return Frontier(*renyi.frontier(*curve.masses, order, points, inclusive))
    factor = -1.0 if math.isinf(order) else order / (1 - order)
    mirror = renyi.frontier(*curve.masses, 1 - order, points, not inclusive)
    return Frontier(*(factor * divergence + 0.0 for divergence in mirror))


def tsallis_frontier(
    curve: PRCurve, order: float, points: int = 1001, *, inclusive: bool = False
) -> Frontier:
    """Return the Tsallis divergence frontier of an order: φ_a-divergences of the same μ_θ or R_θ.

        D̂_a(μ‖ν) = (Σ μ^a ν^{1−a} − 1) / (a (a − 1)) = (exp((a − 1) D_a(μ‖ν)) − 1) / (a (a − 1))

    (2023, Eq. 19, §4.3, Proposition 21, footnote 7; φ_a as in Eq. 17.)  It is a monotone transform
    of the Rényi frontier, in which it is convex.  See also `renyi_frontier`.
    Example: ``prfast.theory.tsallis_frontier(prfast.reference.TOYS["a"].curve(), order=0.5)``.

    Parameters
    ----------
    curve : PRCurve
    order : float
        a in [−∞, ∞]; 1 is the Kullback-Leibler divergence, 0 the reverse one.  The limit ∞ is 0
        where the Rényi divergence is 0 and ∞ elsewhere.  For a <= 0 it is the frontier of order 1 −
        a of the other kind.  Exclusive, μ must have mass wherever P or Q has.  Inclusive, R is on
        the common support, as all others have divergence ∞.  Orders between 0 and 10⁻²⁹⁰ are
        computed as 10⁻²⁹⁰: values that grow as 1/a stay below about 10²⁹⁰.
    points, inclusive
        See `renyi_frontier`.

    Returns
    -------
    Frontier
        Like `renyi_frontier`, all >= 0; ∞ on overflow.  Without a common support it is the single
        point (∞, ∞) if compromises are restricted to it.  This is exclusive of order a > 0,
        inclusive of order a <= 0.
    """
    order = _read_order(curve, order, points, inclusive)
    if order <= 0:
        order, inclusive = 1 - order, not inclusive
    to_fake, to_real = renyi.frontier(*curve.masses, order, points, inclusive)
    if not inclusive and np.isinf(to_fake).all():
        return Frontier(to_fake, to_real)
    return Frontier(tsallis(to_fake, order), tsallis(to_real, order))


def _read_order(curve: PRCurve, order: float, points: int, inclusive: bool) -> float:
    """Check all arguments, and return the order to compute."""
    read_curve("curve", curve)
    number = read_number("order", order, -math.inf, math.inf)
    read_count("points", points, at_least=2, at_most=100_000_000)
    read_flag("inclusive", inclusive)
    return LEAST if 0 < number < LEAST else number
