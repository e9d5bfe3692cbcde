"""Samples beside their numbers: the record of a model, equal rows, rows in other processes.

`Features` is an array with a record of the model and the inputs that it was computed from.  Two
sets from different models, or from one model and images resized in two ways, are not samples from
one space: they are refused.  If at most one set has a record the sets are compared, and
`features_info` lists the sets that have one.

`EqualRows` groups the rows that are equal, within a set and between two.  Rows are hashed to 64
bits: the bits of their numbers, mixed, times random odd factors, summed modulo 2**64.  Rows with
equal hashes are compared number by number.

`Design` has the weights of samples and their groups, which depend on each other inside.

`SampleSet` is the interface of samples whose rows are not in this process.  The core computes with
arrays; `prfast.distributed` passes it such sets, which supply the few operations that depend on
where rows are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.errors import WrongType, WrongValue, kind_of

Ints = NDArray[np.int64]
Keys = NDArray[np.uint64]
Float64s = NDArray[np.float64]


def stream(seed: int, purpose: str) -> np.random.Generator:
    """Return a generator for one purpose of a seed, independent of those for other purposes.

    Samples are often drawn with default_rng(0) and then split with seed 0: from the same stream,
    the split would depend on the numbers that generated the samples.
    """
    key = int.from_bytes(purpose.encode())
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(key,)))


# ---- records of features -----------------------------------------------------------------------

# Keys of a record that must agree between two sets.  The others (versions, device, batch size,
# inputs) are reported and may differ.
RECORD_KEYS = ("kind", "model", "library", "weights", "weights_sha256", "layer", "prepare", "dtype")


@dataclass(frozen=True, eq=False, repr=False)
class Features:
    """An array of features, shape (samples, features), with a record of their computation.

    All functions of prfast that accept samples accept it and put the record into their results.
    ``numpy.asarray(x)`` and ``x.array`` are the plain array, and NumPy functions applied to it
    return plain arrays.  Several rows, as ``x[10:]``, ``x[[3, 1]]`` or ``x[mask]``, keep the
    record; a single row, or an index that includes columns, gives a plain array.
    """

    array: NDArray[Any]
    record: Mapping[str, Any]

    @property
    def shape(self) -> tuple[int, int]:
        n, d = self.array.shape
        return n, d

    @property
    def ndim(self) -> int:
        return 2

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.array.dtype

    def __len__(self) -> int:
        return len(self.array)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.array, dtype) if copy else np.asarray(self.array, dtype)

    def __getitem__(self, key: Any) -> Any:
        part = self.array[key]
        return part if isinstance(key, tuple) else with_record(part, self.record)

    def __repr__(self) -> str:
        n, d = self.shape
        return f"Features({n} × {d} {self.dtype}, model {self.record.get('model')!r})"


class Recorded(NamedTuple):
    """The record of samples that are no longer in memory, for `check_alike`."""

    record: Mapping[str, Any] | None


def with_record(array: Any, record: Mapping[str, Any] | None) -> Any:
    """Return a two-dimensional array, not copied, with a record; anything else unchanged."""
    if record is None or not isinstance(array, np.ndarray) or array.ndim != 2:
        return array
    return Features(array, record)


def plain(samples: Any) -> Any:
    """Return samples without their record; anything but `Features` unchanged."""
    return samples.array if isinstance(samples, Features) else samples


def record_of(values: Any) -> Mapping[str, Any] | None:
    """Return the record of an array or of partitioned samples; None if there is none."""
    record = getattr(values, "record", None)
    return record if isinstance(record, Mapping) else None


def first_recorded(values: Iterable[Any]) -> Recorded:
    """Return the record of the first samples that have one."""
    return Recorded(next((one for one in map(record_of, values) if one is not None), None))


def joined(arrays: Sequence[Any]) -> Any:
    """Concatenate the rows of all arrays.

    The result has the record of the first if all have records that agree in RECORD_KEYS.
    """
    records = [record_of(one) for one in arrays]
    known = [{key: one.get(key) for key in RECORD_KEYS} for one in records if one is not None]
    alike = len(known) == len(arrays) and all(one == known[0] for one in known)
    return with_record(np.concatenate(list(map(plain, arrays))), records[0] if alike else None)


def check_alike(name: str, values: Any, other: str, others: Any) -> None:
    """Raise WrongValue if both sets have records and these differ in a key of RECORD_KEYS."""
    one, two = record_of(values), record_of(others)
    if one is None or two is None:
        return
    for key in RECORD_KEYS:
        if one.get(key) != two.get(key):
            raise WrongValue(
                f"{name} and {other}",
                f"features made in one way expected, got {key} {one.get(key)!r} of {name} and "
                f"{two.get(key)!r} of {other}",
            )


def check_all_alike(sets: Iterable[tuple[str, Any]]) -> None:
    """Check all pairs of several sets, given with their names, as `check_alike` does."""
    known = [(name, values) for name, values in sets if record_of(values) is not None]
    for name, values in known[1:]:
        check_alike(*known[0], name, values)


def features_info(real: Any, fake: Any) -> dict[str, Any]:
    """Return the entry `features` of a result's `info`; no entry if neither set has a record.

    It has the keys of RECORD_KEYS, the versions, and as `recorded` the sets with a record.
    """
    records = {"real": record_of(real), "fake": record_of(fake)}
    known = {name: record for name, record in records.items() if record is not None}
    if not known:
        return {}
    first = next(iter(known.values()))
    entry: dict[str, Any] = {key: first[key] for key in RECORD_KEYS if key in first}
    return {"features": entry | {"versions": _versions(known), "recorded": list(known)}}


def _versions(known: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the version of each package; of both sets if they differ: "2.1 (real), 2.2 (fake)"."""
    by_set = {name: record.get("versions", {}) for name, record in known.items()}
    entries = {}
    for package in dict.fromkeys(one for versions in by_set.values() for one in versions):
        versions = {name: one.get(package) for name, one in by_set.items()}
        same = len(set(versions.values())) == 1
        texts = [f"{version} ({name})" for name, version in versions.items()]
        # jq and dashboards take a key with "-" for a subtraction.
        entries[package.replace("-", "_")] = (
            next(iter(versions.values())) if same else ", ".join(texts)
        )
    return entries


