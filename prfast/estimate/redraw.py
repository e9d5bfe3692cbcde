"""How much the numbers of a curve would move if other samples had been scored.

A curve of n real and m generated samples is a pair of multinomial counts on its level sets.  Drawn
anew from the curve's own masses, in the order of the level sets, they give curves as other samples
of that size would (the bootstrap of the evaluation samples, the scorer held fixed).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.scored import read_sizes
from prfast.estimate.split import scored_size

ROUNDS = 200


def scored(curve: PRCurve) -> tuple[int, int] | None:
    """How many real and generated samples the curve's masses stand for; None if unknown.

    Curves of files of 0.1 do not say how many were scored: what their split leaves on average.  A
    mean or an intersection of such curves may have lost a split that they did not agree on.
    """
    info = curve.info
    found = read_sizes(info)
    if found is not None:
        return found
    given = read_sizes(info, ("n_real", "n_fake"))
    if given is None or ("split" not in info and {"mean_of", "intersection_of"} & info.keys()):
        return None
    n, m = (scored_size(size, info.get("split")) for size in given)
    return n, m


def resampled(
    curve: PRCurve,
    seed: Sequence[int] | int,
    rounds: int = ROUNDS,
    sizes: tuple[int, int] | None = None,
) -> list[PRCurve]:
    """Curves of other samples of these sizes, by default its own; none where they are unknown."""
    sizes = sizes or scored(curve)
    if sizes is None:
        return []
    rng = np.random.default_rng(seed)
    n, m = sizes
    p, q = (x / x.sum() for x in curve.hull.masses)
    score = np.arange(p.size, dtype=np.float64)  # by falling ratio: larger where more like real
    draws = ((rng.multinomial(n, p), rng.multinomial(m, q)) for _ in range(rounds))
    return [PRCurve.from_scores(score, score, w_real=x, w_fake=y) for x, y in draws]
