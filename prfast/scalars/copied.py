"""The result of the test of copies, and what it says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.options import read_share
from prfast.results.values import Display, Result
from prfast.samples.repetition import DISTINCT
from prfast.scalars.permutations import PERMUTATIONS

SIGNIFICANT = 0.01  # p-value, below which copies are reported
RARELY = 0.01  # share of samples that equal another by chance, where equality is rare
FAR = 4.0  # standard deviations below the expected share, from which on a sentence says so
_CLEAR = 3.0  # standard deviations between shares of equal samples that differ
_LEVEL = 0.95
BLIND = (
    "It cannot see copies that are changed by more than the distance between samples, single "
    "values that are copied, and copies of what training and held-out samples have in common; few "
    "training samples that are imitated often count as few.  It is no measure of privacy: attacks "
    "tell members of training sets whose generated samples pass it (Yao et al. 2025)."
)


class Tail(NamedTuple):
    """The generated samples up to a ratio, and how many have a training sample as their nearest."""

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


Excess = tuple[float, float]  # share of all generated samples beyond its expectation, its error


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
        """The probability of as much evidence where no generated sample depends on the training
        samples: the smallest of those of the tails, corrected for their number (Šidák)."""
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
        """The estimated share of copies that are much nearer to their original than samples are to
        each other, at the ratio that proves most; below 0 by chance."""
        return min(value for value, _ in max(self._excesses, key=self._least))

    def interval(self, confidence: float = _LEVEL) -> tuple[float, float]:
        """Return the confidence interval of `share`, (low, high), from the spread of the
        permutations, in which hubs count.

        confidence: its level, 0.95 by default.
        """
        return self._tails[-1].interval(confidence)

    def at_least(self, confidence: float = _LEVEL) -> float:
        """Return a lower confidence bound of the share of copies: the largest of those of the
        ratios; 0 where the held-out samples were selected, or `p_value` is not below 0.01 and no
        equal samples prove copies.

        Copies that are no nearer to their original than samples are to each other are not counted:
        there is no upper bound.  confidence: its level, 0.95 by default.
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
        (DCR, distance to the closest record); the larger of two sets is nearer by chance, too."""
        return float(np.median(self.distance_to_train)), float(np.median(self.distance_to_held_out))

    @property
    def is_filtered(self) -> bool:
        """Whether held-out samples that equal training samples were removed: fewer do than training
        samples equal each other."""
        n, repeated = self.info["n_train"], self.info["train_equal"]
        equal, h = self.info["held_out_equal"], self.info["n_held_out"]
        return _exceeds(repeated / 2, n / 2, equal, h)  # two samples of a set are equal at once

    @property
    def are_exact(self) -> bool:
        """Whether generated samples equal training samples where samples of the source rarely equal
        each other: more than held-out samples do."""
        m, h, by_chance = (self.info[x] for x in ("n_fake", "n_held_out", "held_out_equal"))
        return self._is_rare and _exceeds(self.equal_to_train, m, by_chance, h)

    def sentences(self) -> list[str]:
        """Return what the numbers say, in words."""
        if self.is_filtered:
            n, equal = self.info["n_train"], self.info["train_equal"]
            return [
                f"No claim about copies: {equal} of {n} training samples equal each other, as by "
                f"chance, and only {self._held_out_equal}. Such held-out samples seem to be "
                "removed: pass them as they were drawn."
            ]
        low, is_significant = self.at_least(), self.p_value < SIGNIFICANT
        m = self.info["n_fake"]
        text = f"{self.equal_to_train} of {m} equal a training sample exactly; so do "
        text += f"{self._held_out_equal}."
        lines = [f"Copies: {text}"] if self.are_exact else []
        if low > 0:
            lines.append(
                f"Copies of training samples: about {100 * self.copied:.1f} % (at least "
                f"{100 * low:.1f} %) are much nearer to one than to any other sample."
            )
        tail = (
            min(self._tails, key=lambda tail: tail.p_value) if is_significant else self._tails[-1]
        )
        part = f"of the {100 * tail.part:.2g} % nearest, " if tail.part < 0.99 else ""
        p = self.p_text if self.p_text[0] in "<>" else f"= {self.p_text}"
        lead = "Overfitting or copies" if is_significant else "No proof of overfitting or copies"
        if lines and not is_significant:
            lead = "No proof of further copies or overfitting"
        lines.append(
            f"{lead}: {part}{100 * tail.share:.1f} % have a training sample as the nearest, where "
            f"{100 * self.expected:.1f} % would by chance, p {p}."
        )
        if is_significant and len(lines) == 1:
            lines.append(
                "No proof of copies: too few are much nearer to a training sample than to any "
                "other, as copies are, and samples of a model that overfits are not."
            )
        if self.equal_to_train and not self.are_exact:
            lines.append(text)
        for label, tail in self.groups.items():
            p_of_label = len(self.groups) * tail.p_value
            if p_of_label < SIGNIFICANT:
                text = f"{100 * tail.share:.1f} % have a training sample as the nearest"
                together = f"for {len(self.groups)} labels together"
                lines.append(f"Of {label!r} {text}, p = {p_of_label:.2g} {together}.")
        return [*lines, *self._cautions()]

    @property
    def _is_rare(self) -> bool:
        return bool(self.info["equal_by_chance"] <= RARELY)

    @property
    def _held_out_equal(self) -> str:
        return f"{self.info['held_out_equal']} of {self.info['n_held_out']} held-out samples"

    def _cautions(self) -> list[str]:
        """Return sentences on sets that are no random parts of one."""
        n, h, different = (self.info[x] for x in ("n_train", "n_held_out", "n_distinct"))
        equal, repeated = self.info["held_out_equal"], self.info["train_equal"]
        lines = []
        if self.expected - self.share > FAR * self._tails[-1].spread:
            lines.append(
                "Far fewer than expected: are training and held-out samples exchanged, or no "
                "random parts of one set?"
            )
        is_beyond = equal > RARELY * h and _exceeds(equal, h, repeated / 2, n / 2)
        if is_beyond and (
            self._is_rare or repeated
        ):  # of distinct training samples nothing is known
            cure = "remove them" if self._is_rare else "pass samples that the model has not seen"
            lines.append(
                f"{self._held_out_equal} are training samples, more than by chance: {cure}, as "
                "copies of these cannot be seen."
            )
        if different < DISTINCT * n and self._is_rare:
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


def _exceeds(equal: float, size: float, second: float, second_size: float) -> bool:
    """Return whether the first share of equal samples is clearly above the second."""
    share = (equal + second) / (size + second_size)
    error = math.sqrt(max(share * (1 - share), 0.0) * (1 / size + 1 / second_size))
    return equal / size - second / second_size > _CLEAR * error


def _z(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(level))