# ---- weights and groups --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Design:
    """Weights and groups of the samples of both sets.

    A sample with the weight w stands for a share w / Σ w of its distribution.  Samples of one group
    depend on each other, groups do not; without groups each sample is one.  With the sums W_g of
    the weights of each group, a mean over the samples has the variance of one over as many
    independent samples as Kish's effective size, (Σ W_g)² / Σ W_g², if the samples of a group are
    alike; otherwise it has less.
    """

    weights: tuple[Float64s, Float64s]
    """Relative to the largest of each set."""
    groups: tuple[Ints, Ints]
    """The number of the group of each sample."""
    grouped: bool = False
    """Whether there are groups."""

    @property
    def weighted(self) -> list[str]:
        """The sets whose weights differ, "real" or "fake"."""
        pairs = zip(("real", "fake"), self.weights, strict=True)
        return [name for name, weights in pairs if (weights != 1.0).any()]

    @property
    def effective_size(self) -> tuple[int, int]:
        """Effective sizes of both sets, rounded down."""
        totals = (np.bincount(g, w) for w, g in zip(self.weights, self.groups, strict=True))
        n, m = (int(W.sum() ** 2 / (W**2).sum() * (1 + 1e-12)) for W in totals)
        return n, m

    @property
    def freedom(self) -> float:
        """Degrees of freedom of a variance by the weighted groups, (Σ W²)² / Σ W⁴ by Welch and
        Satterthwaite, of the set with fewer: far below the effective size where few weights are
        large."""
        totals = (np.bincount(g, w) for w, g in zip(self.weights, self.groups, strict=True))
        return min(float((W**2).sum() ** 2 / (W**4).sum()) for W in totals)

    @property
    def group_numbers(self) -> tuple[Ints, Ints]:
        """The group of each sample, numbered from 0 on in each set."""
        real, fake = (np.unique(g, return_inverse=True)[1] for g in self.groups)
        return real, fake

    def of(self, real: Any, fake: Any) -> Design:
        """Return that of a selection of real and of generated samples."""
        (w, v), (g, h) = self.weights, self.groups
        return Design((w[real], v[fake]), (g[real], h[fake]), self.grouped)

    def scaled(self) -> tuple[Float64s, Float64s]:
        """Return weights whose sum is the effective size of the set."""
        w, v = (
            weights * (size / weights.sum())
            for weights, size in zip(self.weights, self.effective_size, strict=True)
        )
        return w, v

    def tiled(self, copies: int) -> Design:
        """Return that of so many copies of each set, of which those of a sample are in its
        group."""
        (w, v), (g, h) = self.weights, self.groups
        weights = np.tile(w, copies), np.tile(v, copies)
        return Design(weights, (np.tile(g, copies), np.tile(h, copies)), self.grouped)

    def independent(self, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Return rows of each set that stand for its distribution with equal weights, as many as
        the effective size: of a group at most one, of heavy ones sometimes two."""
        rows = []
        for weights, groups, size in zip(
            self.weights, self.groups, self.effective_size, strict=True
        ):
            order = np.argsort(rng.permutation(int(groups.max()) + 1)[groups], kind="stable")
            rows.append(np.sort(order[systematic(weights[order], size)]))
        return rows[0], rows[1]

    def record(self, scores: tuple[Any, Any], masses: tuple[Float64s, Float64s]) -> dict[str, Any]:
        """Return the entries of `info` for samples with these scores, which fall into cells with
        these masses, by rising score.

        A cell with the samples i has the effective number (Σ w_i)² / Σ w_i W_g(i): draws of so many
        equal samples have the variance of its mass, or more where a group is in several cells.
        """
        effective = {}
        of_sets = zip(scores, self.weights, self.groups, masses, strict=True)
        for name, (s, w, g, mass) in zip(("real", "fake"), of_sets, strict=True):
            cell = cells_by_mass(s, w, mass)
            own = np.bincount(cell, w, len(mass))
            spread = np.bincount(cell, w * np.bincount(g, w)[g], len(mass))
            number = np.divide(own**2, spread, out=np.zeros(len(mass)), where=spread > 0)
            effective[name] = number.tolist()
        return self.sizes_record() | {"effective_cell_sizes": effective}

    def sizes_record(self) -> dict[str, Any]:
        """Return the entries of `info` on the effective sizes and what reduces them."""
        entries: dict[str, Any] = {"effective_size": list(self.effective_size)}
        if self.weighted:
            entries["weighted"] = self.weighted
        if self.grouped:
            entries["groups"] = [len(np.unique(g)) for g in self.groups]
        return entries


def systematic(weights: Float64s, count: int) -> Ints:
    """Return `count` places, each as often as count × weight / sum says, rounded up or down."""
    ends = np.cumsum(weights)
    points = (np.arange(count) + 0.5) * (ends[-1] / count)
    return np.asarray(np.minimum(np.searchsorted(ends, points), len(ends) - 1), np.int64)


def cells_by_mass(scores: Any, weights: Float64s, masses: Float64s) -> Ints:
    """Return the cell of each sample; cells are ranges of scores with these masses, the lowest
    first."""
    order = np.argsort(scores, kind="stable")
    ends = np.cumsum(weights[order])
    # The middle of a sample is far from the ends of cells, despite rounding.
    middle = (ends - 0.5 * weights[order]) / ends[-1]
    cell = np.empty(len(order), np.int64)
    cell[order] = np.searchsorted(np.cumsum(masses)[:-1], middle, side="right")
    return cell


class Cells(NamedTuple):
    """The cells of two tables, of which samples are an encoding."""

    columns: list[tuple[Float64s, Float64s, bool]]
    """The cells of a column of both tables, numbers or places of levels, NaN where they are
    missing; and whether it is a category."""

    def swap(self) -> Cells:
        """Return both tables exchanged."""
        return Cells([(other, own, is_category) for own, other, is_category in self.columns])


# ---- samples that are no array -------------------------------------------------------------------


class SampleSet(ABC):
    """Validated samples, shape (samples, features), whose rows are not in this process."""

    ndim: ClassVar[int] = 2
    dtype: np.dtype[Any]
    largest: float
    """Largest absolute value."""
    smallest: float
    """Smallest nonzero absolute value; ∞ where all are 0."""
    checksum: int
    record: Mapping[str, Any] | None
    """Provenance of the features, where it is known."""
    column_names: list[str] | None
    """Names of the columns of a table."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]: ...

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError("partitioned samples are never gathered into one array")

    @abstractmethod
    def read_other(self, name: str, values: Any, labels: list[Any] | None, at_least: int) -> Self:
        """Return another validated set of the same width; see `prfast.inputs.arrays.read_other`."""

    @abstractmethod
    def take(self, rows: NDArray[np.int64]) -> NDArray[Any]:
        """Return a few rows, ascending, as an array."""

    @abstractmethod
    def scaled(self, exponent: int) -> Self:
        """Return the samples in float64, as multiples of 2**exponent."""

    @abstractmethod
    def block(self, rows: slice, index: NDArray[np.int64] | None = None) -> Any:
        """Return an object whose `load` returns the rows; of `index`, if given, the rows there."""

    @abstractmethod
    def map(
        self, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]
    ) -> Generator[Any, None, None]:
        """Yield function(*args) for each of the arguments, in order, where the rows are.

        function: a module-level function; arguments may contain objects that `block` returned.
        """

    @abstractmethod
    def equal_rows(self, fake: Any) -> Any:
        """Return the groups of equal rows; see `equal_rows`."""

    @property
    @abstractmethod
    def engine(self) -> Any:
        """The engine (`prfast.neighbors.tasks.Engine`) that searches neighbors."""

    @abstractmethod
    def score_auto(self, fake: Any, folds: Any, progress: Any) -> tuple[Any, dict[str, float]]:
        """Return the log-ratio by "auto" of every row of both sets, and the share of each base."""


