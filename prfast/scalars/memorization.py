"""Copies: whether generated samples lie nearer to training samples than to held-out ones.

A model that has not seen the held-out samples cannot lie nearer to the training samples than to
them, other than by chance: where training and held-out samples are random parts of one set, the
share of generated samples whose nearest neighbor among both is a training sample has the
expectation n_train / (n_train + n_held_out).  A share γ of copies, whose nearest neighbor is their
original, makes it γ + (1 − γ) n_train / (n_train + n_held_out).

The test is one of permutations: given all samples, each assignment of the labels "training" and
"held-out" to the n_train + n_held_out samples is equally likely.  It is exact whatever the
distribution and the dimension, and samples that are the nearest neighbors of many generated ones
(hubs), which make a binomial test reject too often, count as often as they do.

Few copies among many samples are lost in their chance.  Copies are near to their original for the
density around it.  So they have the smallest ratios of the distances to the nearest and to the
second nearest distinct sample, which do not depend on the labels.  The test is made of the TAILS of
this ratio, too, with the correction of Bonferroni.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, of_class, read_labels
from prfast.inputs.errors import ArgumentError
from prfast.inputs.options import MEMORY, ProgressOption, RandomState, read_seed, read_share, stream
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import Count, common_unit, in_unit
from prfast.results.values import Display, Result
from prfast.samples.features import check_all_alike
from prfast.samples.pair import Pair
from prfast.samples.partitioned import check_array
from prfast.samples.repetition import DISTINCT
from prfast.samples.samples import Samples
from prfast.scalars.permutations import PERMUTATIONS, permuted_sums

TAILS = (0.02, 0.1, 0.3, 1.0)  # shares of the generated samples, those with the smallest ratios
SIGNIFICANT = 0.01  # p-value, below which copies are reported
RARELY = 0.01  # share of the held-out samples that equal a training sample, where equality is rare
FAR = 4.0  # standard deviations below the expected share, from which on a sentence says so
_LEVEL = 0.95
BLIND = (
    "It cannot see copies that are changed by more than the distance between samples, single "
    "values that are copied, and copies of what training and held-out samples have in common; few "
    "training samples that are imitated often count as few.  It is no measure of privacy: attacks "
    "tell members of training sets whose generated samples pass it (Yao et al. 2025)."
)


class Tail(NamedTuple):
    """The generated samples with the smallest ratios, and how many have a training sample as their
    nearest."""

    part: float
    """Their part of all generated samples."""
    share: float
    """Of these, the share whose nearest is a training sample."""
    p_value: float
    """The share of permutations of the labels with as large a share."""
    spread: float
    """The standard deviation of the share under permutations."""

    def interval(self, confidence: float = _LEVEL) -> tuple[float, float]:
        """Return the confidence interval of `share`, from the spread of the permutations."""
        half = _z(0.5 + read_share("confidence", confidence) / 2) * self.spread
        return max(self.share - half, 0.0), min(self.share + half, 1.0)


@dataclass(frozen=True, repr=False, eq=False)
class Copies(Result):
    """Distances of generated samples from training and held-out samples; prints as a table."""

    distance_to_train: Float64s
    """The distance of each generated sample to its nearest training sample, shape (m,)."""
    distance_to_held_out: Float64s
    """The same to its nearest held-out sample."""
    nndr: tuple[float, float]
    """The median, over generated samples, of the distance to the nearest over that to the second
    nearest training sample, and of the same to held-out samples (NNDR); near 0 where samples are
    copied.  0/0 is 1."""
    groups: dict[Any, Tail]
    """The `share` and its test for the generated samples of each label."""
    info: dict[str, Any]
    """Sizes, permutations and seed."""
    _tails: tuple[Tail, ...]

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
    def closer(self) -> Float64s:
        """1 for each generated sample that is nearer to a training than to a held-out sample, 0
        where it is not, ½ where it is as near; shape (m,)."""
        nearer = self.distance_to_train < self.distance_to_held_out
        same = self.distance_to_train == self.distance_to_held_out
        return np.where(same, 0.5, nearer.astype(np.float64))

    @property
    def share(self) -> float:
        """The share of the generated samples whose nearest is a training sample.

        One with several nearest samples counts for each with the same part, so that the expectation
        is `expected` where samples repeat, too.
        """
        return self._tails[-1].share

    @property
    def expected(self) -> float:
        """The expectation of `share` where nothing is copied, n_train / (n_train + n_held_out)."""
        n, h = self.info["n_train"], self.info["n_held_out"]
        return float(n / (n + h))

    @property
    def p_value(self) -> float:
        """The probability of as much evidence where nothing is copied: the smallest of those of the
        tails, times their number."""
        return min(1.0, len(self._tails) * min(one.p_value for one in self._tails))

    @property
    def p_text(self) -> str:
        """The p-value as it is printed, "0.03" or "< 0.0003"."""
        least = len(self._tails) / (1 + PERMUTATIONS)
        return f"< {1.5 * least:.1g}" if self.p_value <= least else f"{self.p_value:.2g}"

    @property
    def copied(self) -> float:
        """The estimated share of copies that are nearest to their original, of the tail that proves
        most; below 0 by chance."""
        return self._estimate(max(self._tails, key=self._least))

    def interval(self, confidence: float = _LEVEL) -> tuple[float, float]:
        """Return the confidence interval of `share`, (low, high), from the spread of the
        permutations, in which hubs count.

        confidence: its level, 0.95 by default.
        """
        return self._tails[-1].interval(confidence)

    def at_least(self, confidence: float = _LEVEL) -> float:
        """Return a lower confidence bound of the share of copies: the largest of those of the
        tails.

        Copies that are not nearest to their original, as in dense or discrete sets, are not seen:
        there is no upper bound.  confidence: its level, 0.95 by default.
        """
        level = read_share("confidence", confidence)
        return max(0.0, *(self._least(one, level) for one in self._tails))

    def _estimate(self, tail: Tail) -> float:
        """Return the estimated share of copies, of all generated samples, within a tail."""
        return tail.part * (tail.share - self.expected) / (1.0 - self.expected)

    def _least(self, tail: Tail, level: float = _LEVEL) -> float:
        """Return a lower bound of that share, with the error of a part without copies."""
        z = _z(1.0 - (1.0 - level) / len(self._tails))
        error = tail.part * tail.spread / (1.0 - self.expected)
        # Where all permutations agree the error of a share is that of one sample.
        return self._estimate(tail) - z * max(error, 1.0 / len(self.distance_to_train))

    @property
    def dcr(self) -> tuple[float, float]:
        """The median distance of generated samples to the nearest training and held-out sample
        (DCR, distance to the closest record); the larger of two sets is nearer by chance, too."""
        return float(np.median(self.distance_to_train)), float(np.median(self.distance_to_held_out))

    @property
    def are_exact(self) -> bool:
        """Whether generated samples equal training samples where samples of the source rarely equal
        each other: few of the held-out samples equal a training sample."""
        m, h, by_chance = (self.info[x] for x in ("n_fake", "n_held_out", "held_out_equal"))
        share = (self.equal_to_train + by_chance) / (m + h)
        error = math.sqrt(share * (1 - share) * (1 / m + 1 / h))
        excess = self.equal_to_train / m - by_chance / h
        return bool(by_chance <= RARELY * h and excess > 3 * error)

    def sentences(self) -> list[str]:
        """Return what the numbers say, in words."""
        low = self.at_least()
        p = self.p_text if self.p_text.startswith("<") else f"= {self.p_text}"
        chance = (
            f"{100 * self.share:.1f} % have a training sample as the nearest, where "
            f"{100 * self.expected:.1f} % would without any copy, p {p}"
        )
        lead = (
            "By distances no proof of more copies: " if self.are_exact else "No proof of copies: "
        )
        if self.p_value < SIGNIFICANT and low > 0:
            about = f"about {100 * self.copied:.1f} % (at least {100 * low:.1f} %)"
            lead = f"Copies of training samples: {about}; "
        lines = [f"{lead}{chance}."]
        m, h, by_chance = (self.info[x] for x in ("n_fake", "n_held_out", "held_out_equal"))
        if self.equal_to_train:
            text = (
                f"{self.equal_to_train} of {m} equal a training sample exactly; so do {by_chance} "
                f"of {h} held-out samples."
            )
            lines = [f"Copies: {text}", *lines] if self.are_exact else [*lines, text]
        by_label = self.groups
        for label, tail in by_label.items():
            p_of_label = min(1.0, len(by_label) * tail.p_value)
            if p_of_label < SIGNIFICANT:
                text = f"{100 * tail.share:.1f} % have a training sample as the nearest"
                together = f"for {len(by_label)} labels together"
                lines.append(f"Of {label!r} {text}, p = {p_of_label:.2g} {together}.")
        return [*lines, *self._cautions()]

    def _cautions(self) -> list[str]:
        """Return sentences on sets that are no random parts of one."""
        n, h, different, by_chance = (
            self.info[x] for x in ("n_train", "n_held_out", "n_distinct", "held_out_equal")
        )
        lines = []
        if self.expected - self.share > FAR * self._tails[-1].spread:
            lines.append(
                "Far fewer than expected: are training and held-out samples exchanged, or no "
                "random parts of one set?"
            )
        if different >= DISTINCT * n and by_chance > RARELY * h:
            lines.append(
                f"{by_chance} of {h} held-out samples are training samples: remove them, as copies "
                "of these cannot be seen."
            )
        if different < DISTINCT * n and by_chance <= RARELY * h:
            lines.append(
                f"Only {different} of {n} training samples are distinct: remove repetitions, with "
                "which the expected share does not hold."
            )
        return lines

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
        """Return plain numbers for JSON: ``values``, {name: number}, ``info``, and ``groups``, a
        list, if there are any."""
        values = {row["number"]: row["value"] for row in self.rows()}
        tests = [{"label": label, **tail._asdict()} for label, tail in self.groups.items()]
        return {"values": values, "info": dict(self.info), **({"groups": tests} if tests else {})}

    def _display(self) -> Display:
        low, high = self.interval()
        ends = f"({100 * low:.1f} to {100 * high:.1f})"
        return Display(
            "Copies",
            [
                ["nearer to training samples", f"{100 * self.share:.1f} % {ends}"],
                ["expected without copies", f"{100 * self.expected:.1f} %"],
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
    """Return the quantile of the normal distribution."""
    from scipy.special import ndtri

    return float(ndtri(level))


def copies(
    train: Any,
    held_out: Any,
    fake: Any,
    *,
    labels: Any = None,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
) -> Copies:
    """Return whether generated samples are copies of training samples, as a test.

    Parameters
    ----------
    train, held_out : array, shapes (n, d) and (h, d)
        The samples that a model was trained on, at least two, and samples of the same source that
        it has not seen: a random part of one set each.
    fake : array, shape (m, d)
        Generated samples.  Distances are Euclidean; tables are encoded first (`prfast.encode`).
    labels : array of int or str, shape (m,), optional
        Label of each generated sample, such as its class or cluster: the test of each is in
        `groups`, where copies of one kind are not diluted.  None (default): no such tests.
    random_state : int, generator of NumPy or None
        Seed of the permutations; default 0.
    n_jobs, memory, progress
        As for `prfast.metrics`.

    Returns
    -------
    Copies
        `share`, the part of the generated samples that are nearer to a training than to a held-out
        sample (DCR), with `interval`, and its expectation; `p_value`; `copied`, the estimated share
        of copies, and `at_least`; `dcr` and `nndr`, medians of DCR and NNDR; `closer`, by sample.

    Raises
    ------
    TypeError, ValueError
        As `prfast.metrics`; fewer than two training samples.

    Notes
    -----
    Valid where training and held-out samples are exchangeable, as random parts of one set are; a
    later month or another site is not.  ``prfast.scalars.memorization`` has the definitions.
    """
    seed = read_seed(random_state)
    check_all_alike({"train": train, "held_out": held_out, "fake": fake}.items())
    train = Samples.read("train", train, at_least=2)
    held_out = _read_other("held_out", held_out, train)
    fake = _read_other("fake", fake, train)
    labels = fake.in_order("labels", labels, "fake")
    for name, one in {"train": train, "held_out": held_out, "fake": fake}.items():
        check_array(name, one.source, "an array", "partitioned samples")
    equal = Pair(train, held_out).repetition
    train, held_out, fake = train.points, held_out.points, fake.points
    exponent = max(common_unit(train, points) for points in (held_out, fake))
    train, held_out, fake = (in_unit(points, exponent) for points in (train, held_out, fake))
    search = NeighborSearch("auto", n_jobs, memory, progress)
    n, h, m = len(train), len(held_out), len(fake)
    different = np.concatenate([train, held_out])[np.unique(equal.group)]
    with search.progress.work(m * (n + h) * (1 + len(TAILS)), "copies"):
        nearest = search.kth(fake, train, [1, 2])
        others = search.kth(fake, held_out, [1, min(2, h)])
        first = np.minimum(nearest[:, 0], others[:, 0])
        second = search.kth(fake, different, [min(2, len(different))])[:, 0]

        def tail(rows: Any) -> Tail:
            """Return the test of some generated samples."""
            weights = _weights(search, (train, held_out), fake[rows], first[rows]) / len(rows)
            share = min(float(weights[:n].sum()), 1.0)  # thirds may sum to a little more
            permuted = permuted_sums(weights, n, seed)
            as_large = int((permuted >= share * (1 - 1e-12)).sum())
            p = (1 + as_large) / (1 + len(permuted))
            return Tail(len(rows) / m, share, p, float(permuted.std()))

        # Samples of one ratio, such as exact copies, in random order: theirs may tell the labels.
        order = stream(seed, "order").permutation(m)
        order = order[np.argsort(_ratio(first, second)[order], kind="stable")]
        tails = [tail(np.sort(order[: max(1, round(part * m))])) for part in TAILS]
        of_fake = np.array([]) if labels is None else read_labels("labels", labels, m)
        by_label = {
            label: tail(np.flatnonzero(of_class(of_fake, label)))
            for label in np.unique(of_fake).tolist()
        }
    to_train, to_held_out = (
        np.ldexp(np.sqrt(d2), exponent) for d2 in (nearest[:, 0], others[:, 0])
    )
    info = {
        "n_train": n,
        "n_held_out": h,
        "n_fake": m,
        "n_distinct": len(equal.counts[0]),
        "held_out_equal": equal.copied,
        "permutations": PERMUTATIONS,
        "random_state": seed,
    }
    of_train, of_held_out = (float(np.median(np.sqrt(_ratio(*x.T)))) for x in (nearest, others))
    nndr = of_train, of_held_out
    return Copies(to_train, to_held_out, nndr, by_label, info, tuple(tails))


def _ratio(first: Float64s, second: Float64s) -> Float64s:
    """Return first / second, 1 for 0 / 0."""
    return np.where(second == 0, 1.0, first / np.where(second == 0, 1.0, second))


def _read_other(name: str, values: Any, train: Samples) -> Samples:
    """Return a set of the columns of the training set, which errors name."""
    try:
        return Samples.read(name, values, like=train)
    except ArgumentError as error:
        names = error.argument.replace("real", "train")
        raise error.renamed(names) from None


def _weights(search: NeighborSearch, sets: tuple[Any, Any], fake: Any, least: Float64s) -> Float64s:
    """Return how many generated samples have each training and held-out sample, in this order, as
    their nearest; a sample with several nearest ones counts for each with the same part.

    They do not depend on which samples are held out.  sets: training and held-out samples; least:
    squared distances of the generated ones to the nearest.
    """
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
