"""Overlap: how many training, held-out and generated samples are equal, and how many by chance."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

from prfast.results.values import counted
from prfast.samples.pair import Pair
from prfast.samples.repetition import RARELY, chance_of_equality, first_rows
from prfast.samples.samples import Samples

_CLEAR = 0.001  # level of the exact test by which shares of equal samples differ


class Overlap(NamedTuple):
    """Numbers of samples, and of those that are equal."""

    n_train: int
    n_held_out: int
    n_fake: int
    repetitions: int  # training and held-out samples that are left out
    held_out_equal: int  # to a training sample
    train_equal: int  # training samples that equal each other, as by chance
    equal_by_chance: float  # the largest plausible share of samples that equal a training sample
    distinct_equal: int  # distinct generated samples that do; all of these if equal ones are draws
    copied: list[list[int]]  # counts of copies, each beside that of generated samples

    @classmethod
    def of(cls, given: Pair, pair: Pair, fake: Samples, exact: Any, in_held_out: Any) -> Self:
        """Return the numbers of equal samples; pair: the training and held-out samples `given`
        without repetitions; exact, in_held_out: masks of generated samples that equal one."""
        (n, h), equal, train = pair.sizes, pair.repetition, pair.real.points
        chance = equal.draws / n
        if max(equal.copied / h, in_held_out.mean()) > RARELY:  # training samples may be unique
            chance = max(chance, min(n * chance_of_equality(train, np.unique(equal.group[:n])), 1))
        rows, found = np.arange(len(fake)), [exact]
        if not equal.is_evidence and exact.any():
            # A default row is no copy: held-out samples have it, or training samples repeat it.
            alone, rows = exact & ~in_held_out, np.unique(first_rows(fake.keys))
            keys, counts = np.unique(given.real.keys, return_counts=True)
            found = [alone[rows], alone & np.isin(fake.keys, keys[counts == 1])]
        copied = [[int(x.sum()), len(x)] for x in found]
        sizes = n, h, len(fake), sum(given.sizes) - n - h
        distinct = int(exact[rows].sum())
        return cls(*sizes, equal.copied, equal.draws, float(chance), distinct, copied)

    @property
    def is_filtered(self) -> bool:
        """Whether fewer held-out samples equal training samples than these equal each other."""
        return _exceeds(*self._among_training, self.held_out_equal, self.n_held_out)

    @property
    def _among_training(self) -> tuple[int, int]:
        return self.train_equal // 2, self.n_train // 2  # two samples of a set are equal at once

    @property
    def is_rare(self) -> bool:
        """Whether samples rarely equal each other by chance."""
        return self.equal_by_chance <= RARELY

    @property
    def has_copies(self) -> bool:
        """Whether so many generated samples equal a training sample by copying."""
        by_chance = self.held_out_equal, self.n_held_out
        return self.is_rare and any(_exceeds(equal, m, *by_chance) for equal, m in self.copied)

    @property
    def refusal(self) -> str:
        """The sentence in place of all others where held-out samples were removed."""
        return (
            f"No claim about copies: {self.train_equal} of {self.n_train} training samples equal "
            f"each other, and only {self._held_out} equal one of them. "
            "Either such held-out samples were removed: pass them as they were drawn. Or training "
            "samples were repeated: pass each once."
        )

    def sentence(self, equal_to_train: int) -> str:
        """Return how many generated and held-out samples equal a training sample."""
        text = f"{equal_to_train} of {self.n_fake} equal a training sample exactly"
        if self.distinct_equal < equal_to_train:
            text += f", {counted(self.distinct_equal, 'distinct row', 'distinct rows')}"
        return f"{text}; so do {self._held_out}."

    def cautions(self) -> list[str]:
        """Return sentences on held-out and training samples that are not as they should be."""
        lines, equal, h = [], self.held_out_equal, self.n_held_out
        is_beyond = equal > RARELY * h and _exceeds(equal, h, *self._among_training)
        if is_beyond and (self.is_rare or self.train_equal):  # distinct ones tell nothing of chance
            cure = "remove them" if self.is_rare else "pass samples that the model has not seen"
            lines.append(
                f"{self._held_out} are training samples, more than by chance: {cure}, as copies of "
                "these cannot be seen."
            )
        if self.repetitions:
            lines.append(
                f"{self.repetitions} training and held-out samples are left out: they repeat "
                "another of their set."
            )
        return lines

    @property
    def _held_out(self) -> str:
        return f"{self.held_out_equal} of {self.n_held_out} held-out samples"


def without_repetitions(pair: Pair) -> Pair:
    """Return the distinct samples of each set; the pair itself where equal ones are draws."""
    if (equal := pair.repetition).is_evidence:
        return pair
    parts = np.split(equal.group, [equal.n_real])
    return pair.take(*(np.sort(np.unique(part, return_index=True)[1]) for part in parts))


def _exceeds(equal: int, size: int, second: int, second_size: int) -> bool:
    """Return whether the first share is clearly above the second, by Fisher's exact test."""
    from scipy.stats import hypergeom  # here, to keep `import prfast` quick

    return bool(hypergeom.sf(equal - 1, size + second_size, equal + second, size) < _CLEAR)
