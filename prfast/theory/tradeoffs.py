"""Lorenz curve, ROC curve and mode collapse region of a PR curve (2023, §2.3 and §3.3).

Vertices (fpr, fnr) of a PR curve are (1 − fpr, fnr) on the Lorenz curve, (fpr, 1 − fnr) on the ROC
curve.  The Legendre transform takes a PR curve to its Lorenz curve and back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.curve.polyline import ROUNDING
from prfast.inputs.arrays import (
    Float64s,
    in_order,
    read_lambdas,
    read_rates,
    read_shaped,
    read_shaped_pair,
    read_vector,
    read_weights,
    shaped,
)
from prfast.inputs.concurrency import resolve_threads
from prfast.inputs.errors import WrongValue
from prfast.kernels import masses as kernels
from prfast.results.values import Columns


class LorenzVertices(NamedTuple):
    """Vertices of a Lorenz curve: arrays of one length, from (0, 0) to (1, 1)."""

    t: Float64s  # share of the real distribution, 1 − fpr
    F: Float64s  # least share of the generated distribution that goes with it, fnr


@dataclass(frozen=True, repr=False)
class Lorenz(Columns):
    """The Lorenz curve of P and Q, returned by `lorenz(curve)`.

    F(t) is the least mass that Q can have where P has at least t (2023, Definition 9):

        F(t) = inf { ∫f dQ : 0 <= f <= 1, ∫f dP >= t },   t in [0, 1],

    convex and rising from F(0) = 0 to F(1) = α_∞ <= 1, the mass of Q where P is not 0.  P = Q gives
    F(t) = t; disjoint supports give F = 0 on all of [0, 1], the jump to 1 being at t = 1.  Lorenz
    curves are immutable, hashable, picklable, and equal when their PR curves are.
    See also `lorenz`.
    """

    _curve: PRCurve

    def curve(self) -> PRCurve:
        """Return the PR curve of the same distributions; ``lorenz(curve).curve()`` is ``curve``."""
        return self._curve

    @property
    def vertices(self) -> LorenzVertices:
        """(t, F) from (0, 0) to (1, 1); t = 1 twice where Q has mass outside the support of P."""
        p, q = self._curve.masses
        # Summed from t = 0, where 1 − fpr would lose digits.
        ((t,), *_) = kernels.vertices_of_rows(p[None, ::-1].copy(), q[None, ::-1].copy())
        t.flags.writeable = False
        return LorenzVertices(t, self._curve.vertices.fnr[::-1])

    def __call__(self, t: Any) -> Any:
        """Return F(t), exactly, for shares t of the real distribution in [0, 1], any shape."""
        flat, shape = read_shaped("t", t, read_rates)
        vertices = self.vertices
        # Cells of ratio ∞ are the jump at t = 1; F(1) is its lower end.
        last = vertices.t.size - int(np.isinf(self._curve.vertices.ratio[1:]).sum())
        return shaped(np.interp(flat, vertices.t[:last], vertices.F[:last]), shape)

    def alpha(self, lam: Any) -> Any:
        """Return the precision α_λ = min_t F(t) + λ(1 − t) (2023, Remark 14) at λ in [0, ∞], any
        shape; 0 gives 0, ∞ gives F(1)."""
        return self._curve.at(lam)[0]

    def conjugate(self, lam: Any) -> Any:
        """Return the Legendre transform F*(λ) = sup_t λt − F(t) = λ − α_λ, λ in [0, ∞], any shape.

        (2023, Theorem 13; 2023, Eq. 13.)  0 gives 0, ∞ gives ∞; digits are kept where α_λ ≈ λ.
        """
        flat, shape = read_shaped("lam", lam, read_lambdas)
        t, F = self.vertices
        # λ is a subgradient at the vertex whose edges have ratios <= λ before it, > λ after it.
        slopes = self._curve.vertices.ratio[:0:-1]
        i = np.searchsorted(slopes, flat, side="right")
        with np.errstate(over="ignore", invalid="ignore"):
            values = np.where(flat > 0, flat * t[i], 0.0) - F[i]
        values = np.where(np.isinf(flat), np.inf, np.maximum(values, 0.0))
        return shaped(values, shape)

    def subgradient(self, t: Any) -> tuple[Any, Any]:
        """Return (low, high), the least and the largest λ in the subdifferential ∂F(t), exactly.

        F(t) + F*(λ) = λt for these λ and no others (2023, Remark 14).  On an edge both are its
        ratio q/p; at a vertex, only met by an equal float, those of the edges before and after it.
        t is in [0, 1], of any shape; `low` is 0 at t = 0, `high` ∞ at t = 1.
        """
        flat, shape = read_shaped("t", t, read_rates)
        ratio = self._curve.vertices.ratio[:0:-1]
        slopes = ratio[np.isfinite(ratio)]
        corners = self.vertices.t[: slopes.size + 1].copy()
        corners[-1] = 1.0  # the sum of the masses may round to another number
        padded = np.concatenate([[0.0], slopes, [np.inf]])
        # The last vertex at the same float t has F(t).
        i = np.searchsorted(corners, flat, side="right")
        low, high = padded[np.where(corners[i - 1] == flat, i - 1, i)], padded[i]
        low[flat == 0] = 0.0
        return shaped(low, shape), shaped(high, shape)

    def contains(self, t: Any, y: Any) -> Any:
        """Whether (t, y) is in the Lorenz diagram, (∫f dP, ∫f dQ) for some 0 <= f <= 1.

        (2023, Definition 9, Eq. 10.)  Equivalently, F(t) <= y <= 1 − F(1 − t): its lower border is
        F, its upper border the ROC curve.  t and y are finite, of shapes that broadcast.  The
        diagram is closed; points within a few units of rounding of its border count as on it.
        """
        x, y, shape = read_shaped_pair("t", t, "y", y, read_vector)
        outside = (x < -ROUNDING) | (x > 1 + ROUNDING)
        # The border is vertical at its ends, so t is rounded as generously as y.
        least = self(np.clip(x - ROUNDING, 0.0, 1.0))
        fpr, tpr = roc(self._curve)
        most = np.interp(np.clip(x + ROUNDING, 0.0, 1.0), fpr, tpr)
        inside = (least <= y + ROUNDING) & (y - ROUNDING <= most) & ~outside
        return shaped(inside, shape)

    def _asdict(self) -> dict[str, Any]:
        return self.vertices._asdict()

    def __repr__(self) -> str:
        numbers = f"F(1/2) {self(0.5):.4g}, F(1) {self(1.0):.4g}"
        return f"Lorenz({numbers}; {self.vertices.t.size} vertices)"


def lorenz(curve: PRCurve) -> Lorenz:
    """Return the Lorenz curve of a PR curve, exactly: the vertices (1 − fpr, fnr).

    (2023, Definition 9, Theorem 13; 2023, Eq. 10; 2023, Eq. 11.)  F of an estimated curve
    lies above the true one and gives no bound.
    Call the result for F(t); it has `.vertices`, `.alpha(λ)` and `.conjugate(λ)`.
    Example: ``prfast.theory.lorenz(prfast.reference.TOYS["a"].curve())``.  See also `roc`.
    """
    read_curve("curve", curve)
    return Lorenz(curve)


class _Roc(NamedTuple):
    fpr: Float64s  # share of real samples rejected
    tpr: Float64s  # share of generated samples rejected, 1 − fnr


class Roc(Columns, _Roc):
    """A ROC curve: the vertices of a concave polyline from (0, 0) to (1, 1).  See also `roc`."""

    __slots__ = ()

    @property
    def area(self) -> float:
        """Area under the curve, 1 − ∫F(t) dt, F the Lorenz curve; ½ for P = Q, 1 where disjoint;
        2 area − 1 is Gini's coefficient."""
        return float(np.sum(np.diff(self.fpr) * (self.tpr[1:] + self.tpr[:-1])) / 2)


