"""PRCurve, the exact precision-recall curve of two distributions, and Interval, a number with its
±."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.curve import masses as curve_masses
from prfast.curve.bands import Proved
from prfast.curve.notes import joined, read_distinct
from prfast.curve.summary import ROWS, in_brief
from prfast.inputs.arrays import read_rates, read_vector, read_weights
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import RandomState, read_list
from prfast.results.info import CAUTION, scalars
from prfast.results.values import flat

if TYPE_CHECKING:
    from matplotlib.axes import Axes


LEVEL = 0.95  # confidence of every ± that is shown without a level of its own


def legend(confidence: float = LEVEL, *, of_scorer: bool = True) -> str:
    """Return the line below every table that has a ±.

    of_scorer: whether the table has numbers of curves, whose ± is conditional on the scorer.
    """
    sampling = f"± is the half width of a {100 * confidence:g} % interval for other samples"
    missed = "the curve is an upper limit as far as the scorer misses differences"
    return f"{sampling}, given the scorer; {missed}" if of_scorer else sampling


def quantile(confidence: float) -> float:
    """Return z with P(|Z| <= z) = confidence for a standard normal Z."""
    from statistics import NormalDist  # here, to keep `import prfast` quick

    return NormalDist().inv_cdf((1 + confidence) / 2)


@dataclass(frozen=True)
class Interval:
    """A number of a curve with its confidence interval; prints as "0.812 ± 0.014"."""

    value: float
    """The number of the curve."""
    low: float
    """Lower end of the interval."""
    high: float
    """Upper end of the interval."""
    confidence: float
    """Confidence level, in (0, 1)."""

    @property
    def half_width(self) -> float:
        """Length of the longer side of the interval, which is printed after the ±."""
        return max(self.high - self.value, self.value - self.low)

    def to_dict(self) -> dict[str, float]:
        """Return plain numbers for JSON: ``value``, ``low``, ``high``, ``confidence``."""
        return asdict(self)

    def _repr_html_(self) -> str:
        from prfast.results import values

        ends = f"level {self.confidence:g}: {self.low:.4g} to {self.high:.4g}"
        return values.shown(values.sentence(f"{self} ({ends})"))

    def __format__(self, digits: str) -> str:
        """Return the value and its ± in a format such as ".2f"; by default ".3f"."""
        return f"{self.value:{digits or '.3f'}} ± {self.half_width:{digits or '.3f'}}"

    def __str__(self) -> str:
        return f"{self}"

    def __float__(self) -> float:
        return self.value


class PRCurve(Proved):
    """An exact precision-recall curve; build one with a `from_…` method or `prfast.pr_curve`.

    Precision α is the share of the generated distribution Q that is like the real one P, recall β
    the share of P that Q generates; λ = α/β is the trade-off (2019 paper, Theorem 3):

        α_λ = (λP ∧ Q)(Ω),   β_λ = (P ∧ Q/λ)(Ω),   λ in [0, ∞].

    Curves are immutable, hashable, picklable, and equal when their masses are; `info` records what
    produced them and takes no part in equality.  It holds values that JSON can: None, bool, int,
    finite float, str, and lists and dictionaries of them; tuples become lists, NumPy scalars those
    of Python.
    """

    __slots__ = ()

    # ---- constructors ----------------------------------------------------------------------

    def __init__(self) -> None:
        raise TypeError(
            "PRCurve: use prfast.pr_curve(real, fake), PRCurve.from_scores, from_masses, "
            "from_rates or mean"
        )

    @classmethod
    def from_masses(cls, p: Any, q: Any, *, info: Mapping[str, Any] | None = None) -> PRCurve:
        """Return the curve of two histograms on the same cells.

        Parameters
        ----------
        p, q : array, shape (cells,)
            Masses or counts of the real and of the generated distribution; finite, >= 0, with a
            positive sum, by which each is divided.
        info : mapping, optional
            Record of what produced the masses; empty by default.

        Raises
        ------
        TypeError, ValueError
            Not numbers, wrong shape, negative, non-finite or all-zero masses.

        Notes
        -----
        α_λ = Σ_i min(λ p_i, q_i) (2018 paper, Theorem 2).  Cells of equal ratio are merged.

        Ratios beyond the range of float64 are replaced by its largest number, about 1.8e308.  So
        where a cell has a positive share below 1e-307 of one set, numbers of the curve may be wrong
        by 1e-306, and the median λ of a curve that is no larger than that may be ∞.
        """
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
        info: Mapping[str, Any] | None = None,
    ) -> PRCurve:
        """Return the curve of a scorer's values on real and on generated samples.

        α_λ = min_t λ fpr(t) + fnr(t) over all thresholds t in [−∞, ∞], for all λ at once: the
        lower convex hull of the error rates (2019 paper, Algorithm 1; 2024 paper, Eq. 9).

        Parameters
        ----------
        s_real, s_fake : array, shapes (n,) and (m,)
            Scores, larger where a sample is more like real ones; ±inf allowed.  They are compared
            as float32 if both arrays are float32.
        w_real, w_fake : array, shapes (n,) and (m,), optional
            Weights of the samples, >= 0; one alone may be given.
        info : mapping, optional
            Record of what produced the scores; by default the numbers of samples, as `n_real` and
            `n_fake` and, without weights, as `scored_real` and `scored_fake`, which say that the
            masses are counts.

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
            n, m = real.size, fake.size
            info = {"n_real": n, "n_fake": m}
            if w_real is None and w_fake is None:
                info |= {"scored_real": n, "scored_fake": m}
        return cls._from_pooled(*curve_masses.of_scores(real, fake, w_real, w_fake), info)

    @classmethod
    def from_rates(cls, fpr: Any, fnr: Any, *, info: Mapping[str, Any] | None = None) -> PRCurve:
        """Return the curve of a family of classifiers from their error rates (2019 paper, Theorem
        4).

        Parameters
        ----------
        fpr, fnr : array, shape (classifiers,)
            Share of real samples rejected and of generated samples accepted by each, in [0, 1], in
            any order.  The two constant classifiers, (0, 1) and (1, 0), are always added.
        info : mapping, optional
            Record of what produced the rates; empty by default.

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
        return cls._from_pooled(*curve_masses.of_rates(fpr, fnr), info)

    @classmethod
    def mean(cls, curves: Iterable[PRCurve], *, info: Mapping[str, Any] | None = None) -> PRCurve:
        """Return the mean of R curves at fixed λ, α_λ = (1/R) Σ_r α_λ^r, as the 2018 paper averages
        runs.

        It is the curve of the concatenated masses divided by R: exact, and without a grid.

        Parameters
        ----------
        curves : iterable of PRCurve
            At least one.
        info : mapping, optional
            Record of the mean; by default the entries on which the `info` of all curves agree, the
            smallest numbers of samples that one of them scored, and `mean_of`, the number of
            curves.

        Raises
        ------
        TypeError, ValueError
            An item that is not a PRCurve; no curves.
        """
        curves = read_list("curves", curves, ())
        for curve in curves:
            read_curve("curves", curve)
        if info is None:
            info = joined([curve.info for curve in curves]) | {"mean_of": len(curves)}
        masses = [(c._p, c._q) for c in curves]
        if any(c._totals != curves[0]._totals for c in curves):
            masses = [c.masses for c in curves]
        p, q = map(np.concatenate, zip(*masses, strict=True))
        return cls._from_pooled(*curve_masses.of_masses(p, q), info, parts=tuple(curves))

    # ---- comparison with another -----------------------------------------------------------

    def intersection(self, other: PRCurve) -> PRCurve:
        """Return the curve α_λ = min(α_λ, α_λ of other), whose region is the intersection of both.

        A minimum of concave functions is concave: it is the hull of both sets of vertices.  `info`
        has the entries on which both curves agree, the smaller numbers of scored samples, and
        `intersection_of`: 2.

        Raises
        ------
        TypeError
            `other` is not a PRCurve.
        """
        read_curve("other", other)
        rates = map(np.concatenate, zip(self._polyline[:2], other._polyline[:2], strict=True))
        info = joined([self.info, other.info]) | {"intersection_of": 2}
        return self._from_pooled(*curve_masses.of_rates(*rates), info)

    def iou(self, other: PRCurve) -> float:
        """Return the intersection over union of the regions under two curves (2024 paper, §4), in
        [0, 1].

        Every area is exact.  Of two curves that are both the single point (0, 0) it is 1.

        Raises
        ------
        TypeError
            `other` is not a PRCurve.
        """
        common = self.intersection(other).area
        union = self.area + other.area - common
        return min(1.0, common / union) if union > 0 else 1.0

    # ---- uncertainty ---------------------------------------------------------------------------

    @property
    def distinct(self) -> tuple[int, int] | None:
        """Numbers of distinct rows of the real and of the generated samples; None where `info` does
        not record that rows repeat."""
        return read_distinct(self._info)

    def interval(
        self, number: Any, confidence: float = 0.95, *, random_state: RandomState = 0
    ) -> Interval:
        """Return a number of the curve with its confidence interval, given the scorer, from the
        samples that its cells count.

        Parameters
        ----------
        number : str or function
            "area", "f8", "f1_8", "total_variation", … (the keys of the command line's JSON), or
            any function of a curve that returns a number.
        confidence : float
            Nominal coverage probability, in (0, 1); 0.95 by default.
        random_state : int, generator of NumPy or None
            Seed of the bootstrap; default 0.

        Returns
        -------
        Interval
            `value`, of this curve; `low`, `high`; `confidence`; printed as "0.812 ± 0.014".

        Raises
        ------
        TypeError, ValueError
            An unknown name, no function, or one that returns no finite number for a curve; a
            confidence outside (0, 1); a curve whose cells do not count the samples of `scored_real`
            and `scored_fake` in its `info`, such as one of weighted samples, of rates, an
            intersection or a bound.

        Notes
        -----
        The interval is for the number of the scorer's own curve, that of infinitely many samples
        scored by the same scorer: not of another fit of the scorer, and not of the true curve.  The
        curve of finitely many samples is biased downwards, so the upper side is the longer one for
        most numbers, and the lower side for the total variation.  Where all bootstrap samples give
        the same number, for instance if all scores are equal, each side is the share of mass that n
        samples may miss at this level, 1 − (1 − c)^(1/n).

        With cross-fitting every sample is scored by a fit that did not see it, so there are several
        scorers, and the level is empirical.

        The ± of a mean of curves is the average of that of its `parts`, which is right if they are
        of the same samples, and too wide if they are not.  A mean that was read from a record has
        no `parts`: its longer side is too wide, as the few samples of one curve are resampled into
        the cells of all; and there is no ± for a mean of curves of unequal sizes, of means or of
        curves of "auto".

        Measured coverage: ``python -m bench intervals``.  Differences of two models:
        `Comparison.differences`.
        """
        interval: Interval = import_module("prfast.estimate.intervals").interval(
            self, number, confidence, random_state
        )
        return interval

    # ---- output ----------------------------------------------------------------------------

    def scalars(self, prefix: str = "") -> dict[str, float]:
        """Return the numbers of the curve for a logger: fidelity, diversity, area, f8, f1_8, …

        Parameters
        ----------
        prefix : str
            Prefix of every name, empty by default: ``val_``, or ``val/`` for loggers that group
            names by ``/``.

        Returns
        -------
        dict
            {name: float} of the finite numbers, by the keys of the command line's JSON: names of a
            to z, 0 to 9 and _ alone.

        Raises
        ------
        TypeError
            A prefix that is not a string.
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
            `plot_frontiers` of ``prfast.plots``.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ValueError
            Another view; errors of the function of the view.
        """
        views = import_module("prfast.plots").VIEWS
        if view not in views:
            raise WrongValue("view", f"one of {', '.join(views)} expected, got {view!r}")
        axes: Axes = views[view]([self], ax=ax, **options)
        return axes

    def explain(self) -> str:
        """Return a few lines of plain text on what produced the curve and on what the method cannot
        detect.

        First a caution, if the metrics of the same samples contradict the curve; then method and
        options from `info`, and notes on the samples; then, where the method records them, the
        features that separate the two sets, columns that do so by themselves, and the rows of real
        samples that are missed most and of generated samples that are least like real ones; last
        the differences that the method cannot detect (`prfast.methods.METHODS`).
        """
        text: str = import_module("prfast.estimate.explain").explain(self)
        return text

    def _repr_html_(self) -> str:
        html: str = import_module("prfast.estimate.explain").card(self)
        return html

    def _repr_png_(self) -> Any:
        """Return a PNG for front ends without HTML, such as a notebook as PDF; None without
        matplotlib."""
        try:
            return import_module("prfast.plots").small_png(self)
        except ImportError:
            return None

    def __str__(self) -> str:
        """Return the numbers with their ±, notes, and method and options, on several lines."""
        text: str = import_module("prfast.estimate.explain").text(self)
        return text

    def __repr__(self) -> str:
        numbers = in_brief(self)
        info = ", ".join(f"{key}={value!r}" for key, value in scalars(self._info).items())
        caution = "CAUTION, see explain(); " if CAUTION in self._info else ""
        return f"PRCurve({caution}{numbers}; {self._p.size} cells{'; ' + info if info else ''})"


def read_curve(name: str, curve: Any) -> None:
    """Raise WrongType if the argument is not a PRCurve."""
    if not isinstance(curve, PRCurve):
        raise WrongType(name, f"a PRCurve expected, got {type(curve).__name__}")
