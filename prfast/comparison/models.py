"""What models got: a table of several."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from prfast.comparison import groups
from prfast.comparison.difference import Differences
from prfast.comparison.differences import differences
from prfast.comparison.groups import Told, cell, numbers_of
from prfast.curve import PRCurve
from prfast.curve.curve import LEVEL, legend
from prfast.curve.notes import notes_of_several
from prfast.curve.summary import for_record
from prfast.estimate.explain import column_sentences
from prfast.estimate.guard import contradictions
from prfast.estimate.intervals import Scores
from prfast.inputs.options import RandomState
from prfast.results.info import agreed
from prfast.results.values import Values, aligned, curve_name, flat, flat_names, frame
from prfast.scalars.measure import Halves
from prfast.scalars.result import Metrics

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# What one model got: its curves and its metrics.


class Evaluation(Values[float]):
    """What one model got: `curves`, {(method, k): PRCurve}, and, as a mapping, its metrics.

    Beside them, where an evaluator made it, what differences between models are judged by: `scores`
    of the samples that a curve is made of, {(method, k): Scores}, and `halves`, metrics of halves
    of the samples, or None.
    """

    def __init__(
        self,
        curves: Mapping[Any, PRCurve],
        metrics: Metrics,
        *,
        scores: Mapping[Any, Scores] | None = None,
        halves: Halves | None = None,
    ) -> None:
        super().__init__(metrics, metrics.info)
        self.curves, self.metrics = dict(curves), metrics
        self.scores, self.halves = dict(scores or {}), halves

    @property
    def curve(self) -> PRCurve:
        """The curve of the first method and k."""
        first: PRCurve = next(iter(self.curves.values()))
        return first

    def cautions(self) -> list[str]:
        """Where the curves contradict each other or the metrics, as `prfast.contradictions`."""
        return contradictions(self.curves, self.metrics)

    def notes(self) -> list[str]:
        """Return notes on the samples: that there are few, that some repeat, or equal real ones."""
        return notes_of_several({curve_name(*key): one.info for key, one in self.curves.items()})

    def scalars(self, prefix: str = "") -> dict[str, float]:
        """Numbers of the curves and metrics for a logger, `prefix` as for `PRCurve.scalars`.

        Of one curve they are area, f8, …; of several the method, and k where it has one, stand
        before them: knn_k5_area, auto_area.  Metrics have their own names.  Numbers that are not
        finite are left out.

        Raises
        ------
        TypeError
            A prefix that is no string.
        """
        found: dict[str, float] = {}
        names = flat_names(self.curves)
        for name, curve in zip(names, self.curves.values(), strict=True):
            found |= curve.scalars(name)
        return flat((found | self.metrics.scalars()).items(), prefix)

    def numbers(self, confidence: float | None = None) -> dict[str, Told]:
        """Every number by its heading, as "auto: area", of each curve and then the metrics.

        Parameters
        ----------
        confidence : float, optional
            Level of the errors, in (0, 1); by default there are none.

        Returns
        -------
        dict
            {heading: (value, half width)}; the half width is None where no level is given or the
            errors are not known: see `PRCurve.interval` and, for metrics,
            ``prfast.scalars.measure``.

        Raises
        ------
        TypeError, ValueError
            Not a confidence.
        """
        return numbers_of(self.curves, self.metrics, self.halves, confidence)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``curves``, a list with ``method``, ``k``, ``numbers`` by their keys and ``curve``, from
            which `PRCurve.from_dict` makes it again; ``metrics``, {name: number}; ``errors``,
            {name: standard error}, if metrics have any; ``cautions``; ``info``.
        """
        curves = [
            {"method": method, "k": k, "numbers": for_record(curve), "curve": curve.to_dict()}
            for (method, k), curve in self.curves.items()
        ]
        metrics = self.metrics.to_dict()
        return {
            "curves": curves,
            "metrics": metrics["values"],
            **({"errors": metrics["errors"]} if "errors" in metrics else {}),
            "cautions": self.cautions(),
            "info": metrics["info"],
        }

    def to_frame(self, confidence: float | None = None) -> Any:
        """A table of pandas.

        Parameters
        ----------
        confidence : float, optional
            Level of the errors, in (0, 1); by default there are none.

        Returns
        -------
        pandas.DataFrame
            A row a number, named as in `numbers`; columns ``value`` and, with a confidence,
            ``half_width``, NaN where it is not known.

        Raises
        ------
        ImportError
            pandas is missing; the message says how to install it.
        TypeError, ValueError
            Not a confidence.
        """
        found = self.numbers(confidence)
        columns: dict[str, Any] = {"name": list(found)}
        columns["value"] = [value for value, _ in found.values()]
        if confidence is not None:
            columns["half_width"] = [
                math.nan if half is None else half for _, half in found.values()
            ]
        return frame(columns, "name")

    def _repr_html_(self) -> str:
        return groups.of_evaluation(self)

    def __reduce__(self) -> tuple[Any, ...]:
        again = partial(Evaluation, scores=self.scores, halves=self.halves)
        return again, (self.curves, self.metrics)

    def __str__(self) -> str:
        """A line a number, with ± where errors are known; below it what they are, and what
        contradicts, a line each."""
        numbers = self.numbers(LEVEL)
        known = any(half is not None for _, half in numbers.values())
        lines = [[name, cell(name, *told, known)] for name, told in numbers.items()]
        below = [legend()] * known + self.notes() + self.cautions()
        return "\n".join(aligned(lines) + [""] * bool(below) + below)

    def __repr__(self) -> str:
        return f"Evaluation({', '.join(map(str, self.curves))}; {self.metrics!r})"


