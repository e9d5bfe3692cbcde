"""Points and numbers of a curve, as methods of a base class; min_sums, α of two histograms.

With the masses (p_i, q_i) by falling ratio and the error rates a_i = Σ_{j≤i} p_j, b_i = Σ_{j>i} q_j

    α_λ = min_i (λ a_i + b_i),   β_λ = α_λ / λ,   for every λ in [0, ∞]; nothing needs a grid.
"""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from prfast.curve import masses, polyline
from prfast.curve.masses import Masses
from prfast.curve.polyline import Grid
from prfast.inputs.arrays import (
    Float64s,
    blocks,
    read_lambdas,
    read_rates,
    read_shaped,
    read_shaped_pair,
    read_vector,
    read_weights,
    shaped,
)
from prfast.inputs.options import read_count, read_number
from prfast.kernels import masses as kernels
from prfast.kernels.threads import resolve_threads
from prfast.results.values import frame

EXCESS = 20.0  # factor by which generated mass may exceed the real one in `fidelity`
LACK = 2.0  # factor by which generated mass may fall short of the real one in `diversity`

_TERMS_AT_ONCE = 1 << 20  # of `_direct`


class Readings(Masses):
    """Base class of PRCurve: points at any trade-off λ, and summary numbers."""

    __slots__ = ()

    # ---- points ------------------------------------------------------------------------------

    @overload
    def at(self, lam: float) -> tuple[float, float]: ...
    @overload
    def at(self, lam: Any) -> tuple[Any, Any]: ...
    def at(self, lam: Any) -> tuple[Any, Any]:
        """Return precision and recall at the trade-off λ.

        Parameters
        ----------
        lam : float or array
            λ in [0, ∞]; 0 gives (0, max recall), ∞ gives (max precision, 0).

        Returns
        -------
        precision, recall : float or array of the shape of `lam`

        Raises
        ------
        TypeError, ValueError
            Not a number, NaN, negative.
        """
        flat, shape = read_shaped("lam", lam, read_lambdas)
        precision, recall = polyline.at(*self._polyline, flat)
        return shaped(precision, shape), shaped(recall, shape)

    def grid(self, angles: int = 1001) -> Grid:
        """Return the curve at λ = tan θ, θ equally spaced from 0 to π/2 (2018 paper, §3.3).

        For drawing and exchange: no number of this class is computed from a grid.

        Parameters
        ----------
        angles : int
            Number of θ, at least 2, both ends included; 1001 by default.  An odd number contains
            λ = 1.

        Returns
        -------
        Grid
            Arrays `lam`, `precision`, `recall`, each of shape (angles,).

        Raises
        ------
        TypeError, ValueError
            `angles` not an integer of at least 2.
        """
        angles = read_count("angles", angles, at_least=2, at_most=100_000_000)
        lam = polyline.lambdas(angles)
        return Grid(lam, *self.at(lam))

    def outline(self, tolerance: float = 1e-4) -> tuple[Float64s, Float64s]:
        """Return points (recall, precision) along the curve, from recall 0 to precision 0, for
        drawing.

        Every point is on the curve, and no point of the curve is farther than `tolerance`, 1e-4 by
        default, from the polyline; corners that are nearer than that to a chord are left out.

        Raises
        ------
        TypeError, ValueError
            `tolerance` not a number in [1e-12, 1].
        """
        tolerance = read_number("tolerance", tolerance, 1e-12, 1.0)
        return polyline.outline(*self._polyline, tolerance)

    def to_frame(self, tolerance: float = 1e-4) -> Any:
        """Return the points of `outline` as a pandas table, for other plotting libraries.

        Parameters
        ----------
        tolerance : float
            No point of the curve is farther than that from the polyline; 1e-4 by default.

        Returns
        -------
        pandas.DataFrame
            Columns ``recall``, ``precision`` and their trade-off ``lam``, precision / recall, NaN
            at (0, 0); rows from recall 0 to precision 0.

        Raises
        ------
        ImportError
            pandas is missing; the message says how to install it.
        """
        recall, precision = self.outline(tolerance)
        with np.errstate(divide="ignore", invalid="ignore"):
            lam = precision / recall
        return frame({"recall": recall, "precision": precision, "lam": lam})

    @overload
    def precision_at(self, recall: float) -> float: ...
    @overload
    def precision_at(self, recall: Any) -> Any: ...
    def precision_at(self, recall: Any) -> Any:
        """Return the largest precision at which at least this recall is reached; 0 where none does.

        Parameters
        ----------
        recall : float or array
            In [0, 1].

        Raises
        ------
        TypeError, ValueError
            Not a number, outside [0, 1].
        """
        flat, shape = read_shaped("recall", recall, read_rates)
        return shaped(polyline.precision_at(*self._polyline, flat), shape)

    @overload
    def recall_at(self, precision: float) -> float: ...
    @overload
    def recall_at(self, precision: Any) -> Any: ...
    def recall_at(self, precision: Any) -> Any:
        """Return the largest recall at which at least this precision is reached; 0 where none does.

        Parameters
        ----------
        precision : float or array
            In [0, 1].

        Raises
        ------
        TypeError, ValueError
            Not a number, outside [0, 1].
        """
        flat, shape = read_shaped("precision", precision, read_rates)
        return shaped(polyline.precision_at(*self.swap()._polyline, flat), shape)

    def contains(self, precision: Any, recall: Any) -> Any:
        """Return whether (precision, recall) is in the PR set {(θα_λ, θβ_λ) : θ in [0, 1],
        λ in [0, ∞]} (2018 paper, Theorem 2; 2023 paper, Definition 2).

        The set includes points on the axes, as in the 2023 paper: (α, 0) up to the largest
        precision, (0, β) up to the largest recall.  Definitions 1 and 2 of 2018 take α and β in
        (0, 1], and of the axes (0, 0) alone.  The set is closed: points within a few units of
        float64 rounding of the curve count as on it.

        Parameters
        ----------
        precision, recall : float or array
            Finite, of shapes that broadcast; outside [0, 1] is outside the set.

        Returns
        -------
        bool or bool array

        Raises
        ------
        TypeError, ValueError
            Not numbers, not finite, shapes that do not broadcast.
        """
        x, y, shape = read_shaped_pair("precision", precision, "recall", recall, read_vector)
        return shaped(polyline.contains(*self._polyline, x, y), shape)

    # ---- numbers ---------------------------------------------------------------------------

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
        return float(self.at(EXCESS)[0])

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
        below the true one (2019 paper, Theorem 5).  `max_recall`, the end of the curve, is 1 for
        any two distributions of full support.
        """
        return float(self.at(1 / LACK)[1])

    @property
    def max_precision(self) -> float:
        """α_∞ = Q(cosupp(P, Q)): fnr at fpr = 0, the generated mass where P is not 0."""
        return polyline.most(*self._polyline)[0]

    @property
    def max_recall(self) -> float:
        """β_0: fpr at fnr = 0, the real mass where Q is not 0."""
        return polyline.most(*self._polyline)[1]

    @property
    def total_variation(self) -> float:
        """Total variation distance, sup_A |P(A) − Q(A)| = ½ Σ |p_i − q_i| = 1 − α_1 (2018 paper,
        §3.4).

        Computed from the masses, so that nearly equal distributions keep their digits; exact for
        counts.
        """
        return masses.variation(self._p, self._q, *self._totals)

    @property
    def overlap(self) -> float:
        """Mass that P and Q have in common, 1 − total variation = α_1 = β_1."""
        return 1.0 - self.total_variation

    @property
    def area(self) -> float:
        """Area under the curve, ½ ∫ β² dλ, in closed form arc by arc; 1 only for P = Q."""
        return min(1.0, float(polyline.sectors(*self._polyline).sum()))

    def f_score(self, beta: float) -> float:
        """Return F_β, the maximum of (1 + β²) precision · recall / (β² precision + recall) along
        the curve (2018 paper, §4.3).

        β > 1 weighs recall; the 2024 paper exchanges β and 1/β.  On an arc the score is monotone in
        λ, so the maximum is at a knot.  β = 0 gives the maximum precision, β = ∞ the maximum
        recall.

        Raises
        ------
        TypeError, ValueError
            `beta` not a number in [0, ∞].
        """
        return polyline.f_score(*self._polyline, read_number("beta", beta, 0.0, np.inf))

    @property
    def median(self) -> float:
        """λ of the ray α = λβ that halves the area under the curve (2024 paper, §5.1).

        `curve.at(curve.median)` is the PR median.  1 where the area is 0, which every ray halves.
        """
        return polyline.median(*self._polyline)


# ---- α of two histograms, without building the curve ---------------------------------------------


def min_sums(p: Any, q: Any, lam: Any, *, n_jobs: int | None = None) -> Any:
    """Return α_λ = Σ_i min(λ p_i, q_i) for every λ in `lam` (2018 paper, Theorem 2).

    The masses are not normalised.  For L values of λ it takes O((cells + L) log L) time and O(L)
    memory; the broadcast formula needs cells × L of both.

    Parameters
    ----------
    p, q : array, shape (cells,)
        Masses of the real and of the generated distribution on the same cells; finite, >= 0; all
        may be zero.
    lam : float or array
        Values of λ in [0, ∞], of any shape, in any order.
    n_jobs : int or None
        Number of threads, at most that of the usable cores, which is the default (None).  The
        result does not depend on it.

    Returns
    -------
    alpha : float or float64 array of the shape of `lam`
        Compensated sums, accurate to a few units of rounding however many the cells; ∞ where
        the sum is beyond float64.  Masses near the end of its range, 10³⁰⁰ and more, take O(cells
        L) time and plain sums.

    Raises
    ------
    TypeError, ValueError
        Not numbers, negative or non-finite masses, lengths that differ, a negative λ.
    """
    p = read_weights("p", p, all_zero=True)
    q = read_weights("q", q, length=p.size, all_zero=True)
    lam, shape = read_shaped("lam", lam, read_lambdas)
    threads = resolve_threads(n_jobs)
    if lam.size and _may_overflow(p, q):
        return shaped(_direct(p, q, lam), shape)
    order = np.argsort(lam, kind="stable")
    alpha = np.empty(lam.size)
    alpha[order] = kernels.minsum(p, q, lam[order], threads)
    return shaped(alpha, shape)


def _may_overflow(p: Float64s, q: Float64s) -> bool:
    """Return whether a sum of masses may overflow, although a min-sum at small λ may be finite."""
    largest = max(p.max(), q.max())
    return int(np.frexp(largest)[1]) + p.size.bit_length() > 1020


def _direct(p: Float64s, q: Float64s, lam: Float64s) -> Float64s:
    """Return the min-sums by the broadcast formula, in blocks of λ."""
    alpha = np.empty(lam.size)
    used = p > 0  # 0 × ∞ = 0
    p, q = p[used], q[used]
    with np.errstate(over="ignore"):  # λp that overflows is ∞, of which the minimum is q
        for block in blocks(lam.size, _TERMS_AT_ONCE // max(1, p.size)):
            alpha[block] = np.minimum(lam[block, None] * p, q).sum(axis=1)
    return alpha
