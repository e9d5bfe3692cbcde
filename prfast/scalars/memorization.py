"""Copies: whether generated samples lie nearer to training samples than to held-out ones.

Let training and held-out samples be random parts of one set, and the latter unused by a model.  The
share of generated samples whose nearest neighbor among both is a training sample then has the
expectation π = n_train / (n_train + n_held_out).

The test of this is one of permutations: given all samples, each assignment of the labels "training"
and "held-out" is equally likely.  It is exact whatever the distribution and the dimension.  Hubs,
the nearest neighbors of many generated samples, count as often as they do; a binomial test would
reject too often.

Few copies among many samples are lost in their chance.  The ratio of the distances to the nearest
and the second nearest distinct sample does not depend on the labels.  It is small for copies.  So
the samples with a ratio of at most each of RADII are tested, with Šidák's correction.

A model that overfits is nearer to the training samples, too, and need not copy.  E(c) is the share
of generated samples with a ratio of at most c and a training sample as the nearest, beyond chance.
It is the share of copies if only these are so near.  A density may be high around training samples.
If it changes little between two samples, it has E(c) = E(f c) / f^d in d dimensions, at most E(f c)
/ f.  So the share of copies is at least the smaller of E(c) and (f E(c) − E(f c)) / (f − 1).  Rows
on a grid are equal by chance, and have no distances between 0 and a step: there c is ½ and f is 2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import ArgumentError
from prfast.inputs.options import MEMORY, ProgressOption, RandomState, read_seed, read_share
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import Count, common_unit, in_unit
from prfast.results.values import Display, Result
from prfast.samples.features import check_all_alike
from prfast.samples.overlap import Overlap, without_repetitions
from prfast.samples.pair import Pair
from prfast.samples.partitioned import refuse_partitions
from prfast.samples.samples import Samples
from prfast.scalars.permutations import PERMUTATIONS, permuted_sums

RADII = (1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 3 / 4, 1.0)  # ratios up to which samples are tested
_PAIRS = ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (4, 6))  # of these, of copies and around them
SIGNIFICANT = 0.01  # p-value, below which copies are reported
FAR = 4.0  # standard deviations below the expected share that are worth a sentence
_LEVEL = 0.95
BLIND = (
    "It cannot detect copies that are changed by more than the distance between samples, copies of "
    "single values, and few training samples that are imitated often. It is no measure of privacy "
    "(Yao et al. 2025)."
)


class Tail(NamedTuple):
    """The generated samples up to a ratio, and how many have a training sample as their nearest."""

    part: float  # of all generated samples
    share: float  # of these, those whose nearest is a training sample
    p_value: float  # the share of permutations of the labels with as large a share
    spread: float  # the standard deviation of the share under permutations


Excess = tuple[float, float]  # share of all generated samples beyond its expectation, its error


@dataclass(frozen=True, repr=False, eq=False)
class Copies(Result):
    """Distances of generated samples from training and held-out samples; prints as a table."""

    distance_to_train: Float64s
    """The distance of each generated sample to its nearest training sample, shape (m,)."""
    distance_to_held_out: Float64s
    """The same to its nearest held-out sample."""
    nndr: tuple[float, float]
    """The median of the distances of generated samples to the nearest over those to the second
    nearest training sample, and to held-out samples (NNDR); near 0 for copies.  The ratio 0/0 is
    1."""
    info: dict[str, Any]
    """Sizes, permutations and seed."""
    _tails: tuple[Tail, ...]
    _excesses: tuple[tuple[Excess, ...], ...]

    _index = "number"

    @property
    def equal_to_train(self) -> int:
        """The number of generated samples that equal a training sample."""
        return int((self.distance_to_train == 0).sum())

    @property
    def equal_to_held_out(self) -> int:
        """The number of generated samples that equal a held-out sample."""
        return int((self.distance_to_held_out == 0).sum())

    @property
    def share(self) -> float:
        """The share of the generated samples whose nearest is a training sample; one with several
        nearest samples counts for each with the same part."""
        return self._tails[-1].share

    @property
    def expected(self) -> float:
        """The expectation of `share` where nothing is copied, n_train / (n_train + n_held_out)."""
        n, h = self.info["n_train"], self.info["n_held_out"]
        return float(n / (n + h))

    @property
    def p_value(self) -> float:
        """The probability of as much evidence where no generated sample depends on the training
        samples: the smallest of all ratios, corrected for their number (Šidák)."""
        p = min(tail.p_value for tail in self._tails)
        return 1.0 if p == 1 else -math.expm1(len(self._tails) * math.log1p(-p))

    @property
    def p_text(self) -> str:
        """The p-value as it is printed: "0.03", "< 0.0005", or "> 0.5"."""
        least = len(self._tails) / (1 + PERMUTATIONS)
        if self.p_value <= least:
            return f"< {1.5 * least:.1g}"
        # The test has one side: larger ones are no evidence of anything.
        return "> 0.5" if self.p_value > 0.5 else f"{self.p_value:.2g}"

    @property
    def copied(self) -> float:
        """The estimated share of copies much nearer to their original than samples are to each
        other, at the ratio that proves most; below 0 by chance."""
        return min(value for value, _ in max(self._excesses, key=self._least))

    def interval(self, confidence: float = _LEVEL) -> tuple[float, float]:
        """Return the interval of `share`, (low, high), from the spread of the permutations;
        confidence: its level, 0.95 by default."""
        half = _z(0.5 + read_share("confidence", confidence) / 2) * self._tails[-1].spread
        return max(self.share - half, 0.0), min(self.share + half, 1.0)

    def at_least(self, confidence: float = _LEVEL) -> float:
        """Return a lower bound of the share of copies; confidence: its level, 0.95 by default.

        It is the largest of the ratios.  It is 0 if the held-out samples were selected, or
        `p_value` is not below 0.01 and no equal samples prove copies.  There is no upper bound:
        copies that are no nearer to their original than samples are to each other are not counted.
        """
        level = read_share("confidence", confidence)
        if self.is_filtered or not (self.p_value < SIGNIFICANT or self.are_exact):
            return 0.0
        return max(0.0, *(self._least(excesses, level) for excesses in self._excesses))

    def _least(self, excesses: tuple[Excess, ...], level: float = _LEVEL) -> float:
        z = _z(1.0 - (1.0 - level) / len(self._excesses))
        return min(value - z * error for value, error in excesses)

    @property
    def dcr(self) -> tuple[float, float]:
        """The median distance of generated samples to the nearest training and held-out sample
        (DCR, distance to the closest record).  The larger of two sets is nearer by chance, too."""
        return float(np.median(self.distance_to_train)), float(np.median(self.distance_to_held_out))

    @property
    def is_filtered(self) -> bool:
        """Whether held-out samples were removed that equal training samples: fewer do than
        training samples equal each other."""
        return self._overlap.is_filtered

    @property
    def are_exact(self) -> bool:
        """Whether more generated than held-out samples equal training samples, where samples rarely
        equal each other."""
        return self._overlap.has_copies

    @property
    def _overlap(self) -> Overlap:
        return Overlap(*(self.info[name] for name in Overlap._fields))

    def sentences(self) -> list[str]:
        """Return the numbers in words."""
        overlap = self._overlap
        if overlap.is_filtered:
            return [overlap.refusal]
        low, is_significant = self.at_least(), self.p_value < SIGNIFICANT
        text = overlap.sentence(self.equal_to_train)
        lines = [f"Copies: {text}"] if self.are_exact else []
        if low > 0:
            lines.append(
                f"Copies of training samples: about {100 * self.copied:.1f} % (at least "
                f"{100 * low:.1f} %) are much nearer to one than to any other sample."
            )
        tail, lead = self._tails[-1], "No proof of overfitting or copies"
        if is_significant:
            tail, lead = min(self._tails, key=lambda tail: tail.p_value), "Overfitting or copies"
        elif lines:
            lead = "No proof of further copies or overfitting"
        part = f"of the {100 * tail.part:.2g} % nearest, " if tail.part < 0.99 else ""
        p = self.p_text if self.p_text[0] in "<>" else f"= {self.p_text}"
        if not (low > 0 and is_significant):  # else copies are the finding, and the table has p
            doubt = "" if is_significant else f", not below {SIGNIFICANT:g}"
            if is_significant and not self.are_exact:
                doubt = ", but no proof of copies: too few are much nearer to it than to any other"
            lines.append(
                f"{lead}: {part}{100 * tail.share:.1f} % have a training sample as the nearest, "
                f"where {100 * self.expected:.1f} % would by chance, p {p}{doubt}."
            )
        if self.equal_to_train and not self.are_exact:
            lines.append(text)
        # Sets that are no random parts of one.
        if self.expected - self.share > FAR * self._tails[-1].spread:
            lines.append(
                "Far fewer than expected: are training and held-out samples exchanged, or no "
                "random parts of one set?"
            )
        return lines + overlap.cautions()

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each number: `number`, its name, and `value`."""
        low, high = self.interval()
        values = {name: getattr(self, name) for name in ("share", "expected", "p_value", "copied")}
        values |= {"share_low": low, "share_high": high, "copied_at_least": self.at_least()}
        values |= {name: getattr(self, name) for name in ("equal_to_train", "equal_to_held_out")}
        for name, medians in {"DCR": self.dcr, "NNDR": self.nndr}.items():
            values |= {name: medians[0], f"{name}_held_out": medians[1]}
        return [{"number": name, "value": value} for name, value in values.items()]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers for JSON: ``values``, {name: number}, and ``info``."""
        values = {row["number"]: row["value"] for row in self.rows()}
        return {"values": values, "info": dict(self.info)}

    def _display(self) -> Display:
        low, high = self.interval()
        ends = f"({100 * low:.1f} to {100 * high:.1f})"
        return Display(
            "Copies",
            [
                ["nearer to training samples", f"{100 * self.share:.1f} % {ends}"],
                ["expected by chance", f"{100 * self.expected:.1f} %"],
                ["p-value", self.p_text],
                ["copied", f"{100 * max(self.copied, 0.0):.1f} %"],
                ["copied, at least", f"{100 * self.at_least():.1f} %"],
                ["DCR, of training, held-out", "{:.4g}, {:.4g}".format(*self.dcr)],
                ["NNDR, of training, held-out", "{:.3f}, {:.3f}".format(*self.nndr)],
                ["equal to a training sample", str(self.equal_to_train)],
                ["equal to a held-out sample", str(self.equal_to_held_out)],
            ],
            notes=[*self.sentences(), BLIND],
        )

    def __repr__(self) -> str:
        return f"Copies(share={self.share:.4f}, expected={self.expected:.4f}, p={self.p_value:.3g})"


def _z(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(level))


def copies(
    train: Any,
    held_out: Any,
    fake: Any,
    *,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
) -> Copies:
    """Return whether generated samples are copies of training samples, as a test.

    See also `metrics` and `compare_tables`.

    >>> real, fake = prfast.reference.GaussianShift(1.0, dim=8).sample(500)
    >>> print(prfast.copies(real[:250], real[250:], fake))

    Parameters
    ----------
    train, held_out : array, shapes (n, d) and (h, d)
        The samples that a model was trained on, at least two, and samples of the same source that
        it was not given.  Each is a random part of one set.
    fake : array, shape (m, d)
        Generated samples.  Distances are Euclidean; tables are encoded first (`prfast.encode`).
    random_state : int, generator of NumPy or None
        Seed of the permutations; default 0.
    n_jobs, memory, progress
        See `prfast.metrics`, as are the errors.

    Returns
    -------
    Copies
        Whether the model overfits or copies: `share`, the part of the generated samples that are
        nearer to a training than to a held-out sample (DCR), with `interval`, its expectation, and
        `p_value`.  Whether it copies: `copied`, the estimated share of copies, and `at_least`,
        above 0 where copies are proved; `are_exact`.  `dcr` and `nndr`, medians of DCR and NNDR.

    Notes
    -----
    Valid if training and held-out samples are exchangeable, as random parts of one set are.  A
    later month or another site is not, nor are held-out samples without those that equal a training
    sample by chance.  A sample that repeats another of its set counts once, unless equal ones are
    draws, as of rounded numbers.  ``prfast.scalars.memorization`` has the definitions.
    """
    seed = read_seed(random_state)
    check_all_alike({"train": train, "held_out": held_out, "fake": fake}.items())
    train = Samples.read("train", train, at_least=2)
    try:
        held_out, fake = (
            Samples.read(name, values, like=train)
            for name, values in {"held_out": held_out, "fake": fake}.items()
        )
    except ArgumentError as error:  # of the columns of the training set, the real one there
        raise error.renamed(error.argument.replace("real", "train")) from None
    for name, samples in {"train": train, "held_out": held_out, "fake": fake}.items():
        refuse_partitions(name, samples.source)
    given, generated = Pair(train, held_out), fake
    pair = without_repetitions(given)
    (train, held_out), fake = pair.points, fake.points
    exponent = max(common_unit(train, points) for points in (held_out, fake))
    train, held_out, fake = (in_unit(points, exponent) for points in (train, held_out, fake))
    search = NeighborSearch("auto", n_jobs, memory, progress)
    n, h, m = len(train), len(held_out), len(fake)
    different = np.concatenate([train, held_out])[np.unique(pair.repetition.group)]
    with search.progress.work(m * (n + h) * 4, "copies"):
        nearest = search.kth(fake, train, [1, 2])
        others = search.kth(fake, held_out, [1, min(2, h)])
        first = np.minimum(nearest[:, 0], others[:, 0])
        second = search.kth(fake, different, [min(2, len(different))])[:, 0]
        radius = np.searchsorted(RADII, np.minimum(np.sqrt(_ratio(first, second)), 1.0))
        within = np.zeros((len(RADII), n + h))
        for i in np.unique(radius):
            rows = radius == i
            within[i] = _weights(search, (train, held_out), fake[rows], first[rows])
    within = within.cumsum(axis=0)
    tails = []
    for weights in within[np.unique(radius)]:
        size = float(weights.sum())
        share = min(float(weights[:n].sum()) / size, 1.0)  # thirds may sum to a little more
        permuted = permuted_sums(weights / size, n, seed)
        p = (1 + int((permuted >= share * (1 - 1e-12)).sum())) / (1 + len(permuted))
        tails.append(Tail(size / m, share, p, float(permuted.std())))
    overlap = Overlap.of(given, pair, generated, nearest[:, 0] == 0, others[:, 0] == 0)
    excesses, expected = [], n / (n + h)
    for near, wide in _PAIRS:
        f = RADII[wide] / RADII[near]
        density = (f * within[near] - within[wide]) / (f - 1)
        excess: list[Excess] = []
        for weights in (within[near], density):
            value = (weights[:n].sum() - expected * weights.sum()) / (1 - expected)
            spread = math.sqrt(n / (1 - expected)) * weights.std(ddof=1)  # of permutations
            excess.append((float(value) / m, max(float(spread), 1.0) / m))  # of a sample at least
        excesses.append(tuple(excess))
    to_train, to_held_out = (np.ldexp(np.sqrt(x[:, 0]), exponent) for x in (nearest, others))
    info = {**overlap._asdict(), "permutations": PERMUTATIONS, "random_state": seed}
    nndr = [float(np.median(np.sqrt(_ratio(*x.T)))) for x in (nearest, others)]
    return Copies(to_train, to_held_out, (nndr[0], nndr[1]), info, tuple(tails), tuple(excesses))


def _ratio(first: Float64s, second: Float64s) -> Float64s:
    """Return first / second, 1 for 0 / 0."""
    return np.divide(first, second, out=np.ones(len(first)), where=second > 0)


def _weights(search: NeighborSearch, sets: tuple[Any, Any], fake: Any, least: Float64s) -> Float64s:
    """Return how many generated samples have each training and held-out sample as their nearest.  A
    sample with several nearest counts for each with the same part.  least: the squared
    distances."""
    ties = np.zeros(len(fake), np.int64)  # how many samples are the nearest of each
    search.run(fake, sets, [Count(least, None, rows=ties, side=side) for side in (0, 1)])
    weights = np.zeros(sum(map(len, sets)))
    for number in np.unique(ties):
        rows = ties == number
        counts = [np.zeros(len(points), np.int64) for points in sets]
        radii = least[rows]
        tasks = [Count(radii, None, cols=cols, side=side) for side, cols in enumerate(counts)]
        search.run(fake[rows], sets, tasks)
        weights += np.concatenate(counts) / number
    return weights
