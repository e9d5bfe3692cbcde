"""From log-ratios to a curve: the hull of their error rates, shrunk for want of evidence.

The hull, α_λ = min_t λ fpr(t) + fnr(t): each t is too high in expectation, for any scorer that has
not seen the samples, but the minimum over noise is too low.

The scores s are log-ratios by fits to other samples.  The gain of their log-likelihood over that of
equal distributions, Σ w (log 2 − log(1 + e^{∓s})), is the evidence that the sets differ; it is
rarely large where they do not.  Below MIN_EVIDENCE the curve is shrunk towards that of equal
distributions, in proportion, so that noise of a few samples is not reported as a difference.

Below an area of `ALIKE` the record of a curve has rows of samples: `missed`, real ones with the
highest log-ratios, and `least_real`, generated ones with the lowest.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.masses import apart
from prfast.curve.numbers import EXCESS
from prfast.curve.summary import ALIKE
from prfast.inputs.arrays import Float64s
from prfast.methods.auto.folds import Flags, Ints, balanced
from prfast.methods.auto.large import LargeUnits
from prfast.methods.auto.stack import CLIP, softplus
from prfast.methods.base import SampleScores, Scores
from prfast.samples.pair import Pair

if TYPE_CHECKING:
    from prfast.methods.auto.model import SmallerFit

MIN_EVIDENCE = 3.0  # nats, below which the difference is shrunk
LEAST_SMALLER = 10  # samples of each set, from which on a curve of smaller fits is computed
_COVERED = 0.99  # relative share of distinct generated rows, from which on no real one is missed
_LIKE_REAL = 0.25  # least density ratio of generated rows whose repetition leaves real ones missed
_EXTREME_ROWS = 5  # samples of each set that are named in `info`
_EXTREME_RATIO = 2.0  # their least density ratio, by the score: in their own set over the other one
_ALL = slice(None)


class Selected(NamedTuple):
    """Some samples of each set, and what is said of them."""

    rows: tuple[Ints, Ints]
    near: tuple[Ints, Ints]
    """Those that are not far from the other set; all where none would be left."""
    far: tuple[float, float]
    """The share of the others, which are counted apart."""
    single: tuple[float, float]
    """The share of large units that are judged by a single observation: those that are not far,
    and whose neighbors are not those of their own set alone."""
    covered: float
    """The share of the real samples that the generated ones can cover."""


@dataclass(frozen=True, eq=False)
class AutoScores(Scores):
    """A log-ratio of every sample, by a fit without it; the real ones in `real`.

    `pair` has the scored samples, without their points, also where there are no weights.
    """

    curve_estimator: str = field(kw_only=True)
    large: LargeUnits = field(kw_only=True)
    smaller: SmallerFit = field(kw_only=True)

    def curve(
        self, real: Flags | slice = _ALL, fake: Flags | slice = _ALL, **entries: Any
    ) -> PRCurve:
        """Return the curve of all samples, or of some of each set; entries: further ones of its
        `info`."""
        pair, chosen = self.scored, self.selected(real, fake)
        hull, evidence, share = self._hull(self.real, self.fake, chosen.near)
        # Real samples that repeated generated ones miss have no generated mass, as far ones.
        unlike = 1.0 - (1.0 - chosen.far[0]) * chosen.covered, chosen.far[1]
        p, q = shrunk(hull, 1.0, unlike)
        smaller = self._of_smaller(chosen, share, unlike)
        if pair.is_plain:
            # The ends of cells are rounded, so that the counts sum to the sizes.
            p, q = (
                np.diff(np.rint(len(rows) * np.cumsum(mass)), prepend=0).astype(int)
                for rows, mass in zip(chosen.rows, (p, q), strict=True)
            )
        origin = self.provenance.added(
            **self._record(chosen),
            **entries,
            curve_estimator="hull",
            hull={"real": p.tolist(), "fake": q.tolist()},
            evidence=round(evidence, 1),
            smaller_fit=smaller,
        )
        if not pair.is_plain:
            scores = self._with_missed(chosen), self.fake[chosen.rows[1]]
            origin = origin.added(**pair.take(*chosen.rows).cells_record(scores, (p, q)))
        if share < 1.0:
            origin = replace(origin, shrunk=round(share, 3))
        curve = PRCurve.from_masses(*shrunk(hull, share, unlike), info=origin)
        if not (isinstance(real, slice) and isinstance(fake, slice)):
            return curve
        if curve.area < ALIKE:
            curve = curve._changed(self._extreme_rows(curve))
        samples = SampleScores(*self._of_samples(), self.real_rows, self.fake_rows)
        return curve._changed(work=None, scores=samples)

    def _hull(
        self, real: Float64s, fake: Float64s, rows: tuple[Ints, Ints]
    ) -> tuple[PRCurve, float, float]:
        """Return the hull of scores of some samples, the evidence, and its share in the curve."""
        x, y, pair = real[rows[0]], fake[rows[1]], self.scored
        weights = None if pair.is_plain else pair.take(*rows).scaled_weights()
        w_real, w_fake = (None, None) if weights is None else np.split(weights, [len(x)])
        hull = PRCurve.from_scores(x, y, w_real=w_real, w_fake=w_fake)
        weights = np.ones(len(x) + len(y)) if weights is None else weights
        evidence = evidence_of(x, y, weights, self.units(*rows))
        return hull, evidence, share_of(evidence) if self.curve_estimator == "auto" else 1.0

    def _of_smaller(
        self, chosen: Selected, share: float, unlike: tuple[float, float]
    ) -> dict[str, Any] | None:
        """Return the masses of the curve of smaller fits, and the ratio of the numbers of rows;
        None where too few of the chosen samples have such scores, or fits are as large."""
        n = len(self.real)
        scores = np.full(n + len(self.fake), np.nan)
        scores[self.smaller.rows] = self.smaller.scores
        real, fake = np.split(scores, [n])
        rows = (
            chosen.near[0][~np.isnan(real[chosen.near[0]])],
            chosen.near[1][~np.isnan(fake[chosen.near[1]])],
        )
        if min(map(len, rows)) < LEAST_SMALLER or self.smaller.ratio <= 1:
            return None
        hull, *_ = self._hull(real, fake, rows)
        p, q = shrunk(hull, share, unlike)
        return {"real": p.tolist(), "fake": q.tolist(), "ratio": self.smaller.ratio}

    def paired(self, reference: int) -> Scores:
        """Return the scores for comparisons with other models, with those of real samples that
        repeated generated ones miss."""
        chosen, pair = self.selected(), None if self.scored.is_plain else self.scored
        units = self.units(*chosen.rows)
        real = self._with_missed(chosen)
        return Scores(real, self.fake, self.real_rows, reference, units, pair=pair)

    @property
    def scored(self) -> Pair:
        """The scored samples, without their points."""
        assert self.pair is not None
        return self.pair

    def selected(self, real: Flags | slice = _ALL, fake: Flags | slice = _ALL) -> Selected:
        """Return a selection of the samples of each set.

        The covered share is at least 1/EXCESS, as fidelity, at λ = EXCESS, forgives such an excess
        and should not depend on repetition.  Rows that repeat and are unlike real ones would not
        cover any if they were distinct either; large units and far ones do not count among these.
        """
        of_sets, equal = (len(self.real), len(self.fake)), self.large.equal
        rows = np.arange(of_sets[0])[real], np.arange(of_sets[1])[fake]
        s = np.concatenate([self.real, -self.fake])
        flags = [self.large.far, self.large.single & (s < np.log(EXCESS))]
        far, single = (self._shares(of_rows, rows) for of_rows in flags)
        near = rows
        if 0 < max(far) < 1:
            is_far = np.split(self.large.far, of_sets[:1])
            near = rows[0][~is_far[0][rows[0]]], rows[1][~is_far[1][rows[1]]]
        n, m = equal.n_real, len(equal.group) - equal.n_real  # without copies of a sample
        repeated = np.bincount(equal.group[n:], minlength=n + m)[equal.group[n:]] > 1
        repeated &= ~self.large.single[of_sets[0] :][:m]
        junk = repeated & (self.fake[:m] <= np.log(_LIKE_REAL))
        of_real, of_fake = near[0][near[0] < n], rows[1][rows[1] < m]
        covered = equal.of(of_real, of_fake[~junk[of_fake]]).covered
        if equal.discrete or covered >= _COVERED:
            covered = 1.0
        return Selected(rows, near, far, single, max(covered, 1 / EXCESS))

    def _shares(self, flags: Flags, rows: tuple[Ints, Ints]) -> tuple[float, float]:
        """Return the share of flagged samples among some of either set."""
        of_sets = np.split(flags, [len(self.real)])
        p, q = (
            float(w[chosen][of_set[chosen]].sum() / w[chosen].sum())
            for w, of_set, chosen in zip(self.scored.masses, of_sets, rows, strict=True)
        )
        return p, q

    def units(self, real: Ints, fake: Ints) -> tuple[int, int]:
        """Return the numbers of independent units among some samples of each set."""
        equal = self.large.equal
        if not self.scored.is_plain:
            return self.scored.take(real, fake).effective_size
        n, m = equal.n_real, len(equal.group) - equal.n_real
        real, fake = real[real < n], fake[fake < m]  # without copies of a sample
        return (len(real), len(fake)) if equal.discrete else equal.of(real, fake).effective_size

    def _record(self, chosen: Selected) -> dict[str, Any]:
        """Return the entries of `info` on equal rows and large units among some samples."""
        n, m = self.large.equal.n_real, len(self.large.equal.group) - self.large.equal.n_real
        real, fake = chosen.rows
        entries = self.scored.repetition.of(real[real < n], fake[fake < m]).record()
        for name, shares in (("far", chosen.far), ("single", chosen.single)):
            if any(shares):
                entries[name] = [round(share, 4) for share in shares]
        units = self.units(real, fake)
        if units != (len(real), len(fake)):
            entries["effective_size"] = list(units)
        return entries | ({"covered": round(chosen.covered, 4)} if chosen.covered < 1 else {})

    def _with_missed(self, chosen: Selected) -> Float64s:
        """Return the log-ratios of real samples, the largest one for those that repeated generated
        samples miss.

        These are spread evenly along the order of all, so that the remaining ones keep their
        distribution: α_λ becomes α_{ρλ}, which scales the recall and leaves the precision.  Their
        weights, up to each place, sum to the share of all weights up to it, as nearly as whole
        samples allow.
        """
        s, weights = self.real[chosen.rows[0]].copy(), self.scored.real.mass[chosen.rows[0]]
        order = np.argsort(s, kind="stable")
        order = order[s[order] < CLIP]  # samples that are far count as missed already
        due = 0.0
        for i in order if chosen.covered < 1 else ():
            due += (1.0 - chosen.covered) * weights[i]
            if due >= weights[i] / 2:
                s[i] = CLIP
                due -= weights[i]
        return s

    def _of_samples(self) -> tuple[Float64s, Float64s]:
        """Return the log-ratio of each sample, the mean over its copies with other noise."""
        n, size = self.large.equal.n_real, len(self.large.equal.group)
        return self.real.reshape(-1, n).mean(axis=0), self.fake.reshape(-1, size - n).mean(axis=0)

    def _extreme_rows(self, curve: PRCurve) -> dict[str, list[int]]:
        """Return the rows of the real samples that are missed most, and of the generated ones that
        are least like real ones."""
        # Where diversity or fidelity is nearly 1 they would be common samples, whose frequencies
        # differ a little.
        real, fake = self._of_samples()
        missed = _highest(real, self.real_rows) if curve.diversity < ALIKE else []
        least_real = _highest(-fake, self.fake_rows) if curve.fidelity < ALIKE else []
        rows = {"missed": missed, "least_real": least_real}
        return {name: indices for name, indices in rows.items() if indices}


def _highest(ratio: Float64s, rows: Any) -> list[int]:
    """Return the rows of the highest log-ratios, the highest first; of equal log-ratios, mostly
    those of equal samples, the first row."""
    first = np.unique(-ratio, return_index=True)[1][:_EXTREME_ROWS]
    return [int(rows[i]) for i in first if ratio[i] >= np.log(_EXTREME_RATIO)]


def evidence_of(real: Float64s, fake: Float64s, weights: Float64s, units: tuple[int, int]) -> float:
    """Return the evidence in nats.

    units: the numbers of independent samples; n and m of them count as twice their harmonic mean:
    with few samples of one set, many of the other add no evidence.
    """
    is_real = np.arange(len(real) + len(fake)) < len(real)
    w = balanced(is_real, weights)
    gain = np.log(2.0) - softplus(np.concatenate([-real, fake]))
    number = 4.0 / (1.0 / max(units[0], 1) + 1.0 / max(units[1], 1))
    return float(w @ gain / w.sum()) * number


def share_of(evidence: float) -> float:
    """Return the share of the hull in the curve; the rest is that of equal distributions."""
    return float(np.clip(evidence / MIN_EVIDENCE, 0.0, 1.0))


def shrunk(hull: PRCurve, share: float, unlike: tuple[float, float]) -> tuple[Float64s, Float64s]:
    """Return the masses of both sets on the cells of the curve.

    unlike: the shares of either set that have nothing of the other, beside those of the hull.
    """
    p, q = hull.masses
    if share < 1.0:
        # A mean at fixed λ adds masses; all masses of equal distributions are in one cell.
        p, q = (np.append(share * x, 1.0 - share) for x in (p, q))
    return apart(p, q, unlike)
