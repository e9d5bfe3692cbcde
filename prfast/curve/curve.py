"""PRCurve: the exact precision-recall curve of two distributions, and the numbers it gives.

With the masses (p_i, q_i) by falling ratio and the error rates a_i = Σ_{j≤i} p_j, b_i = Σ_{j>i} q_j

    α_λ = min_i (λ a_i + b_i),   β_λ = α_λ / λ,   for every λ in [0, ∞]; nothing needs a grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from prfast.curve import arcs, cells, outline, polyline
from prfast.curve.masses import Masses
from prfast.curve.outline import Grid
from prfast.curve.summary import in_brief
from prfast.inputs.arrays import (
    Float64s,
    read_lambdas,
    read_rates,
    read_shaped,
    read_shaped_pair,
    read_vector,
    read_weights,
    shaped,
)
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import read_count, read_number
from prfast.results.info import agreed

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class PRCurve(Masses):
    """An exact precision-recall curve; build one with a `from_…` method or `prfast.pr_curve`.

    Precision α says how much of the generated distribution Q looks like the real one P, recall β
    how much of P is covered by Q; λ = α/β is the trade-off (2019 paper, Theorem 3):

        α_λ = (λP ∧ Q)(Ω),   β_λ = (P ∧ Q/λ)(Ω),   λ in [0, ∞].

    Curves are immutable, hashable, picklable, and equal when their masses are; `info` records what
    produced them and takes no part in equality.  It holds what JSON keeps: None, bool, int, finite
    float, str, and lists and dictionaries of them; tuples become lists, NumPy scalars Python's.
    """

    __slots__ = ()

    # ---- making one ------------------------------------------------------------------------

    def __init__(self) -> None:
        raise TypeError(
            "PRCurve: use prfast.pr_curve(real, fake), PRCurve.from_scores, from_masses, "
            "from_rates or mean"
        )

    @classmethod
    def from_masses(cls, p: Any, q: Any, *, info: Mapping[str, Any] | None = None) -> PRCurve:
        """The curve of two histograms on the same cells.

        Parameters
        ----------
        p, q : array, shape (cells,)
            Masses or counts of the real and of the generated distribution; finite, >= 0, with a
            positive sum, by which each is divided.
        info : mapping, optional
            What produced the masses.

        Raises
        ------
        TypeError, ValueError
            Not numbers, wrong shape, negative, non-finite or all-zero masses.

        Notes
        -----
        α_λ = Σ_i min(λ p_i, q_i) (2018 paper, Theorem 2).  Cells of equal ratio are merged.
        """
        p = cells.rescaled(read_weights("p", p))
        q = cells.rescaled(read_weights("q", q, length=p.size))
        return cls._from_pooled(*cells.of_masses(p, q), info)

    @classmethod
    def from_scores(
        cls,
        s_real: Any,
        s_fake: Any,
        *,
        w_real: Any = None,
        w_fake: Any = None,
        info: Mapping[str, Any] | None = None,
    ) -> PRCurve:
        """The curve of a scorer's values on real and on generated samples.

        α_λ = min_t λ fpr(t) + fnr(t) over all thresholds t in [−∞, ∞], for all λ at once: the
        lower convex hull of the error rates (2019 paper, Algorithm 1; 2024 paper, Eq. 9).

        Parameters
        ----------
        s_real, s_fake : array, shapes (n,) and (m,)
            Scores, larger where more like real; ±inf allowed.  float32 scores are compared as
            float32 if both are.
        w_real, w_fake : array, shapes (n,) and (m,), optional
            Weights of the samples, >= 0; one alone may be given.
        info : mapping, optional
            What produced the scores; by default their numbers, `n_real` and `n_fake`.

        Raises
        ------
        TypeError, ValueError
            Not numbers, wrong shape, NaN, negative or all-zero weights.

        Notes
        -----
        fpr(t) = share of real samples with s < t, fnr(t) = share of generated ones with s >= t.
        Equal scores are one threshold.  Without weights the counts are integers and the hull is
        exact.
        """
        real = read_vector("s_real", s_real, finite=False)
        fake = read_vector("s_fake", s_fake, finite=False)
        if w_real is not None:
            w_real = read_weights("w_real", w_real, length=real.size)
        if w_fake is not None:
            w_fake = read_weights("w_fake", w_fake, length=fake.size)
        if info is None:
            info = {"n_real": real.size, "n_fake": fake.size}
        return cls._from_pooled(*cells.of_scores(real, fake, w_real, w_fake), info)

    @classmethod
    def from_rates(cls, fpr: Any, fnr: Any, *, info: Mapping[str, Any] | None = None) -> PRCurve:
        """The curve of a family of classifiers, from their error rates (2019 paper, Theorem 4).

        Parameters
        ----------
        fpr, fnr : array, shape (classifiers,)
            Share of real samples rejected and of generated samples accepted by each, in [0, 1], in
            any order.  The two constant classifiers, (0, 1) and (1, 0), are always added.
        info : mapping, optional
            What produced the rates.

        Raises
        ------
        TypeError, ValueError
            Not numbers, wrong shape, lengths that differ, values outside [0, 1].

        Notes
        -----
        α_λ = min λ fpr + fnr over the classifiers: their lower convex hull.
        """
        fpr = read_rates("fpr", fpr)
        fnr = read_rates("fnr", fnr, length=fpr.size)
        return cls._from_pooled(*cells.of_rates(fpr, fnr), info)

    @classmethod
    def mean(cls, curves: Iterable[PRCurve], *, info: Mapping[str, Any] | None = None) -> PRCurve:
        """The mean of curves at fixed λ: α_λ = (1/R) Σ_r α_λ^r, exactly (the 2018 paper's runs).

        It is the curve of the concatenated masses divided by R, so no grid is involved.

        Parameters
        ----------
        curves : iterable of PRCurve
            At least one.
        info : mapping, optional
            What the mean stands for; by default what all the curves' `info` agree on, and
            `mean_of`, their number.

        Raises
        ------
        TypeError, ValueError
            Something that is not a PRCurve; no curve at all.
        """
        curves = list(curves)
        for curve in curves:
            read_curve("curves", curve)
        if not curves:
            raise WrongValue("curves", "at least one PRCurve expected, got none")
        if info is None:
            info = agreed([curve.info for curve in curves]) | {"mean_of": len(curves)}
        masses = [(c._p, c._q) for c in curves]
        if any(c._totals != curves[0]._totals for c in curves):
            masses = [c.masses for c in curves]
        p, q = map(np.concatenate, zip(*masses, strict=True))
        return cls._from_pooled(*cells.of_masses(p, q), info)

    def intersection(self, other: PRCurve) -> PRCurve:
        """The curve α_λ = min(α_λ, α_λ of other), whose region is the intersection of the two.

        A minimum of concave functions is concave: it is the hull of both sets of vertices.  `info`
        is what both curves' agree on, and `intersection_of`: 2.
        """
        read_curve("other", other)
        rates = map(np.concatenate, zip(self._polyline[:2], other._polyline[:2], strict=True))
        info = agreed([self.info, other.info]) | {"intersection_of": 2}
        return self._from_pooled(*cells.of_rates(*rates), info)

    # ---- points on it ----------------------------------------------------------------------

    @overload
    def at(self, lam: float) -> tuple[float, float]: ...
    @overload
    def at(self, lam: Any) -> tuple[Any, Any]: ...
    def at(self, lam: Any) -> tuple[Any, Any]:
        """Precision and recall at the trade-off λ.

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
        """The curve at λ = tan θ, θ equally spaced from 0 to π/2, both ends included.

        (2018 paper, §3.3; an odd number contains λ = 1.)  Only for drawing and exchange: no number
        that this class gives is computed from a grid.

        Raises
        ------
        TypeError, ValueError
            `angles` not an integer of at least 2.
        """
        angles = read_count("angles", angles, at_least=2, at_most=100_000_000)
        lam = outline.lambdas(angles)
        return Grid(lam, *self.at(lam))

    def outline(self, tolerance: float = 1e-4) -> tuple[Float64s, Float64s]:
        """(recall, precision) along the curve, from recall 0 to precision 0, for drawing.

        Every point is on the curve, and no point of the curve is farther than `tolerance` from the
        polyline; corners that the tolerance cannot tell from a chord are left out.
        """
        tolerance = read_number("tolerance", tolerance, 1e-12, 1.0)
        return outline.outline(*self._polyline, tolerance)

    @overload
    def precision_at(self, recall: float) -> float: ...
    @overload
    def precision_at(self, recall: Any) -> Any: ...
    def precision_at(self, recall: Any) -> Any:
        """The largest precision at which at least this recall is reached; 0 where none does.

        Parameters
        ----------
        recall : float or array
            In [0, 1].

        Raises
        ------
        TypeError, ValueError
            Not a number, outside [0, 1].
        """
        wanted, shape = read_shaped("recall", recall, read_rates)
        return shaped(polyline.precision_at(*self._polyline, wanted), shape)

    @overload
    def recall_at(self, precision: float) -> float: ...
    @overload
    def recall_at(self, precision: Any) -> Any: ...
    def recall_at(self, precision: Any) -> Any:
        """The largest recall at which at least this precision is reached; 0 where none does.

        Parameters
        ----------
        precision : float or array
            In [0, 1].

        Raises
        ------
        TypeError, ValueError
            Not a number, outside [0, 1].
        """
        wanted, shape = read_shaped("precision", precision, read_rates)
        return shaped(polyline.precision_at(*self.swap()._polyline, wanted), shape)

    def contains(self, precision: Any, recall: Any) -> Any:
        """Is (precision, recall) in the PR set {(θα_λ, θβ_λ) : θ in [0, 1], λ in [0, ∞]}?

        (2018 paper, Theorem 2.)  The set is closed: points within a few units of float64 rounding
        of the curve count as on it.

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
    def max_precision(self) -> float:
        """α_∞ = Q(cosupp(P, Q)): fnr at fpr = 0, the generated mass where P is not 0."""
        return polyline.most(*self._polyline)[0]

    @property
    def max_recall(self) -> float:
        """β_0: fpr at fnr = 0, the real mass where Q is not 0."""
        return polyline.most(*self._polyline)[1]

    @property
    def total_variation(self) -> float:
        """sup_A |P(A) − Q(A)| = ½ Σ |p_i − q_i| = 1 − α_1 (2018 paper, §3.4).

        From the masses, so that nearly equal distributions keep their digits; exact in counts.
        """
        return cells.variation(self._p, self._q, *self._totals)

    @property
    def area(self) -> float:
        """Area under the curve, ½ ∫ β² dλ, in closed form arc by arc; 1 only for P = Q."""
        return min(1.0, float(arcs.sectors(*self._polyline).sum()))

    def f_score(self, beta: float) -> float:
        """F_β = max (1 + β²) precision · recall / (β² precision + recall) along the curve.

        (2018 paper, §4.3: β > 1 weighs recall.  The 2024 paper exchanges β and 1/β.)  On an arc
        the score is monotone in λ, so the maximum is at a knot; β = 0 gives the maximum precision,
        β = ∞ the maximum recall.

        Raises
        ------
        TypeError, ValueError
            `beta` not a number in [0, ∞].
        """
        return polyline.f_score(*self._polyline, read_number("beta", beta, 0.0, np.inf))

    def median(self) -> float:
        """The λ whose ray α = λβ halves the area under the curve (2024 paper, §5.1).

        `curve.at(curve.median())` is the PR median.  NaN where the area is 0.
        """
        return arcs.median(*self._polyline)

    def iou(self, other: PRCurve) -> float:
        """Intersection over union of the regions under two curves (2024 paper, §4), in [0, 1].

        Every area is exact.  Two curves that are both the single point (0, 0) have 1.

        Raises
        ------
        TypeError
            `other` is not a PRCurve.
        """
        common = self.intersection(other).area
        union = self.area + other.area - common
        return min(1.0, common / union) if union > 0 else 1.0

    # ---- shown -----------------------------------------------------------------------------

    def plot(self, ax: Axes | None = None, *, view: str = "pr", **options: Any) -> Axes:
        """Draw the curve, or another view of it, a name of ``prfast.plots.VIEWS``.

        Options are those of `plot_curves`, `plot_lorenz`, `plot_roc`, `plot_frontiers` there.

        Raises
        ------
        ValueError
            Another view; whatever the function of the view raises.
        """
        views = import_module("prfast.plots").VIEWS
        if view not in views:
            raise WrongValue("view", f"one of {', '.join(views)} expected, got {view!r}")
        drawn: Axes = views[view]([self], ax=ax, **options)
        return drawn

    def __repr__(self) -> str:
        numbers = in_brief(self)
        known = ", ".join(f"{key}={value!r}" for key, value in self._info.items())
        return f"PRCurve({numbers}; {self._p.size} cells{'; ' + known if known else ''})"


def read_curve(name: str, curve: Any) -> None:
    if not isinstance(curve, PRCurve):
        raise WrongType(name, f"a PRCurve expected, got {type(curve).__name__}")
