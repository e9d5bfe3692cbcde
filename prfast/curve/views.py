"""What a curve shows of itself: intervals of its numbers, numbers for loggers, plots and words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from prfast.curve.numbers import CurveNumbers
from prfast.curve.provenance import Provenance
from prfast.curve.summary import ROWS, Interval, rows_of_table
from prfast.inputs.options import RandomState
from prfast.results.info import scalars
from prfast.results.registry import renderer
from prfast.results.values import Result, flat

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class CurveViews(CurveNumbers, Result):
    """Numbers of a curve with its provenance, and what other rooms make of them by the registry."""

    __slots__ = ("_provenance",)

    _provenance: Provenance

    @property
    def info(self) -> Mapping[str, Any]:
        """Read-only record of what produced the curve: method, options, sizes, seed, version."""
        return MappingProxyType(self._provenance.record())

    @property
    def provenance(self) -> Provenance:
        """The same record as typed attributes, such as `method`, `split` and `swapped`."""
        return self._provenance

    def interval(
        self, number: Any, confidence: float = 0.95, *, random_state: RandomState = 0
    ) -> Interval:
        """Return a number of the curve with its confidence interval for other samples, from those
        that its cells count; the scorer is held fixed.

        Parameters
        ----------
        number : str or function
            "area", "f8", "f1_8", "total_variation", … (the keys of the command line's JSON), or
            a function of a curve that returns a number.
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
            and `scored_fake` in its `info`: of weights or rates, an intersection or a bound.

        Notes
        -----
        The interval is for the number of the scorer's own curve, that of infinitely many samples
        scored by the same scorer: not of another fit of the scorer, and not of the true curve.  Its
        sides differ, as the curve of finitely many samples is biased downwards.  With cross-fitting
        there are several scorers, and the level is empirical.  The ± of a mean of curves is the
        average of that of its `parts`: too wide if they are of different samples, or if the mean
        was read from a record.  See :doc:`/uncertainty`; `Comparison.differences` compares models.
        """
        interval: Interval = renderer(self, "interval")(self, number, confidence, random_state)
        return interval

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

        Returns
        -------
        matplotlib Axes
        """
        axes: Axes = renderer(self, "plot")([self], ax, view=view, **options)
        return axes

    def explain(self) -> str:
        """Return a few lines of plain text on what produced the curve and on what the method cannot
        detect.

        A caution comes first, if the metrics of the same samples contradict the curve.  Then come
        method, options and notes on the samples; where the method records them, what separates the
        sets, and the rows that are missed most and that are least like real ones; and the
        differences that the method cannot detect.  `prfast.explain` names columns.
        """
        text: str = renderer(self, "explain")(self)
        return text

    def __repr__(self) -> str:
        numbers = ", ".join(f"{row.title} {row.value(self):.4g}" for row in rows_of_table("repr"))
        info = ", ".join(f"{key}={value!r}" for key, value in scalars(self.info).items())
        caution = "CAUTION, see explain(); " if self._provenance.caution else ""
        return f"PRCurve({caution}{numbers}; {self._p.size} cells{'; ' + info if info else ''})"
