"""Bounds over a finite set of hypotheses and the margin loss (2023 paper, §5.3).

The bound of the target error of a hypothesis h adds its discrepancy to its source error.  P is the
source, Q the target, ℓ(h; h') the loss of one hypothesis against another, ℓ(h; y) against the
labels; all of them are matrices with a row for each h', on samples of P and of Q.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, read_losses, read_masses, read_samples, to_array
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import read_count, read_number, read_positive
from prfast.theory.phi import Phi, phi_function


def read_top(phi: Phi, loss_max: Any) -> float:
    """Return the largest possible loss, at most φ◇(0), the end of the domain of φ*."""
    end = phi.dual_at_zero
    top = read_number("loss_max", loss_max, 1e-300, 1e300)
    if top > end:
        raise WrongValue(
            "loss_max",
            f"at most {end:.6g} expected, where φ* of {phi.name} ends, "
            f"got {top:g}; scale the losses",
        )
    return top


def mean(values: Any, masses: Float64s) -> Any:
    """Return means along the last axis, without the entries of mass 0, which may be ∞."""
    return np.asarray(values)[..., masses > 0] @ masses[masses > 0]


class HypothesisBound(NamedTuple):
    """R_Q^ℓ(h) <= value = source + discrepancy + adaptability (Corollary 34 at its best λ)."""

    value: float
    lam: float
    """The minimizing λ, in [0, ∞)."""
    source: float
    """λ R_P^{ℓ_φ}(h)."""
    discrepancy: float
    """max over h' of R_Q^ℓ(h; h') − λ R_P^{φ*∘ℓ}(h; h') (Definition 33)."""
    adaptability: float
    """γ*: min over h' of R_Q^ℓ(h') + λ R_P^{ℓ_φ}(h')."""

    def __str__(self) -> str:
        return (
            f"R_Q <= {self.value:.4g} = {self.source:.4g} (source, λ {self.lam:.4g}) "
            f"+ {self.discrepancy:.4g} (discrepancy) + {self.adaptability:.4g} (adaptability)"
        )


def discrepancy(
    source_pairs: Any,
    target_pairs: Any,
    phi: Any,
    lam: float = 1.0,
    *,
    source_weights: Any = None,
    target_weights: Any = None,
) -> float:
    """Return sup_{h'} R_Q^ℓ(h; h') − λ R_P^{φ*∘ℓ}(h; h') for one h (2023 paper, Definition 33).

    Parameters
    ----------
    source_pairs, target_pairs : array, shapes (hypotheses, n) and (hypotheses, m)
        ℓ(h(x); h'(x)), a row for each h', on source and on target samples; in [0, 1].
    phi : str or Phi
        As for `phi_divergence`.
    lam : float
        λ, 1 by default, in [0, ∞).
    source_weights, target_weights : array, shapes (n,) and (m,), optional
        Masses of the samples, >= 0.

    Returns
    -------
    float
        At most D_φ(Q_X‖λP_X) if losses are in the domain of φ*, at least 0 if h is among the h'
        and ℓ(y; y) = 0; −∞ if every h' has a loss to the right of that domain, where φ* = ∞.

    Raises
    ------
    TypeError, ValueError
        Arrays of a wrong shape or range; an unknown name; λ
        negative or infinite.
    """
    resolved = phi_function(phi)
    lam = read_number("lam", lam, 0.0, float(np.finfo(np.float64).max))
    source = read_losses("source_pairs", source_pairs, 1.0, (-1, -1))
    target = read_losses("target_pairs", target_pairs, 1.0, (len(source), -1))
    w_source = read_masses("source_weights", source_weights, source.shape[1])
    w_target = read_masses("target_weights", target_weights, target.shape[1])
    risks = mean(resolved.conjugate(source), w_source)
    with np.errstate(over="ignore"):
        return float((mean(target, w_target) - (lam * risks if lam > 0 else 0.0)).max())


def hypothesis_bound(
    h: int,
    source_losses: Any,
    target_losses: Any,
    source_pairs: Any,
    target_pairs: Any,
    phi: Any,
    *,
    source_weights: Any = None,
    target_weights: Any = None,
    loss_max: float = 1.0,
) -> HypothesisBound:
    """Return the bound R_Q^ℓ(h) <= inf_λ λ R_P^{ℓ_φ}(h) + D(Q_X‖λP_X) + γ*_λ.

    (2023 paper, Corollary 34, over a finite set of hypotheses.)  D is the discrepancy of h
    (Definition 33) and ℓ_φ = (φ*(c)/c) ℓ, c = loss_max (Remark 35), which is at least φ*∘ℓ.  The
    sum is piecewise linear in λ, so its infimum is exact.

    Parameters
    ----------
    h : int
        The row of the hypothesis.
    source_losses, target_losses : array, shapes (hypotheses, n) and (hypotheses, m)
        ℓ(h'(x); y), a row for each h'; in [0, loss_max].
    source_pairs, target_pairs : array, shapes (hypotheses, n) and (hypotheses, m)
        ℓ(h(x); h'(x)).
    phi : str or Phi
        As for `phi_divergence`.
    source_weights, target_weights : array, shapes (n,) and (m,), optional
        Masses of the samples, >= 0.
    loss_max : float
        The largest possible loss, 1 by default; φ* must be finite there, so below 1 for reverse_kl
        and hellinger, below ln 2 for js.

    Returns
    -------
    HypothesisBound

    Raises
    ------
    TypeError, ValueError
        Arrays of a wrong shape or range; losses that break a triangle inequality that the proof
        needs: ℓ(h; y) <= ℓ(h; h') + ℓ(h'; y) on the target, ℓ(h; h') <= ℓ(h; y) + ℓ(h'; y) on the
        source; an unknown name; a loss_max where φ* is ∞.
    """
    resolved = phi_function(phi)
    top = read_top(resolved, loss_max)
    slope = resolved.conjugate(top) / top
    if math.isinf(slope):
        raise WrongValue("loss_max", f"below {top:g} expected, where φ* of {resolved.name} is ∞")
    source = read_losses("source_losses", source_losses, top, (-1, -1))
    target = read_losses("target_losses", target_losses, top, (len(source), -1))
    pairs_source = read_losses("source_pairs", source_pairs, top, source.shape)
    pairs_target = read_losses("target_pairs", target_pairs, top, target.shape)
    p = read_masses("source_weights", source_weights, source.shape[1])
    q = read_masses("target_weights", target_weights, target.shape[1])
    h = read_count("h", h, at_least=0, at_most=len(source) - 1)
    _check_triangle("target", target[h], pairs_target + target)
    _check_triangle("source", pairs_source, source[h] + source)
    source_risks, target_risks = slope * mean(source, p), mean(target, q)  # R_P^{ℓ_φ}, R_Q^ℓ (h')
    between_source = mean(resolved.conjugate(pairs_source), p)  # R_P^{φ*∘ℓ}(h; h')
    between_target = mean(pairs_target, q)  # R_Q^ℓ(h; h')
    bounds = []
    # For each h' of γ the sum is convex and piecewise linear in λ; its slope changes where another
    # h' attains the maximum of D.
    for lam in _breakpoints(between_source, between_target):
        parts = (
            float(lam * source_risks[h]),
            float((between_target - lam * between_source).max()),
            float((target_risks + lam * source_risks).min()),
        )
        bounds.append(HypothesisBound(sum(parts), lam, *parts))
    return min(bounds, key=lambda bound: bound.value)


def _breakpoints(slopes: Float64s, heights: Float64s) -> list[float]:
    """Return 0 and the λ at which another row attains the maximum of heights − λ slopes."""
    lam, breakpoints = 0.0, [0.0]
    row = int(np.lexsort((slopes, -heights))[0])
    while True:
        candidates = np.flatnonzero(slopes < slopes[row])
        if not candidates.size:
            return breakpoints
        crossings = (heights[row] - heights[candidates]) / (slopes[row] - slopes[candidates])
        lam = max(lam, float(crossings.min()))
        breakpoints.append(lam)
        first = candidates[crossings == crossings.min()]
        row = int(first[slopes[first].argmin()])


def _check_triangle(side: str, less: Float64s, more: Float64s) -> None:
    excess = less - more
    if excess.max() > 1e-9:
        row, column = np.unravel_index(int(excess.argmax()), excess.shape)
        raise WrongValue(
            f"{side}_losses and {side}_pairs",
            "a loss with the triangle inequality expected, broken "
            f"by hypothesis {row}, sample {column}",
        )


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
    scores = read_samples("scores", scores).astype(np.float64)
    if scores.shape[1] < 2:
        raise WrongValue("scores", f"at least two classes expected, got shape {scores.shape}")
    rho = read_positive("rho", rho, finite=True)
    classes = _read_classes(labels, scores.shape)
    rows = np.arange(len(scores))
    halves = scores / 2
    own = halves[rows, classes]
    halves[rows, classes] = -np.inf
    with np.errstate(over="ignore"):
        margin = np.maximum(own - halves.max(axis=1), 0.0) / rho
    return np.asarray(np.maximum(1.0 - margin, 0.0))


def _read_classes(labels: Any, shape: tuple[int, ...]) -> Any:
    """Return the class of every sample, from labels or scores."""
    array = to_array("labels", labels)
    if array.ndim == 2:
        array = read_samples("labels", labels)
        if array.shape != shape:
            raise WrongValue("labels", f"shape {shape} expected as of scores, got {array.shape}")
        return array.argmax(axis=1)
    if array.dtype.kind not in "iu":
        raise WrongType("labels", f"whole numbers, or scores, expected, got {array.dtype}")
    if array.shape != shape[:1]:
        raise WrongValue("labels", f"shape {shape[:1]} or {shape} expected, got {array.shape}")
    if array.min() < 0 or array.max() >= shape[1]:
        raise WrongValue(
            "labels", f"classes 0 to {shape[1] - 1} expected, got {array.min()} to {array.max()}"
        )
    return array
