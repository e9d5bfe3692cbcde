"""PRCurve, the exact precision-recall curve of two distributions: constructors, bounds, output."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.curve import masses as curve_masses
from prfast.curve.bands import check_bound, lower_rates, upper_rates
from prfast.curve.numbers import CurveNumbers
from prfast.curve.provenance import Provenance, joined, read_provenance
from prfast.curve.summary import ROWS, Interval, rows_of_table
from prfast.inputs.arrays import Float64s, in_order, read_rates, read_vector, read_weights
from prfast.inputs.errors import WrongType
from prfast.inputs.options import RandomState, read_list, read_share
from prfast.results.info import plain
from prfast.results.registry import renderer
from prfast.results.values import Result, flat

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Info = Mapping[str, Any] | Provenance | None  # record of what produced a curve
_SHOWN = ("method", "k", "resolution", "n_real", "n_fake")  # entries of info that repr has
_SIMILAR, _DIFFERENT = 0.95, 0.8  # areas of scores and of their negatives that are the wrong way
_REVERSED = (
    "generated samples have the larger scores, and larger ones should mean more like real: of "
    "-s_real and -s_fake the area is {:.2f}"
)


class PRCurve(CurveNumbers, Result):
    """An exact precision-recall curve; build one with a `from_…` method or `prfast.pr_curve`.

    Precision α is the share of the generated distribution Q that is like the real one P.  Recall β
    is the share of P that Q generates.  The trade-off is λ = α/β (2019, Theorem 3):

        α_λ = (λP ∧ Q)(Ω),   β_λ = (P ∧ Q/λ)(Ω),   λ in [0, ∞].

    Curves are immutable, hashable, picklable, and equal when their masses are.  `info` records what
    produced them and takes no part in equality; its values are those of JSON, into which tuples and
    NumPy scalars are changed.

    Methods raise TypeError or ValueError for arguments of another type, shape or range than
    documented; the message names the argument, what was expected and what came.
    Example: ``print(prfast.PRCurve.from_masses([0.5, 0.5, 0.0], [0.25, 0.25, 0.5]))``.
    See also `pr_curve`.
    """

    __slots__ = ("_parts", "_provenance", "_scores")

    _provenance: Provenance
    _parts: tuple[PRCurve, ...]
    _scores: Any

    # ---- constructors ----------------------------------------------------------------------

    def __init__(self) -> None:
        raise TypeError(
            "PRCurve: use prfast.pr_curve(real, fake), PRCurve.from_scores, from_masses, "
            "from_rates or mean"
        )

    @classmethod
    def from_masses(cls, p: Any, q: Any, *, info: Info = None) -> PRCurve:
        """Return the curve of two histograms on the same cells.

        α_λ = Σ_i min(λ p_i, q_i) (2018, Theorem 2).  Cells of equal ratio are merged.  Ratios
        beyond the range of float64 become its largest number: numbers may be wrong by 1e-306.

        Parameters
        ----------
        p, q : array, shape (cells,)
            Masses or counts of the real and of the generated distribution; finite, >= 0, with a
            positive sum.  Each is divided by its sum.
        info : mapping, optional
            Record of what produced the masses; empty by default.
        """
        q = in_order("q", q, "p", p)
        p = curve_masses.rescaled(read_weights("p", p))
        q = curve_masses.rescaled(read_weights("q", q, length=p.size))
        return cls._from_pooled(*curve_masses.of_masses(p, q), info)

    @classmethod
    def from_scores(
        cls,
        s_real: Any,
        s_fake: Any,
        *,
        w_real: Any = None,
        w_fake: Any = None,
        info: Info = None,
    ) -> PRCurve:
        """Return the curve of a scorer's values on real and on generated samples.

        α_λ = min_t λ fpr(t) + fnr(t) over all thresholds t in [−∞, ∞] is a lower convex hull.  The
        rate fpr(t) is the share of real samples with s < t, fnr(t) that of generated ones with s >=
        t (2019, Algorithm 1; 2024, Eq. 3, Eq. 9).  Without weights it is exact.

        Parameters
        ----------
        s_real, s_fake : array, shapes (n,) and (m,)
            Scores, larger where a sample is more like real ones; ±inf allowed.
        w_real, w_fake : array, shapes (n,) and (m,), optional
            Weights of the samples, >= 0; one alone may be given.
        info : mapping, optional
            Record of what produced the scores; by default the numbers of samples, as `n_real` and
            `n_fake` and, without weights, as `scored_real` and `scored_fake`.  A `caution` is added
            if the negative scores separate the sets and these do not.
        """
        scores, weights = [], []
        for name, values, w in (("real", s_real, w_real), ("fake", s_fake, w_fake)):
            w = in_order(f"w_{name}", w, f"s_{name}", values)
            scores.append(read_vector(f"s_{name}", values, finite=False))
            weights.append(w if w is None else read_weights(f"w_{name}", w, length=scores[-1].size))
        cells = curve_masses.of_scores(scores, weights)
        if info is not None:
            return cls._from_pooled(*cells, info)
        n, m = (values.size for values in scores)
        origin = Provenance(n_real=n, n_fake=m)
        if all(masses is None for masses in weights):
            origin = replace(origin, scored_real=n, scored_fake=m)
        curve = cls._from_pooled(*cells, origin)
        if curve.area >= _SIMILAR:
            reversed_cells = curve_masses.of_scores([-values for values in scores], weights)
            area = CurveNumbers(*reversed_cells).area
            if area <= _DIFFERENT:
                return curve._changed({"caution": _REVERSED.format(area)})
        return curve

    @classmethod
    def from_rates(cls, fpr: Any, fnr: Any, *, info: Info = None) -> PRCurve:
        """Return the curve α_λ = min λ fpr + fnr of classifiers (2019, Theorem 4; 2019, Lemma 1).

        Parameters
        ----------
        fpr, fnr : array, shape (classifiers,)
            Share of real samples rejected and of generated samples accepted by each, in [0, 1], in
            any order.  The two constant classifiers, (0, 1) and (1, 0), are always added.
        info : mapping, optional
            Record of what produced the rates; empty by default.
        """
        fnr = in_order("fnr", fnr, "fpr", fpr)
        fpr = read_rates("fpr", fpr)
        fnr = read_rates("fnr", fnr, length=fpr.size)
        return cls._from_pooled(*curve_masses.of_rates(fpr, fnr), info)

    @classmethod
    def mean(cls, curves: Iterable[PRCurve], *, info: Info = None) -> PRCurve:
        """Return the mean of R curves at fixed λ, α_λ = (1/R) Σ_r α_λ^r, as in the 2018 paper.

        Parameters
        ----------
        curves : iterable of PRCurve
            At least one.
        info : mapping, optional
            Record of the mean.  Default: the entries on which the `info` of all curves agree, the
            smallest numbers of scored samples, and `mean_of`, the number of curves.
        """
        curves = read_list("curves", curves, ())
        for curve in curves:
            read_curve("curves", curve)
        if info is None:
            info = replace(joined([c._provenance for c in curves]), mean_of=len(curves))
        masses = [(c._p, c._q) for c in curves]
        if any(c._totals != curves[0]._totals for c in curves):
            masses = [c.masses for c in curves]
        p, q = map(np.concatenate, zip(*masses, strict=True))
        return cls._from_pooled(*curve_masses.of_masses(p, q), info, parts=tuple(curves))

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> PRCurve:
        """Return the curve of a record that `to_dict` returned; any other is refused."""
        p, q, info = curve_masses.read_record(record)
        return cls._from_pooled(p, q, read_provenance(info, "record['info']"))

    @classmethod
    def _from_pooled(
        cls,
        p: Float64s,
        q: Float64s,
        info: Info = None,
        parts: tuple[PRCurve, ...] = (),
        scores: Any = None,
    ) -> PRCurve:
        """Return the curve of pooled masses by falling ratio; the arrays become read-only."""
        curve = object.__new__(cls)
        CurveNumbers.__init__(curve, p, q)
        if isinstance(info, Provenance):
            curve._provenance = info
        else:
            curve._provenance = read_provenance(info) if info else Provenance()
        curve._parts = parts
        curve._scores = scores
        return curve

    # ---- record and cells ------------------------------------------------------------------

    @property
    def info(self) -> Mapping[str, Any]:
        """Read-only record of what produced the curve: method, options, sizes, seed, version."""
        return MappingProxyType(self._provenance.record())

    @property
    def provenance(self) -> Provenance:
        """The same record as typed attributes, such as `method`, `split` and `swapped`."""
        return self._provenance

    @property
    def parts(self) -> tuple[PRCurve, ...]:
        """The curves of which this is the mean, for `interval`; empty for other curves, and for a
        curve of a record.  They are no part of `info`, `to_dict` or equality."""
        return self._parts

    @property
    def scores(self) -> Any:
        """The scores of the samples that the curve was made of, larger if more like real ones.  A
        named tuple of arrays `real` and `fake`, and their rows, `real_rows` and `fake_rows`.

        For "auto" they are log-ratios ln p/q, each by a fit without the sample.  None for a curve
        of partitions, of a mean, of a record or of a constructor, and with the sets exchanged.
        They are no part of `info`, `to_dict` or equality, nor of pickles: a curve that goes between
        processes has the size of its cells, not of the samples.
        """
        return self._scores

    def _changed(self, entries: Mapping[str, Any] = MappingProxyType({}), **more: Any) -> PRCurve:
        """Return the same curve with further entries of `info`, and other `scores`."""
        origin = self._provenance.added(**entries) if entries else self._provenance
        more = {"parts": self._parts, "scores": self._scores, **more}
        return self._from_pooled(self._p, self._q, origin, **more)

    @property
    def hull(self) -> PRCurve:
        """The curve of the scores' lower convex hull, ``info["hull"]``, if this curve was estimated
        in another way; otherwise this curve itself."""
        counts = self._provenance.hull
        if counts is None:
            return self
        p = read_weights("info['hull']['real']", counts["real"])
        q = read_weights("info['hull']['fake']", counts["fake"], length=p.size)
        origin = replace(self._provenance, hull=None, swapped=False)
        # Weighted masses are not sorted again, as rounding could change the number of cells.
        cells = (p, q) if self._provenance.effective_cell_sizes else curve_masses.of_masses(p, q)
        hull = self._from_pooled(*cells, origin)
        return hull.swap() if self._provenance.swapped else hull

    # ---- exchange of the sets, and comparison with another curve ----------------------------

    def swap(self) -> PRCurve:
        """Return the curve with P and Q exchanged: λ becomes 1/λ, precision becomes recall.

        `info` is that of the original curve, with `swapped`: True; swapping again removes this
        entry (2018, Theorem 1; 2024, Footnote 3)."""
        origin = replace(self._provenance, swapped=not self._provenance.swapped)
        p, q = self._q[::-1].copy(), self._p[::-1].copy()
        parts = tuple(part.swap() for part in self._parts)
        return self._from_pooled(p, q, origin, parts)

    def intersection(self, other: PRCurve) -> PRCurve:
        """Return the curve α_λ = min(α_λ, α_λ of other), whose region is the intersection of both.

        `info` has the entries on which both curves agree, the smaller numbers of scored samples,
        and `intersection_of`: 2."""
        read_curve("other", other)
        rates = map(np.concatenate, zip(self._polyline[:2], other._polyline[:2], strict=True))
        origin = replace(joined([self._provenance, other._provenance]), intersection_of=2)
        return self._from_pooled(*curve_masses.of_rates(*rates), origin)

    def iou(self, other: PRCurve) -> float:
        """Return the intersection over union of the regions under two curves (2024, §4), in [0, 1];
        1 for two curves that are the single point (0, 0)."""
        common = self.intersection(other).area
        union = self.area + other.area - common
        return min(1.0, common / union) if union > 0 else 1.0

    # ---- uncertainty ---------------------------------------------------------------------------

    def interval(
        self, number: Any, confidence: float = 0.95, *, random_state: RandomState = 0
    ) -> Interval:
        """Return a number of the curve with its confidence interval for other samples.

        Parameters
        ----------
        number : str or function
            "area", "f8", "f1_8", "total_variation", … (the keys of the command line's JSON), or
            a function of a curve that returns a number.
        confidence : float
            Nominal coverage probability, in (0, 1); 0.95 by default.
        random_state : int, generator of NumPy or None
            Seed of the bootstrap; default 0.

        Raises
        ------
        TypeError, ValueError
            An unknown name, or a function that returns no finite number; a confidence outside (0,
            1).  A curve whose cells count no samples: of weights or rates, an intersection or a
            bound.

        Notes
        -----
        The interval is for the curve of infinitely many samples scored by the same scorer.  It is
        neither for another fit of the scorer nor for the true curve.  Cross-fitting has several
        scorers, and the level is empirical.  The ± of a mean of curves is the average of that of
        its `parts`.  See :doc:`/uncertainty`; `Comparison.differences` compares models.
        """
        return renderer(self, "interval")(self, number, confidence, random_state)

    def upper(self, confidence: float = 0.95, *, bound: str = "mixture") -> PRCurve:
        """Return an upper confidence bound of the true curve, simultaneous over all λ.

        A scorer's own curve lies on or above the true one, for every λ (2019, Theorem 5).  The
        bound is above both with probability at least `confidence`, whatever the distributions, the
        scorer and the numbers of independent samples.  No such lower bound of the true curve
        exists, as there may always be a better scorer.

        Parameters
        ----------
        confidence : float
            In (0, 1), 0.95 by default.
        bound : "mixture" or "joint"
            Bound of the error rates (``prfast.curve.bands``).  "mixture" (default): of martingales,
            tight at both ends of the curve.  "joint": that of Dvoretzky, Kiefer and Wolfowitz for
            both classes together, narrower where both rates matter; it requires sets that are
            independent of each other.

        Returns
        -------
        PRCurve
            It has the `info` of this curve's hull and the entries `bound`, `side` ("upper"),
            `confidence` and `certified`.  The last is whether the record shows a scorer that did
            not depend on the scored samples.  Otherwise the bound holds only empirically.

        Raises
        ------
        TypeError, ValueError
            `confidence` not in (0, 1); another bound; a curve that does not count samples.
        """
        return self._bounds(confidence, bound, ["upper"])[0]

    def band(self, confidence: float = 0.95) -> tuple[PRCurve, PRCurve]:
        """Return a confidence band (lower, upper) of the scorer's own curve, simultaneous over all
        λ.

        The scorer's own curve is that of infinitely many samples scored by the same scorer.  The
        true curve is below `upper`, but may be below `lower` too.  The `info` is that of the method
        `upper`; `confidence`, 0.95 by default, is that of both sides together, by the bound
        "mixture".
        """
        upper, lower = self._bounds(confidence, "mixture", ["upper", "lower"])
        return lower, upper

    def _bounds(self, confidence: float, bound: str, sides: Sequence[str]) -> list[PRCurve]:
        """Return the bounds of these sides; they share 1 − confidence in equal parts."""
        delta = (1 - read_share("confidence", confidence)) / len(sides)
        hull, made = self.hull, self.hull._provenance
        p, q = hull._p, hull._q
        check_bound(bound, (p, q), hull._totals, made)
        level, certified = float(confidence), made.has_fixed_scorer
        origin = replace(made, bound=bound, confidence=level, certified=certified)
        rates = [upper_rates(p, q, delta, bound)]
        if "lower" in sides:
            rates.append(lower_rates(p, q, delta))
        cells = zip(sides, [curve_masses.of_rates(*x) for x in rates], strict=True)
        return [self._from_pooled(*x, replace(origin, side=side)) for side, x in cells]

    # ---- output ----------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON; `from_dict` restores an equal curve and its
        `info` from them."""
        masses = {"p": self._p.tolist(), "q": self._q.tolist()}
        info = plain(self._provenance.record())
        return {"format": curve_masses.FORMAT, **masses, "info": info}

    def scalars(self, prefix: str = "") -> dict[str, float]:
        """Return the finite numbers of the curve for a logger, by the keys of the command line's
        JSON: fidelity, diversity, area, f8, f1_8, …

        prefix: of every name, such as ``val_`` or ``val/``; empty by default.
        """
        return flat(((row.key, row.value(self)) for row in ROWS), prefix)

    def plot(self, ax: Axes | None = None, *, view: str = "pr", **options: Any) -> Axes:
        """Plot the curve with matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            New axes by default.
        view : str
            A name of ``prfast.plots.VIEWS``: "pr" (default), or another view of the curve.
        **options
            Options of the function of the view: `plot_curves`, `plot_lorenz`, `plot_roc` or
            `plot_frontiers` of ``prfast.plots``, whose errors are raised.
        """
        return renderer(self, "plot")([self], ax, view=view, **options)

    def explain(self) -> str:
        """Return a few lines of plain text on what produced the curve and on what the method cannot
        detect.

        A caution comes first, if the metrics of the same samples contradict the curve.  The method,
        notes on the samples, and what separates the sets follow.  `prfast.explain` names columns.
        """
        return renderer(self, "explain")(self)

    def __repr__(self) -> str:
        numbers = ", ".join(f"{row.title} {row.value(self):.4g}" for row in rows_of_table("repr"))
        info = ", ".join(f"{key}={value!r}" for key, value in self.info.items() if key in _SHOWN)
        caution = "CAUTION, see explain(); " if self._provenance.caution else ""
        return f"PRCurve({caution}{numbers}; {self._p.size} cells{'; ' + info if info else ''})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PRCurve):
            return NotImplemented
        return all(map(np.array_equal, self.masses, other.masses))

    def __hash__(self) -> int:
        return hash(tuple(x.tobytes() for x in self.masses))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._from_pooled, (self._p, self._q, self._provenance, self._parts)


def read_curve(name: str, curve: Any) -> None:
    if not isinstance(curve, PRCurve):
        raise WrongType(name, f"a PRCurve expected, got {type(curve).__name__}")
