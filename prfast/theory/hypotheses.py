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

from prfast.inputs.arrays import Float64s, in_order, read_between, read_numbers, read_vector
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_count, read_number, read_positive
from prfast.theory.adaptation import read_masses
from prfast.theory.phi import Phi, phi_function


class HypothesisBound(NamedTuple):
    """R_Q^ℓ(h) <= value = risk + discrepancy + adaptability (Corollary 34).

    See also `hypothesis_bound`.
    """

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

    The arrays f_real and f_fake are its values at n samples or cells of P and m of Q.  The weights
    or masses p and q are >= 0, equal by default; phi is as for `phi_divergence`.  f = φ'(p/q) gives
    D_φ.  The bound is −∞ if f exceeds the domain of φ* where Q has mass.  Means of samples estimate
    it, without bias if f does not depend on them.
    Example: ``prfast.theory.critic_bound([0.2, 0.4], [0.1, 0.3], "kl")``.  See also `discrepancy`.
    """
    resolved = phi_function(phi)
    f_fake = in_order("f_fake", f_fake, "f_real", f_real)
    real, fake = read_vector("f_real", f_real), read_vector("f_fake", f_fake)
    p, q = read_masses("p", p, real.size), read_masses("q", q, fake.size)
    used = q > 0  # φ* elsewhere may be ∞
    return float(real @ p - resolved.conjugate(fake[used]) @ q[used])


def margin_loss(scores: Any, classes: Any, rho: float = 1.0) -> Float64s:
    """Return the margin loss [1 − [δ]₊ / ρ]₊ of each sample, in [0, 1] (2023, Eq. 33).

    δ is half the score of the class less the largest score of the others.  Both triangle
    inequalities hold (2023, Definition 30; 2023, Remark 31).
    Example: ``prfast.theory.margin_loss([[2.0, 1.0], [0.0, 1.0]], classes=[0, 1])``.
    See also `hypothesis_bound`.

    Parameters
    ----------
    scores : array, shape (n, classes)
        Scores of a hypothesis, at least two classes.
    classes : array, shape (n,) or (n, classes)
        The class of each sample, from 0, or the scores of another hypothesis, whose largest counts.
    rho : float
        ρ > 0, 1 by default.
    """
    classes = in_order("classes", classes, "scores", scores)
    halves = read_numbers("scores", scores).astype(np.float64) / 2
    if halves.ndim != 2 or halves.shape[1] < 2 or not np.isfinite(halves).all():
        text = "finite numbers of at least 2 classes expected, shape (n, classes)"
        raise WrongValue("scores", text)
    rho, chosen = read_positive("rho", rho, finite=True), read_numbers("classes", classes)
    count, kinds = halves.shape
    if chosen.shape == halves.shape:
        chosen = chosen.argmax(axis=1)
    if chosen.shape != (count,) or not np.isin(chosen, range(kinds)).all():
        text = f"{count} integers below {kinds}, or scores of these classes, expected"
        raise WrongValue("classes", text)
    places = np.arange(count), chosen.astype(np.int64)
    score = halves[places]
    halves[places] = -np.inf
    margin = np.maximum(score - halves.max(axis=1), 0.0)
    return np.asarray(np.maximum(1.0 - margin / rho, 0.0))


def discrepancy(
    source: Any, target: Any, phi: Any, lam: float = 1.0, *, p: Any = None, q: Any = None
) -> float:
    """Return sup_{h'} R_Q^ℓ(h; h') − λ R_P^{φ*∘ℓ}(h; h') of h (2023, Definition 33; 2023, Eq. 38).

    It is at most D_φ(Q‖λP), up to noise of samples, and >= 0 if h is among the h'.
    Example: ``prfast.theory.discrepancy([[0.1, 0.4]], [[0.9, 0.6]], "chi2")``.
    See also `hypothesis_bound` and `margin_loss`.

    Parameters
    ----------
    source, target : array, shapes (hypotheses, n) and (hypotheses, m)
        ℓ(h(x); h'(x)) >= 0 at samples of P and Q, a row for each h'.
    phi : str or Phi
        As for `phi_divergence`; losses in the domain of φ*.
    lam : float
        λ in (0, ∞), 1 by default.
    p, q : array, shapes (n,) and (m,), optional
        Weights or masses of the samples, >= 0.
    """
    lam, resolved = read_positive("lam", lam, finite=True), phi_function(phi)
    target = in_order("target", target, "source", source)
    names = "source", "target"
    on_p, on_q = _risks(names, (source, target), resolved.dual_at_zero, (p, q), resolved)
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

    It holds for a loss with both triangle inequalities, such as `margin_loss`.  Source:
    2023, Eq. 39; 2023, Eq. 40; 2023, Remark 35; 2023, Remark 36.  Proof:
    2023, Lemma 32; 2023, Eq. 34; 2023, Eq. 35; 2023, Eq. 36; 2023, Eq. 37.

    >>> losses = [[0.1, 0.4], [0.3, 0.2]]
    >>> apart = [[0.0, 0.0], [0.2, 0.3]]
    >>> prfast.theory.hypothesis_bound(0, losses, losses, apart, apart, "chi2").value

    See also `discrepancy` and `adaptation_bound`.

    Parameters
    ----------
    h : int
        The hypothesis, a row of `source` and `target`.
    source, target : array, shapes (hypotheses, n) and (hypotheses, m)
        ℓ(h'(x); y) at samples of P and Q, in [0, loss_max].
    source_pairs, target_pairs : array, shapes as `source` and `target`
        ℓ(h(x); h'(x)), as for `discrepancy`.
    phi, lam, p, q
        As for `discrepancy`.  Eq. 39 has the least value over λ.
    loss_max : float
        c, the largest loss, 1 by default; φ* must be finite there.

    Returns
    -------
    HypothesisBound
        Exact for masses.  Samples give estimates of the risks, and their sum is no bound.
    """
    lam, resolved = read_positive("lam", lam, finite=True), phi_function(phi)
    top = read_number("loss_max", loss_max, 1e-300, 1e300)
    factor = float(resolved.conjugate(top)) / top
    if math.isinf(factor):
        text = f"a number where φ* of {resolved.name} is finite expected, got {top:g}"
        raise WrongValue("loss_max", f"{text}; scale the losses")
    target = in_order("target", target, "source", source)
    on_p, on_q = _risks(("source", "target"), (source, target), top, (p, q))
    row = read_count("h", h, at_least=0, at_most=on_p.size - 1)
    pairs = source_pairs, in_order("target_pairs", target_pairs, "source_pairs", source_pairs)
    names = "source_pairs", "target_pairs"
    pairs_p, pairs_q = _risks(names, pairs, resolved.dual_at_zero, (p, q), resolved)
    if pairs_p.size != on_p.size:
        text = f"a row for each of {on_p.size} hypotheses expected, got {pairs_p.size}"
        raise WrongValue("source_pairs", text)
    apart = float((pairs_q - lam * pairs_p).max())
    risk, best = lam * factor * float(on_p[row]), float((on_q + lam * factor * on_p).min())
    return HypothesisBound(risk + apart + best, lam, risk, apart, best)


def _risks(
    names: tuple[str, str],
    losses: tuple[Any, Any],
    top: float,
    weights: tuple[Any, Any],
    phi: Phi | None = None,
) -> tuple[Float64s, Float64s]:
    """Return the mean of each row on both domains, on the source that of φ* of the losses."""
    risks = []
    for name, rows, masses_name, given in zip(names, losses, "pq", weights, strict=True):
        array = read_numbers(name, rows)
        if array.ndim != 2:
            raise WrongValue(name, f"shape (hypotheses, samples) expected, got {array.shape}")
        values = read_between(name, array.ravel(), top).reshape(array.shape)
        masses = read_masses(masses_name, given, array.shape[1])
        used = masses > 0  # φ* elsewhere may be ∞
        if phi is not None and name == names[0]:
            values = phi.conjugate(values)
        risks.append(values[:, used] @ masses[used])
    if risks[0].size != risks[1].size:
        text = f"equally many hypotheses expected, got {risks[0].size} and {risks[1].size}"
        raise WrongValue(" and ".join(names), text)
    return risks[0], risks[1]
