"""How much numbers of several curves, and their differences, move with other samples."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.summary import Number
from prfast.estimate.paired import Model, Scores, are_paired, redrawn
from prfast.estimate.redraw import ROUNDS
from prfast.inputs.arrays import Float64s

SPREADS = 3.0  # a difference is one if it is larger than this many standard deviations of it,
LEAST = 0.01  # and than this,
UNKNOWN = 0.05  # and where sizes are not known, than this


class Spreads:
    """Curves, and the spread of any number of them.

    scores: of each curve, where they are at hand; models that share their real samples are then
    drawn anew together.
    """

    def __init__(
        self,
        curves: Sequence[PRCurve],
        seed: int = 0,
        rounds: int = ROUNDS,
        scores: Sequence[Scores | None] = (),
    ) -> None:
        self.curves = list(curves)
        kept = list(scores) or [None] * len(self.curves)
        self._models: list[Model] = [
            curve if one is None else one for curve, one in zip(self.curves, kept, strict=True)
        ]
        self._draws = redrawn(self._models, seed, rounds)
        self.known = all(self._draws)
        self.paired = any(are_paired(self._models[0], other) for other in self._models[1:])
        self._found: dict[tuple[int, Number], Float64s] = {}

    def deviation(self, i: int, number: Number) -> float:
        """Standard deviation of a number of curve i; NaN where its sizes are unknown."""
        values = self._drawn(i, number)
        return float(np.std(values, ddof=1)) if values.size else math.nan

    def _drawn(self, i: int, number: Number) -> Float64s:
        if (i, number) not in self._found:
            values = [number(curve) for curve in self._draws[i]]
            self._found[i, number] = np.array(values, np.float64)
        return self._found[i, number]

    def _of_difference(self, i: int, j: int, number: Number) -> float:
        """Standard deviation of the difference, without what the two share."""
        if are_paired(self._models[i], self._models[j]):
            return float(np.std(self._drawn(i, number) - self._drawn(j, number), ddof=1))
        return math.hypot(self.deviation(i, number), self.deviation(j, number))

    def margin(self, number: Number, i: int, j: int | None = None) -> float:
        """What the number of curve i may differ by, from that of j or from a fixed one."""
        spread = self.deviation(i, number) if j is None else self._of_difference(i, j, number)
        return UNKNOWN if math.isnan(spread) else max(LEAST, SPREADS * spread)

    def falls_short(self, number: Number, i: int, j: int) -> bool:
        """Is the number of curve i below that of j by more than sampling explains?"""
        short = number(self.curves[j]) - number(self.curves[i])
        return short > 0 and short > self.margin(number, i, j)
