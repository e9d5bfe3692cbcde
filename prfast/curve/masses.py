"""Cells of a curve: masses (p_i, q_i) on the level sets of the likelihood ratio, their record, and
`CurveNumbers`, the numbers that follow from them.

Cells are sorted by falling ratio r_i = q_i / p_i, and equal ratios are merged.  `of_scores`,
`of_masses`, `of_rates` and `of_edges` make them of arrays that have been read (`prfast.inputs`) and
return new arrays.  `CurveNumbers`, the base of PRCurve, holds them with the error rates of the
likelihood-ratio classifiers, a_i = Σ_{j≤i} p_j (fpr) and b_i = Σ_{j>i} q_j (fnr).  `min_sums` needs
no curve.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import polyline
from prfast.curve.polyline import ON_CURVE
from prfast.inputs.arrays import (
    Float64s,
    Floats,
    in_order,
    read_lambdas,
    read_shaped,
    read_weights,
    shaped,
)
from prfast.inputs.concurrency import resolve_threads
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_number
from prfast.kernels import masses as kernels
from prfast.results.info import plain

Cells = tuple[Float64s, Float64s]  # p, q

_TINY = 5e-324  # the smallest positive float64
_SCALE = 2.0**200  # of masses up to 2⁵¹, whose products are then normal float64 numbers
_FORMAT = "prfast.PRCurve/1"


def apart(p: Float64s, q: Float64s, shares: tuple[float, float]) -> Cells:
    """Return masses, by falling ratio, where shares of the real and of the generated set are moved
    to cells that have none of the other."""
    of_real, of_fake = shares
    p = np.concatenate([[0.0], (1.0 - of_real) * p, [of_real]])
    q = np.concatenate([[of_fake], (1.0 - of_fake) * q, [0.0]])
    used = p + q > 0
    return p[used], q[used]


def of_scores(
    real: Floats, fake: Floats, w_real: Float64s | None = None, w_fake: Float64s | None = None
) -> Cells:
    """Return the lower convex hull of (fpr, fnr) over all thresholds, as counts or weights on its
    edges."""
    # Each class is sorted by itself, by a radix sort; the sweep merges the two.
    threads = min(2, resolve_threads(None))  # one for each class, where these are large
    if w_real is None and w_fake is None:
        if real.dtype != fake.dtype:
            real, fake = real.astype(np.float64), fake.astype(np.float64)
        return kernels.sweep(*kernels.sort(real, fake, threads))
    w_real = np.ones(real.size) if w_real is None else rescaled(w_real)
    w_fake = np.ones(fake.size) if w_fake is None else rescaled(w_fake)
    real, fake = real.astype(np.float64, copy=False), fake.astype(np.float64, copy=False)
    return kernels.sweep_weighted(*kernels.sort_weighted(real, w_real, fake, w_fake, threads))


def of_masses(p: Float64s, q: Float64s) -> Cells:
    """Return cells sorted by falling ratio, equal ratios merged, empty cells dropped."""
    order = np.argsort(-kernels.ratios(p, q), kind="stable")
    return of_edges(p[order], q[order])


def of_rates(fpr: Float64s, fnr: Float64s) -> Cells:
    """Return the masses on the edges of the lower convex hull of the points, (0, 1) and (1, 0)."""
    # The hull of the points, not `of_edges`: sums of edges would lose vertices that are far
    # smaller than their terms.
    fpr = np.concatenate([[0.0], fpr, [1.0]])
    fnr = np.concatenate([[1.0], fnr, [0.0]])
    order = np.lexsort((-fnr, fpr))  # of equal fpr the lowest comes last, where it counts
    fpr, fnr = fpr[order], fnr[order]
    points = kernels.hull(fpr, fnr)
    return fpr[1:points] - fpr[: points - 1], fnr[: points - 1] - fnr[1:points]


def majorant(theta: Float64s, values: Float64s) -> Cells:
    """Return the least concave function above the points, as the rates (a, b) of its edges: their
    values at θ = 1 and at θ = 0.

    It is above every function through the points that is convex between them.  The rates of an
    edge that ends at θ = 0 or 1 are the values there, to the last bit: a rate of 1e-17 in place of
    0 would make α_∞ = 1.
    """
    x, y = theta.copy(), -values
    size = kernels.hull(x, y)
    x, y = x[:size], -y[:size]
    slope = np.diff(y) / np.diff(x)
    b = y[:-1] - slope * x[:-1]
    a = y[1:] + slope * (1 - x[1:])
    return np.clip(a, 0.0, 1.0), np.clip(b, 0.0, 1.0)


def rescaled(weights: Float64s) -> Float64s:
    """Return weights, or rows of them, times a power of two, so that products with their sum stay
    in range.

    Weights whose largest is from 1 to 2⁵⁰, counts among them, are returned as they are; others get
    a largest in [1, 2).  The change is exact, and positive weights stay positive.
    """
    exponent = np.frexp(weights.max(axis=-1, keepdims=True))[1] - 1
    exponent = np.where((exponent >= 0) & (exponent <= 50), 0, exponent)
    if not exponent.any():
        return weights
    return np.where(weights > 0, np.maximum(np.ldexp(weights, -exponent), _TINY), 0.0)


def normalized(weights: Float64s, total: Any) -> Float64s:
    """Return the weights divided by their sum; positive ones stay positive."""
    return np.where(weights > 0, np.maximum(weights / total, _TINY), 0.0)


def variation(p: Float64s, q: Float64s, total_p: Any, total_q: Any) -> Any:
    """Return ½ Σ |p_i / Σp − q_i / Σq|, exact for counts; from the masses, so that nearly equal
    distributions keep their digits."""
    difference = np.abs(p * total_q - q * total_p).sum(axis=-1, keepdims=True)
    return np.minimum(1.0, 0.5 * difference / total_p / total_q)[..., 0]


def of_edges(p: Float64s, q: Float64s) -> Cells:
    """Return the masses on the edges of the lower convex hull of the polyline with the edges
    (p, −q)."""
    (cells,) = kernels.pool_rows(p[None], q[None])
    return p[:cells].copy(), q[:cells].copy()


def are_counts(masses: Float64s, total: float, size: float) -> bool:
    """Return whether the masses are whole numbers whose sum, total, is the number of samples."""
    return total == size and bool((masses == np.floor(masses)).all())


def edge_ratios(p: Float64s, q: Float64s, total_p: Any, total_q: Any) -> Float64s:
    """Return the likelihood ratio of each cell, falling; ratios of counts are exact."""
    # (q / Σq) / (p / Σp), in an order of operations that keeps ratios of counts exact
    scaled = (_SCALE * p * total_q).ravel(), (_SCALE * q * total_p).ravel()
    falling: Float64s = np.minimum.accumulate(kernels.ratios(*scaled).reshape(p.shape), axis=-1)
    return falling


def record_of(p: Float64s, q: Float64s, info: Mapping[str, Any]) -> dict[str, Any]:
    """Return a curve as a record for JSON: plain numbers and strings."""
    return {"format": _FORMAT, "p": p.tolist(), "q": q.tolist(), "info": plain(info)}


def read_record(record: Any) -> tuple[Float64s, Float64s, Any]:
    """Return the masses and the info of a record of `record_of`; raise WrongValue for others."""
    form = record.get("format") if isinstance(record, Mapping) else None
    if form != _FORMAT:
        raise WrongValue("record", f"format {_FORMAT!r} expected, got {form!r}")
    missing = {"p", "q", "info"} - record.keys()
    if missing:
        raise WrongValue("record", f"entries p, q, info expected, missing {sorted(missing)}")
    p = read_weights("record['p']", record["p"])
    q = read_weights("record['q']", record["q"], length=p.size)
    p, q = rescaled(p), rescaled(q)
    ratio = kernels.ratios(p, q)
    with np.errstate(over="ignore"):
        rises = ratio[1:] > ratio[:-1] * ON_CURVE  # sums of equal ratios have been rounded
    if np.isnan(ratio).any() or rises.any():
        raise WrongValue("record", "cells by falling ratio q / p expected")
    return p, q, record["info"]


class Vertices(NamedTuple):
    """Vertices of the error-rate polyline: arrays of one length, from (0, 1) to (1, 0)."""

    fpr: Float64s
    """Share of real samples rejected, a_i."""
    fnr: Float64s
    """Share of generated samples accepted, b_i."""
    ratio: Float64s
    """Likelihood ratio of the edge that ends at the vertex; ∞ at the first vertex."""


# ---- numbers of a curve --------------------------------------------------------------------------

EXCESS = 20.0  # factor by which generated mass may exceed the real one in `fidelity`
LACK = 2.0  # factor by which generated mass may fall short of the real one in `diversity`


class CurveNumbers:
    """Numbers of a curve: floats, or an array with one for each curve of a stack.

    p, q: masses by falling ratio, pooled, which become read-only: of shape (cells,), or (curves,
    cells) for a stack, whose curves have equally many cells, also of ratio ∞ and of ratio 0.
    """

    __slots__ = ("_knots", "_p", "_polyline", "_q", "_totals")

    _p: Float64s
    _q: Float64s
    _polyline: tuple[Float64s, Float64s, Float64s]  # fpr and fnr of vertices, ratio of edges
    _totals: tuple[Any, Any]
    _knots: polyline.Knots | None  # computed by the first F-score

    def __init__(self, p: Float64s, q: Float64s) -> None:
        vertices = kernels.vertices_of_rows(np.atleast_2d(p), np.atleast_2d(q))
        fpr, fnr, total_p, total_q = (x[0] for x in vertices) if p.ndim == 1 else vertices
        self._totals = (total_p.item(), total_q.item()) if p.ndim == 1 else (total_p, total_q)
        ratio = edge_ratios(p, q, *self._totals)
        for array in (p, q, fpr, fnr, ratio):
            array.flags.writeable = False
        self._p, self._q = p, q
        self._polyline = fpr, fnr, ratio
        self._knots = None

    @property
    def masses(self) -> tuple[Float64s, Float64s]:
        """Masses (p, q) of the cells by falling ratio; each sums to 1 up to rounding."""
        total_p, total_q = self._totals
        return normalized(self._p, total_p), normalized(self._q, total_q)

    @property
    def fidelity(self) -> float:
        """Share of the generated distribution that is realistic: α_λ = Σ min(λ p, q) at λ = 20.

        In [0, 1]: 1 where the distributions are equal, 0 where they are disjoint.  Generated mass
        counts in full where its density is at most 20 times the real one, and up to that where it
        is more.  So a model that only repeats a part of the real distribution, down to a twentieth
        of it, has fidelity 1; a share of generated mass outside the real support lowers it by just
        this share.  `at` returns the same for other λ.

        Notes
        -----
        `max_precision` is 1 for any two distributions of full support, however far apart: the end
        of a curve forgives any excess.  Of two curves one of which is nowhere below the other, its
        fidelity is not below either.
        """
        return _number(polyline.at_one(*self._polyline, EXCESS)[0])

    @property
    def diversity(self) -> float:
        """Share of the real distribution that is generated: β_λ = Σ min(p, q / λ) at λ = 1/2.

        In [0, 1]: 1 where the distributions are equal, 0 where they are disjoint.  Real mass
        counts in full where it is generated at least half as often as it is real, and at twice the
        generated mass where that is less.  So if Q is P without some of its modes, diversity is
        the share of P in the other modes; if Q is P mixed with a share of mass outside the support
        of P, diversity is 1 up to a share of one half.

        Notes
        -----
        The diversity of a scorer's own curve is not below the true one, as its curve is nowhere
        below the true one (2019, Theorem 5).  `max_recall`, the end of the curve, is 1 for
        any two distributions of full support.
        """
        return _number(polyline.at_one(*self._polyline, 1 / LACK)[1])

    @property
    def max_precision(self) -> float:
        """α_∞ = Q(cosupp(P, Q)): fnr at fpr = 0, the generated mass where P is not 0.

        References
        ----------
        2018, Eq. 1; 2018, Theorem 1; 2018, Footnote 2; 2024, Definition 2.1;
        2024, Proposition 2.2; 2024, Footnote 2.
        """
        return _number(polyline.most(*self._polyline)[0])

    @property
    def max_recall(self) -> float:
        """β_0: fpr at fnr = 0, the real mass where Q is not 0.

        References
        ----------
        2018, Theorem 1.
        """
        return _number(polyline.most(*self._polyline)[1])

    @property
    def total_variation(self) -> float:
        """Total variation distance, sup_A |P(A) − Q(A)| = ½ Σ |p_i − q_i| = 1 − α_1
        (2018, §3.4).

        Computed from the masses, so that nearly equal distributions keep their digits; exact for
        counts.
        """
        return _number(variation(self._p, self._q, *self._totals))

    @property
    def overlap(self) -> float:
        """Mass that P and Q have in common, 1 − total variation = α_1 = β_1."""
        return 1.0 - self.total_variation

    @property
    def area(self) -> float:
        """Area under the curve, ½ ∫ β² dλ, in closed form arc by arc; 1 only for P = Q."""
        return _number(np.minimum(1.0, polyline.sectors(*self._polyline).sum(axis=-1)))

    def f_score(self, beta: float) -> float:
        """Return F_β, the maximum of (1 + β²) precision · recall / (β² precision + recall) along
        the curve (2018, §4.3).

        β > 1 weighs recall; the 2024 paper exchanges β and 1/β.  On an arc the score is monotone in
        λ, so the maximum is at a knot.  β = 0 gives the maximum precision, β = ∞ the maximum
        recall.
        """
        beta = read_number("beta", beta, 0.0, np.inf)
        if beta == 0 or np.isinf(beta):
            return self.max_recall if beta else self.max_precision
        if self._knots is None:
            self._knots = polyline.knots(*self._polyline)
        return _number(polyline.f_score(self._knots, beta))

    @property
    def median(self) -> float:
        """λ of the ray α = λβ that halves the area under the curve (2024, §5.1).

        `curve.at(curve.median)` is the PR median.  1 where the area is 0, which every ray halves.
        """
        return _number(polyline.median(*self._polyline))


def _number(value: Any) -> float:
    """Return a number of a curve, or the array of those of a stack."""
    return float(value) if np.ndim(value) == 0 else value


# ---- α of two histograms, without building the curve ---------------------------------------------


def min_sums(p: Any, q: Any, lam: Any, *, n_jobs: int | None = None) -> Any:
    """Return α_λ = Σ_i min(λ p_i, q_i) for every λ in `lam` (2018, Theorem 2).

    The masses are not normalized.  For L values of λ it takes O((cells + L) log L) time and O(L)
    memory; the broadcast formula needs cells × L of both.

    Parameters
    ----------
    p, q : array, shape (cells,)
        Masses of the real and of the generated distribution on the same cells; >= 0, with a finite
        sum; all may be zero.
    lam : float or array
        Values of λ in [0, ∞], of any shape, in any order.
    n_jobs : int or None
        Number of threads, at most that of the usable cores, which is the default (None).  The
        result does not depend on it.

    Returns
    -------
    alpha : float or float64 array of the shape of `lam`
        Compensated sums, accurate to a few units of rounding however many the cells.

    Raises
    ------
    TypeError, ValueError
        Not numbers, negative or non-finite masses, lengths that differ, a negative λ.

    References
    ----------
    2019, Definition 1; 2019, Corollary 1; 2023, Definition 1.
    """
    q = in_order("q", q, "p", p)
    p = read_weights("p", p, all_zero=True)
    q = read_weights("q", q, length=p.size, all_zero=True)
    for name, masses in (("p", p), ("q", q)):
        with np.errstate(over="ignore"):  # the error below says it
            total = masses.sum()
        if np.isinf(total):
            raise WrongValue(name, "masses with a finite sum expected, got one beyond float64")
    lam, shape = read_shaped("lam", lam, read_lambdas)
    threads = resolve_threads(n_jobs)
    order = np.argsort(lam, kind="stable")
    alpha = np.empty(lam.size)
    alpha[order] = kernels.minsum(p, q, lam[order], threads)
    return shaped(alpha, shape)
