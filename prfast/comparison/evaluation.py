"""What one model got: its curves and its metrics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from prfast.comparison import cards
from prfast.comparison.numbers import Told, cell, numbers_of
from prfast.curve import PRCurve
from prfast.curve.interval import LEVEL, legend
from prfast.curve.notes import notes_of_several
from prfast.curve.summary import for_record
from prfast.estimate.guard import contradictions
from prfast.estimate.paired import Scores
from prfast.results.flat import flat, flat_names
from prfast.results.frames import frame
from prfast.results.text import aligned, curve_name
from prfast.results.values import Values
from prfast.scalars.halves import Halves
from prfast.scalars.result import Metrics


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
            ``prfast.scalars.errors``.

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
        return cards.of_evaluation(self)

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
