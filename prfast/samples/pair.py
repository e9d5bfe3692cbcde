"""Pair: a real and a generated set of samples of one space, and what follows from them.

Rows of a unit are a single observation: equal rows, unless the real set is discrete, and groups of
the caller.  A mean over a set has the variance of that of (Σ W_u)² / Σ W_u² independent samples,
Kish's effective size; W_u is the sum of the weights of a unit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s, Ints
from prfast.inputs.concurrency import cached_property
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import is_word, read_number, read_share, stream
from prfast.inputs.tables import first_labels
from prfast.samples.noise import MOST_NOISE, AddedNoise, Smoother, fit_noise, read_noise
from prfast.samples.order import independent_stride
from prfast.samples.partition import Split, coins, systematic
from prfast.samples.partitioned import check_array, refuse_partitions
from prfast.samples.repetition import Repetition, equal_groups, joined_units
from prfast.samples.samples import Samples

SETS = ("real", "fake")


@dataclass(frozen=True, eq=False)
class Pair:
    """Two sets of samples of one space."""

    real: Samples
    fake: Samples
    noise: AddedNoise | None = None  # the noise that the rows have; None at full resolution
    origin: Selection | None = None  # the pair of which this pair is a selection
    sets: tuple[Samples, Samples] = field(init=False)
    sizes: tuple[int, int] = field(init=False)
    width: int = field(init=False)
    weighted: list[str] = field(init=False)  # the sets whose weights differ, "real" or "fake"
    is_grouped: bool = field(init=False)
    is_plain: bool = field(init=False)

    def __post_init__(self) -> None:
        sets = self.real, self.fake
        weighted = [name for name in SETS if getattr(self, name).weights is not None]
        is_grouped = any(samples.labels is not None for samples in sets)
        vars(self).update(sets=sets, sizes=(len(self.real), len(self.fake)), width=self.real.width)
        is_plain = not (weighted or is_grouped)
        vars(self).update(weighted=weighted, is_grouped=is_grouped, is_plain=is_plain)

    @classmethod
    def read(
        cls,
        real: Any,
        fake: Any,
        *,
        w_real: Any = None,
        w_fake: Any = None,
        groups: Any = None,
        repeats: str = "missing",
        kinds: Sequence[Any] = (None, None),
        at_least: int = 1,
    ) -> Pair:
        """Return the sets of the arguments of a public function, or two `Samples` as a pair.

        Messages name the argument.  kinds: of each set a label of each sample, such as its class;
        samples of two kinds differ.
        """
        if groups is not None and (not isinstance(groups, list | tuple) or len(groups) != 2):
            raise WrongType("groups", "two arrays, of the real and the generated labels, expected")
        l_real, l_fake = groups or (None, None)
        first = Samples.read("real", real, weights=w_real, groups=l_real, at_least=at_least)
        second = Samples.read(
            "fake", fake, weights=w_fake, groups=l_fake, like=first, at_least=at_least
        )
        if not is_word(repeats, "missing"):
            first = first.with_repeats(repeats, kinds[0])
            second = second.with_repeats(repeats, kinds[1])
        if first.labels is not None and second.labels is not None:
            by_text = {str(label): label for label in np.unique(first.labels).tolist()}  # 1 is "1"
            if common := by_text.keys() & set(np.unique(second.labels).astype(np.str_).tolist()):
                label = by_text[min(common)]
                text = f"labels that occur in one set alone expected, got {label!r}"
                cure = "if they are other groups, number the generated ones on, or write a prefix"
                raise WrongValue("groups", f"{text} in both; {cure}")
        pair = cls(first, second)
        if first.is_partitioned:
            # Rows of weight 0 are dropped: a selection has weights that differ.
            w_real, w_fake = (x.weights is not None or x.selection is not None for x in pair.sets)
            given = {"w_real": w_real, "w_fake": w_fake, "groups": pair.is_grouped}
            if name := next((name for name, is_given in given.items() if is_given), ""):
                check_array(name, first.source, "None", "an array")
        return pair

    # ---- both sets -------------------------------------------------------------------------------

    @property
    def points(self) -> tuple[Any, Any]:
        return self.real.points, self.fake.points

    def weights_refused(self, text: str) -> WrongValue:
        """Return the error for a function of samples that takes no weights; text: which one."""
        argument = self.weights_argument(self.weighted[0])
        none = "'missing'" if argument == "repeats" else "None"
        return WrongValue(argument, f"{none} expected {text}")

    def weights_argument(self, name: str) -> str:
        """Return the argument from which a set has its weights; name: "real" or "fake"."""
        return "repeats" if getattr(self, name).merged else f"w_{name}"

    @property
    def masses(self) -> tuple[Float64s, Float64s]:
        """The weight of each sample over the largest of its set."""
        return self.real.mass, self.fake.mass

    @property
    def mean_weights(self) -> Float64s | None:
        """Weights of all rows, real ones first, of mean 1 in each set; None where all are equal."""
        if not self.weighted:
            return None
        return np.concatenate([mass / mass.mean() for mass in self.masses])

    @property
    def names(self) -> list[Any] | None:
        """Names of the features, one each; those of the real set if both have names."""
        names = first_labels(self.real.names, self.fake.names)
        return names if names is not None and len(names) == self.width else None

    # ---- units -----------------------------------------------------------------------------------

    @cached_property
    def repetition(self) -> Repetition:
        """Which rows are equal; with noise, the rows that were equal before.

        The samples of a pair, or of a selection by itself, decide whether equal rows are draws.
        """
        if (origin := self.origin) is not None:
            equal = origin.pair.repetition.of(origin.real, origin.fake)
            if not origin.is_alone:
                return equal
            group = equal.group
        elif self.noise is not None:
            return self.noise.original.repetition
        else:
            keys = np.concatenate([self.real.keys, self.fake.keys])
            group = equal_groups(keys, *self.points)
        merged, numbers = self.real.merged, None
        if merged:
            numbers = np.rint(self.real.mass * (merged / self.real.mass.sum()))
        return Repetition(group, len(self.real), self.real.points, merged=numbers)

    @cached_property
    def units(self) -> tuple[Ints, Ints]:
        """The unit of each row of either set."""
        if self.origin is not None and not self.origin.is_alone:
            first, second = self.origin.pair.units
            return first[self.origin.real], second[self.origin.fake]
        if self.noise is not None:
            copies, (first, second) = self.noise.copies, self.noise.original.units
            return np.tile(first, copies), np.tile(second, copies)
        equal = self.repetition
        units = np.arange(sum(self.sizes)) if equal.is_evidence else equal.group
        if self.is_grouped:
            for name, samples in zip(SETS, self.sets, strict=True):
                if samples.group_count < 2:
                    text = f"at least 2 groups of {name} samples expected, got 1"
                    raise WrongValue("groups", text)
            units = joined_units(np.concatenate(self.groups), units, len(self.real))
        return units[: len(self.real)], units[len(self.real) :]

    @cached_property
    def strides(self) -> tuple[int, int]:
        """The distance at which the rows of each set do not depend on each other by their order.

        Equal rows, and those of a group, count as the first of them.
        """
        if self.noise is not None:
            return self.noise.original.strides
        if self.real.is_partitioned:
            return 1, 1
        strides = []
        for units, samples in zip(self.units, self.sets, strict=True):
            firsts = np.sort(np.unique(units, return_index=True)[1])
            stride = independent_stride(samples.points, firsts)
            size = int(samples.rows[-1]) + 1  # with rows that were left out or merged
            strides.append(stride if stride == 1 else -(-stride * size // len(firsts)))
        return strides[0], strides[1]

    @property
    def groups(self) -> tuple[Ints, Ints]:
        """The caller's group of each row of either set; a row by itself without groups."""
        return self.real.groups, self.fake.groups + len(self.real)

    @property
    def unit_numbers(self) -> tuple[Ints, Ints]:
        """The unit of each row of either set, numbered from 0 in each set."""
        real, fake = (np.unique(units, return_inverse=True)[1] for units in self.units)
        return real, fake

    @property
    def unit_masses(self) -> tuple[Float64s, Float64s]:
        """The sum of the weights of each unit of each set; 0 for the units of the other set."""
        (u, v), (w_real, w_fake) = self.units, self.masses
        return np.bincount(u, w_real), np.bincount(v, w_fake)  # type: ignore[return-value]

    @cached_property
    def effective_size(self) -> tuple[int, int]:
        """Kish's effective size of each set, rounded down."""
        n, m = (int(W.sum() ** 2 / (W**2).sum() * (1 + 1e-12)) for W in self.unit_masses)
        return n, m

    @property
    def freedom(self) -> float:
        """Degrees of freedom of a variance by units, (Σ W²)² / Σ W⁴ by Welch and Satterthwaite, of
        the set with fewer.  They are far below the effective size if few weights are large."""
        return min(float((W**2).sum() ** 2 / (W**4).sum()) for W in self.unit_masses)

    def scaled_weights(self) -> Float64s | None:
        """Return weights of all rows whose sum over a set is its effective size; None without
        weights and groups."""
        if self.is_plain:
            return None
        sized = zip(self.masses, self.effective_size, strict=True)
        return np.concatenate([w * (size / w.sum()) for w, size in sized])

    # ---- divisions -------------------------------------------------------------------------------

    def split_rows(self, split: float | str, seed: int) -> Split:
        """Return the rows that train and those that are scored; a group is in one part.

        split: the share of each set that trains, or "bernoulli", the coins of Algorithm 1.
        """
        ends = split if isinstance(split, str) else (read_share("split", split), 1.0)
        divided = self.partition(ends, seed, "split", equal_apart=True)
        for name, samples, part in zip(SETS, self.sets, divided, strict=True):
            if part.any() and not part.all():
                continue
            argument, units, size = name, "samples", samples.group_count
            if samples.labels is not None:
                argument, units = "groups", f"groups of {name} samples"
            if isinstance(split, str):
                raise WrongValue(argument, f"at least 2 {units} expected for a split, got {size}")
            train = 0 if part.all() else size
            text = f"too few {units} to split at {split}: {size} would leave {train} to train"
            raise WrongValue(argument, f"{text} and {size - train} to evaluate")
        return Split(*(np.flatnonzero(rows == part) for rows in divided for part in (0, 1)))

    def split(self, split: float | str | None, seed: int) -> tuple[Pair, Pair]:
        """Return the samples that train and those that are scored; all twice for None."""
        if split is None:
            return self, self
        rows = self.split_rows(split, seed)
        train = self.take(rows.real_train, rows.fake_train)
        return train, self.take(rows.real_test, rows.fake_test)

    def partition(
        self,
        parts: int | str | Sequence[float],
        seed: int,
        purpose: str,
        *,
        equal_apart: bool = False,
    ) -> tuple[Ints, Ints]:
        """Return the random part, from 0, of each row of either set, spread evenly.

        parts: how many, of sizes that differ by at most a unit; the shares of each set at which
        they end; or "bernoulli", for units that lie in a single set.  purpose: of the random
        stream.  equal_apart: whether equal rows may have different parts; those of a group never
        have.
        """
        units = self.groups if equal_apart else self.units
        rng, size = stream(seed, purpose), 1 + max(int(x.max(initial=0)) for x in units)
        real, fake = (np.bincount(numbers, minlength=size) > 0 for numbers in units)
        part, in_both = np.empty(size, np.int64), int((real & fake).sum())
        if isinstance(parts, str):
            part[real], part[fake] = coins(int(real.sum()), int(fake.sum()), rng)
            return part[units[0]], part[units[1]]
        for chosen, before in ((real & ~fake, in_both), (fake & ~real, in_both), (real & fake, 0)):
            numbers = np.flatnonzero(chosen)
            order, places = rng.permutation(len(numbers)), np.arange(len(numbers))
            if isinstance(parts, int):
                part[numbers] = (before + order) % parts  # after common units: sets are even
            else:
                # 0.29 × 100 is 29 here, and 28.999… in float64.
                ends = [math.floor(end * len(numbers) * (1 + 1e-12)) for end in parts]
                part[numbers[order]] = np.searchsorted(ends, places, side="right")
        return part[units[0]], part[units[1]]

    def sample(self, limit: int, seed: int, purpose: str) -> tuple[Ints, Ints]:
        """Return at most `limit` random rows of each set, ascending."""
        rng, (n, m) = stream(seed, purpose), self.sizes
        real = np.sort(rng.choice(n, min(n, limit), replace=False))
        return real, np.sort(rng.choice(m, min(m, limit), replace=False))

    def draws(self, seed: int, purpose: str) -> tuple[Ints, Ints]:
        """Return rows that are independent draws of the weighted distributions, ascending.

        They are a row of each group, by its weight.  If there are weights, a group is drawn with
        the probability W / max W, W the sum of its weights.
        """
        rng, rows = stream(seed, purpose), []
        for groups, w in zip(self.groups, self.masses, strict=True):
            order = np.argsort(rng.exponential(size=len(w)) / w)
            first = order[np.unique(groups[order], return_index=True)[1]]
            if self.weighted:
                total = np.bincount(groups, w)[groups[first]]
                first = first[rng.random(len(first)) < total / total.max()]
            rows.append(np.sort(first))
        return rows[0], rows[1]

    def representatives(self, limit: int, seed: int) -> tuple[Ints, Ints]:
        """Return rows that a fit may use, ascending: of each unit one row, at most `limit` of a
        set, at random.  If there is noise, all copies of a sample or none.

        Densities of all rows of a unit would show which set has larger units.
        """
        if self.noise is not None:
            original, copies = self.noise.original, self.noise.copies
            real, fake = original.representatives(max(limit // copies, 1), seed)
            (n, m), number = original.sizes, np.arange(copies)[:, None]
            return (real + number * n).ravel(), (fake + number * m).ravel()
        rng, drawn, chosen = stream(seed, "representatives"), stream(seed, "groups"), []
        for units in self.units:
            # The first of equal rows; any row of a group.
            order = drawn.permutation(len(units)) if self.is_grouped else np.arange(len(units))
            first = order[np.unique(units[order], return_index=True)[1]]
            chosen.append(np.sort(rng.permutation(first)[:limit]))
        return chosen[0], chosen[1]

    def independent(self, seed: int, purpose: str) -> tuple[Ints, Ints]:
        """Return rows of each set that have its distribution with equal weights, as many as the
        effective size.  A unit has at most one row among them, a heavy unit sometimes two."""
        rng, rows = stream(seed, purpose), []
        for units, w, size in zip(self.units, self.masses, self.effective_size, strict=True):
            order = np.argsort(rng.permutation(int(units.max()) + 1)[units], kind="stable")
            rows.append(np.sort(order[systematic(w[order], size)]))
        return rows[0], rows[1]

    def take(self, real: Any, fake: Any) -> Pair:
        """Return a selection of each set, index arrays, masks or slices; units stay."""
        noise = self.noise
        if noise is not None:
            noise = noise._replace(original=noise.original.take(real, fake))
        return Pair(self.real.take(real), self.fake.take(fake), noise, Selection(self, real, fake))

    def columns(self, columns: list[int]) -> Pair:
        """Return a pair by itself with these columns."""
        real, fake = (np.ascontiguousarray(points[:, columns]) for points in self.points)
        names = None if self.names is None else [self.names[i] for i in columns]
        pair = self.with_points(real, fake)
        return replace(pair, real=replace(pair.real, names=names), origin=None)

    def alone(self) -> Pair:
        """Return a selection as a pair by itself, whose units depend on its rows alone."""
        origin = self.origin and self.origin._replace(is_alone=True)
        return replace(self, origin=origin)

    def rows_alone(self) -> Pair:
        """Return the rows as a pair by itself, without weights and groups."""
        real, fake = (replace(samples, weights=None, labels=None) for samples in self.sets)
        return replace(self.alone(), real=real, fake=fake)

    def with_points(self, real: Any, fake: Any) -> Pair:
        """Return the pair with other numbers in its rows, whose units stay."""
        first = replace(self.real, source=real, selection=None)
        second = replace(self.fake, source=fake, selection=None)
        return Pair(first, second, origin=Selection(self, slice(None), slice(None)))

    def without_points(self) -> Pair:
        """Return the pair for results that outlive the rows."""
        none = (np.broadcast_to(np.float32(0), (size, self.width)) for size in self.sizes)
        pair = replace(self.with_points(*none), origin=None)
        pair.__dict__.update(units=self.units, repetition=self.repetition)
        return pair

    # ---- noise -----------------------------------------------------------------------------------

    def smoother(self, noise: Any, seed: int) -> Smoother:
        """Return the argument `noise` in the units of the real set."""
        real = self.real
        refuse_partitions("real", real.source)
        return fit_noise(read_noise(noise), real.points, seed, self.names, real.weights)

    def at(self, resolution: Any, noise: Any, seed: int) -> Pair:
        """Return both sets at the arguments `resolution` and `noise` of a call."""
        sigma, noise = read_number("resolution", resolution, 0.0, MOST_NOISE), read_noise(noise)
        return self.smoothed(self.smoother(noise, seed), sigma) if sigma else self

    def smoothed(self, smoother: Smoother, sigma: float) -> Pair:
        """Return both sets with the noise of a resolution; the pair itself at resolution 0."""
        noise = AddedNoise(self, smoother, sigma)
        return self if sigma == 0 else Pair(*noise.sets(), noise)

    def stacked(self, copies: int) -> Pair:
        """Return both sets so many times, each time with other noise; units have all copies."""
        if self.noise is None or copies == 1:
            return self
        noise = self.noise._replace(copies=copies)
        return Pair(*noise.sets(self.points), noise)


class Selection(NamedTuple):
    pair: Pair
    real: Any
    fake: Any
    is_alone: bool = False  # whether units are those of the selection by itself
