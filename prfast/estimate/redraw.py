"""How much the numbers of a curve would move if other samples had been scored.

A curve of n real and m generated samples is a pair of multinomial counts on its level sets.  Drawn
anew from the curve's own masses, in the order of the level sets, they give curves as other samples
of that size would (the bootstrap of the evaluation samples, the scorer held fixed).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.scored import are_counts, read_sizes, read_units

DRAWS = 400  # bootstrap samples of a curve
Sizes = tuple[int, int]


def scored(curve: PRCurve, of_mean: Sizes | None = None) -> Sizes | None:
    """Return the numbers of real and generated samples that the curve counts; None if it does not.

    Where rows repeat, they are those of independent units (`curve.scored.read_units`).
    Weighted masses, rates, bounds and intersections count no samples.  A mean counts those of its
    parts, at least as many as the part with the fewest; `of_mean` are the sizes of the mean that
    the curve is a part of, for parts without a record.  A mean that was read from a record has no
    parts: its cells hold every sample once for each of them.
    """
    if {"side", "intersection_of"} & curve.info.keys():
        return None
    hull = curve.hull
    sizes = read_sizes(curve.info) or of_mean
    if hull is curve and curve.parts:
        sizes_of_parts = [of_part for part in curve.parts if (of_part := scored(part, sizes))]
        if len(sizes_of_parts) < len(curve.parts):
            return None
        return min(n for n, _ in sizes_of_parts), min(m for _, m in sizes_of_parts)
    if sizes is None:
        return None
    times = hull._totals[0] / sizes[0] if {"mean_of", "runs"} & curve.info.keys() else 1.0
    each = zip((hull._p, hull._q), hull._totals, sizes, strict=True)
    units = read_units(curve.info) or sizes
    return units if all(are_counts(x, total, times * size) for x, total, size in each) else None


def resampled(
    curve: PRCurve,
    seed: Sequence[int] | int,
    rounds: int = DRAWS,
    sizes: tuple[int, int] | None = None,
) -> list[PRCurve]:
    """Return curves of other samples of these sizes, by default its own; none where it has none."""
    sizes = sizes or scored(curve)
    if sizes is None:
        return []
    rng = np.random.default_rng(seed)
    n, m = sizes
    p, q = (x / x.sum() for x in curve.hull.masses)
    score = np.arange(p.size, dtype=np.float64)  # by falling ratio: larger where more like real
    draws = ((rng.multinomial(n, p), rng.multinomial(m, q)) for _ in range(rounds))
    return [PRCurve.from_scores(score, score, w_real=x, w_fake=y) for x, y in draws]
