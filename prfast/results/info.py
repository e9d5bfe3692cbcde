"""What made a result: a record that JSON keeps as it is, and what several records agree on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from prfast.inputs.errors import WrongType, kind_of

# Versions, read when asked for: pyproject.toml is the only place that states prfast's.


@cache
def version(package: str = "prfast") -> str:
    from importlib.metadata import version as installed  # slower than importing all of prfast

    return installed(package)


FEATURES = "features"  # the entry that says what samples are features of
CAUTION = "caution"  # the entry in which a curve carries a sentence on what contradicts it


def read_info(name: str, info: Any) -> dict[str, Any]:
    """A record of what made a result: a copy that JSON keeps as it is.

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
    """The entries that every one of the records has, with one value."""
    first = infos[0] if infos else {}
    return {
        key: value
        for key, value in first.items()
        if all(key in info and info[key] == value for info in infos)
    }


def scalars(info: Mapping[str, Any]) -> dict[str, Any]:
    """What a line or a table shows of a record: all but lists, dictionaries and sentences, and of
    what the samples are features of the model."""
    features = info.get(FEATURES)
    named = {FEATURES: features.get("model")} if isinstance(features, Mapping) else {}
    return {
        key: value
        for key, value in (dict(info) | named).items()
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
