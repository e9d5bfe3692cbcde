"""How much the numbers of a curve would move if other samples had been scored.

A curve of n real and m generated samples is a pair of multinomial counts on its level sets.  Drawn
anew from the curve's own masses, in the order of the level sets, they give curves as other samples
of that size would (the bootstrap of the evaluation samples, the scorer held fixed).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np

from prfast.curve import PRCurve
from prfast.estimate.split import scored_size

ROUNDS = 200


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


def swept(curve: PRCurve) -> PRCurve:
    """The curve whose cells count the samples: the sweep of the scores, where a curve is read off
    them in another way and has its `hull` beside it; else the curve itself."""
    hull: PRCurve = getattr(curve, "hull", curve)
    return hull


def resampled(curve: PRCurve, seed: Sequence[int] | int, rounds: int = ROUNDS) -> list[PRCurve]:
    """Curves of other samples of the same sizes; none where the sizes are unknown."""
    sizes = scored(curve)
    if sizes is None:
        return []
    rng = np.random.default_rng(seed)
    n, m = sizes
    p, q = (x / x.sum() for x in swept(curve).masses)
    score = np.arange(p.size, dtype=np.float64)  # by falling ratio: larger where more like real
    draws = ((rng.multinomial(n, p), rng.multinomial(m, q)) for _ in range(rounds))
    return [PRCurve.from_scores(score, score, w_real=x, w_fake=y) for x, y in draws]