__all__ = ["Comparison", "Evaluation"]


class Comparison(Values[Evaluation]):
    """Models by name, in the order given; prints as a table."""

    def __init__(self, models: Mapping[str, Evaluation]) -> None:
        super().__init__(models, agreed([one.info for one in models.values()]))

    def __reduce__(self) -> tuple[Any, ...]:
        return Comparison, (dict(self),)

    def rows(self, confidence: float | None = None) -> list[dict[str, Any]]:
        """A row a model: its name, the numbers of each curve, its metrics.

        confidence, none by default: if it is given, behind each number whose errors are known its
        half width at this level, as "area ±"; see `PRCurve.interval`, and for metrics
        ``prfast.scalars.measure``.
        """
        found = []
        for name, one in self.items():
            row: dict[str, Any] = {"model": name}
            for title, (value, half) in one.numbers(confidence).items():
                row[title] = value
                if half is not None:
                    row[f"{title} ±"] = half
            found.append(row)
        return found

    def scalars(self, prefix: str = "") -> dict[str, dict[str, float]]:
        """{model: its numbers for a logger}, `prefix` as for `Evaluation.scalars`."""
        return {name: one.scalars(prefix) for name, one in self.items()}

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``models``, {name: what `Evaluation.to_dict` gives}; ``info``, what all agree on.
        """
        return {
            "models": {name: one.to_dict() for name, one in self.items()},
            "info": dict(self.info),
        }

    def to_frame(self, confidence: float | None = None) -> Any:
        """A table of pandas.

        Parameters
        ----------
        confidence : float, optional
            Level of the errors, in (0, 1), which stand behind each number as "area ±"; by default
            there are none.

        Returns
        -------
        pandas.DataFrame
            A row a model, by its name; the columns of `rows`.

        Raises
        ------
        ImportError
            pandas is missing; the message says how to install it.
        TypeError, ValueError
            Not a confidence.
        """
        return frame(self.rows(confidence), "model")

    def _repr_html_(self) -> str:
        return groups.of_comparison(self)

    def differences(
        self,
        confidence: float = 0.95,
        *,
        numbers: Any = None,
        baseline: str | None = None,
        random_state: RandomState = 0,
    ) -> Differences:
        """Is one better than another?  Differences of all pairs, ± what sampling explains.

        Parameters
        ----------
        confidence : float
            How often the differences of all pairs are to lie within their ±, number by number;
            0.95 by default.
        numbers : str, function, or a sequence of them, optional
            Keys of a curve's numbers, as for `PRCurve.interval`, functions of a curve, and names
            of metrics.  By default what the table shows, as far as its errors are known: those of
            metrics need an evaluator with `halvings`.
        baseline : str, optional
            Compare all others with this model alone: fewer pairs, and a smaller ±.
        random_state : int, generator of NumPy or None
            Seed of the bootstrap; default 0.

        Returns
        -------
        Differences
            Of each number and pair a `Difference`; printed as a table, `sentences()` in words.

        Raises
        ------
        TypeError, ValueError
            Fewer than two models, a confidence outside (0, 1), an unknown number or baseline, a
            metric or a curve whose errors are not known.

        Notes
        -----
        The real samples are those of all models, so they are resampled once for
        all.  Scorers are held fixed: it is the models by these scorers that are compared.  The
        level of "auto", whose samples are scored fold by fold, is empirical.  How the ± are made,
        for what they hold at once, and how often they were measured to:
        ``prfast.comparison.differences``.
        """
        return differences(self, confidence, numbers, baseline, random_state)

    def plot(self, **options: Any) -> Axes:
        """Axes with the first curve of each model; options as `prfast.plots.plot_curves`."""
        from prfast.plots import plot_curves

        drawn: Axes = plot_curves(
            [one.curve for one in self.values()], labels=list(self), **options
        )
        return drawn

    def report(self, path: str, **options: Any) -> None:
        """Write one HTML file about the models; options as `prfast.report.write_report`."""
        import_module("prfast.report").write_report(self, path, **options)

    def __str__(self) -> str:
        """Return a table with a line a number, a column a model, and ± where errors are known.

        Below it are what ± means and, of each model, notes, the column of the samples that differs
        most, and cautions.
        """
        rows = self.rows(LEVEL)
        names = [name for name in rows[0] if name != "model" and not name.endswith(" ±")]
        known = any(f"{name} ±" in row for name in names for row in rows)
        lines = [["", *self]]
        lines += [
            [name, *(cell(name, row[name], row.get(f"{name} ±"), known) for row in rows)]
            for name in names
        ]
        below = [legend(), "differences() compares models"] * known
        for name, model in self.items():
            notes = *model.notes(), *column_sentences(model.curve)[:1], *model.cautions()
            below += [f"{name}: {one}" for one in notes]
        return "\n".join(aligned(lines) + [""] * bool(below) + below)

    def __repr__(self) -> str:
        return f"Comparison of {', '.join(self)}"