Samples = NDArray[Any] | SampleSet


def take_rows(points: Samples, rows: NDArray[np.int64]) -> NDArray[Any]:
    """Return a few rows, ascending, as an array."""
    return points.take(rows) if isinstance(points, SampleSet) else np.asarray(points[rows])


def check_array(name: str, samples: Any, expected: str, value: Any) -> None:
    """Raise WrongValue of an option that only arrays have, where samples are no array.

    expected: the values that other samples allow.
    """
    if isinstance(samples, SampleSet):
        raise WrongValue(name, f"{expected} expected for partitioned samples, got {value}")


def check_in_memory(name: str, values: Any) -> None:
    """Raise WrongType for what `prfast.distributed` reads: its shards, and collections of dask."""
    if type(values).__module__.startswith(("dask.", "dask_expr.", "prfast.distributed.")):
        raise WrongType(
            name,
            f"an array expected, got {kind_of(values)}; prfast.distributed.pr_curve, .metrics, "
            "… take partitioned samples",
        )


# ---- equal rows ----------------------------------------------------------------------------------

# A real set may be discrete if the share of distinct rows is below DISTINCT, and is if more than
# COPIED of the generated rows equal a real one.
DISTINCT = 0.9
COPIED = 0.01
_HASHED_AT_ONCE = 1 << 16  # numbers in a block that stays in the cache
_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio


