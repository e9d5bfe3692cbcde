"""Arrays that know what they are features of: a record beside the numbers.

A record says which model made the features and of what; two sets that different models made, or one
model of images resized in two ways, are no two samples of one space, and are refused here, once.
What is known of neither or of one set only is compared all the same: `features_info` says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.errors import WrongValue

# What makes features what they are; two sets agree in all of it.  What else a record has (versions,
# the device, how many and of which files) is told, and may differ.
MAKING = ("kind", "model", "library", "weights", "weights_sha256", "layer", "prepare", "dtype")


class Features(NDArray[Any]):
    """An array of features, shape (samples, features), with the `record` of their making.

    Rows of it, by slices, numbers or flags, and copies have the record too; whatever is computed of
    it is a plain array, and so are some of its columns.  ``x[…] = value``, ``x += value``, a ufunc
    with ``out=x`` or its `at`, and ``x.sort()`` make the record None.  Other writing in place is
    not seen: ``fill`` and ``put``, `numpy.copyto`, a generator's `shuffle`, ``x[0][:] = 9``, which
    is through a view.  Write into ``numpy.array(x)``, a plain copy.
    """

    record: Mapping[str, Any] | None

    def __array_finalize__(self, source: Any) -> None:
        self.record = None

    def __getitem__(self, key: Any) -> Any:
        return _like(super().__getitem__(key), self.record if _whole_rows(key) else None)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.record = None
        super().__setitem__(key, value)

    def sort(self, *arguments: Any, **options: Any) -> None:
        """In place, and without the record."""
        self.record = None
        super().sort(*arguments, **options)

    def copy(self, order: Any = "C") -> Any:
        """Its own numbers, and the record; `order` is NumPy's, "C" by default."""
        return _like(super().copy(order), self.record)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        out = options.get("out")
        for one in inputs[:1] if method == "at" else out or ():
            if isinstance(one, Features):
                one.record = None
        if out is not None:
            options["out"] = tuple(map(_plain, out))
        return getattr(ufunc, method)(*map(_plain, inputs), **options)

    def __reduce__(self) -> Any:
        return with_record, (np.asarray(self), self.record)


class Recorded(NamedTuple):
    """What is kept of samples to which others are to be alike."""

    record: Mapping[str, Any] | None


def with_record(array: Any, record: Mapping[str, Any] | None) -> Any:
    """The array, not copied, with a record; as it is without one, or if it is no set of samples."""
    if record is None or getattr(array, "ndim", 0) != 2:
        return array
    found = array.view(Features)
    found.record = record
    return found


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
    return with_record(np.concatenate(arrays), records[0] if alike else None)


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


def _whole_rows(key: Any) -> bool:
    """Does the index choose among rows alone?"""
    rest = key[1:] if isinstance(key, tuple) else ()
    return all(one is Ellipsis or (isinstance(one, slice) and one == slice(None)) for one in rest)


def _like(found: Any, record: Mapping[str, Any] | None) -> Any:
    """With the record where the shape still is one of samples; else a plain array."""
    if not isinstance(found, np.ndarray):
        return found
    return with_record(np.asarray(found), record)


def _plain(value: Any) -> Any:
    return np.asarray(value) if isinstance(value, Features) else value
