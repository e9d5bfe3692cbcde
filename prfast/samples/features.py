"""Features: an array with a record of the model and the inputs that it was computed from.

Two sets from different models, or from one model and images resized in two ways, are not samples
of one space, and refused.  Sets of which at most one has a record are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.errors import WrongValue

# Keys of a record that must agree between two sets.  Further keys (versions, device, batch size,
# inputs) are reported and may differ.
RECORD_KEYS = ("kind", "model", "library", "weights", "weights_sha256", "layer", "prepare", "dtype")


@dataclass(frozen=True, eq=False, repr=False)
class Features:
    """An array of features, shape (samples, features), with a record of their computation.

    All functions of prfast that accept samples accept it and put the record into their results.
    ``numpy.asarray(x)`` and ``x.array`` are the plain array, and NumPy functions applied to it
    return plain arrays.  Several rows, as ``x[10:]``, ``x[[3, 1]]`` or ``x[mask]``, keep the
    record; a single row, or an index that includes columns, gives a plain array.
    Example: ``prfast.features.Features([[0.1, 0.2]], {"model": "mine"}).record``.
    See also `extract`.
    """

    array: NDArray[Any]
    record: Mapping[str, Any]
    ndim: ClassVar[int] = 2

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

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


def check_alike(first: str, values: Any, second: str, compared: Any) -> None:
    """Raise WrongValue if both sets have records and these differ in a key of RECORD_KEYS."""
    record, reference = record_of(compared), record_of(values)
    if record is None or reference is None:
        return
    for key in RECORD_KEYS:
        if reference.get(key) != record.get(key):
            raise WrongValue(
                f"{first} and {second}",
                f"features made in one way expected, got {key} {reference.get(key)!r} of {first} "
                f"and {record.get(key)!r} of {second}",
            )


def check_all_alike(sets: Iterable[tuple[str, Any]]) -> None:
    """Check all pairs of several sets, given with their names, as `check_alike` does."""
    recorded = [(name, values) for name, values in sets if record_of(values) is not None]
    for name, values in recorded[1:]:
        check_alike(*recorded[0], name, values)


def versions(recorded: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the version of each package; of both sets if they differ: "2.1 (real), 2.2 (fake)"."""
    by_set = {name: record.get("versions", {}) for name, record in recorded.items()}
    entries = {}
    for package in dict.fromkeys(key for packages in by_set.values() for key in packages):
        found = {name: packages.get(package) for name, packages in by_set.items()}
        version, *different = dict.fromkeys(found.values())
        if different:
            version = ", ".join(f"{version} ({name})" for name, version in found.items())
        entries[package.replace("-", "_")] = version  # jq takes a key with "-" for a subtraction
    return entries
