"""Critics, the margin loss, and bounds over a finite class of hypotheses (2023, §5.3).

A critic f bounds a divergence from below (Eq. 23).  Corollary 34 bounds the risk on a target Q by
that on the source P, a discrepancy and the best hypothesis:

    R_Q^ℓ(h) <= λ R_P^{ℓ_φ}(h) + D(Q‖λP) + γ_λ,        ℓ_φ = φ*(c)/c ℓ for losses in [0, c]
    D(Q‖λP) = sup_{h'} R_Q^ℓ(h; h') − λ R_P^{φ*∘ℓ}(h; h')                   (Definition 33)
    γ_λ = inf_{h'} R_Q^ℓ(h') + λ R_P^{ℓ_φ}(h')

All terms are means of losses.  The caller computes the losses of the hypotheses.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import (
    Float64s,
    in_order,
    read_losses,
    read_masses,
    read_numbers,
    read_vector,
)
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_count, read_number, read_positive
from prfast.theory.phi import Phi, phi_function


class HypothesisBound(NamedTuple):
    """R_Q^ℓ(h) <= value = risk + discrepancy + adaptability (Corollary 34)."""

    value: float
    lam: float
    """λ, in (0, ∞)."""
    risk: float
    """λ R_P^{ℓ_φ}(h), the source risk of h."""
    discrepancy: float
    """D(Q‖λP), how far the target moves h and another hypothesis apart."""
    adaptability: float
    """γ_λ, the risks of the best hypothesis for both domains; it takes labels of the target."""


def critic_bound(f_real: Any, f_fake: Any, phi: Any, *, p: Any = None, q: Any = None) -> float:
    """Return the lower bound ∫f dP − ∫φ*(f) dQ of D_φ(P‖Q) by a critic f (2023, Eq. 23).

    It is D_φ at f = φ'(p/q).

    Parameters
    ----------
    f_real, f_fake : array, shapes (n,) and (m,)
        Values of f at samples, or cells, of P and Q.
    phi : str or Phi
        As for `phi_divergence`.
    p, q : array, shapes (n,) and (m,), optional
        Weights or masses, >= 0.

    Returns
    -------
    float
        For masses a bound.  Samples estimate it, without bias if f does not depend on them.  −∞ if
        f exceeds the domain of φ* where Q has mass.
    """
    resolved = phi_function(phi)
    f_fake = in_order("f_fake", f_fake, "f_real", f_real)
    real, fake = read_vector("f_real", f_real), read_vector("f_fake", f_fake)
    p, q = read_masses("p", p, real.size), read_masses("q", q, fake.size)
    there = q > 0  # φ* elsewhere may be ∞
    return float(real @ p - resolved.conjugate(fake[there]) @ q[there])


def margin_loss(scores: Any, classes: Any, rho: float = 1.0) -> Float64s:
    """Return the margin loss [1 − [δ]₊ / ρ]₊ of each sample (2023, Eq. 33).

    δ is half the score of the class less the largest other score.  The loss satisfies both triangle
    inequalities (2023, Definition 30; 2023, Remark 31).

    Parameters
    ----------
    scores : array, shape (n, classes)
        Scores of a hypothesis, at least two classes.
    classes : array, shape (n,) or (n, classes)
        The class of each sample, from 0, or the scores of another hypothesis, whose largest counts.
    rho : float
        ρ > 0, 1 by default.

    Returns
    -------
    array, shape (n,)
        In [0, 1].
    """
    classes = in_order("classes", classes, "scores", scores)
    halves = read_numbers("scores", scores).astype(np.float64) / 2
    if halves.ndim != 2 or halves.shape[1] < 2 or not np.isfinite(halves).all():
        raise WrongValue(
            "scores", "finite numbers of at least 2 classes expected, shape (n, classes)"
        )
    rho, chosen = read_positive("rho", rho, finite=True), read_numbers("classes", classes)
    if chosen.shape == halves.shape:
        chosen = chosen.argmax(axis=1)
    if chosen.shape != halves.shape[:1] or not np.isin(chosen, range(halves.shape[1])).all():
        text = (
            f"{len(halves)} integers below {halves.shape[1]}, or scores of these classes, expected"
        )
        raise WrongValue("classes", text)
    rows, chosen = np.arange(len(halves)), chosen.astype(np.int64)
    own_score = halves[rows, chosen]
    halves[rows, chosen] = -np.inf
    margin = np.maximum(own_score - halves.max(axis=1), 0.0)
    return np.asarray(np.maximum(1.0 - margin / rho, 0.0))


def discrepancy(
    source: Any, target: Any, phi: Any, lam: float = 1.0, *, p: Any = None, q: Any = None
) -> float:
    """Return sup_{h'} R_Q^ℓ(h; h') − λ R_P^{φ*∘ℓ}(h; h') of a hypothesis h (2023, Definition 33).

    Parameters
    ----------
    source, target : array, shapes (hypotheses, n) and (hypotheses, m)
        ℓ(h(x); h'(x)) >= 0 at samples of the source P and of the target Q, a row for each h'.
    phi : str or Phi
        As for `phi_divergence`; losses in the domain of φ*.
    lam : float
        λ in (0, ∞), 1 by default.
    p, q : array, shapes (n,) and (m,), optional
        Weights or masses of the samples, >= 0.

    Returns
    -------
    float
        At most D_φ(Q‖λP), up to noise of samples; >= 0 if h is among the h'.

    References
    ----------
    2023, Eq. 38.
    """
    lam, resolved = read_positive("lam", lam, finite=True), phi_function(phi)
    target = in_order("target", target, "source", source)
    top = resolved.dual_at_zero
    on_p, on_q = _risks_of_both(source, target, top, p, q, resolved)
    return float((on_q - lam * on_p).max())


def hypothesis_bound(
    h: int,
    source: Any,
    target: Any,
    source_pairs: Any,
    target_pairs: Any,
    phi: Any,
    lam: float = 1.0,
    *,
    p: Any = None,
    q: Any = None,
    loss_max: float = 1.0,
) -> HypothesisBound:
    """Return the bound of R_Q^ℓ(h) over a finite class of hypotheses (2023, Corollary 34).

    It holds for a loss ℓ with both triangle inequalities (Definition 30), such as `margin_loss`.

    Parameters
    ----------
    h : int
        The hypothesis, a row of `source` and `target`.
    source, target : array, shapes (hypotheses, n) and (hypotheses, m)
        ℓ(h'(x); y) at samples of the source P and of the target Q, in [0, loss_max].
    source_pairs, target_pairs : array, shapes as `source` and `target`
        ℓ(h(x); h'(x)), as for `discrepancy`.
    phi : str or Phi
        As for `phi_divergence`.
    lam : float
        λ in (0, ∞), 1 by default (Eq. 40); the least value over λ is the bound of Eq. 39.
    p, q : array, shapes (n,) and (m,), optional
        Weights or masses of the samples, >= 0.
    loss_max : float
        c, the largest loss, 1 by default; φ* must be finite there.

    Returns
    -------
    HypothesisBound
        Exact for masses; of samples each risk is an estimate.

    References
    ----------
    2023, Eq. 39; 2023, Eq. 40; 2023, Lemma 32; 2023, Remark 35; 2023, Remark 36.
    """
    lam, resolved = read_positive("lam", lam, finite=True), phi_function(phi)
    top = read_number("loss_max", loss_max, 1e-300, 1e300)
    factor = float(resolved.conjugate(top)) / top
    if math.isinf(factor):
        text = f"a number where φ* of {resolved.name} is finite expected, got {top:g}"
        raise WrongValue("loss_max", f"{text}; scale the losses")
    target = in_order("target", target, "source", source)
    on_p, on_q = _risks_of_both(source, target, top, p, q)
    row = read_count("h", h, at_least=0, at_most=on_p.size - 1)
    apart = discrepancy(source_pairs, target_pairs, resolved, lam, p=p, q=q)
    risk, best = lam * factor * float(on_p[row]), float((on_q + lam * factor * on_p).min())
    return HypothesisBound(risk + apart + best, lam, risk, apart, best)


def _risks_of_both(
    source: Any, target: Any, top: float, p: Any, q: Any, phi: Phi | None = None
) -> tuple[Float64s, Float64s]:
    """Return the mean losses of each row on both domains, on the source φ* of the losses."""
    on_p, on_q = _risks("source", source, top, p, phi), _risks("target", target, top, q)
    if on_p.size != on_q.size:
        text = f"equally many hypotheses expected, got {on_p.size} and {on_q.size}"
        raise WrongValue("source and target", text)
    return on_p, on_q


def _risks(name: str, losses: Any, top: float, weights: Any, phi: Phi | None = None) -> Float64s:
    """Return the mean loss of each row, or of φ* of the losses."""
    array = read_numbers(name, losses)
    if array.ndim != 2:
        raise WrongValue(name, f"shape (hypotheses, samples) expected, got {array.shape}")
    flat = read_losses(name, array.ravel(), top)
    masses = read_masses({"source": "p", "target": "q"}[name], weights, array.shape[1])
    values = np.asarray(flat if phi is None else phi.conjugate(flat)).reshape(array.shape)
    return np.asarray(values[:, masses > 0] @ masses[masses > 0])
