"""`Groups`, the result of `prfast.by_class`, and `Change`, the shares of a class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from prfast.comparison.results import Evaluation
from prfast.curve import PRCurve
from prfast.estimate.diagnostics import ENOUGH
from prfast.estimate.notes import half_widths, legend, notes_on_rows
from prfast.results.values import Display, Result, shortened, value_and_error
from prfast.samples.notes import FEW, ROUGH
from prfast.scalars.measure import Metrics

_APART = 0.5  # an area below it may be of wrong labels


@dataclass(frozen=True)
class Change:
    """The shares of a class in both sets.  See also `prfast.by_class`."""

    label: Any
    real: float
    fake: float
    standard_error: float
    """Standard error of fake − real; of distinct samples, √(p(1 − p)/n + q(1 − q)/m)."""
    sizes: tuple[int, int]
    """Numbers of real and of generated samples of the class."""

    @property
    def difference(self) -> float:
        """fake − real: invented mass if positive, dropped mass if negative."""
        return self.fake - self.real

    @property
    def clear(self) -> bool:
        """Whether the difference exceeds three standard errors."""
        return abs(self.difference) > 3 * self.standard_error


@dataclass(frozen=True, repr=False)
class Groups(Result):
    """The result of `prfast.by_class`; prints as a table.

    overall: the `Evaluation` of all samples with their labels.  curves:
    {label: {(method, k): PRCurve}}.  metrics: {label: Metrics}.  labels: the curve of the two
    histograms of labels.  changes: a `Change` for each class, in the order of the labels.
    left_out: {label: reason} for classes that have no curve or no metrics.
    See also `prfast.by_class`.
    """

    _index = "class"

    overall: Evaluation
    curves: Mapping[Any, dict[tuple[str, Any], PRCurve]]
    metrics: Mapping[Any, Metrics]
    labels: PRCurve
    changes: Sequence[Change]
    left_out: Mapping[Any, str]

    @property
    def dropped(self) -> list[Change]:
        """Classes with clearly less generated than real mass, the largest loss first."""
        less = [change for change in self.changes if change.clear and change.difference < 0]
        return sorted(less, key=lambda change: change.difference)

    @property
    def invented(self) -> list[Change]:
        """Classes with clearly more generated than real mass, the largest gain first."""
        more = [change for change in self.changes if change.clear and change.difference > 0]
        return sorted(more, key=lambda change: -change.difference)

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each class: ``class``, its shares ``real`` and ``fake``, their
        ``difference``, its ``standard_error``, whether it is ``clear``.  Then the numbers of its
        curves and metrics, if any, under the headings of `Evaluation.rows`."""
        return [
            {"class": x.label, "real": x.real, "fake": x.fake, "difference": x.difference}
            | {"standard_error": x.standard_error, "clear": x.clear, **self._of(x.label)._row()}
            for x in self.changes
        ]

    def cautions(self) -> list[str]:
        """Return contradictions of the curves and metrics of all samples and of each class, each
        once with all classes that have it."""
        classes = {text: ["all"] for text in self.overall.cautions()}
        for change in self.changes:
            if min(change.sizes) >= ENOUGH:
                for text in self._of(change.label).cautions():
                    classes.setdefault(text, []).append(str(change.label))
        return [f"{shortened(labels)}: {text}" for text, labels in classes.items()]

    def _of(self, label: Any) -> Evaluation:
        """Return the curves and metrics of a class, as far as there are any."""
        return Evaluation(self.curves.get(label, {}), self.metrics.get(label, Metrics({})))

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``overall``, as `Evaluation.to_dict`; ``labels``, the curve of the histograms of labels;
            ``classes``, as `rows`; ``curves``, a list with ``class``, ``method``, ``k`` and
            ``curve``; ``left_out``, a list with ``class`` and ``why``.
        """
        return {
            "overall": self.overall.to_dict(),
            "labels": self.labels.to_dict(),
            "classes": self.rows(),
            "curves": [
                {"class": label, "method": method, "k": k, "curve": curve.to_dict()}
                for label, curves in self.curves.items()
                for (method, k), curve in curves.items()
            ],
            "left_out": [{"class": label, "why": why} for label, why in self.left_out.items()],
        }

    def _display(self) -> Display:
        few: list[str] = []
        names, lines = list(self.overall), []
        parts = [(["all", "1.0000", "1.0000", ""], self.overall)]
        for change in self.changes:
            word = "less" if change.difference < 0 else "more"
            if not change.fake or not change.real:
                word = "invented" if change.fake else "dropped"
            shares = [str(change.label), f"{change.real:.4f}", f"{change.fake:.4f}"]
            parts.append(([*shares, word if change.clear else ""], self._of(change.label)))
            if (x := self.metrics.get(change.label)) is not None:
                sizes = x.info.get("effective_size", change.sizes)
                few += [str(change.label)] if min(sizes) < FEW else []
        for shares, part in parts:
            area, metrics = "-", part.metrics
            if part.curves:
                area = value_and_error(part.curve.area, half_widths(part.curve).get("area"))
            numbers = (metrics.text(name) if name in metrics else "-" for name in names)
            lines.append([*shares, area, *numbers])
        worded = {x.label for x in self.changes if x.clear and not all(x.sizes)}  # in the table
        reasons: dict[str, list[str]] = {}
        for label, why in self.left_out.items():
            if label not in worded:
                reasons.setdefault(why, []).append(str(label))
        notes = []
        if self.dropped:
            most = value_and_error(self.labels.diversity, None, ".3f")
            notes.append(f"Class shares alone leave a diversity of about {most} at most.")
        notes.append(
            "clear: shares differ by over 3 standard errors. Area and metrics of a class are those "
            "of its samples, in the line all those of all samples with their labels."
        )
        if any(curve.area < _APART for curve in self.overall.curves.values()):
            notes.append(
                "If the curve without labels has a larger area, samples look real, but not of "
                "their class."
            )
        notes += [legend()] if any("±" in line[4] for line in lines) else []
        curves = self.overall.curves.values()
        notes += dict.fromkeys(chain(*(notes_on_rows(curve.provenance) for curve in curves)))
        notes += [f"{shortened(labels)}: {why}" for why, labels in reasons.items()]
        if few:
            notes.append(f"{shortened(few)}: with fewer than {FEW} samples of either set {ROUGH}.")
        head = ["class", "real", "fake", "clear", "area", *names]
        return Display("Classes", lines, head, notes, self.cautions())

    def __repr__(self) -> str:
        counts = f"{len(self.dropped)} clearly dropped, {len(self.invented)} clearly invented"
        return f"Groups({len(self.changes)} classes, {counts})"
