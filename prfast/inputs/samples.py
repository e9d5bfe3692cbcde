"""What is known of samples beside their numbers: the record of a model, and where the rows are.

`Features` is an array with a record of the model and the inputs that it was computed from.  Two
sets from different models, or from one model and images resized in two ways, are not samples from
one space: they are refused.  If at most one set has a record the sets are compared, and
`features_info` lists the sets that have one.

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
        """Return the groups of equal rows; see `prfast.inputs.copies.equal_rows`."""

    @property
    @abstractmethod
    def engine(self) -> Any:
        """The engine (`prfast.neighbors.engines.exact.Engine`) that searches neighbors."""

    @abstractmethod
    def check_auto(self, fake: Any, folds: Any) -> None:
        """Raise ValueError where the method "auto" lacks memory for these folds."""

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
