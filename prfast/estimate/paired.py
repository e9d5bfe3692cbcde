"""Scores of samples, kept so that models can be drawn anew together.

Models that were evaluated on the same real samples share what these happen to be: of a difference
between two models that part of the noise is smaller, and often most of it is gone.  So the real
samples are drawn anew once for all models, and each model's generated ones for itself; the scorers
are held fixed, and a sample counts by the cell of the curve that its score is in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.curve import PRCurve
from prfast.estimate.redraw import DRAWS, Sizes, resampled
from prfast.inputs.arrays import Floats

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Scores:
    """What a scorer said of the samples that it had not been fitted on, or was to judge."""

    real: Floats
    fake: Floats
    real_rows: Ints
    """Which rows of the reference the real scores are of,"""
    reference: int | None = None
    """and a checksum of the reference; None where nobody knows it."""
    units: Sizes | None = None
    """The numbers of independent real and generated units, fewer where rows repeat."""

    def curve(self, info: Mapping[str, Any] | None = None) -> PRCurve:
        """The sweep of the scores."""
        found = PRCurve.from_scores(self.real, self.fake, info=info)
        return found if self.units is None else found.with_info(units=self.units)

    def shares_real(self, other: Scores) -> bool:
        """Are the real samples the same?"""
        known = self.reference is not None and self.reference == other.reference
        return known and np.array_equal(self.real_rows, other.real_rows)


Model = Scores | PRCurve


def redrawn(models: Sequence[Model], seed: int, rounds: int = DRAWS) -> list[list[PRCurve]]:
    """Return bootstrap curves of each model, an empty list for a curve that counts no samples.

    Models that share their real samples are resampled with the same ones, round by round.
    """
    found = []
    for i, one in enumerate(models):
        if isinstance(one, PRCurve):
            found.append(resampled(one, [seed, i], rounds))
        else:
            first = next(j for j, other in enumerate(models[: i + 1]) if _shared(one, other))
            found.append(_redrawn(one, [seed, first], [seed, i, 1], rounds))
    return found


def are_paired(one: Model, other: Model) -> bool:
    """Have they been evaluated on the same real samples?"""
    return isinstance(one, Scores) and one is not other and _shared(one, other)


def cells_of(scores: Floats, counts: Ints) -> Ints:
    """The cell of each sample: cells are ranges of scores, and hold the lowest first."""
    rank = np.empty(len(scores), np.int64)
    rank[np.argsort(scores, kind="stable")] = np.arange(len(scores))
    return np.searchsorted(np.cumsum(counts), rank, side="right")


def _shared(one: Scores, other: Model) -> bool:
    return one is other or (isinstance(other, Scores) and one.shares_real(other))


def _redrawn(
    one: Scores, of_real: Sequence[int], of_fake: Sequence[int], rounds: int
) -> list[PRCurve]:
    n, m = len(one.real), len(one.fake)
    p, q = one.curve().masses
    cells = cells_of(one.real, np.rint(n * p).astype(np.int64))
    score = np.arange(p.size, dtype=np.float64)
    real, fake = np.random.default_rng(of_real), np.random.default_rng(of_fake)
    units = one.units or (n, m)
    curves = []
    for _ in range(rounds):
        x = np.bincount(cells[real.integers(n, size=units[0])], minlength=p.size)
        y = fake.multinomial(units[1], q / q.sum())
        curves.append(PRCurve.from_scores(score, score, w_real=x, w_fake=y))
    return curves
