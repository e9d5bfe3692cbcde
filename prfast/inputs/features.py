"""Arrays of features with a record of how they were made.

A record says which model made the features and of what; two sets that different models made, or one
model of images resized in two ways, are no two samples of one space, and are refused here, once.
What is known of neither or of one set only is compared all the same: `features_info` says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.errors import WrongValue

# What makes features what they are; two sets agree in all of it.  What else a record has (versions,
# the device, how many and of which files) is told, and may differ.
MAKING = ("kind", "model", "library", "weights", "weights_sha256", "layer", "prepare", "dtype")


@dataclass(frozen=True, eq=False, repr=False)
class Features:
    """An array of features, shape (samples, features), with the record of how they were made.

    All functions of prfast that take samples take it, and the record goes into their results.
    ``numpy.asarray(x)`` and ``x.array`` are the plain array, and NumPy's functions of it give plain
    arrays.  Rows, as ``x[10:]``, ``x[[3, 1]]`` or ``x[mask]``, keep the record; a single row, or an
    index of columns too, gives a plain array.
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
        found = self.array[key]
        return found if isinstance(key, tuple) else with_record(found, self.record)

    def __repr__(self) -> str:
        n, d = self.shape
        return f"Features({n} × {d} {self.dtype}, model {self.record.get('model')!r})"


class Recorded(NamedTuple):
    """What is kept of samples to which others are to be alike."""

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
    """The record of an array, or of samples in pieces; None where there is none."""
    record = getattr(values, "record", None)
    return record if isinstance(record, Mapping) else None


def has_versions(record: Mapping[str, Any]) -> bool:
    """Are the versions of a record strings, or null, by their packages?"""
    found = record.get("versions", {})
    return isinstance(found, Mapping) and all(
        isinstance(name, str) and (one is None or isinstance(one, str))
        for name, one in found.items()
    )


def first_recorded(values: Iterable[Any]) -> Recorded:
    """The record of the first samples of which one is known."""
    return Recorded(next((one for one in map(record_of, values) if one is not None), None))


def joined(arrays: Sequence[Any]) -> Any:
    """The rows of all, with the record of the first where all have one of one kind."""
    records = [record_of(one) for one in arrays]
    known = [{key: one.get(key) for key in MAKING} for one in records if one is not None]
    alike = len(known) == len(arrays) and all(one == known[0] for one in known)
    return with_record(np.concatenate(list(map(plain, arrays))), records[0] if alike else None)


def check_alike(name: str, values: Any, other: str, others: Any) -> None:
    """ValueError where both have records, of features that were not made in one way."""
    one, two = record_of(values), record_of(others)
    if one is None or two is None:
        return
    for key in MAKING:
        if one.get(key) != two.get(key):
            raise WrongValue(
                f"{name} and {other}",
                f"features made in one way expected, got {key} {one.get(key)!r} of {name} and "
                f"{two.get(key)!r} of {other}",
            )


def check_all_alike(sets: Iterable[tuple[str, Any]]) -> None:
    """The same of each two of several sets and their names; those without a record fit to all."""
    known = [(name, values) for name, values in sets if record_of(values) is not None]
    for name, values in known[1:]:
        check_alike(*known[0], name, values)


def features_info(real: Any, fake: Any) -> dict[str, Any]:
    """The entry `features` of a result: how they were made, and of which set that is recorded; no
    entry where nothing is."""
    records = {"real": record_of(real), "fake": record_of(fake)}
    known = {name: record for name, record in records.items() if record is not None}
    if not known:
        return {}
    first = next(iter(known.values()))
    found: dict[str, Any] = {key: first[key] for key in MAKING if key in first}
    found["versions"] = _versions(known)
    found["recorded"] = list(known)
    return {"features": found}


def _versions(known: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Of each package, or of each set where they differ: {"torch": "2.1 (real), 2.2 (fake)"}."""
    of_sets = {name: dict(record.get("versions", {})) for name, record in known.items()}
    found = {}
    for package in dict.fromkeys(one for versions in of_sets.values() for one in versions):
        told = {name: versions.get(package) for name, versions in of_sets.items()}
        same = len(set(told.values())) == 1
        # A key that jq and dashboards take.
        found[package.replace("-", "_")] = (
            next(iter(told.values()))
            if same
            else ", ".join(f"{version} ({name})" for name, version in told.items())
        )
    return found
