"""From log-ratios to a curve: the hull of their error rates, shrunk for want of evidence.

The scores s are log-ratios by fits to other samples.  The gain of their log-likelihood over that of
equal distributions, Σ w (log 2 − log(1 + e^{∓s})), is the evidence that the sets differ.  Below
MIN_EVIDENCE the curve is shrunk towards that of equal distributions, in proportion: noise of a few
samples is not reported as a difference.

Let a large unit be equal rows, a group or a sample of large weight.  No fit without its fold can
tell whether the other set has such rows.  A far unit counts as unlike the other set.  Rows that
both sets repeat have the shares of both, and other units are judged as their neighbors are.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.masses import Cells, apart
from prfast.curve.numbers import EXCESS
from prfast.curve.summary import ALIKE
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.options import stream
from prfast.methods.auto.folds import NUMBERS, Flags, Ints, balanced
from prfast.methods.auto.stack import CLIP, softplus
from prfast.methods.base import ExecutionContext, SampleScores, Scores
from prfast.samples.pair import SETS, Pair
from prfast.samples.record import cells_record
from prfast.samples.repetition import Repetition

if TYPE_CHECKING:
    from prfast.methods.auto.model import SmallerFit

MIN_EVIDENCE = 3.0  # nats; below, the difference is shrunk
LEAST_SMALLER = 10  # least samples of each set for a curve of smaller fits
_COVERED = 0.99  # relative share of distinct generated rows: above it no real one is missed
_LIKE_REAL = 0.25  # least density ratio of generated rows whose repetition leaves real ones missed
_EXTREME_ROWS = 5  # samples of each set that are named in `info`
_EXTREME_RATIO = 2.0  # their least density ratio, by the score: in their own set over the other one
_ALL = slice(None)

Rows = tuple[Ints, Ints]
Shares = tuple[float, float]


@dataclass(frozen=True, eq=False)
class AutoScores(Scores):
    """A log-ratio of every sample, by a fit without it; the real ones in `real`."""

    pair: Pair = field(kw_only=True)  # without points
    curve_estimator: str = field(kw_only=True)
    large: LargeUnits = field(kw_only=True)
    smaller: SmallerFit = field(kw_only=True)  # with scores of all rows, NaN of those without

    def curve(
        self, real: Flags | slice = _ALL, fake: Flags | slice = _ALL, **entries: Any
    ) -> PRCurve:
        """Return the curve of all samples, or of some of each set; entries: further ones of `info`.

        Below an area of `ALIKE` that of all samples records rows: `missed`, real ones with the
        highest log-ratios, and `least_real`, generated ones with the lowest.
        """
        pair, n = self.pair, len(self.real)
        rows: Rows = np.arange(n)[real], np.arange(len(self.fake))[fake]
        record, near, far, covered = self._units_of(rows)
        hull, evidence = self._hull((self.real, self.fake), near)
        share = 1.0
        if self.curve_estimator == "auto":
            share = float(np.clip(evidence / MIN_EVIDENCE, 0.0, 1.0))
        # Real samples that repeated generated ones miss have no generated mass, as far ones.
        unlike = 1.0 - (1.0 - far[0]) * covered, far[1]
        p, q = shrunk(hull, 1.0, unlike)
        if pair.is_plain:
            # The ends of cells are rounded: the counts sum to the sizes.
            p, q = (
                np.diff(np.rint(len(at) * np.cumsum(mass)), prepend=0).astype(int)
                for at, mass in zip(rows, (p, q), strict=True)
            )
        smaller = None
        fewer = self.smaller.scores[:n], self.smaller.scores[n:]
        first, second = (at[~np.isnan(s[at])] for at, s in zip(near, fewer, strict=True))
        if min(len(first), len(second)) >= LEAST_SMALLER and self.smaller.ratio > 1:
            masses = shrunk(self._hull(fewer, (first, second))[0], share, unlike)
            smaller = {name: mass.tolist() for name, mass in zip(SETS, masses, strict=True)}
            smaller["ratio"] = self.smaller.ratio
        origin = self.provenance.added(
            **record | entries,
            curve_estimator="hull",
            hull={"real": p.tolist(), "fake": q.tolist()},
            evidence=round(evidence, 1),
            smaller_fit=smaller,
        )
        if not pair.is_plain:
            scores = self._with_missed(rows[0], covered), self.fake[rows[1]]
            origin = origin.added(**cells_record(pair.take(*rows), scores, (p, q)))
        if share < 1.0:
            origin = replace(origin, shrunk=round(share, 3))
        curve = PRCurve.from_masses(*shrunk(hull, share, unlike), info=origin)
        if not (isinstance(real, slice) and isinstance(fake, slice)):
            return curve
        # The mean over the copies of each sample.
        s, t = (
            scores.reshape(-1, size).mean(axis=0)
            for scores, size in zip((self.real, self.fake), self.large.sizes, strict=True)
        )
        if curve.area < ALIKE:
            # If diversity or fidelity is nearly 1 these would be common samples.
            missed = _highest(s, self.real_rows) if curve.diversity < ALIKE else []
            least_real = _highest(-t, self.fake_rows) if curve.fidelity < ALIKE else []
            named = {"missed": missed, "least_real": least_real}
            curve = curve._changed({name: found for name, found in named.items() if found})
        samples = SampleScores(s, t, self.real_rows, self.fake_rows)
        return curve._changed(work=None, scores=samples)

    def _hull(self, scores: tuple[Float64s, Float64s], rows: Rows) -> tuple[PRCurve, float]:
        """Return the hull of scores of some samples, and the evidence in nats."""
        (x, y), pair = (s[at] for s, at in zip(scores, rows, strict=True)), self.pair
        weights = None if pair.is_plain else pair.take(*rows).scaled_weights()
        w_real, w_fake = (None, None) if weights is None else np.split(weights, [len(x)])
        hull = PRCurve.from_scores(x, y, w_real=w_real, w_fake=w_fake)
        is_real = np.arange(len(x) + len(y)) < len(x)
        w = balanced(is_real, np.ones(len(is_real)) if weights is None else weights)
        gain = np.log(2.0) - softplus(np.concatenate([-x, y]))
        # n and m units count as twice their harmonic mean: with few samples of one set, many of the
        # other add no evidence.
        number = 4.0 / sum(1.0 / max(count, 1) for count in self.units(rows))
        return hull, float(w @ gain / w.sum()) * number

    def paired(self, reference: int) -> Scores:
        """Return the scores for comparisons with other models, with those of real samples that
        repeated generated ones miss."""
        rows = np.arange(len(self.real)), np.arange(len(self.fake))
        real = self._with_missed(rows[0], self._units_of(rows)[-1])
        pair = None if self.pair.is_plain else self.pair
        return Scores(real, self.fake, self.real_rows, reference, self.units(rows), pair=pair)

    def units(self, rows: Rows) -> tuple[int, int]:
        """Return the numbers of independent units among some samples of each set."""
        if not self.pair.is_plain:
            return self.pair.take(*rows).effective_size
        equal, (real, fake) = self.large.equal, self.large.without_copies(rows)
        return (len(real), len(fake)) if equal.discrete else equal.of(real, fake).effective_size

    def _units_of(self, rows: Rows) -> tuple[dict[str, Any], Rows, Shares, float]:
        """Return four things on equal rows and large units among some samples.  They are the
        record, the rows that are not far from the other set (all if none would be left) and the
        shares of the others.  Last is the share of the real samples that can be covered.
        """
        sizes, large, equal = (len(self.real), len(self.fake)), self.large, self.large.equal
        n, m = large.sizes
        record = self.pair.repetition.of(*large.without_copies(rows)).record()
        s = np.concatenate([self.real, -self.fake])
        # Far units, and those whose neighbors are not those of their own set alone.
        flags = {"far": large.far, "single": large.single & (s < np.log(EXCESS))}
        shares_of = {}
        for name, part in flags.items():
            parts = zip(self.pair.masses, np.split(part, sizes[:1]), rows, strict=True)
            shares = [float(w[at][x[at]].sum() / w[at].sum()) for w, x, at in parts]
            shares_of[name] = shares
            if any(shares):
                record[name] = [round(share, 4) for share in shares]
        far, near = shares_of["far"], rows
        if 0 < max(far) < 1:
            is_far = np.split(large.far, sizes[:1])
            near = rows[0][~is_far[0][rows[0]]], rows[1][~is_far[1][rows[1]]]
        # Rows that repeat and are unlike real ones would not cover any if they were distinct
        # either; large units and far ones do not count among these.
        junk = np.bincount(equal.group[n:], minlength=n + m)[equal.group[n:]] > 1
        junk &= ~large.single[sizes[0] :][:m] & (self.fake[:m] <= np.log(_LIKE_REAL))
        real, fake = large.without_copies((near[0], rows[1]))
        covered = equal.of(real, fake[~junk[fake]]).covered
        # At λ = EXCESS fidelity forgives such an excess, and should not depend on repetition.
        covered = 1.0 if equal.discrete or covered >= _COVERED else max(covered, 1 / EXCESS)
        units = self.units(rows)
        if units != (len(rows[0]), len(rows[1])):
            record["effective_size"] = list(units)
        if covered < 1:
            record["covered"] = round(covered, 4)
        return record, near, (far[0], far[1]), covered

    def _with_missed(self, rows: Ints, covered: float) -> Float64s:
        """Return the log-ratios of real samples, the largest one for those that repeated generated
        samples miss.  These are spread evenly: α_λ becomes α_{ρλ}, and the precision stays."""
        s, weights = self.real[rows].copy(), self.pair.real.mass[rows]
        order = np.argsort(s, kind="stable")
        order = order[s[order] < CLIP]  # samples that are far count as missed already
        due = 0.0
        for i in order if covered < 1 else ():
            due += (1.0 - covered) * weights[i]
            if due >= weights[i] / 2:
                s[i] = CLIP
                due -= weights[i]
        return s


def _highest(ratio: Float64s, rows: Any) -> list[int]:
    """Return the rows of the highest log-ratios, the highest first; of equal ones the first row."""
    first = np.unique(-ratio, return_index=True)[1][:_EXTREME_ROWS]
    return [int(rows[i]) for i in first if ratio[i] >= np.log(_EXTREME_RATIO)]


def shrunk(hull: PRCurve, share: float, unlike: Shares) -> Cells:
    """Return the masses of both sets on the cells of the curve.  unlike: the shares of either set
    that have nothing of the other, beside those of the hull."""
    p, q = hull.masses
    if share < 1.0:
        # A mean at fixed λ adds masses; all masses of equal distributions are in one cell.
        p, q = (np.append(share * x, 1.0 - share) for x in (p, q))
    return apart(p, q, unlike)


# ---- large units ---------------------------------------------------------------------------------

_REPEATED = 2  # least rows of either set of a large unit that both sets repeat
_LARGE = 0.01  # least share of a set of a large unit,
_TIMES = 5  # if it is that many times the mean share of a unit,
_TIMES_WEIGHTED = 10  # where weights differ: a few are large by chance
_OTHERS = 1000  # units of the other set, at random
# Below so many others none is far: a sample like them is, once in as many draws + 1.
_LEAST_OTHERS = 99
_OUTERMOST_SHARE = 0.005  # of the others: these may lie far out themselves


class LargeUnits(NamedTuple):
    """The rows of large units, real ones first."""

    far: Flags  # farther from the other set than its units are from each other
    single: Flags  # not far, and not repeated by both sets
    # The log-ratio of both shares of rows that both sets repeat, ±CLIP of far ones, else NaN.
    ratio: Float64s
    # Rows that both sets repeat are by themselves, as draws of a value of a discrete distribution.
    equal: Repetition
    sizes: tuple[int, int]  # without copies

    def without_copies(self, rows: Rows) -> Rows:
        """Return rows without further copies of a sample."""
        return rows[0][rows[0] < self.sizes[0]], rows[1][rows[1] < self.sizes[1]]


def large_units(pair: Pair, context: ExecutionContext) -> LargeUnits:
    """Return the large units of both sets.

    Its distance to the nearest of _OTHERS rows of the other set, each of another unit, is compared,
    in standard deviations of each column.  A row is far if this exceeds that of all of these to the
    nearest other one, or twice that of all but a share _OUTERMOST_SHARE.  A row from the
    distribution of the other set is far with a probability of about 1 / _OTHERS (conformal
    prediction).
    """
    original = pair if pair.noise is None else pair.noise.original
    points, equal, unit = pair.points, original.repetition, np.concatenate(original.units)
    n, size, group = len(original.real), len(unit), original.repetition.group
    sets = slice(0, n), slice(n, size)
    large, repeats, far = np.zeros((3, size), bool)
    for part, weight in zip(sets, original.masses, strict=True):
        mass = np.bincount(unit[part], weight, size)
        times = _TIMES if (weight == weight[0]).all() else _TIMES_WEIGHTED
        least = max(_LARGE, times / np.count_nonzero(mass)) * mass.sum()
        large[part] = (mass >= least)[unit[part]]
        # Rows that repeat are one observation each, however many such rows there are.
        rows = np.bincount(group[part], weight, size)
        several = np.bincount(group[part], minlength=size) > 1
        repeats[part] = (several & (rows >= _LARGE * rows.sum()))[group[part]]
    rng = stream(context.seed, "large")
    for i, (part, opposite) in enumerate((sets, sets[::-1])):
        rows = np.unique(group[part][(large | repeats)[part]])  # one of each equal ones
        rows = rows[~np.isin(rows, group[opposite])]
        first = np.unique(unit[opposite], return_index=True)[1]
        if not original.is_plain:
            first = np.unique(original.independent(context.seed, "large")[1 - i])
        if rows.size and len(first) >= _LEAST_OTHERS:
            others = points[1 - i][np.sort(rng.permutation(first)[:_OTHERS])]
            is_far = _are_far(points[i][rows - part.start], others)
            far |= np.isin(group, rows[is_far])
    ratio = np.where(far, np.where(np.arange(size) < n, CLIP, -CLIP), np.nan)
    if original.is_plain and pair.noise is None:
        counts = [np.bincount(group[part], minlength=size) for part in sets]
        is_large = np.bincount(group[large], minlength=size) > 0
        shared = (is_large & (np.minimum(*counts) >= _REPEATED))[group]
        p, q = ((count + 0.5) / (count.sum() + 1.0) for count in counts)
        ratio = np.where(shared, np.log(p / q)[group], ratio)
        large &= ~shared
        group = np.where(shared, np.arange(size), group)
        equal = Repetition(group, equal.n_real, discrete=equal.discrete)
    copies = len(pair.real) // n
    far, single, ratio = (
        np.concatenate([np.tile(values[part], copies) for part in sets])
        for values in (far, large & ~far, ratio)
    )
    return LargeUnits(far, single, ratio, equal, original.sizes)


def _are_far(points: Floats, others: Floats) -> Flags:
    from scipy.spatial.distance import cdist  # here, to keep `import prfast` quick

    joint = np.concatenate([others, points]).astype(np.float64)
    most = np.abs(joint).max(axis=0)
    joint /= np.where(most > 0, most, 1.0)  # squares stay in range
    # The deviation is of all: an outlier among the others would make its column smaller alone.
    spread = joint.std(axis=0)
    joint = (joint - joint.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    others, points = joint[: len(others)], joint[len(others) :]
    among = cdist(others, others)
    np.fill_diagonal(among, np.inf)
    nearest = among.min(axis=0)
    most_of_them = np.quantile(nearest, 1.0 - _OUTERMOST_SHARE, method="higher")
    limit = min(nearest.max(), 2.0 * most_of_them)
    step = max(1, NUMBERS // len(others))
    parts = [cdist(points[at : at + step], others) for at in range(0, len(points), step)]
    return np.asarray(np.concatenate([part.min(axis=1) for part in parts]) > limit)
