"""From log-ratios to a curve: the hull of their error rates, shrunk for want of evidence.

The scores s are log-ratios by fits to other samples.  The gain of their log-likelihood over that of
equal distributions, Σ w (log 2 − log(1 + e^{∓s})), is the evidence that the sets differ.  Below
MIN_EVIDENCE the curve is shrunk towards that of equal distributions, in proportion.  Noise of a few
samples is then no difference.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.masses import Cells, apart
from prfast.curve.numbers import EXCESS
from prfast.curve.summary import ALIKE
from prfast.inputs.arrays import Float64s
from prfast.methods.auto.folds import Flags
from prfast.methods.auto.stack import CLIP, softplus
from prfast.methods.base import SampleScores, Scores
from prfast.samples.large import LargeUnits, Rows
from prfast.samples.pair import SETS
from prfast.samples.partition import balanced
from prfast.samples.record import cells_record

MIN_EVIDENCE = 3.0  # nats, below which the difference is shrunk
LEAST_SMALLER = 10  # samples of each set, from which on a curve of smaller fits is computed
_EXTREME_ROWS = 5  # samples of each set that are named in `info`
_EXTREME_RATIO = 2.0  # their least density ratio, by the score: in their own set over the other one
_ALL = slice(None)


@dataclass(frozen=True, eq=False)
class AutoScores(Scores):
    """A log-ratio of every sample, by a fit without it; the real ones in `real`."""

    large: LargeUnits = field(kw_only=True)
    # The scores of all rows by fits to fewer rows, NaN of those without, and how many times as many
    # rows the other fits have.
    fewer: Float64s = field(kw_only=True)
    growth: float = field(kw_only=True)

    def curve(
        self, real: Flags | slice = _ALL, fake: Flags | slice = _ALL, **entries: Any
    ) -> PRCurve:
        """Return the curve of all samples, or of some of each set; entries: further ones of `info`.

        Below an area of `ALIKE` that of all samples records rows: `missed`, real ones with the
        highest log-ratios, and `least_real`, generated ones with the lowest.
        """
        pair, n = self.large.pair, len(self.real)
        rows: Rows = np.arange(n)[real], np.arange(len(self.fake))[fake]
        record, near, far, present = self.large.judged(rows, (self.real, self.fake), EXCESS)
        hull, evidence = self._hull((self.real, self.fake), near)
        share = float(np.clip(evidence / MIN_EVIDENCE, 0.0, 1.0))
        # Real samples that are missed have no generated mass, as far ones.
        unlike = 1.0 - (1.0 - far[0]) * present, far[1]
        p, q = shrunk(hull, 1.0, unlike)
        if pair.is_plain:
            # The ends of cells are rounded: the counts sum to the sizes.
            p, q = (
                np.diff(np.rint(len(at) * np.cumsum(mass)), prepend=0).astype(int)
                for at, mass in zip(rows, (p, q), strict=True)
            )
        smaller: dict[str, Any] | None = None
        fewer = self.fewer[:n], self.fewer[n:]
        first, second = (at[~np.isnan(s[at])] for at, s in zip(near, fewer, strict=True))
        if min(len(first), len(second)) >= LEAST_SMALLER and self.growth > 1:
            masses = shrunk(self._hull(fewer, (first, second))[0], share, unlike)
            parts = zip(SETS, (mass.tolist() for mass in masses), strict=True)
            smaller = dict(parts, ratio=self.growth)
        shrink = {"shrunk": round(share, 3)} if share < 1.0 else {}
        origin = self.provenance.added(
            **record | entries | shrink,
            hull={"real": p.tolist(), "fake": q.tolist()},
            evidence=round(evidence, 1),
            smaller_fit=smaller,
        )
        if not pair.is_plain:
            scores = self.large.with_missed(self.real, rows[0], present, CLIP), self.fake[rows[1]]
            origin = origin.added(**cells_record(pair.take(*rows), scores, (p, q)))
        if present < 1.0:
            hulls = (PRCurve.from_masses(*shrunk(hull, share, x)) for x in (unlike, far))
            origin = origin.added(diversities=[round(x.diversity, 4) for x in hulls])
        curve = PRCurve.from_masses(*shrunk(hull, share, unlike), info=origin)
        if not (isinstance(real, slice) and isinstance(fake, slice)):
            return curve
        # The mean over the copies of each sample.
        s, t = (
            scores.reshape(-1, size).mean(axis=0)
            for scores, size in zip((self.real, self.fake), self.large.sizes, strict=True)
        )
        # Where the number is nearly 1 they would be common samples of other frequencies.
        named = {}
        for name, number, ratio, numbers in (
            ("missed", curve.diversity, s, self.real_rows),
            ("least_real", curve.fidelity, -t, self.fake_rows),
        ):
            # The highest ratio first; of equal ones the first row.
            highest = np.unique(-ratio, return_index=True)[1][:_EXTREME_ROWS]
            highest = highest[ratio[highest] >= np.log(_EXTREME_RATIO)]
            if max(curve.area, number) < ALIKE and highest.size:
                named[name] = [int(numbers[i]) for i in highest]
        samples = SampleScores(s, t, self.real_rows, self.fake_rows)
        return curve._changed(named, scores=samples)

    def _hull(self, scores: tuple[Float64s, Float64s], rows: Rows) -> tuple[PRCurve, float]:
        """Return the hull of scores of some samples, and the evidence in nats."""
        (x, y), pair = (s[at] for s, at in zip(scores, rows, strict=True)), self.large.pair
        weights = None if pair.is_plain else pair.take(*rows).scaled_weights()
        w, v = (None, None) if weights is None else np.split(weights, [len(x)])
        hull = PRCurve.from_scores(x, y, w_real=w, w_fake=v)
        is_real = np.arange(len(x) + len(y)) < len(x)
        mass = balanced(is_real, np.ones(len(is_real)) if weights is None else weights)
        gain = np.log(2.0) - softplus(np.concatenate([-x, y]))
        # n and m units count as twice their harmonic mean: with few samples of one set, many of the
        # other add no evidence.
        number = 4.0 / sum(1.0 / max(count, 1) for count in self.large.effective_size(rows))
        return hull, float(mass @ gain / mass.sum()) * number

    def paired(self, reference: int) -> Scores:
        """Return the scores for comparisons with other models, with those of real samples that
        repeated generated ones miss."""
        rows = np.arange(len(self.real)), np.arange(len(self.fake))
        large, pair = self.large, None if self.large.pair.is_plain else self.large.pair
        present = large.judged(rows, (self.real, self.fake), EXCESS)[-1]
        real = large.with_missed(self.real, rows[0], present, CLIP)
        units = large.effective_size(rows)
        return Scores(real, self.fake, self.real_rows, reference, units, pair=pair)


def shrunk(hull: PRCurve, share: float, unlike: tuple[float, float]) -> Cells:
    """Return the masses of both sets on the cells of the curve; unlike: the shares of either set
    that have nothing of the other, beside those of the hull."""
    p, q = hull.masses
    if share < 1.0:
        # A mean at fixed λ adds masses; all masses of equal distributions are in one cell.
        p, q = (np.append(share * x, 1.0 - share) for x in (p, q))
    return apart(p, q, unlike)
