"""Overlap: how many training, held-out and generated samples are equal, and how many by chance."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Self

import numpy as np

from prfast.results.values import counted
from prfast.samples.pair import Pair
from prfast.samples.repetition import RARELY, chance_of_equality

_CLEAR = 3.0  # standard deviations between shares of equal samples that differ


class Overlap(NamedTuple):
    """Numbers of samples, and of those that are equal."""

    n_train: int
    n_held_out: int
    n_fake: int
    repetitions: int  # training and held-out samples that are left out
    held_out_equal: int  # to a training sample
    train_equal: int  # training samples that equal each other, as by chance
    equal_by_chance: float  # the largest plausible share of samples that equal a training sample
    fake_repetitions: int  # of generated samples that equal a training sample; 0 if these are draws

    @classmethod
    def of(cls, pair: Pair, exact: Any, equal_held_out: float, m: int, repetitions: int) -> Self:
        """Return the numbers of equal samples; exact: the generated ones that equal a training
        sample; equal_held_out: the share of those that equal a held-out one; m: of them all."""
        (n, h), equal, train = pair.sizes, pair.repetition, pair.real.points
        chance = (train_equal := equal.draws) / n
        if max(equal.copied / h, equal_held_out) > RARELY:  # training samples may be unique
            chance = max(chance, min(n * chance_of_equality(train, np.unique(equal.group[:n])), 1))
        repeated = 0 if equal.is_evidence else len(exact) - len(np.unique(exact, axis=0))
        return cls(n, h, m, repetitions, equal.copied, train_equal, float(chance), repeated)

    @property
    def is_filtered(self) -> bool:
        """Whether fewer held-out samples equal training samples than these equal each other."""
        return _exceeds(*self._among_training, self.held_out_equal, self.n_held_out)

    @property
    def _among_training(self) -> tuple[float, float]:
        return self.train_equal / 2, self.n_train / 2  # two samples of a set are equal at once

    @property
    def is_rare(self) -> bool:
        """Whether samples rarely equal each other by chance."""
        return self.equal_by_chance <= RARELY

    def has_copies(self, equal_to_train: int) -> bool:
        """Return whether so many generated samples equal a training sample by copying."""
        by_chance, repeated = (self.held_out_equal, self.n_held_out), self.fake_repetitions
        judged = equal_to_train - repeated, self.n_fake - repeated  # as held-out samples are
        return self.is_rare and _exceeds(*judged, *by_chance)

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
        if self.fake_repetitions:
            distinct = equal_to_train - self.fake_repetitions
            text += f", {counted(distinct, 'distinct row', 'distinct rows')}"
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


def _exceeds(equal: float, size: float, second: float, second_size: float) -> bool:
    """Return whether the first share of equal samples is clearly above the second."""
    share = (equal + second) / (size + second_size)
    error = math.sqrt(max(share * (1 - share), 0.0) * (1 / size + 1 / second_size))
    return equal / size - second / second_size > _CLEAR * error