def roc(curve: PRCurve) -> Roc:
    """Return the ROC curve of the likelihood-ratio classifiers: the vertices (fpr, 1 − fnr).

    (2019, §5.)  A generated sample that is rejected counts as true positive.  It is the mirrored
    Lorenz curve, exact; no classifier has a ROC curve above it.  The result has `fpr` and `tpr`,
    each of shape (vertices,), and `area`; P = Q gives the diagonal.
    Example: ``prfast.theory.roc(prfast.reference.TOYS["a"].curve())``.  See also `lorenz`.
    """
    read_curve("curve", curve)
    p, q = curve.masses
    # Summed from fpr = 0, where 1 − fnr would lose digits.
    ((tpr,), *_) = kernels.vertices_of_rows(q[None], p[None])
    tpr.flags.writeable = False
    return Roc(curve.vertices.fpr, tpr)


def in_mode_collapse_region(curve: PRCurve, epsilon: Any, delta: Any) -> Any:
    """Whether there is (ε, δ)-mode collapse: a set A with P(A) >= δ and Q(A) <= ε, for ε < δ.

    (2019, §5, "for the recall": a part of P that Q lacks.)  Equivalently, F(δ) <= ε: the
    Lorenz curve F is the border of the region, which is convex, as sets may be mixed: a function
    0 <= f <= 1 takes the place of A.  The region of the 2023 paper (§2.3), after Lin et al., is the
    convex hull of (P(A), Q(A)) over sets with Q(A) >= P(A), its mirror image: (s, t) is in that
    hull if (ε, δ) = (1 − t, 1 − s) is in this region, and if (s, t) is in this region of
    ``curve.swap()``.  See also `roc`.
    Example: ``prfast.theory.in_mode_collapse_region(prfast.reference.TOYS["a"].curve(), 0.1, 1)``.

    Parameters
    ----------
    curve : PRCurve
    epsilon, delta : float or array
        ε of Q and δ of P, in [0, 1] with ε <= δ, of shapes that broadcast.

    Returns
    -------
    bool or bool array
        Points within a few units of float64 rounding of the border count as on it.  Always False
        for P = Q and for ε = δ, always True for disjoint supports and ε < δ.
    """
    read_curve("curve", curve)
    epsilons, deltas, shape = read_shaped_pair("epsilon", epsilon, "delta", delta, read_rates)
    if (epsilons > deltas).any():
        at = int((epsilons > deltas).argmax())
        got = f"{epsilons[at]} > {deltas[at]} at index {at}"
        raise WrongValue("epsilon", f"at most delta expected, got {got}")
    least = Lorenz(curve)(np.maximum(deltas - ROUNDING, 0.0))
    return shaped((epsilons < deltas) & (least <= epsilons + ROUNDING), shape)


