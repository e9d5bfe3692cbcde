"""PRCurve: the exact precision-recall curve of two distributions; made, compared and shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.curve import cells
from prfast.curve.interval import Interval
from prfast.curve.proved import Proved
from prfast.curve.scored import joined
from prfast.curve.summary import ROWS, in_brief
from prfast.inputs.arrays import (
    read_rates,
    read_vector,
    read_weights,
)
from prfast.inputs.errors import WrongType, WrongValue
from prfast.results.flat import flat
from prfast.results.info import CAUTION, scalars

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class PRCurve(Proved):
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
            What produced the scores; by default their numbers, as `n_real` and `n_fake` and, where
            the masses are counts, without weights, as `scored_real` and `scored_fake`.

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
            What the mean stands for; by default what all the curves' `info` agree on, the fewest
            samples that one of them scored, and `mean_of`, their number.

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
            info = joined([curve.info for curve in curves]) | {"mean_of": len(curves)}
        masses = [(c._p, c._q) for c in curves]
        if any(c._totals != curves[0]._totals for c in curves):
            masses = [c.masses for c in curves]
        p, q = map(np.concatenate, zip(*masses, strict=True))
        return cls._from_pooled(*cells.of_masses(p, q), info)

    # ---- beside another ------------------------------------------------------------------

    def intersection(self, other: PRCurve) -> PRCurve:
        """The curve α_λ = min(α_λ, α_λ of other), whose region is the intersection of the two.

        A minimum of concave functions is concave: it is the hull of both sets of vertices.  `info`
        is what both curves' agree on, the fewest samples that one of them scored, and
        `intersection_of`: 2.
        """
        read_curve("other", other)
        rates = map(np.concatenate, zip(self._polyline[:2], other._polyline[:2], strict=True))
        info = joined([self.info, other.info]) | {"intersection_of": 2}
        return self._from_pooled(*cells.of_rates(*rates), info)

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

    # ---- how far it can be trusted -------------------------------------------------------------

    def interval(
        self, number: Any, confidence: float = 0.95, *, random_state: int | None = 0
    ) -> Interval:
        """A number of the curve with its ±, from the numbers of samples that were scored.

        Parameters
        ----------
        number : str or function
            "area", "f8", "f1_8", "total_variation", … (the keys of the command line's JSON), or
            any function of a curve that gives a number.
        confidence : float
            How often, 0.95 by default, it is to hold what is said below.
        random_state : int or None
            Seed of the redrawings; default 0.

        Returns
        -------
        Interval
            `value`, of this curve; `low`, `high`; `confidence`; printed as "0.812 ± 0.014".

        Raises
        ------
        TypeError, ValueError
            An unknown name, no function, or one that gives no finite number of a curve; a
            confidence outside (0, 1); a curve whose `info` does not say for how many samples it
            stands.

        Notes
        -----
        What it holds is the number of the scorer's own curve, that of endless samples scored by
        the same scorer: neither another fit of the scorer nor the curve of a perfect one.  Where
        all scores of one set are above those of the other, or all are equal, every draw is alike:
        the ± is then the share that so many samples miss at this level, 1 − (1 − c)^(1/n).  Where
        every sample is scored by a fit that has not seen it the scorers are several, and the level
        is empirical.  How often it holds for which number: ``prfast.estimate.intervals``.  The
        differences of two models are told better by `Comparison.differences`.
        """
        found: Interval = import_module("prfast.estimate.intervals").interval(
            self, number, confidence, random_state
        )
        return found

    # ---- shown -----------------------------------------------------------------------------

    def scalars(self, prefix: str = "") -> dict[str, float]:
        """The numbers of the curve for a logger: fidelity, diversity, area, f8, f1_8, …

        Parameters
        ----------
        prefix : str
            Stands before each name as it is: "val_", or "val/" where that makes a group.

        Returns
        -------
        dict
            {name: float} of the numbers that are finite, by the keys of the command line's JSON:
            names of a to z, 0 to 9 and _ alone.  One that is not, as the median λ where the area
            is 0, is left out.

        Raises
        ------
        TypeError
            A prefix that is no string.
        """
        return flat(((row.key, row.value(self)) for row in ROWS), prefix)

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

    def explain(self) -> str:
        """What made the curve and what that method cannot see, in a few lines of plain text.

        First a caution, if the metrics of its samples contradict the curve; then what `info` says
        of its making; then what told the two sets apart, where the method records it; last what
        the method is blind to (`prfast.METHODS`).
        """
        said: str = import_module("prfast.estimate.explain").explain(self)
        return said

    def _repr_html_(self) -> str:
        found: str = import_module("prfast.estimate.card").card(self)
        return found

    def _repr_png_(self) -> Any:
        """For what shows no HTML, such as a notebook on paper; None without matplotlib."""
        try:
            return import_module("prfast.plots").small_png(self)
        except ImportError:
            return None

    def __repr__(self) -> str:
        numbers = in_brief(self)
        known = ", ".join(f"{key}={value!r}" for key, value in scalars(self._info).items())
        caution = "CAUTION, see explain(); " if CAUTION in self._info else ""
        return f"PRCurve({caution}{numbers}; {self._p.size} cells{'; ' + known if known else ''})"


def read_curve(name: str, curve: Any) -> None:
    if not isinstance(curve, PRCurve):
        raise WrongType(name, f"a PRCurve expected, got {type(curve).__name__}")
