"""Pair: a real and a generated set of samples of one space, and what follows from them.

    arguments ── Pair.read ──► Pair ── take, split, smoothed ──► Pair
                                 │
                                 └── units, repetition, effective_size, partition, representatives

Rows of a unit are a single observation.  Equal rows are a unit, unless the real set is discrete;
groups of the caller join units.  Independent observations are counted, and rows are divided at
random, by units.  The sum of the weights of a unit is W_u.  A mean over a set has the variance of
the mean of (Σ W_u)² / Σ W_u² independent samples, Kish's effective size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.concurrency import cached_property
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import is_word, read_share, stream
from prfast.inputs.tables import first_labels
from prfast.samples.codes import shared_codes
from prfast.samples.features import features_info
from prfast.samples.noise import AddedNoise, Smoother, fit_noise, read_noise, read_resolution
from prfast.samples.order import independent_stride
from prfast.samples.partition import Split, cells_by_mass, check_split, spread, systematic
from prfast.samples.partitioned import check_array
from prfast.samples.repetition import Repetition, equal_rows, joined_units, judged
from prfast.samples.samples import Ints, Samples

SETS = ("real", "fake")


@dataclass(frozen=True, eq=False)
class Pair:
    """Two sets of samples of one space."""

    real: Samples
    fake: Samples
    noise: AddedNoise | None = None
    """The noise that the rows have; None at full resolution."""
    origin: Selection | None = None
    """The pair of which this pair is a selection."""

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
        at_least: int = 1,
    ) -> Pair:
        """Return both sets from the arguments of a public function.

        repeats: what equal rows are, as for `Samples.with_repeats`.

        Raises
        ------
        TypeError, ValueError
            Arguments that are no samples of one space, weights or group labels; a group label in
            both sets; partitioned samples with weights or groups.  The message names the argument.
        """
        if groups is not None and (not isinstance(groups, list | tuple) or len(groups) != 2):
            text = "two arrays, of the real and the generated labels, expected"
            raise WrongType("groups", text)
        labels = (None, None) if groups is None else groups
        first = Samples.read("real", real, weights=w_real, groups=labels[0], at_least=at_least)
        second = Samples.read(
            "fake", fake, weights=w_fake, groups=labels[1], like=first, at_least=at_least
        )
        repeats = read_repeats(repeats)
        return cls.of(first.with_repeats(repeats), second.with_repeats(repeats))

    @classmethod
    def of(cls, real: Samples, fake: Samples) -> Pair:
        """Return two sets that have been read; WrongValue for a group label in both."""
        if real.labels is not None and fake.labels is not None:
            common = set(np.unique(real.labels).tolist()) & set(np.unique(fake.labels).tolist())
            if common:
                raise WrongValue(
                    "groups",
                    "labels that occur in one set alone expected, got "
                    f"{next(iter(common))!r} in both; if they are other groups, number the "
                    "generated ones on, or write a prefix",
                )
        pair = cls(real, fake)
        if real.is_partitioned:
            # Rows of weight 0 are dropped: a selection has weights that differ.
            selections = zip(SETS, (real.selection, fake.selection), strict=True)
            weighted = pair.weighted + [name for name, rows in selections if rows is not None]
            if weighted or pair.is_grouped:
                name = f"w_{weighted[0]}" if weighted else "groups"
                raise WrongValue(name, "None expected for partitioned samples")
        return pair

    # ---- sizes -----------------------------------------------------------------------------------

    @property
    def sets(self) -> tuple[Samples, Samples]:
        """The real and the generated samples."""
        return self.real, self.fake

    @property
    def points(self) -> tuple[Any, Any]:
        """The rows of both sets."""
        return self.real.points, self.fake.points

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers of real and of generated samples."""
        return len(self.real), len(self.fake)

    @property
    def width(self) -> int:
        """The number of features."""
        return self.real.width

    @property
    def is_plain(self) -> bool:
        """Whether there are neither weights nor groups."""
        return not self.weighted and not self.is_grouped

    @property
    def weighted(self) -> list[str]:
        """The sets whose weights differ, "real" or "fake"."""
        weights = {"real": self.real.weights, "fake": self.fake.weights}
        return [name for name, weight in weights.items() if weight is not None]

    def weights_refused(self, text: str) -> WrongValue:
        """Return the error for a function of samples that takes no weights; text: which one."""
        set_name = self.weighted[0]
        if getattr(self, set_name).merged:
            return WrongValue("repeats", f"'missing' expected {text}")
        return WrongValue(f"w_{set_name}", f"None expected {text}")

    @property
    def is_grouped(self) -> bool:
        """Whether a set has group labels."""
        return self.real.labels is not None or self.fake.labels is not None

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
        """Names of the features, those of the real set if both have names; None where a column of
        vectors has several."""
        names = first_labels(self.real.names, self.fake.names)
        return names if names is not None and len(names) == self.width else None

    @property
    def features(self) -> dict[str, Any]:
        """The entry `features` of a result's record; empty without records."""
        return features_info(self.real, self.fake)

    # ---- units -----------------------------------------------------------------------------------

    @cached_property
    def repetition(self) -> Repetition:
        """Which rows are equal; with noise, which rows were equal before.

        Whether equal rows are draws is judged by all samples of a pair, of a selection by itself by
        its samples.
        """
        if (origin := self.origin) is not None:
            equal = origin.pair.repetition.of(origin.real, origin.fake)
            return judged(equal.group, self.real.points) if origin.is_alone else equal
        if self.noise is not None:
            original: Pair = self.noise.original
            return original.repetition
        return equal_rows((self.real.keys, self.fake.keys), *self.points)

    @cached_property
    def units(self) -> Ints:
        """The unit of each row of both sets, real rows first."""
        if self.origin is not None and not self.origin.is_alone:
            first, second = self.origin.pair.unit_parts
            return np.concatenate([first[self.origin.real], second[self.origin.fake]])
        if self.noise is not None:
            original, copies = self.noise.original, self.noise.copies
            return np.concatenate([np.tile(units, copies) for units in original.unit_parts])
        equal = self.repetition
        rows = np.arange(sum(self.sizes))
        units = rows if equal.is_evidence else equal.group
        if not self.is_grouped:
            return units
        for name, samples in zip(SETS, self.sets, strict=True):
            if samples.group_count < 2:
                raise WrongValue("groups", f"at least 2 groups of {name} samples expected, got 1")
        return joined_units(np.concatenate(self.groups), units, len(self.real))

    @cached_property
    def strides(self) -> tuple[int, int]:
        """The distance at which the rows of each set do not depend on each other by their order.

        Equal rows, and those of a group, count as the first of them.
        """
        if self.noise is not None:
            original: Pair = self.noise.original
            return original.strides
        if self.real.is_partitioned:
            return 1, 1
        strides = []
        for units, samples in zip(self.unit_parts, self.sets, strict=True):
            firsts = np.sort(np.unique(units, return_index=True)[1])
            stride = independent_stride(samples.points, firsts)
            size = int(samples.numbers[-1]) + 1  # with rows that were left out or merged
            strides.append(stride if stride == 1 else -(-stride * size // len(firsts)))
        return strides[0], strides[1]

    def rows_record(self) -> dict[str, Any]:
        """Return the entries of `info` on rows that are equal, depend on their neighbors, or have
        codes for numbers."""
        entries = self.repetition.record()
        if max(self.strides) > 1:
            entries["strides"] = list(self.strides)
        if not self.real.is_partitioned and (codes := shared_codes(self.real.points)):
            entries["codes"] = codes
        return entries

    @property
    def groups(self) -> tuple[Ints, Ints]:
        """The caller's group of each row of either set; a row by itself without groups."""
        return self.real.groups, self.fake.groups + len(self.real)

    @property
    def unit_parts(self) -> tuple[Ints, Ints]:
        """The unit of each row of either set."""
        return self.units[: len(self.real)], self.units[len(self.real) :]

    @property
    def unit_numbers(self) -> tuple[Ints, Ints]:
        """The unit of each row of either set, numbered from 0 in each set."""
        real, fake = (np.unique(units, return_inverse=True)[1] for units in self.unit_parts)
        return real, fake

    @property
    def unit_masses(self) -> tuple[Float64s, Float64s]:
        """The sum of the weights of each unit of each set; 0 for the units of the other set."""
        (u, v), (w_real, w_fake) = self.unit_parts, self.masses
        return np.bincount(u, w_real), np.bincount(v, w_fake)  # type: ignore[return-value]

    @cached_property
    def effective_size(self) -> tuple[int, int]:
        """Kish's effective size of each set, rounded down."""
        n, m = (int(W.sum() ** 2 / (W**2).sum() * (1 + 1e-12)) for W in self.unit_masses)
        return n, m

    @property
    def freedom(self) -> float:
        """Degrees of freedom of a variance by the weighted units, (Σ W²)² / Σ W⁴ by Welch and
        Satterthwaite, of the set with fewer: far below the effective size where few weights are
        large."""
        return min(float((W**2).sum() ** 2 / (W**4).sum()) for W in self.unit_masses)

    def scaled_weights(self) -> Float64s | None:
        """Return weights of all rows whose sum over a set is its effective size; None without
        weights and groups."""
        if self.is_plain:
            return None
        sized = zip(self.masses, self.effective_size, strict=True)
        return np.concatenate([w * (size / w.sum()) for w, size in sized])

    def sizes_record(self) -> dict[str, Any]:
        """Return the entries of `info` on the effective sizes, where there are weights or
        groups."""
        if self.is_plain:
            return {}
        entries: dict[str, Any] = {"effective_size": list(self.effective_size)}
        if any(samples.merged for samples in self.sets):
            entries["merged"] = [samples.merged for samples in self.sets]
        if self.weighted:
            entries["weighted"] = self.weighted
        if self.is_grouped:
            entries["groups"] = [samples.group_count for samples in self.sets]
        return entries

    def cells_record(
        self, scores: tuple[Any, Any], masses: tuple[Float64s, Float64s]
    ) -> dict[str, Any]:
        """Return the entries of `info` for samples with these scores, which fall into cells with
        these masses, by rising score.

        A cell with the samples i has the effective number (Σ w_i)² / Σ w_i W_u(i): draws of so many
        equal samples have the variance of its mass, or more where a unit is in several cells.
        """
        if self.is_plain:
            return {}
        effective = {}
        of_sets = zip(SETS, scores, self.masses, self.unit_parts, masses, strict=True)
        for name, s, w, u, mass in of_sets:
            cell = cells_by_mass(s, w, mass)
            total = np.bincount(cell, w, len(mass))
            spread = np.bincount(cell, w * np.bincount(u, w)[u], len(mass))
            number = np.divide(total**2, spread, out=np.zeros(len(mass)), where=spread > 0)
            effective[name] = number.tolist()
        return self.sizes_record() | {"effective_cell_sizes": effective}

    # ---- divisions -------------------------------------------------------------------------------

    def split_rows(self, split: float | str, seed: int) -> Split:
        """Return the rows that train and those that are scored; a group is in one part.

        split: the share of each set that trains, or "bernoulli", the coins of Algorithm 1.
        """
        parts = split if isinstance(split, str) else (read_share("split", split), 1.0)
        for name, samples in zip(SETS, self.sets, strict=True):
            is_grouped = samples.labels is not None
            of = ("groups", f"groups of {name} samples") if is_grouped else (name, "samples")
            check_split(*of, samples.group_count, split)
        of_sets = self.partition(parts, seed, "split", self.groups)
        return Split(*(np.flatnonzero(of_rows == part) for of_rows in of_sets for part in (0, 1)))

    def split(self, split: float | str | None, seed: int) -> tuple[Pair, Pair]:
        """Return the samples that train and those that are scored; all twice for None."""
        if split is None:
            return self, self
        rows = self.split_rows(split, seed)
        return (
            self.take(rows.real_train, rows.fake_train),
            self.take(rows.real_test, rows.fake_test),
        )

    def partition(
        self,
        parts: int | str | Sequence[float],
        seed: int,
        purpose: str,
        together: tuple[Ints, Ints] | None = None,
    ) -> tuple[Ints, Ints]:
        """Return the random part, 0, 1, 2, …, of each real and of each generated row.

        Each set is spread evenly.

        parts: how many; the shares at which they end, such as (0.3, 0.6, 1.0); or "bernoulli".
        purpose: of the random stream.
        together: rows of equal numbers have the same part, such as `groups`; None for the units.
        """
        units = self.unit_parts if together is None else together
        return spread(units, parts, stream(seed, purpose))

    def sample(self, limit: int, seed: int, purpose: str) -> tuple[Ints, Ints]:
        """Return at most `limit` random rows of each set, ascending."""
        rng = stream(seed, purpose)
        real, fake = (
            np.sort(rng.choice(size, min(size, limit), replace=False)) for size in self.sizes
        )
        return real, fake

    def draws(self, seed: int, purpose: str) -> tuple[Ints, Ints]:
        """Return rows that are independent draws of the weighted distributions, ascending.

        They are a row of each group, by its weight.  Where a set has weights, a group is drawn with
        the probability W / max W of the sums W of the weights of groups.
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
        set, at random.

        Coordinates and densities of all rows of a unit would show which set has larger units.
        With noise, all copies of a sample are used, or none.
        """
        if self.noise is not None:
            original, copies = self.noise.original, self.noise.copies
            sets = original.representatives(max(limit // copies, 1), seed)
            real, fake = (
                np.concatenate([rows + number * size for number in range(copies)])
                for rows, size in zip(sets, original.sizes, strict=True)
            )
            return real, fake
        rng, drawn, chosen = stream(seed, "representatives"), stream(seed, "groups"), []
        for units in self.unit_parts:
            # The first of equal rows; any row of a group.
            order = drawn.permutation(len(units)) if self.is_grouped else np.arange(len(units))
            first = order[np.unique(units[order], return_index=True)[1]]
            chosen.append(np.sort(rng.permutation(first)[:limit]))
        return chosen[0], chosen[1]

    def independent(self, seed: int, purpose: str) -> tuple[Ints, Ints]:
        """Return rows of each set that have its distribution with equal weights, as many as the
        effective size.  A unit has at most one row among them, a heavy unit sometimes two."""
        rng = stream(seed, purpose)
        rows = []
        of_sets = zip(self.unit_parts, self.masses, self.effective_size, strict=True)
        for units, w, size in of_sets:
            order = np.argsort(rng.permutation(int(units.max()) + 1)[units], kind="stable")
            rows.append(np.sort(order[systematic(w[order], size)]))
        return rows[0], rows[1]

    def take(self, real: Any, fake: Any) -> Pair:
        """Return a selection of each set: index arrays, masks or slices; units stay those of the
        pair."""
        noise = self.noise
        if noise is not None:
            noise = noise._replace(original=noise.original.take(real, fake))
        return Pair(
            self.real.take(real),
            self.fake.take(fake),
            noise,
            Selection(self, real, fake),
        )

    def columns(self, columns: list[int]) -> Pair:
        """Return a pair by itself with these columns."""
        real, fake = (np.ascontiguousarray(points[:, columns]) for points in self.points)
        names = None if self.names is None else [self.names[i] for i in columns]
        pair = self.with_points(real, fake)
        return replace(pair, real=replace(pair.real, names=names), origin=None)

    def alone(self) -> Pair:
        """Return a selection as a pair by itself, whose units depend on its rows alone."""
        origin = None if self.origin is None else self.origin._replace(is_alone=True)
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
        """Return the pair for results that outlive the rows: with weights, groups, units and
        repetition."""
        none = (np.broadcast_to(np.float32(0), (size, self.width)) for size in self.sizes)
        pair = replace(self.with_points(*none), origin=None)
        pair.__dict__.update(units=self.units, repetition=self.repetition)
        return pair

    # ---- noise -----------------------------------------------------------------------------------

    def check_noise(self, name: str = "resolution", value: Any = "a coarser one") -> None:
        """Raise WrongValue for samples that take no noise: partitioned ones.

        name, value: of the option that asks for noise.
        """
        check_array(name, self.real.source, "0", value)

    def smoother(self, noise: Any, seed: int) -> Smoother:
        """Return the argument `noise` in the units of the real set."""
        self.check_noise()
        real = self.real
        return fit_noise(read_noise(noise), real.points, seed, self.names, real.weights)

    def at(self, resolution: Any, noise: Any, seed: int) -> Pair:
        """Return both sets at the arguments `resolution` and `noise` of a call."""
        sigma, noise = read_resolution("resolution", resolution), read_noise(noise)
        return self.smoothed(self.smoother(noise, seed), sigma) if sigma else self

    def smoothed(self, smoother: Smoother, sigma: float) -> Pair:
        """Return both sets with the noise of a resolution; the pair itself at resolution 0."""
        return self if sigma == 0 else self._noised(AddedNoise(self, smoother, sigma))

    def stacked(self, copies: int) -> Pair:
        """Return both sets so many times, each time with other noise; the copies of a row are rows
        of its unit."""
        if self.noise is None or copies == 1:
            return self
        return self._noised(self.noise._replace(copies=copies))

    def _noised(self, noise: AddedNoise) -> Pair:
        """Return the samples with noise, of which the pair may have the first copy."""
        original, copies = noise.original, noise.copies
        dtype = np.result_type(*original.points)  # one rounding for both sets
        sets = []
        for name, samples, first in zip(SETS, original.sets, self.points, strict=True):
            rows = [] if self.noise is None else [first]
            rows += [
                noise.smoother.smooth(name, samples.points, noise.sigma, dtype, number)
                for number in range(len(rows), copies)
            ]
            source = rows[0] if copies == 1 else np.concatenate(rows)
            beside = {"weights": samples.weights, "labels": samples.labels}
            changes = {name: x if x is None else np.tile(x, copies) for name, x in beside.items()}
            changes |= {"rows": np.tile(samples.numbers, copies), "index": None}
            sets.append(replace(samples, source=source, selection=None, **changes))
        return Pair(sets[0], sets[1], noise)


def read_repeats(repeats: Any) -> str:
    """Return the argument `repeats`, "missing" or "weights"."""
    if not is_word(repeats, "missing", "weights"):
        raise WrongValue("repeats", f"'missing' or 'weights' expected, got {repeats!r}")
    return str(repeats)


class Selection(NamedTuple):
    """A selection of the samples of a pair."""

    pair: Pair
    real: Any
    fake: Any
    is_alone: bool = False
    """Whether units are those of the selection by itself."""
