"""PRCurve: the exact precision-recall curve of two distributions, and the numbers it gives.

One immutable object holds masses (p_i, q_i) on the level sets of the likelihood ratio, sorted by
falling ratio r_i = q_i / p_i, equal ratios merged.  With the error rates

    a_i = Σ_{j≤i} p_j  (fpr),   b_i = Σ_{j>i} q_j  (fnr),

α_λ = min_i (λ a_i + b_i) for every λ in [0, ∞]; nothing needs a grid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np

import prfast._kernels as _kernels
from prfast.curve import arcs
from prfast.curve import cells as sweep
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
from prfast.inputs.options import read_count, read_number
from prfast.results.info import agreed, read_info

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FORMAT = "prfast.PRCurve/1"
# The PR set is closed: what rounding puts this factor beyond the curve is on it.
_ON_CURVE = 1 + 16 * float(np.finfo(np.float64).eps)


class Vertices(NamedTuple):
    """Vertices of the error-rate polyline: arrays of one length, from (0, 1) to (1, 0)."""

    fpr: Float64s
    """Share of real samples rejected, a_i."""
    fnr: Float64s
    """Share of generated samples accepted, b_i."""
    ratio: Float64s
    """Likelihood ratio of the edge that ends at the vertex; ∞ at the first vertex."""


class Grid(NamedTuple):
    """The curve at many λ: arrays of one length."""

    lam: Float64s
    precision: Float64s
    recall: Float64s


class PRCurve:
    """An exact precision-recall curve; build one with a `from_…` method or `prfast.pr_curve`.

    Precision α says how much of the generated distribution Q looks like the real one P, recall β
    how much of P is covered by Q; λ = α/β is the trade-off (2019 paper, Theorem 3):

        α_λ = (λP ∧ Q)(Ω),   β_λ = (P ∧ Q/λ)(Ω),   λ in [0, ∞].

    Curves are immutable, hashable, picklable, and equal when their masses are; `info` records what
    produced them and takes no part in equality.  It holds what JSON keeps: None, bool, int, finite
    float, str, and lists and dictionaries of them; tuples become lists, NumPy scalars Python's.
    """

    __slots__ = ("_fnr", "_fpr", "_info", "_p", "_q", "_ratio", "_totals")

    _p: Float64s
    _q: Float64s
    _fpr: Float64s
    _fnr: Float64s
    _ratio: Float64s
    _totals: tuple[float, float]
    _info: Mapping[str, Any]

    # ---- making one ------------------------------------------------------------------------

    def __init__(self) -> None:
        raise TypeError(
            "PRCurve: use prfast.pr_curve(real, fake), PRCurve.from_scores, from_masses, "
            "from_rates or mean"
        )

    @classmethod
    def _from_pooled(cls, p: Float64s, q: Float64s, info: Mapping[str, Any] | None) -> PRCurve:
        """From masses already sorted by falling ratio and pooled; the arrays become read-only."""
        fpr, fnr, total_p, total_q = _kernels.vertices(p, q)
        # (q / Σq) / (p / Σp), in the order of operations that leaves ratios of counts exact
        ratio = np.minimum.accumulate(_kernels.ratios(p * total_q, q * total_p))
        curve = object.__new__(cls)
        for name, array in (("p", p), ("q", q), ("fpr", fpr), ("fnr", fnr), ("ratio", ratio)):
            array.flags.writeable = False
            object.__setattr__(curve, f"_{name}", array)
        object.__setattr__(curve, "_totals", (total_p, total_q))
        known = {} if info is None else read_info("info", info)
        object.__setattr__(curve, "_info", MappingProxyType(known))
        return curve

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
        p = sweep.rescaled(read_weights("p", p))
        q = sweep.rescaled(read_weights("q", q, length=p.size))
        return cls._from_pooled(*sweep.of_masses(p, q), info)

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
        return cls._from_pooled(*sweep.of_scores(real, fake, w_real, w_fake), info)

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
        return cls._from_pooled(*sweep.of_rates(fpr, fnr), info)

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
            raise ValueError("curves: at least one PRCurve expected, got none")
        if info is None:
            info = agreed([curve.info for curve in curves]) | {"mean_of": len(curves)}
        masses = [(c._p, c._q) for c in curves]
        if any(c._totals != curves[0]._totals for c in curves):
            masses = [c.masses for c in curves]
        p = np.concatenate([p for p, _ in masses])
        q = np.concatenate([q for _, q in masses])
        return cls._from_pooled(*sweep.of_masses(p, q), info)

    def swap(self) -> PRCurve:
        """The curve with P and Q exchanged: λ becomes 1/λ, precision becomes recall.

        `info` then holds `swapped`: True beside what it says of the original curve, whose real and
        generated sides it names; swapping again takes it away.
        """
        info = dict(self._info)
        if info.pop("swapped", False) is not True:
            info["swapped"] = True
        return self._from_pooled(self._q[::-1].copy(), self._p[::-1].copy(), info)

    def intersection(self, other: PRCurve) -> PRCurve:
        """The curve α_λ = min(α_λ, α_λ of other), whose region is the intersection of the two.

        A minimum of concave functions is concave: it is the hull of both sets of vertices.  `info`
        is what both curves' agree on, and `intersection_of`: 2.
        """
        read_curve("other", other)
        fpr = np.concatenate([self._fpr, other._fpr])
        fnr = np.concatenate([self._fnr, other._fnr])
        info = agreed([self.info, other.info]) | {"intersection_of": 2}
        return self._from_pooled(*sweep.of_rates(fpr, fnr), info)

    # ---- what it holds ---------------------------------------------------------------------

    @property
    def info(self) -> Mapping[str, Any]:
        """What produced the curve: method, options, sizes, seed, version; read-only."""
        return self._info

    @property
    def masses(self) -> tuple[Float64s, Float64s]:
        """(p, q): masses of the cells by falling ratio; each sums to 1 up to rounding."""
        return sweep.shares(self._p, self._totals[0]), sweep.shares(self._q, self._totals[1])

    @property
    def vertices(self) -> Vertices:
        """Error rates of the likelihood-ratio classifiers, (fpr, fnr, ratio), from (0, 1)."""
        ratio = np.append(np.inf, self._ratio)
        ratio.flags.writeable = False
        return Vertices(self._fpr, self._fnr, ratio)

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
        # The minimiser follows the edges of ratio > λ (at ∞: of ratio ∞); ratios fall.
        i = np.searchsorted(-self._ratio, -flat, side="left")
        i = np.where(np.isinf(flat), np.searchsorted(-self._ratio, -np.inf, side="right"), i)
        precision, recall = arcs.points(self._fpr[i], self._fnr[i], flat)
        precision = np.minimum(precision, self.max_precision)
        recall = np.minimum(recall, self.max_recall)
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
        half = np.tan(np.linspace(0, np.pi / 2, angles)[: (angles + 1) // 2])
        with np.errstate(divide="ignore"):
            lam = np.concatenate([half, 1 / half[: angles // 2][::-1]])
        if angles % 2:
            lam[angles // 2] = 1.0
        return Grid(lam, *self.at(lam))

    def outline(self, tolerance: float = 1e-4) -> tuple[Float64s, Float64s]:
        """(recall, precision) along the curve, from recall 0 to precision 0, for drawing.

        Every point is on the curve, and no point of the curve is farther than `tolerance` from the
        polyline; corners that the tolerance cannot tell from a chord are left out.
        """
        tolerance = read_number("tolerance", tolerance, 1e-12, 1.0)
        return arcs.outline(self._fpr, self._fnr, self._ratio, tolerance)

    def _ends(self) -> tuple[int, int]:
        """The last vertex of fpr = 0 and the first of fnr = 0: cells of ratio ∞ lie before the one,
        cells of ratio 0 behind the other."""
        return int(np.isinf(self._ratio).sum()), int(np.count_nonzero(self._ratio))

    def _knots(self) -> tuple[int, Float64s, Float64s, Float64s]:
        """Where arcs meet: the number of the first arc, then λ, precision, recall at each knot.

        Knots have a finite positive ratio; recall rises, precision and λ fall.  The k-th knot is
        between the arcs first + k and first + k + 1.
        """
        first, last = self._ends()
        lam = self._ratio[first:last]
        precision, recall = arcs.points(self._fpr[first:last], self._fnr[first:last], lam)
        if lam.size:  # the curve is level before the first knot and vertical after the last
            precision[0], recall[-1] = self.max_precision, self.max_recall
        return first, lam, precision, np.maximum.accumulate(recall)

    @overload
    def precision_at(self, recall: float) -> float: ...
    @overload
    def precision_at(self, recall: Any) -> Any: ...
    def precision_at(self, recall: Any) -> Any:
        """The largest precision at which at least this recall is reached; 0 where none does.

        On an arc (α − b)(β − a) = ab, so α = bβ / (β − a).

        Parameters
        ----------
        recall : float or array
            In [0, 1].

        Raises
        ------
        TypeError, ValueError
            Not a number, outside [0, 1].
        """
        return self._precision_at(*read_shaped("recall", recall, read_rates))

    def _precision_at(self, wanted: Float64s, shape: tuple[int, ...]) -> Any:
        """`precision_at` of recalls that have been read, in the given shape."""
        first, _, knot_precision, knot_recall = self._knots()
        k = np.searchsorted(knot_recall, wanted, side="left")
        a, b = self._fpr[first + k], self._fnr[first + k]
        with np.errstate(divide="ignore", invalid="ignore"):
            on_arc = np.where(a > 0, b * wanted / (wanted - a), b)
        # Neighbouring knots bound what rounding may do; below the first the curve is level.
        upper = np.append(self.max_precision, knot_precision)[k]
        lower = np.append(knot_precision, 0.0)[k]
        found = np.clip(on_arc, lower, upper)
        found = np.where(k == 0, self.max_precision, found)
        found = np.where(wanted > self.max_recall * _ON_CURVE, 0.0, found)
        return shaped(found, shape)

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
        return self.swap()._precision_at(*read_shaped("precision", precision, read_rates))

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
        inside = (x >= 0) & (y >= 0)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            lam = np.abs(x) / np.abs(y)
        lam = np.where((x != 0) & (y != 0), np.clip(lam, 5e-324, np.finfo(np.float64).max), lam)
        lam = np.where((x == 0) & (y == 0), 1.0, lam)
        curve_alpha, curve_beta = self.at(lam)
        inside &= (x <= curve_alpha * _ON_CURVE) & (y <= curve_beta * _ON_CURVE)
        return shaped(inside, shape)

    # ---- numbers ---------------------------------------------------------------------------

    @property
    def max_precision(self) -> float:
        """α_∞ = Q(cosupp(P, Q)): fnr at fpr = 0, the generated mass where P is not 0."""
        return float(self._fnr[self._ends()[0]])

    @property
    def max_recall(self) -> float:
        """β_0: fpr at fnr = 0, the real mass where Q is not 0."""
        return float(self._fpr[self._ends()[1]])

    @property
    def total_variation(self) -> float:
        """sup_A |P(A) − Q(A)| = ½ Σ |p_i − q_i| = 1 − α_1 (2018 paper, §3.4).

        From the masses, so that nearly equal distributions keep their digits; exact in counts.
        """
        total_p, total_q = self._totals
        difference = np.abs(self._p * total_q - self._q * total_p).sum()
        return min(1.0, 0.5 * float(difference) / total_p / total_q)

    @property
    def area(self) -> float:
        """Area under the curve, ½ ∫ β² dλ, in closed form arc by arc; 1 only for P = Q."""
        return min(1.0, float(arcs.sectors(self._fpr, self._fnr, self._ratio).sum()))

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
        beta = read_number("beta", beta, 0.0, np.inf)
        if beta == 0:
            return self.max_precision
        if np.isinf(beta):
            return self.max_recall
        _, _, precision, recall = self._knots()
        if not precision.size:
            return 0.0
        # F = precision · recall / (w precision + v recall),  w = β² / (1 + β²),  v = 1 / (1 + β²)
        square = min(beta, 1 / beta) ** 2
        w, v = 1 / (1 + square), square / (1 + square)
        if beta < 1:
            w, v = v, w
        harmonic = w * precision + v * recall  # between the two, so that no quotient overflows
        with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
            share = np.minimum(precision, recall) / harmonic
        scores = np.where(harmonic > 0, np.maximum(precision, recall) * share, 0.0)
        return float(scores.max())

    def median(self) -> float:
        """The λ whose ray α = λβ halves the area under the curve (2024 paper, §5.1).

        `curve.at(curve.median())` is the PR median.  NaN where the area is 0.
        """
        sectors = arcs.sectors(self._fpr, self._fnr, self._ratio)
        swept = sectors[::-1].cumsum()  # from λ = 0 up
        if swept[-1] == 0:
            return float("nan")
        i = sectors.size - 1 - int(np.searchsorted(swept, swept[-1] / 2))
        above, below = float(sectors[:i].sum()), float(sectors[i + 1 :].sum())
        lo, hi = arcs.ranges(self._ratio)
        ends = float(self._fpr[i]), float(self._fnr[i]), float(lo[i]), float(hi[i])
        return arcs.halving(*ends, below, above)

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

    # ---- Python's own protocols ------------------------------------------------------------

    def plot(self, ax: Axes | None = None, *, view: str = "pr", **options: Any) -> Axes:
        """Draw the curve, or another view of it: "pr", "lorenz", "roc", "frontier".

        See `prfast.plots.plot_curves`, `plot_lorenz`, `plot_roc`, `plot_frontiers` for the options.

        Raises
        ------
        ValueError
            Another view; whatever the function of the view raises.
        """
        views = import_module("prfast.plots").VIEWS
        if view not in views:
            raise ValueError(f"view: one of {', '.join(views)} expected, got {view!r}")
        drawn: Axes = views[view]([self], ax=ax, **options)
        return drawn

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings for JSON; `from_dict` gives back an equal curve and `info`."""
        return {
            "format": _FORMAT,
            "p": self._p.tolist(),
            "q": self._q.tolist(),
            "info": read_info("info", self._info),
        }

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> PRCurve:
        """The curve that `to_dict` described.

        Raises
        ------
        TypeError, ValueError
            Another format, a missing entry, masses out of order or with a sum that overflows.
        """
        found = record.get("format") if isinstance(record, Mapping) else None
        if found != _FORMAT:
            raise ValueError(f"record: format {_FORMAT!r} expected, got {found!r}")
        missing = {"p", "q", "info"} - record.keys()
        if missing:
            raise ValueError(f"record: entries p, q, info expected, missing {sorted(missing)}")
        p = read_weights("record['p']", record["p"])
        q = read_weights("record['q']", record["q"], length=p.size)
        for name, masses in (("p", p), ("q", q)):
            with np.errstate(over="ignore"):
                if np.isinf(masses.sum()):
                    raise ValueError(f"record[{name!r}]: masses with a finite sum expected")
        p, q = sweep.rescaled(p), sweep.rescaled(q)
        ratio = _kernels.ratios(p, q)
        with np.errstate(over="ignore"):
            rises = ratio[1:] > ratio[:-1] * _ON_CURVE  # sums of equal ratios have been rounded
        if np.isnan(ratio).any() or rises.any():
            raise ValueError("record: cells by falling ratio q / p expected")
        return cls._from_pooled(p, q, read_info("record['info']", record["info"]))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"PRCurve is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"PRCurve is immutable: cannot delete {name!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PRCurve):
            return NotImplemented
        return all(map(np.array_equal, self.masses, other.masses))

    def __hash__(self) -> int:
        return hash(tuple(x.tobytes() for x in self.masses))

    def __reduce__(self) -> tuple[Any, ...]:
        return PRCurve._from_pooled, (self._p, self._q, dict(self._info))

    def __repr__(self) -> str:
        numbers = (
            f"precision ≤ {self.max_precision:.4g}, recall ≤ {self.max_recall:.4g}, "
            f"F8 {self.f_score(8):.4g}, F1/8 {self.f_score(1 / 8):.4g}, area {self.area:.4g}"
        )
        known = ", ".join(f"{key}={value!r}" for key, value in self._info.items())
        return f"PRCurve({numbers}; {self._p.size} cells{'; ' + known if known else ''})"


def read_curve(name: str, curve: Any) -> None:
    if not isinstance(curve, PRCurve):
        raise TypeError(f"{name}: a PRCurve expected, got {type(curve).__name__}")
