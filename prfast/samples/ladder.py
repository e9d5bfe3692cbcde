"""Ladder: the resolutions at which two sets are compared, with common noise; Resolutions.

Numbers that rise with the resolution σ are interpolated over log(1 + σ / σ₁), σ₁ the finest one
above 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import is_word, read_list, read_number
from prfast.results.values import listed
from prfast.samples.noise import MOST_NOISE, Noise, read_noise
from prfast.samples.pair import Pair
from prfast.samples.partitioned import check_array
from prfast.samples.samples import Samples

RESOLUTIONS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
"""The resolutions of "auto"."""
# Coarser noise hides junk and missing modes as well: image features with 10 % of junk have the area
# 0.90 up to 0.8, 0.94 at 1.6.
COARSE = 0.8
HALF, MATCHING = 0.5, 0.95  # areas
REACHED = {"half_resolution": HALF, "matching_resolution": MATCHING}
"""The areas of the resolutions in the summary of a profile, by their names."""
_WIDE = 4.0  # largest ratio of neighboring resolutions for interpolation


class Resolutions(tuple[float, ...]):
    """The resolutions of a profile, ascending."""

    __slots__ = ()

    @classmethod
    def joined(cls, ladders: Iterable[Iterable[float]]) -> Resolutions:
        return cls(sorted({sigma for ladder in ladders for sigma in ladder}))

    @property
    def coarse(self) -> float:
        """The one above 0 that is nearest to COARSE, by its logarithm."""
        return min(filter(None, self), key=lambda sigma: abs(math.log(sigma / COARSE)))

    def axis(self, points: Iterable[float] | None = None) -> Float64s:
        """Return the places of points, by default of these, where numbers are interpolated."""
        return np.log1p(np.array([*(points or self)]) / min(filter(None, self)))

    def reached(self, values: Sequence[float], level: float) -> float:
        """Return the finest place at which ascending values, by a monotone cubic, reach a level; ∞
        where none does."""
        from scipy.interpolate import PchipInterpolator

        if values[0] >= level:
            return self[0]
        if values[-1] < level:
            return math.inf
        i = int(np.searchsorted(np.maximum.accumulate(values), level))  # values[i - 1] < level
        if values[i] == level:
            return float(self[i])
        axis = self.axis()
        roots = PchipInterpolator(axis, np.subtract(values, level)).roots(extrapolate=False)
        inside = roots[(roots >= axis[i - 1]) & (roots <= axis[i])]
        t = float(inside[0]) if inside.size else float(axis[i])
        return float(np.expm1(t) * min(filter(None, self)))

    def reached_within(
        self, values: Sequence[float], lows: Sequence[float], highs: Sequence[float], level: float
    ) -> tuple[float, float, float]:
        """Return where values reach a level, and the ends of where it may be; lows, highs: the ends
        of their intervals."""
        value, low, high = (self.reached(numbers, level) for numbers in (values, highs, lows))
        # Cubics through higher values may cross a level later, between the same two.
        low, high = min(low, value), max(high, value)
        for left, right in pairwise(self):
            if left < value <= right and (left == 0 or right > _WIDE * left):
                low, high = min(low, left), max(high, right)
        return value, low, high

    def number(self, sigma: float) -> str:
        """Return a resolution that numbers reach, as text."""
        if sigma <= self[0]:
            return f"at most {self[0]:g}" if self[0] > 0 else "0"
        return f"{sigma:.2g}" if math.isfinite(sigma) else f"above {self[-1]:g}"

    def text(self, at: Any) -> str:
        """Return a resolution, an interval, such as "0.21 (0.19 to 0.24)"."""
        value, low, high = map(self.number, (at.value, at.low, at.high))
        return value if low == high else f"{value} ({low} to {high})"


def name_of(sigma: float) -> str:
    """Return the name of a resolution in a sentence."""
    return f"resolution {sigma:g}" if sigma else "full resolution"


def noise_of(sigma: float) -> str:
    """Return the noise of a resolution in a sentence."""
    return f"noise of {sigma:g} standard deviation{'' if sigma == 1 else 's'}"


@dataclass(frozen=True, eq=False)
class Ladder:
    """Resolutions, ascending, and the noise of resolution 1; no resolutions for no profile."""

    sigmas: tuple[float, ...]
    noise: Noise
    smoother: Any = None  # the noise in the units of the real set, if that is fixed

    @classmethod
    def read(
        cls,
        resolutions: Any,
        noise: Any = "std",
        *,
        auto: Sequence[float] = RESOLUTIONS,
        may_be_none: bool = False,
    ) -> Ladder:
        """Return the arguments `resolutions` and `noise`; auto: the resolutions of "auto"."""
        name, noise = "resolutions", read_noise(noise)
        if resolutions is None and may_be_none:
            return cls((), noise)
        if is_word(resolutions, "auto"):
            return cls(tuple(auto), noise)
        if resolutions is None or isinstance(resolutions, str):
            raise WrongValue(name, f"'auto' or numbers expected, got {resolutions!r}")
        given = read_list(name, resolutions, ())
        # Steps such as those of `numpy.arange` differ from decimal numbers in their last bits.
        numbers = [round(read_number(name, x, 0.0, MOST_NOISE), 12) for x in given]
        sigmas = tuple(sorted({*numbers}))
        if len(sigmas) < 2:
            got = listed([f"{x:g}" for x in numbers])
            raise WrongValue(name, f"at least two different numbers expected, got {got}")
        return cls(sigmas, noise)

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments that are read as this ladder."""
        return {"resolutions": [*self.sigmas] or None, "noise": self.noise}

    def fitted(self, pair: Pair, seed: int) -> Ladder:
        if self.smoother is not None or not self.sigmas:
            return self
        return replace(self, smoother=pair.smoother(self.noise, seed))

    def check(self, real: Samples) -> None:
        if self.sigmas:
            check_array("resolutions", real.source, "0", [*self.sigmas])