def min_sums(p: Any, q: Any, lam: Any, *, n_jobs: int | None = None) -> Any:
    """Return α_λ = Σ_i min(λ p_i, q_i) for every λ in `lam` (2018, Theorem 2).

    (2019, Definition 1; 2019, Corollary 1; 2023, Definition 1.)  The masses are not
    normalized.  For L values of λ it takes O((cells + L) log L) time and O(L) memory.
    Example: ``prfast.theory.min_sums([0.5, 0.5, 0.0], [0.25, 0.25, 0.5], [0.5, 1.0, 2.0])``.
    See also `prfast.PRCurve.from_masses`.

    Parameters
    ----------
    p, q : array, shape (cells,)
        Masses of the real and of the generated distribution on the same cells; >= 0, with a finite
        sum; all may be zero.
    lam : float or array
        Values of λ in [0, ∞], of any shape, in any order.
    n_jobs : int or None
        Number of threads, at most that of the usable cores, the default (None).  The result does
        not depend on it.

    Returns
    -------
    alpha : float or float64 array of the shape of `lam`
        Compensated sums, accurate to a few units of rounding however many the cells.
    """
    q = in_order("q", q, "p", p)
    p = read_weights("p", p, all_zero=True)
    q = read_weights("q", q, length=p.size, all_zero=True)
    for name, masses in (("p", p), ("q", q)):
        with np.errstate(over="ignore"):
            is_beyond = np.isinf(masses.sum())
        if is_beyond:
            raise WrongValue(name, "masses with a finite sum expected, got one beyond float64")
    lam, shape = read_shaped("lam", lam, read_lambdas)
    order, alpha = np.argsort(lam, kind="stable"), np.empty(lam.size)
    alpha[order] = kernels.minsum(p, q, lam[order], resolve_threads(n_jobs))
    return shaped(alpha, shape)