class EqualRows(NamedTuple):
    """Groups of equal rows of two sets; rows are numbered through both, real ones first."""

    group: Ints
    """Number of the first row that equals each row, shape (n_real + n_fake,)."""
    n_real: int

    @property
    def counts(self) -> tuple[Ints, Ints]:
        """Multiplicities of the distinct real and of the distinct generated rows."""
        n = self.n_real
        real, fake = np.bincount(self.group[:n]), np.bincount(self.group[n:])
        return real[real > 0], fake[fake > 0]

    @property
    def effective_size(self) -> tuple[int, int]:
        """Effective sample sizes (real, generated): Kish's (Σ r)² / Σ r², rounded down, of rows
        with multiplicities r.  A mean over as many distinct rows has the same variance."""
        n, m = (int(r.sum()) ** 2 // int((r**2).sum()) for r in self.counts)
        return n, m

    @property
    def copied(self) -> int:
        """Number of generated rows that equal a real one."""
        n = self.n_real
        return int(np.isin(self.group[n:], self.group[:n]).sum())

    @property
    def discrete(self) -> bool:
        """Whether the real rows are draws from a discrete distribution.

        They are if the share of distinct rows is below DISTINCT and either more than a share
        COPIED of the generated rows equal a real one or all real rows are the same.  A real set
        whose repeated rows never occur among the generated ones was resampled or concatenated
        with itself.
        """
        distinct, n, m = len(self.counts[0]), self.n_real, len(self.group) - self.n_real
        return distinct < DISTINCT * n and (distinct == 1 or self.copied > COPIED * m)

    @property
    def covered(self) -> float:
        """Number of distinct generated rows over the number expected of m independent draws, at
        most 1; 1 where there is none.

        Draws from a distribution with finitely many values repeat by chance.  Two draws are equal
        with probability c, estimated from pairs of real rows and from pairs of a real and a
        generated row, whichever is larger, and m draws from 1 / c equally likely values have
        (1 − exp(−m c)) / c distinct ones.  The expected share of distinct rows is at most that of
        the real rows.
        """
        n, m = self.n_real, len(self.group) - self.n_real
        if not m:
            return 1.0
        real, fake = self.counts
        of_real, of_fake = (
            np.bincount(own, minlength=int(self.group.max()) + 1).astype(np.float64)
            for own in (self.group[:n], self.group[n:])
        )
        pairs = (float(of_real @ of_fake), n * m), (float((real * (real - 1)).sum()), n * (n - 1))
        # Two standard errors above the estimate of c, so that its noise does not count as
        # repetition.
        chance = m * max((equal + 2 * np.sqrt(equal)) / max(of, 1) for equal, of in pairs)
        expected = -np.expm1(-chance) / chance if chance > 0 else 1.0
        return min(1.0, len(fake) / (m * min(expected, len(real) / n)))

    def of(self, real: Any, fake: Any) -> EqualRows:
        """Return the groups of a selection of real and of generated rows."""
        n = self.n_real
        some = self.group[:n][real], self.group[n:][fake]
        return EqualRows(np.concatenate(some), len(some[0]))

    def record(self) -> dict[str, Any]:
        """Return the entries of `info` on repeated and copied rows; none where there are none."""
        real, fake = self.counts
        copied = self.copied
        entries: dict[str, Any] = {}
        if len(real) + len(fake) < len(self.group):
            entries["distinct"] = [len(real), len(fake)]
        if copied:
            entries["copied"] = copied
        if self.discrete:
            entries["discrete"] = True
        return entries


def equal_rows(real: Samples, fake: Samples) -> EqualRows:
    """Group the equal rows of two sets."""
    if isinstance(real, SampleSet):
        groups: EqualRows = real.equal_rows(fake)
        return groups
    real, fake = np.asarray(real), np.asarray(fake)
    group = first_rows(np.concatenate([row_keys(real), row_keys(fake)]))
    later = np.flatnonzero(group != np.arange(len(group)))
    step = max(1, _HASHED_AT_ONCE // real.shape[1])
    for start in range(0, len(later), step):
        rows = later[start : start + step]
        one, other = (_rows_of(real, fake, numbers) for numbers in (rows, group[rows]))
        differ = rows[(one != other).any(axis=1)]
        group[differ] = differ
    return EqualRows(group, len(real))


def first_rows(keys: Keys) -> Ints:
    """Return, for each row, the number of the first row with the same key."""
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return np.asarray(first[which.reshape(-1)], np.int64)


def row_keys(points: NDArray[Any]) -> Keys:
    """Return a 64-bit hash of each row, the same for equal rows."""
    n, width = points.shape
    rng = np.random.default_rng(0)
    factors = rng.integers(2**64, size=width, dtype=np.uint64) | np.uint64(1)
    keys = np.empty(n, np.uint64)
    step = max(1, _HASHED_AT_ONCE // width)
    for start in range(0, n, step):
        rows = slice(start, start + step)
        bits = (np.ascontiguousarray(points[rows], np.float64) + 0.0).view(np.uint64)  # -0 is 0
        bits = (bits ^ (bits >> np.uint64(32))) * _ODD
        bits ^= bits >> np.uint64(29)
        keys[rows] = (bits * factors).sum(axis=1, dtype=np.uint64)
    return keys


def _rows_of(real: NDArray[Any], fake: NDArray[Any], rows: Ints) -> NDArray[Any]:
    """Return rows of two sets, numbered as in `EqualRows`."""
    n = len(real)
    points: NDArray[Any] = np.empty((len(rows), real.shape[1]), np.result_type(real, fake))
    points[rows < n] = real[rows[rows < n]]
    points[rows >= n] = fake[rows[rows >= n] - n]
    return points
