"""CurveNumbers, the base of PRCurve: masses by falling ratio, the numbers and points that follow.

The error rates are a_i = Σ_{j≤i} p_j (fpr) and b_i = Σ_{j>i} q_j (fnr).  The minimum α_λ = min_i (λ
a_i + b_i) is attained at the vertex whose edges have ratios > λ before it and <= λ after it (2019,
Theorems 3 and 4).
"""

from __future__ import annotations

from collections.abc import Callable
from operator import methodcaller
from typing import Any, NamedTuple, overload

import numpy as np

from prfast.curve import polyline
from prfast.curve.polyline import ON_CURVE, points
from prfast.inputs.arrays import (
    Float64s,
    read_lambdas,
    read_rates,
    read_shaped,
    read_shaped_pair,
    read_vector,
    shaped,
)
from prfast.inputs.options import read_count, read_number
from prfast.kernels import masses as kernels

EXCESS = 20.0  # factor by which generated mass may exceed the real one in `fidelity`
LACK = 2.0  # factor by which generated mass may fall short of the real one in `diversity`
# A number of a curve as a float, those of a stack as a list.
_number: Callable[[Any], float] = methodcaller("tolist")
_TINY = 5e-324  # the smallest positive float64
_SCALE = 2.0**200  # of masses up to 2⁵¹, whose products are then normal float64 numbers


class Grid(NamedTuple):
    """The curve at many λ: arrays of one length."""

    lam: Float64s
    precision: Float64s
    recall: Float64s


class Vertices(NamedTuple):
    """Vertices of the error-rate polyline: arrays of one length, from (0, 1) to (1, 0)."""

    fpr: Float64s
    """Share of real samples rejected, a_i."""
    fnr: Float64s
    """Share of generated samples accepted, b_i."""
    ratio: Float64s
    """Likelihood ratio of the edge that ends at the vertex; ∞ at the first vertex."""


