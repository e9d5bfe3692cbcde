"""A view of a curve, as a row: what draws it, its points, and what stands beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s

Line = tuple[Float64s, Float64s]  # x and y


def _one(lines: Sequence[Line]) -> float:
    return 1


class View(NamedTuple):
    """A row of `prfast.plots.views.ROWS`."""

    name: str
    """Of `--view`, of `PRCurve.plot(view=…)`, in JSON and in a report."""
    title: str
    plot: Callable[..., Any]
    """The public function: curves, axes or None, options -> axes."""
    line: Callable[..., Line]
    """What it draws of a curve."""
    points: Callable[..., dict[str, Any]]
    """What a report draws: {"x", "y", "at"}, at: [λ, precision, recall] a point, or None."""
    record: Callable[..., dict[str, Any]]
    """The points for JSON."""
    x: str
    """What the axis says: formulas between $, {order} where that option stands."""
    y: str
    hover: tuple[str, str]
    """What a report calls the coordinates of a point."""
    about: str
    """What to see in the picture, a sentence or two, with {order} likewise."""
    diagonal: bool = False
    """Are equal distributions the diagonal?"""
    end: Callable[[Sequence[Line]], float] = _one
    """Where both axes end that show these lines."""
    options: tuple[str, ...] = ()
    """Names of what `line`, `points` and `record` take besides the curve."""
    flags: tuple[str, ...] = ()
    """Names of what `plot` and `record` take as well, True or False; a report shows the default."""

    def own(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the options that are this view's."""
        return {name: options[name] for name in self.options if name in options}

    def axes(self, points: Sequence[Mapping[str, Any]], order: float) -> dict[str, Any]:
        """What a report says beside the points of several curves."""
        shown = "∞" if np.isinf(order) else f"{order:g}"
        lines = [(np.array(one["x"]), np.array(one["y"])) for one in points]
        return {
            "x": self.x.format(order=shown).replace("$", ""),
            "y": self.y.format(order=shown).replace("$", ""),
            "end": self.end(lines),
            "diagonal": self.diagonal,
            "hover": self.hover,
            "about": self.about.format(order=shown),
        }
