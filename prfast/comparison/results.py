"""Evaluation: curves and metrics of one model.  Comparison: a table of several models."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from prfast.comparison.differences import Differences, differences
from prfast.curve import PRCurve
from prfast.curve.summary import LEVEL, for_record, rows_of_table
from prfast.estimate.diagnostics import contradictions
from prfast.estimate.intervals import scored, several_intervals
from prfast.estimate.notes import legend, notes_of_several, picture_of, uneven_notes
from prfast.estimate.profiles import Profile
from prfast.inputs.options import RandomState, read_share
from prfast.methods.base import Scores
from prfast.results.info import agreed
from prfast.results.registry import renderer
from prfast.results.values import Display, Values, curve_name, flat, flat_names, value_and_error
from prfast.samples.ladder import REACHED
from prfast.scalars.measure import Halves, Metrics, half_width
from prfast.scalars.table import SET_METRICS, TABLE, table_notes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_REACHED = [name.replace("_", " ") for name in REACHED]
NumberAndError = tuple[float, float | None]  # a value and its half width, None where not known


class Evaluation(Values[float]):
    """The results of one model: `curves`, {(method, k): PRCurve}, `curve`, the first of these, and,
    as a mapping, its metrics.

    Results of an evaluator also have `scores`, {(method, k): Scores}, behind each curve, `halves`,
    metrics of halves of the samples, or None, and ``profile``, curves at several resolutions, or
    None.  See also `prfast.Evaluator`.
    """

    def __init__(
        self,
        curves: Mapping[Any, PRCurve],
        metrics: Metrics,
        *,
        scores: Mapping[Any, Scores] | None = None,
        halves: Halves | None = None,
        profile: Profile | None = None,
    ) -> None:
        super().__init__(metrics, metrics.info)
        self.curves, self.metrics, self.profile = dict(curves), metrics, profile
        self.scores, self.halves = dict(scores or {}), halves
        first: Any = next(iter(self.curves.values()), None)  # None of a class without a curve
        self.curve: PRCurve = first

    def cautions(self) -> list[str]:
        """Return contradictions of curves with each other, and with precision and coverage; and
        cautions of the curves."""
        return contradictions(self.curves, self.metrics)

    def sentences(self) -> list[str]:
        """Return the results in words; nothing for a curve alone."""
        return [] if self.profile is None else self.profile.sentences()

    def notes(self) -> list[str]:
        """Return notes on the samples: few samples, duplicates, copies of real samples."""
        provenances = {curve_name(*key): curve.provenance for key, curve in self.curves.items()}
        return notes_of_several(provenances)

    def scalars(self, prefix: str = "") -> dict[str, float]:
        """Return the finite numbers of the curves and metrics for a logger; `prefix`, a string, is
        as for `PRCurve.scalars`.

        Keys are area, f8, … for a single curve; with several curves the method, and k where it has
        one, come first: knn_k5_area, auto_area.  Metrics have their own names.
        """
        numbers: dict[str, float] = {}
        for name, curve in zip(flat_names(self.curves), self.curves.values(), strict=True):
            numbers |= curve.scalars(name)
        if self.profile is not None:
            numbers |= self.profile.scalars()
        return flat((numbers | self.metrics.scalars()).items(), prefix)

    def _numbers(self, confidence: float | None) -> dict[str, NumberAndError]:
        """Return {heading: (value, half width at this confidence)} of all numbers."""
        level = None if confidence is None else read_share("confidence", confidence)
        numbers: dict[str, NumberAndError] = {}
        rows = rows_of_table("comparison")
        for key, curve in self.curves.items():
            widths: list[float | None] = [None] * len(rows)
            if level is not None and scored(curve):
                intervals = several_intervals(curve, rows, level)
                widths = [interval.half_width for interval in intervals]
            for row, half in zip(rows, widths, strict=True):
                numbers[f"{curve_name(*key)}: {row.title}"] = row.value(curve), half
        errors, halves = self.metrics.errors, self.halves
        for name, value in self.metrics.items():
            half = None if level is None else half_width(name, value, errors, halves, level)
            numbers[name] = value, half
        if self.profile is not None:
            for name, interval in self.profile.summary(level or LEVEL).items():
                half = interval.half_width
                has_error = level and math.isfinite(half) and interval.low < interval.high
                numbers[name.replace("_", " ")] = interval.value, half if has_error else None
        return numbers

    def _row(self, confidence: float | None = None) -> dict[str, float]:
        """Return {heading: value}, each followed by its half width, as "area ±", if known."""
        row = {}
        for name, (value, half) in self._numbers(confidence).items():
            row[name] = value
            if half is not None:
                row[f"{name} ±"] = half
        return row

    def rows(self, confidence: float | None = None) -> list[dict[str, Any]]:
        """Return a record for each number of each curve, as "auto: area", then of the metrics.

        It has ``name``, ``value`` and, where `confidence`, a level in (0, 1), is given (default
        None), ``half_width``, NaN where the error is not known: `PRCurve.interval` and, for
        metrics, ``prfast.scalars.halves`` define it.
        """
        return [
            {"name": name, "value": value}
            | ({} if confidence is None else {"half_width": math.nan if half is None else half})
            for name, (value, half) in self._numbers(confidence).items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``curves``, a list with ``method``, ``k``, ``numbers`` by their keys and ``curve``, the
            argument of `PRCurve.from_dict`; ``metrics``, {name: number}; ``errors``,
            {name: standard error}, and ``profile``, as `Profile.to_dict`, if there are any;
            ``cautions``; ``info``.
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
            **({"profile": self.profile.to_dict()} if self.profile is not None else {}),
            "cautions": self.cautions(),
            "info": metrics["info"],
        }

    def _display(self) -> Display:
        numbers, notes = self._numbers(LEVEL), self.notes()
        named = {curve_name(*key): curve for key, curve in self.curves.items()}
        return Display(
            "Evaluation",
            [[name, _cell(self, numbers, name)] for name in numbers],
            notes=_number_notes([numbers], numbers) + notes + self.sentences(),
            cautions=self.cautions(),
            picture=partial(picture_of, named),
            details=[line for line in self.curve.explain().splitlines() if line not in notes],
        )

    def __repr__(self) -> str:
        return f"Evaluation({', '.join(map(str, self.curves))}; {self.metrics!r})"


class Comparison(Values[Evaluation]):
    """Evaluations of models by name, in the given order; prints as a table.

    See also `prfast.Evaluator`.
    """

    _index = "model"

    def __init__(self, models: Mapping[str, Evaluation]) -> None:
        super().__init__(models, agreed([model.info for model in models.values()]))

    def rows(self, confidence: float | None = None) -> list[dict[str, Any]]:
        """Return a dictionary for each model: its name, the numbers of each curve, its metrics.

        confidence: level of the half width, as "area ±", behind each number whose error is known,
        as in `Evaluation.rows`.  None (default): no half widths.
        """
        return [{"model": name, **model._row(confidence)} for name, model in self.items()]

    def scalars(self, prefix: str = "") -> dict[str, dict[str, float]]:
        """Return {model: numbers for a logger}; `prefix` as for `Evaluation.scalars`."""
        return {name: model.scalars(prefix) for name, model in self.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON: ``models``, {name: as `Evaluation.to_dict`};
        ``info``, the entries common to all models."""
        models = {name: model.to_dict() for name, model in self.items()}
        return {"models": models, "info": dict(self.info)}

    def _display(self) -> Display:
        numbers = {name: model._numbers(LEVEL) for name, model in self.items()}
        keys = dict.fromkeys(key for of_model in numbers.values() for key in of_model)
        curves = dict.fromkeys(curve_name(*key) for model in self.values() for key in model.curves)
        first = next(iter(curves)) if len(curves) == 1 else ""
        notes = _number_notes(numbers.values(), keys)
        if len(self) > 1:
            notes.append("Which differences count: differences(), or prfast report.")
        lines = [[x, *(_cell(self[x], numbers[x], key) for key in keys)] for x in self]
        head = ["", *(key.removeprefix(f"{first}: ") for key in keys)]
        caption, summary = "Comparison", ""
        if first:
            caption, summary = f"Comparison, curves of {first}", f"Method {first}."
        return self._displayed(caption, lines, head, notes, keys)._replace(summary=summary)

    def _displayed(
        self, caption: str, lines: Any, head: Any, notes: Any, names: Iterable[str] = ()
    ) -> Display:
        """Return a table with these notes and those of the models; names: of its numbers."""
        sizes = {name: model.curve.provenance.n_fake for name, model in self.items()}
        sentences = uneven_notes(sizes, names)
        cautions: list[str] = []
        texts = {name: [*model.sentences(), *model.notes()] for name, model in self.items()}
        shared = set.intersection(*map(set, texts.values())) if len(self) > 1 else set()
        sentences += [text for text in next(iter(texts.values()), []) if text in shared]
        for name, model in self.items():
            sentences += [f"{name}: {text}" for text in texts[name] if text not in shared]
            cautions += [f"{name}: {text}" for text in model.cautions()]
        picture = partial(picture_of, {name: model.curve for name, model in self.items()})
        return Display(caption, lines, head, [*sentences, *notes], cautions, picture)

    def differences(
        self,
        confidence: float = 0.95,
        *,
        numbers: Any = None,
        baseline: str | None = None,
        random_state: RandomState = 0,
    ) -> Differences:
        """Return the differences between models, with simultaneous intervals for all pairs.

        Parameters
        ----------
        confidence : float
            Simultaneous coverage of the intervals of all pairs, for each number; default 0.95.
        numbers : str, function, or a sequence of them, optional
            Keys of a curve's numbers, as for `PRCurve.interval`, functions of a curve, names of
            metrics, and "coarse_area".  Default: the numbers of the table whose errors are known.
            Metrics need an evaluator with `halvings`, the coarse area one with `resolutions`.
        baseline : str, optional
            Compare the other models with this one only: fewer pairs, narrower intervals.
        random_state : int, generator of NumPy or None
            Seed of the bootstrap; default 0.

        Returns
        -------
        Differences
            A `Difference` for each number and pair; prints as a table, `sentences()` in words.

        Raises
        ------
        TypeError, ValueError
            Fewer than two models, a confidence outside (0, 1), an unknown number or baseline, a
            metric or a curve whose errors are not known.

        Notes
        -----
        All models share the real samples, and these are resampled once for all.  The intervals are
        conditional on the trained scorers.  The level of "auto", whose samples are scored fold by
        fold, is empirical.  ``prfast.comparison.differences`` has the formula and its coverage.
        """
        return differences(self, confidence, numbers, baseline, random_state)

    @property
    def profiles(self) -> dict[str, Profile]:
        """The profiles of the models, of an evaluator with `resolutions`; otherwise empty."""
        return {name: model.profile for name, model in self.items() if model.profile is not None}

    def plot(self, **options: Any) -> Axes:
        """Plot the first curve of each model; options as for `prfast.plots.plot_curves`."""
        curves = [model.curve for model in self.values()]
        return renderer(self, "plot")(curves, labels=list(self), **options)

    def report(self, path: str, **options: Any) -> None:
        """Write one HTML file about the models; options as for `prfast.report.write_report`."""
        renderer(self, "report")(self, path, **options)

    def __repr__(self) -> str:
        return f"{type(self).__name__} of {', '.join(self)}"


def _number_notes(
    models: Iterable[Mapping[str, NumberAndError]], names: Iterable[str]
) -> list[str]:
    """Return the explanation of ±, where a number of a model has one, and notes on metrics."""
    has_errors = any(half is not None for numbers in models for _, half in numbers.values())
    return [*([legend()] if has_errors else []), *table_notes(names)]


def _cell(model: Evaluation, numbers: Mapping[str, NumberAndError], name: str) -> str:
    """Return a number as tables show it; "" where a model does not have it."""
    if name not in numbers:
        return ""
    if model.profile is not None and name in _REACHED and math.isinf(numbers[name][0]):
        return model.profile.resolutions.number(math.inf)
    form = TABLE[name].digits if name in SET_METRICS else None
    return value_and_error(*numbers[name], form)
