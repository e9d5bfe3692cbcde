"""What models got class by class; which classes are dropped or invented."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prfast.comparison import cards
from prfast.comparison.numbers import numbers_of
from prfast.curve import PRCurve
from prfast.curve.interval import LEVEL, legend
from prfast.curve.notes import FEW, ROUGH
from prfast.curve.summary import area
from prfast.estimate.intervals import has_intervals, several_intervals
from prfast.results.frames import frame
from prfast.results.text import aligned, shortened
from prfast.scalars.result import Metrics


@dataclass(frozen=True)
class Change:
    """A class's share of the real and of the generated samples."""

    label: Any
    real: float
    fake: float
    standard_error: float
    """Of fake − real: √(p(1 − p)/n + q(1 − q)/m)."""

    @property
    def difference(self) -> float:
        """fake − real: mass that is invented, or, negative, dropped."""
        return self.fake - self.real

    @property
    def clear(self) -> bool:
        """Is the difference more than three standard errors?"""
        return abs(self.difference) > 3 * self.standard_error


@dataclass(frozen=True, repr=False)
class Groups:
    """What `prfast.by_class` found; prints as a table.

    curves: {label: {(method, k): PRCurve}}.  metrics: {label: Metrics}.  labels: the curve of the
    two histograms of labels.  changes: a `Change` a class, in the order of the labels.  left_out:
    {label: why} for classes that have no curve or no metrics.
    """

    curves: Mapping[Any, dict[tuple[str, Any], PRCurve]]
    metrics: Mapping[Any, Metrics]
    labels: PRCurve
    changes: Sequence[Change]
    left_out: Mapping[Any, str]

    @property
    def dropped(self) -> list[Change]:
        """Classes with clearly less generated than real mass, the largest loss first."""
        found = [one for one in self.changes if one.clear and one.difference < 0]
        return sorted(found, key=lambda one: one.difference)

    @property
    def invented(self) -> list[Change]:
        """Classes with clearly more generated than real mass, the largest gain first."""
        found = [one for one in self.changes if one.clear and one.difference > 0]
        return sorted(found, key=lambda one: -one.difference)

    def rows(self) -> list[dict[str, Any]]:
        """A record a class: `class`, its shares `real` and `fake`, their ``difference``, its
        `standard_error`, whether it is `clear`, then what the table of `Evaluation.numbers` has of
        its curves and metrics, as far as there are any, and behind a metric that has a standard
        error this, as "kernel_distance standard_error"."""
        found = []
        for one in self.changes:
            row: dict[str, Any] = {
                "class": one.label,
                "real": one.real,
                "fake": one.fake,
                "difference": one.difference,
                "standard_error": one.standard_error,
                "clear": one.clear,
            }
            of_class = self.metrics.get(one.label, Metrics({}))
            numbers = numbers_of(self.curves.get(one.label, {}), of_class)
            for name, (value, _) in numbers.items():
                row[name] = value
                if name in of_class.errors:
                    row[f"{name} standard_error"] = of_class.errors[name]
            found.append(row)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``labels``, the curve of the histograms of labels; ``classes``, as `rows` has them;
            ``curves``, a list with ``class``, ``method``, ``k`` and ``curve``; ``left_out``, a list
            with ``class`` and ``why``.
        """
        return {
            "labels": self.labels.to_dict(),
            "classes": self.rows(),
            "curves": [
                {"class": label, "method": method, "k": k, "curve": curve.to_dict()}
                for label, curves in self.curves.items()
                for (method, k), curve in curves.items()
            ],
            "left_out": [{"class": label, "why": why} for label, why in self.left_out.items()],
        }

    def to_frame(self) -> Any:
        """A table of pandas.

        Returns
        -------
        pandas.DataFrame
            A row a class, by its label; the columns of `rows`, NaN where a class has no curve or no
            metrics.

        Raises
        ------
        ImportError
            pandas is missing; the message says how to install it.
        """
        return frame(self.rows(), "class")

    def _repr_html_(self) -> str:
        return cards.of_groups(self)

    def lines(self) -> list[list[str]]:
        """The cells of the printed table, its heading first."""
        names = list(next(iter(self.metrics.values()), ()))
        lines = [["class", "real", "fake", "", "area", *names]]
        for one in self.changes:
            curves, metrics = self.curves.get(one.label), self.metrics.get(one.label)
            line = [str(one.label), f"{one.real:.4f}", f"{one.fake:.4f}", _word(one)]
            line.append(_area(next(iter(curves.values()))) if curves else "-")
            line += [metrics.text(name) if metrics else "-" for name in names]
            lines.append(line)
        return lines

    def __repr__(self) -> str:
        found = {"dropped": self.dropped, "invented": self.invented}
        told = (f"{len(ones)} clearly {word}" for word, ones in found.items())
        return f"Groups({len(self.changes)} classes, {', '.join(told)})"

    def __str__(self) -> str:
        """A line a class: shares, what is clear of their difference, area, metrics."""
        return "\n".join(
            [
                *aligned(self.lines(), first=str.rjust),
                *([legend()] if any(has_intervals(c) for c in self._first_curves()) else []),
                *(f"{shortened(labels)}: {why}" for why, labels in self._reasons().items()),
                *self._cautions(),
            ]
        )

    def _first_curves(self) -> list[PRCurve]:
        return [next(iter(curves.values())) for curves in self.curves.values()]

    def _reasons(self) -> dict[str, list[str]]:
        """Why classes have been left out: which."""
        found: dict[str, list[str]] = {}
        for label, why in self.left_out.items():
            found.setdefault(why, []).append(str(label))
        return found

    def _cautions(self) -> list[str]:
        sizes = {label: _fewest(one.info) for label, one in self.metrics.items()}
        few = [str(label) for label, size in sizes.items() if size < FEW]
        if not few:
            return []
        return [f"{shortened(few)}: with fewer than {FEW} samples of either set {ROUGH}."]


def _area(curve: PRCurve) -> str:
    """Return the area with its ±, where the curve says how many samples it stands for."""
    if not has_intervals(curve):
        return f"{curve.area:.4f}"
    return str(several_intervals(curve, [area], LEVEL)[0])


def _fewest(info: Mapping[str, Any]) -> float:
    """Samples of the smaller set of a class, of which all or only these are the neighbours."""
    sizes = (info.get(f"class_{one}", info.get(f"n_{one}", math.inf)) for one in ("real", "fake"))
    return min(float(size) for size in sizes)


def _word(change: Change) -> str:
    """What a clear difference is called: of the whole class, or of a part of it."""
    if not change.clear:
        return ""
    if change.difference < 0:
        return "dropped" if change.fake == 0 else "less"
    return "invented" if change.real == 0 else "more"
