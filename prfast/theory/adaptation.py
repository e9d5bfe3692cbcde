"""Bounds of the error on a target by that on a source, and the margin loss (2023 paper, §5).

P, the real side of a curve, is the source and Q, its generated side, the target, both over pairs of
a sample and its label: `pr_curve(source, target)`.  R_P and R_Q are the errors of one classifier.

    R_Q <= 1 − F(1 − R_P)                    F the Lorenz curve               (Proposition 24)
    R_Q <= λ* R_P + 1 − α_λ*                 λ* = argmax α_λ − λ R_P          (Proposition 25)
    R_Q <= R_P + ∫|p − q|                    never below the other two        (Eq. 20)
    R_Q^ℓ <= λ R_P^{φ*∘ℓ} + D_φ(Q‖λP)        for every λ >= 0 and a loss ℓ    (Proposition 28)

Note the order: D_φ has the target first.  The bounds hold for the distributions of the curve; a
curve estimated from samples lies above the true one, and bounds from it below the true ones.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.curve.polyline import ROUNDING
from prfast.inputs.arrays import (
    Float64s,
    read_losses,
    read_masses,
    read_numbers,
    read_rates,
    read_shaped,
    read_shaped_pair,
    read_vector,
    shaped,
    to_array,
)
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import read_number, read_positive
from prfast.inputs.tables import read_table
from prfast.theory.critics import phi_with_conjugate
from prfast.theory.hypotheses import mean, read_top
from prfast.theory.multipliers import alpha_multiplier, phi_multipliers, scaled_divergence


def margin_loss(scores: Any, labels: Any, rho: float = 1.0) -> Float64s:
    """Return the margin loss ℓ(ŷ; y) = [1 − [δ]₊ / ρ]₊ of several classes.

    δ = ½ min over k ≠ k_y of ŷ_{k_y} − ŷ_k, with k_y the class of y (2023 paper, Eq. 33; Zhang et
    al. 2019).  The loss is 1 if another class has the largest score, or for a tie, and 0 from the
    margin ρ on.  It has both triangle inequalities that `hypothesis_bound` needs (Remark 31), and
    so has any increasing function of it that is 0 at 0, such as φ*∘ℓ: if y_b has the class of y_c,
    ℓ(y_a; y_c) = ℓ(y_a; y_b), and otherwise ℓ(y_b; y_c) = ℓ(y_c; y_b) = 1.

    Parameters
    ----------
    scores : array, shape (n, classes)
        ŷ, one score per class for each sample; at least two classes.
    labels : array, shape (n,) or (n, classes)
        Classes 0, 1, … as integers; or the scores y of another hypothesis, whose class is that of
        the largest score, the first one for ties.
    rho : float
        ρ, 1 by default, in (0, ∞): the margin from which on the loss is 0.

    Returns
    -------
    array, shape (n,)
        In [0, 1]; never below the 0-1 loss.

    Raises
    ------
    TypeError, ValueError
        Not numbers or not finite, wrong shapes, fewer than two classes, labels out of range.
    """
    scores = _read_scores("scores", scores, None)
    rho = read_positive("rho", rho, finite=True)
    classes = _read_classes(labels, scores.shape)
    rows = np.arange(len(scores))
    halves = scores / 2
    own = halves[rows, classes]
    halves[rows, classes] = -np.inf
    with np.errstate(over="ignore"):
        margin = np.maximum(own - halves.max(axis=1), 0.0) / rho
    return np.asarray(np.maximum(1.0 - margin, 0.0))


def _read_scores(name: str, values: Any, shape: tuple[int, ...] | None) -> Float64s:
    array = read_numbers(name, values)
    if array.ndim != 2 or array.shape[0] == 0 or array.shape[1] < 2:
        raise WrongValue(
            name, f"shape (n, classes), two classes at least, expected, got {array.shape}"
        )
    if shape is not None and array.shape != shape:
        raise WrongValue(name, f"shape {shape} expected as of scores, got {array.shape}")
    if not np.isfinite(array).all():
        at = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise WrongValue(name, f"finite numbers expected, got {array[at]} at {at}")
    return array.astype(np.float64)


def _read_classes(labels: Any, shape: tuple[int, ...]) -> Any:
    """Return the class of every sample, from labels or scores."""
    is_table = read_table("labels", labels) is not None
    array = labels if is_table else to_array("labels", labels)
    if is_table or array.ndim == 2:
        return _read_scores("labels", labels, shape).argmax(axis=1)
    if array.dtype.kind not in "iu":
        raise WrongType("labels", f"whole numbers, or scores, expected, got {array.dtype}")
    if array.shape != shape[:1]:
        raise WrongValue("labels", f"shape {shape[:1]} or {shape} expected, got {array.shape}")
    wrong = (array < 0) | (array >= shape[1])
    if wrong.any():
        at = int(wrong.argmax())
        raise WrongValue(
            "labels", f"classes 0 to {shape[1] - 1} expected, got {array[at]} at index {at}"
        )
    return array


class AdaptationBound(NamedTuple):
    """R_Q <= value = common + exclusive (Proposition 25)."""

    value: float
    """In [R_P, 1]."""
    lam: float
    """λ*, in [0, ∞): the multiplier of the source mass."""
    common: float
    """λ* R_P: errors where source and target share mass."""
    exclusive: float
    """1 − α_λ*: target mass beyond λ* times the source; errors on all of it are possible."""
    loose: float
    """R_P + ∫|p − q| (Eq. 20), in [0, 3]."""

    @property
    def dominant(self) -> str:
        """The larger term, "common" or "exclusive"."""
        return "common" if self.common > self.exclusive else "exclusive"

    def __str__(self) -> str:
        return (
            f"R_Q <= {self.value:.4g} = {self.common:.4g} (common mass, λ* {self.lam:.4g}) "
            f"+ {self.exclusive:.4g} (target only); R_P + TV {self.loose:.4g}"
        )


class PhiBound(NamedTuple):
    """R_Q^ℓ <= value = common + divergence (Proposition 28 at its best λ)."""

    value: float
    """In [0, φ◇(0)], ∞ if no λ gives a bound."""
    lam: float
    """The minimising λ, in [0, ∞); at 0 the bound is φ◇(0), which holds for any distributions."""
    common: float
    """λ R_P^{φ*∘ℓ}."""
    divergence: float
    """D_φ(Q‖λP)."""
    risk: float
    """R_P^{φ*∘ℓ}, the mean of φ*(ℓ) over the source."""

    @property
    def dominant(self) -> str:
        """The larger term, "common" or "divergence"."""
        return "common" if self.common > self.divergence else "divergence"

    def __str__(self) -> str:
        return (
            f"R_Q <= {self.value:.4g} = {self.common:.4g} (λ {self.lam:.4g} × "
            f"source risk {self.risk:.4g}) + {self.divergence:.4g} (divergence)"
        )


def lorenz_bound(curve: PRCurve, risk: Any) -> Any:
    """Return the bound R_Q <= 1 − F(1 − R_P), F the Lorenz curve (2023 paper, Proposition 24).

    It is the largest mass under Q of a set of errors that has mass R_P under P.

    Parameters
    ----------
    curve : PRCurve
        Source (real) against target (generated).
    risk : float or array
        R_P, the source error, in [0, 1].

    Returns
    -------
    float or array of the shape of `risk`
        In [R_P, 1]: R_P for P = Q, 1 for disjoint supports; for R_P = 0 the target mass outside
        the support of the source.

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve, not a number, outside [0, 1].
    """
    read_curve("curve", curve)
    flat, shape = read_shaped("risk", risk, read_rates)
    # In terms of R_P, as 1 − R_P would round away an R_P below 10⁻¹⁶.
    fpr, fnr, _ = curve.vertices
    return shaped(np.clip(1.0 - np.interp(flat, fpr, fnr), flat, 1.0), shape)


def adaptation_bound(curve: PRCurve, risk: float) -> AdaptationBound:
    """Return the bound R_Q <= λ* R_P + 1 − α_λ* and its terms (2023 paper, Proposition 25).

    Equal to `lorenz_bound`, and never above R_P + 1 − α_1 (λ = 1), so never above Eq. 20.  λ*
    maximises α_λ − λ R_P, the smallest where several do: the ratio of the edge of the error-rate
    polyline over fpr = R_P.

    Parameters
    ----------
    curve : PRCurve
        Source (real) against target (generated).
    risk : float
        R_P, the source error, in [0, 1].

    Returns
    -------
    AdaptationBound
        For P = Q the value is R_P; for disjoint supports 1, all of it `exclusive`, λ* = 0.

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve, not a number, outside [0, 1].
    """
    read_curve("curve", curve)
    risk = read_number("risk", risk, 0.0, 1.0)
    lam, value = alpha_multiplier(curve, risk)
    common = lam * risk
    exclusive = max(0.0, value - common)
    return AdaptationBound(value, lam, common, exclusive, risk + 2 * curve.total_variation)


def phi_bound(
    curve: PRCurve, losses: Any, phi: Any, *, weights: Any = None, loss_max: float = 1.0
) -> PhiBound:
    """Return the bound R_Q^ℓ <= inf_λ λ R_P^{φ*∘ℓ} + D_φ(Q‖λP) (2023 paper, Proposition 28).

    D_φ(Q‖λP) = Σ λp_i φ(q_i/(λp_i)) + φ(0) λP(q = 0) + φ◇(0) Q(p = 0), target first.  The infimum
    is the φ-Lorenz curve at R_P^{φ*∘ℓ} (`phi_lorenz`).

    Parameters
    ----------
    curve : PRCurve
        Source (real) against target (generated).
    losses : array, shape (n,)
        ℓ(h(x); y) for each source sample, in [0, loss_max].
    phi : str or Phi
        A name as for `phi_divergence`, or a function with its conjugate, by `phi_function`: its λ
        is found by a numerical search, the value up to rounding of φ and λ to about 10⁻⁸.
    weights : array, shape (n,), optional
        Masses of the source samples, >= 0.
    loss_max : float
        The largest possible loss, on the target too, 1 by default; at most φ◇(0), the end of the
        domain of φ*.  For js (ln 2) and tsallis:a with a < 0 (1/(1 − a)) scale the loss down.

    Returns
    -------
    PhiBound
        Values above `loss_max` are trivial.  ∞ if φ◇(0) = ∞ and the target has mass outside the
        support of the source; φ◇(0) at λ = 0 if the supports are disjoint, if φ(0) = ∞ and the
        source has mass outside the support of the target, or if the risk is ∞ (loss 1 with
        reverse_kl or hellinger).

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve; losses or weights of a wrong shape or range; an unknown name, a function
        without its conjugate; a `loss_max` beyond φ◇(0).
    """
    read_curve("curve", curve)
    resolved = phi_with_conjugate(phi)
    top = read_top(resolved, loss_max)
    losses = read_losses("losses", losses, top)
    risk = float(mean(resolved.conjugate(losses), read_masses("weights", weights, losses.size)))
    [(lam, value)] = phi_multipliers(curve, resolved, [risk])
    if lam == 0 or math.isinf(value):
        return PhiBound(value, lam, 0.0, value, risk)
    divergence = scaled_divergence(curve, resolved, lam)
    return PhiBound(lam * risk + divergence, lam, lam * risk, divergence, risk)


def phi_lorenz(curve: PRCurve, t: Any, phi: Any) -> Any:
    """Return the extended Lorenz curve F̄_φ(t) = sup { ∫f dQ : ∫φ*(f) dP <= t }.

    (2023 paper, Definition 26.)  f ranges over functions with values where φ* is finite.  Computed
    from the dual, F̄_φ(t) = inf_{λ>=0} λt + D_φ(Q‖λP) (Eq. 30, which holds with equality): in closed
    form, except for js and the frontier integral, whose λ is the root of a monotone function, and
    for a φ that is a function, whose λ is searched for.

    Parameters
    ----------
    curve : PRCurve
        P is its real, Q its generated side.
    t : float or array
        Finite; the minimum of ∫φ*(f) dP is −φ(0).
    phi : str or Phi
        A name as for `phi_divergence`, or a function with its conjugate, by `phi_function`, which
        loses digits as t approaches −φ(0).

    Returns
    -------
    float or array of the shape of `t`
        Concave, rising to φ◇(0); max_t F̄_φ(t) − t = D_φ(Q‖P).  −∞ for t < −φ(0), and at −φ(0)
        if no f attains it; ∞ if φ◇(0) = ∞ and Q has mass where P has none.

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve, not finite numbers, an unknown name, a function without its conjugate; t =
        −φ(0) of a function.
    """
    read_curve("curve", curve)
    resolved = phi_with_conjugate(phi)
    flat, shape = read_shaped("t", t, read_vector)
    return shaped(
        np.array([value for _, value in phi_multipliers(curve, resolved, flat.tolist())]), shape
    )


def in_phi_lorenz_diagram(curve: PRCurve, t: Any, y: Any, phi: Any) -> Any:
    """Whether (t, y) is in the φ-Lorenz diagram: t >= ∫φ*(f) dP and y <= ∫f dQ for some f.

    (2023 paper, Definition 26.)  Equivalently, y <= F̄_φ(t), `phi_lorenz`; this upper border counts
    as part of the diagram.

    Parameters
    ----------
    curve : PRCurve
        P is its real, Q its generated side.
    t, y : float or array
        Finite, of shapes that broadcast.
    phi : str or Phi
        As for `phi_lorenz`.

    Returns
    -------
    bool or bool array
        Points within a few units of float64 rounding of the border, in t or in y, count as on it.

    Raises
    ------
    TypeError, ValueError
        As `phi_lorenz`, except that t = −φ(0) is allowed; shapes that do not broadcast.
    """
    x, height, shape = read_shaped_pair("t", t, "y", y, read_vector)
    slack = ROUNDING * (1 + np.abs(height)) + ROUNDING * np.abs(x)
    with np.errstate(over="ignore"):
        # The border is steep at its left end, so t is rounded as generously as y.
        right = np.minimum(x + slack, np.finfo(np.float64).max)
        inside = height <= phi_lorenz(curve, right, phi) + slack
    return shaped(inside, shape)
