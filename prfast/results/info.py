"""The record of how a result was made, as plain values of JSON, and versions of packages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from prfast.inputs.errors import WrongType, kind_of

FEATURES = "features"  # key of the record of the feature extraction
CAUTION = "caution"  # key of the sentence that warns of evidence against a curve


@cache
def version(package: str = "prfast") -> str:
    """Return the installed version; that of prfast is stated in pyproject.toml alone."""
    # importlib.metadata takes longer to import than all of prfast.
    from importlib.metadata import version as installed_version

    return installed_version(package)


def read_info(name: str, info: Any) -> dict[str, Any]:
    """Return a copy of the record that JSON stores without loss.

    Keys are str; values None, bool, int, finite float, str, and lists and dictionaries of them.
    NumPy scalars become Python's, tuples lists, mappings dictionaries.
    """
    if not isinstance(info, Mapping):
        raise WrongType(name, f"a mapping expected, got {kind_of(info)}")
    try:
        return {_read_key(name, key): _read_entry(f"{name}[{key!r}]", info[key]) for key in info}
    except RecursionError:
        raise WrongType(name, "entries that do not contain themselves expected") from None


def agreed(infos: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the entries that all records have with the same value."""
    first = infos[0] if infos else {}
    return {
        key: value
        for key, value in first.items()
        if all(key in info and info[key] == value for info in infos)
    }


def scalars(info: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries for a line or a table: no lists, dictionaries or cautions.

    The record of the features is replaced by the name of their model.
    """
    features = info.get(FEATURES)
    model = {FEATURES: features.get("model")} if isinstance(features, Mapping) else {}
    return {
        key: value
        for key, value in (dict(info) | model).items()
        if key != CAUTION and not isinstance(value, list | dict)
    }


def _read_key(name: str, key: Any) -> str:
    if type(key) is not str:
        raise WrongType(name, f"keys of type str expected, got {key!r}")
    return key


def _read_entry(name: str, value: Any) -> Any:
    plain = value.item() if isinstance(value, np.generic) else value
    if plain is None or type(plain) in (bool, int, str):
        return plain
    if type(plain) is float and math.isfinite(plain):
        return plain
    if isinstance(plain, list | tuple):
        return [_read_entry(f"{name}[{i}]", entry) for i, entry in enumerate(plain)]
    if isinstance(plain, Mapping):
        return {_read_key(name, k): _read_entry(f"{name}[{k!r}]", plain[k]) for k in plain}
    got = f"{plain}" if isinstance(plain, float) else kind_of(value)
    raise WrongType(
        name,
        f"None, a bool, an int, a finite float, a str, or a list or mapping of them "
        f"expected, got {got}",
    )
