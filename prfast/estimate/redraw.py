"""How much the numbers of a curve would move if other samples had been scored.

A curve of n real and m generated samples is a pair of multinomial counts on its level sets.  Drawn
anew from the curve's own masses, in the order of the level sets, they give curves as other samples
of that size would (the bootstrap of the evaluation samples, the scorer held fixed).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.summary import Number
from prfast.estimate.split import scored_size

ROUNDS = 200
SPREADS = 3.0  # a difference is one if it is larger than this many standard deviations of it,
LEAST = 0.01  # and than this,
UNKNOWN = 0.05  # and where sizes are not known, than this


def scored(curve: PRCurve) -> tuple[int, int] | None:
    """How many real and generated samples the curve's masses stand for; None if unknown."""
    found = [_scored(curve.info, side) for side in ("real", "fake")]
    n, m = found
    if n is None or m is None:
        return None
    return (m, n) if curve.info.get("swapped") is True else (n, m)


def _scored(info: Mapping[str, Any], side: str) -> int | None:
    """What the record says of one set, or what its split leaves of the samples given."""
    told, given = info.get(f"scored_{side}"), info.get(f"n_{side}")
    if _is_size(told):
        return told
    return scored_size(given, info.get("split")) if _is_size(given) else None


def _is_size(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def resampled(curve: PRCurve, seed: Sequence[int] | int, rounds: int = ROUNDS) -> list[PRCurve]:
    """Curves of other samples of the same sizes; none where the sizes are unknown."""
    sizes = scored(curve)
    if sizes is None:
        return []
    rng = np.random.default_rng(seed)
    n, m = sizes
    p, q = (x / x.sum() for x in curve.masses)
    score = np.arange(p.size, dtype=np.float64)  # by falling ratio: larger where more like real
    draws = ((rng.multinomial(n, p), rng.multinomial(m, q)) for _ in range(rounds))
    return [PRCurve.from_scores(score, score, w_real=x, w_fake=y) for x, y in draws]


class Spreads:
    """Curves, and the spread of any number of them."""

    def __init__(self, curves: Sequence[PRCurve], seed: int = 0, rounds: int = ROUNDS) -> None:
        self.curves = list(curves)
        self.known = all(scored(curve) is not None for curve in self.curves)
        self._draws = [resampled(curve, [seed, i], rounds) for i, curve in enumerate(self.curves)]
        self._found: dict[tuple[int, Number], float] = {}

    def deviation(self, i: int, number: Number) -> float:
        """Standard deviation of a number of curve i; NaN where its sizes are unknown."""
        if (i, number) not in self._found:
            values = [number(curve) for curve in self._draws[i]]
            self._found[i, number] = float(np.std(values, ddof=1)) if values else math.nan
        return self._found[i, number]

    def margin(self, number: Number, i: int, j: int | None = None) -> float:
        """What the number of curve i may differ by, from that of j or from a fixed one."""
        pair = [i] if j is None else [i, j]
        spread = math.hypot(*(self.deviation(one, number) for one in pair))
        return UNKNOWN if math.isnan(spread) else max(LEAST, SPREADS * spread)

    def falls_short(self, number: Number, i: int, j: int) -> bool:
        """Is the number of curve i below that of j by more than sampling explains?"""
        short = number(self.curves[j]) - number(self.curves[i])
        return short > 0 and short > self.margin(number, i, j)