class CurveNumbers:
    """Numbers of a curve: floats, or a list with one for each curve of a stack.

    p, q: pooled masses by falling ratio, (cells,), or (curves, cells) for a stack.  Its curves have
    equally many cells, also of ratio ∞ and of ratio 0.  The arrays become read-only.
    """

    __slots__ = ("_ends", "_p", "_polyline", "_q", "_totals")

    _p: Float64s
    _q: Float64s
    _polyline: tuple[Float64s, Float64s, Float64s]  # fpr and fnr of vertices, ratio of edges
    _totals: tuple[Any, Any]
    _ends: tuple[int, int]  # last vertex of fpr = 0, first of fnr = 0

    def __init__(self, p: Float64s, q: Float64s) -> None:
        vertices = kernels.vertices_of_rows(np.atleast_2d(p), np.atleast_2d(q))
        fpr, fnr, total_p, total_q = (x[0] for x in vertices) if p.ndim == 1 else vertices
        self._totals = (total_p.item(), total_q.item()) if p.ndim == 1 else (total_p, total_q)
        # (q / Σq) / (p / Σp), in an order of operations that keeps ratios of counts exact
        scaled = _SCALE * p * self._totals[1], _SCALE * q * self._totals[0]
        ratios = kernels.ratios(*map(np.ravel, scaled)).reshape(p.shape)
        self._p, self._q = p, q
        ratios = np.minimum.accumulate(ratios, axis=-1)
        self._polyline = fpr, fnr, ratios
        edges = ratios if p.ndim == 1 else ratios[0]
        self._ends = int(np.count_nonzero(edges == np.inf)), int(np.count_nonzero(edges))
        for array in (p, q, *self._polyline):
            array.flags.writeable = False

    @property
    def masses(self) -> tuple[Float64s, Float64s]:
        """Masses (p, q) of the cells by falling ratio; each sums to 1 up to rounding."""
        p, q = (  # positive masses stay positive
            np.where(masses > 0, np.maximum(masses / total, _TINY), 0.0)
            for masses, total in zip((self._p, self._q), self._totals, strict=True)
        )
        return p, q

    def _at_one(self, lam: float) -> tuple[Any, Any]:
        """Return what `at` returns for one λ in (0, ∞), for a stack too, in less time."""
        fpr, fnr, ratio = self._polyline
        first, last = self._ends
        vertex = (ratio > lam).sum(axis=-1)
        i = vertex if ratio.ndim == 1 else (np.arange(len(ratio)), vertex)
        a, b = fpr[i], fnr[i]
        precision = np.minimum(np.minimum(lam * a + b, min(lam, 1.0)), fnr[..., first])
        return precision, np.minimum(np.minimum(a + b / lam, 1.0 / lam), fpr[..., last])

    @property
    def fidelity(self) -> float:
        """Share of the generated distribution that is realistic: α_λ = Σ min(λ p, q) at λ = 20.

        In [0, 1]: 1 where the distributions are equal, 0 where they are disjoint.  Generated mass
        counts in full where its density is at most 20 times the real one, and up to that where it
        is more.  So a model that only repeats a twentieth of the real distribution has fidelity 1.
        A share of generated mass outside the real support lowers it by just this share.
        """
        return _number(self._at_one(EXCESS)[0])

    @property
    def diversity(self) -> float:
        """Share of the real distribution that is generated: β_λ = Σ min(p, q / λ) at λ = 1/2.

        In [0, 1]: 1 where the distributions are equal, 0 where they are disjoint.  Real mass counts
        in full if it is generated at least half as often as it is real, else at twice the generated
        mass.  So if Q is P without some of its modes, diversity is the share of P in the other
        modes.  Up to a half of Q may be outside the support of P, at diversity 1.
        """
        return _number(self._at_one(1 / LACK)[1])

    @property
    def max_precision(self) -> float:
        """α_∞ = Q(cosupp(P, Q)): fnr at fpr = 0, the generated mass where P is not 0; 1 for any two
        distributions of full support.

        Source: 2018, Eq. 1; 2018, Theorem 1; 2018, Footnote 2; 2024, Definition 2.1;
        2024, Proposition 2.2; 2024, Footnote 2.
        """
        return _number(self._polyline[1][..., self._ends[0]])

    @property
    def max_recall(self) -> float:
        """β_0: fpr at fnr = 0, the real mass where Q is not 0 (2018, Theorem 1)."""
        return _number(self._polyline[0][..., self._ends[1]])

    @property
    def total_variation(self) -> float:
        """Total variation distance, sup_A |P(A) − Q(A)| = ½ Σ |p_i − q_i| = 1 − α_1 (2018, §3.4).

        Nearly equal distributions keep their digits; it is exact for counts.
        """
        total_p, total_q = self._totals
        difference = np.abs(self._p * total_q - self._q * total_p).sum(axis=-1, keepdims=True)
        return _number(np.minimum(1.0, 0.5 * difference / total_p / total_q)[..., 0])

    @property
    def overlap(self) -> float:
        """Mass that P and Q have in common, 1 − total variation = α_1 = β_1."""
        return _number(1.0 - np.asarray(self.total_variation))

    @property
    def area(self) -> float:
        """Area under the curve, ½ ∫ β² dλ, in closed form arc by arc; 1 only for P = Q."""
        return _number(np.minimum(1.0, polyline.sectors(*self._polyline).sum(axis=-1)))

    def f_score(self, beta: float) -> float:
        """Return F_β, the maximum of (1 + β²) precision · recall / (β² precision + recall) along
        the curve (2018, §4.3).

        β > 1 weighs recall; the 2024 paper exchanges β and 1/β.  β = 0 gives the maximum precision,
        β = ∞ the maximum recall.
        """
        beta = read_number("beta", beta, 0.0, np.inf)
        if beta == 0 or np.isinf(beta):
            return self.max_recall if beta else self.max_precision
        precision, recall = self._knots()
        if not precision.size:
            return _number(np.zeros(precision.shape[:-1]))
        # F = precision · recall / (w precision + v recall),  w = β² / (1 + β²),  v = 1 / (1 + β²)
        square = min(beta, 1 / beta) ** 2
        w, v = 1 / (1 + square), square / (1 + square)
        if beta < 1:
            w, v = v, w
        # The score is monotone in λ on an arc: its maximum is at a knot.
        low, high = np.minimum(precision, recall), np.maximum(precision, recall)
        harmonic = w * precision + v * recall  # between the two: no quotient overflows
        with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
            scores = np.where(harmonic > 0, high * (low / harmonic), 0.0)
        return _number(np.minimum(np.maximum(scores, low), high).max(axis=-1))

    def _knots(self) -> tuple[Float64s, Float64s]:
        """Return falling precision and rising recall where two arcs meet."""
        a, b, ratio = self._polyline
        first, last = self._ends
        precision, recall = points(*(x[..., first:last] for x in (a, b, ratio)))
        if last > first:  # the curve is level before the first knot and vertical after the last
            precision[..., 0], recall[..., -1] = b[..., first], a[..., last]
        return precision, np.maximum.accumulate(recall, axis=-1)

    @property
    def median(self) -> float:
        """λ of the ray α = λβ that halves the area under the curve (2024, §5.1); 1 where the area
        is 0.  `curve.at(curve.median)` is the PR median."""
        return polyline.median(*self._polyline)

    # ---- points ------------------------------------------------------------------------------

    @overload
    def at(self, lam: float) -> tuple[float, float]: ...
    @overload
    def at(self, lam: Any) -> tuple[Any, Any]: ...
    def at(self, lam: Any) -> tuple[Any, Any]:
        """Return precision and recall at the trade-off λ.

        Source: 2018, Eq. 4; 2019, Theorem 2; 2019, Definition 3; 2019, Eq. 2; 2019, Footnote 1;
        2023, Definition 3; 2023, Theorem 4; 2023, Eq. 2; 2023, Eq. 3; 2023, Lemma 12;
        2023, Eq. 12; 2023, Theorem 37; 2023, Eq. 41; 2024, Eq. 1.

        Parameters
        ----------
        lam : float or array
            λ in [0, ∞]; 0 gives (0, max recall), ∞ gives (max precision, 0).

        Returns
        -------
        precision, recall : float or array of the shape of `lam`
        """
        flat, shape = read_shaped("lam", lam, read_lambdas)
        a, b, ratio = self._polyline
        first, last = self._ends
        # The minimizer follows the edges of ratio > λ (at ∞: of ratio ∞); ratios fall.
        i = np.searchsorted(-ratio, -flat, side="left")
        i = np.where(np.isinf(flat), first, i)
        precision, recall = points(a[i], b[i], flat)
        precision, recall = np.minimum(precision, b[first]), np.minimum(recall, a[last])
        return shaped(precision, shape), shaped(recall, shape)

    def grid(self, angles: int = 1001) -> Grid:
        """Return the curve at λ = tan θ, θ equally spaced from 0 to π/2 (2018, §3.3), for exchange.

        Parameters
        ----------
        angles : int
            Number of θ, at least 2, both ends included; 1001 by default.  An odd number contains
            λ = 1.
        """
        angles = read_count("angles", angles, at_least=2, at_most=100_000_000)
        half = np.tan(np.linspace(0, np.pi / 2, angles)[: (angles + 1) // 2])
        with np.errstate(divide="ignore"):  # the inverse of each λ is one of them, exactly
            lam = np.concatenate([half, 1 / half[: angles // 2][::-1]])
        if angles % 2:
            lam[angles // 2] = 1.0
        return Grid(lam, *self.at(lam))

    def outline(self, tolerance: float = 1e-4) -> tuple[Float64s, Float64s]:
        """Return points (recall, precision) on the curve, from recall 0 to precision 0.

        No point of the curve is farther than `tolerance`, 1e-4 by default, from their polyline.
        """
        tolerance = read_number("tolerance", tolerance, 1e-12, 1.0)
        return polyline.outline(*self._polyline, tolerance)

    @overload
    def precision_at(self, recall: float) -> float: ...
    @overload
    def precision_at(self, recall: Any) -> Any: ...
    def precision_at(self, recall: Any) -> Any:
        """Return the largest precision at which at least this recall, a float or array in [0, 1],
        is reached; 0 where none does."""
        flat, shape = read_shaped("recall", recall, read_rates)
        a, b, _ = self._polyline
        first, last = self._ends
        knot_precision, knot_recall = self._knots()
        k = np.searchsorted(knot_recall, flat, side="left")
        x, y = a[first + k], b[first + k]
        with np.errstate(divide="ignore", invalid="ignore"):  # (α − b)(β − a) = ab
            on_arc = np.where(x > 0, y * flat / (flat - x), y)
        # Clipping to the neighboring knots removes rounding; below the first the curve is level.
        upper = np.append(b[first], knot_precision)[k]
        lower = np.append(knot_precision, 0.0)[k]
        precision = np.where(k == 0, b[first], np.clip(on_arc, lower, upper))
        return shaped(np.where(flat > a[last] * ON_CURVE, 0.0, precision), shape)

    @overload
    def recall_at(self, precision: float) -> float: ...
    @overload
    def recall_at(self, precision: Any) -> Any: ...
    def recall_at(self, precision: Any) -> Any:
        """Return the largest recall at which at least this precision, a float or array in [0, 1],
        is reached; 0 where none does."""
        flat, shape = read_shaped("precision", precision, read_rates)
        exchanged = CurveNumbers(self._q[::-1].copy(), self._p[::-1].copy())
        return shaped(exchanged.precision_at(flat), shape)

    def contains(self, precision: Any, recall: Any) -> Any:
        """Return whether (precision, recall) is in the PR set {(θα_λ, θβ_λ) : θ in [0, 1],
        λ in [0, ∞]} (2018, Theorem 2; 2023, Definition 2).

        The set includes points on the axes up to the ends of the curve, as in the 2023 paper.
        Points within a few units of float64 rounding of the curve count too.

        Source: 2018, Eq. 2; 2018, Eq. 3; 2018, Definition 1; 2018, Definition 2; 2018, Theorem 1;
        2018, Lemma 1; 2018, Eq. 5; 2019, Definition 2; 2019, Eq. 1; 2019, Theorem 2; 2023, Eq. 1;
        2023, Footnote 5.

        Parameters
        ----------
        precision, recall : float or array
            Finite, of shapes that broadcast; outside [0, 1] is outside the set.
        """
        x, y, shape = read_shaped_pair("precision", precision, "recall", recall, read_vector)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            lam = np.abs(x) / np.abs(y)
        # A quotient of two non-zero numbers that under- or overflows is still within (0, ∞).
        lam = np.where((x != 0) & (y != 0), np.clip(lam, _TINY, np.finfo(np.float64).max), lam)
        alpha, beta = self.at(np.where((x == 0) & (y == 0), 1.0, lam))
        is_under = (x <= alpha * ON_CURVE) & (y <= beta * ON_CURVE)
        return shaped((x >= 0) & (y >= 0) & is_under, shape)

    @property
    def vertices(self) -> Vertices:
        """Error rates of the likelihood-ratio classifiers, (fpr, fnr, ratio), from (0, 1).

        Source: 2019, Theorem 1; 2019, Eq. 4; 2023, Theorem 6; 2023, Eq. 5; 2023, Eq. 6;
        2024, Eq. 2.
        """
        fpr, fnr, ratio = self._polyline
        ratio = np.append(np.inf, ratio)
        ratio.flags.writeable = False
        return Vertices(fpr, fnr, ratio)

    def rows(self, tolerance: float = 1e-4) -> list[dict[str, float]]:
        """Return a record for each point of `outline(tolerance)`, tolerance 1e-4 by default:
        ``recall``, ``precision`` and their trade-off ``lam``, precision / recall, NaN at (0, 0)."""
        recall, precision = self.outline(tolerance)
        with np.errstate(divide="ignore", invalid="ignore"):
            columns = (x.tolist() for x in (recall, precision, precision / recall))
        rows = zip(*columns, strict=True)
        return [{"recall": x, "precision": y, "lam": lam} for x, y, lam in rows]
