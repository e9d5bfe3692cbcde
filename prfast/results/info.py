"""The record of how a result was made, as plain values of JSON; versions; the C header's folder."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np

from prfast.inputs.errors import WrongType, kind_of
from prfast.results.values import counted

FEATURES = "features"  # key of the record of the feature extraction


@cache
def version(package: str = "prfast") -> str:
    """Return the installed version; that of prfast is stated in pyproject.toml alone."""
    # importlib.metadata takes nearly as long to import as all of prfast.  It returns what the first
    # folder of metadata in the path has, whose name has the version too.
    head, tail = f"{package.replace('-', '_')}-", ".dist-info"
    for folder in sys.path:
        with suppress(OSError):  # archives, and folders that are not there
            for name in os.listdir(folder or "."):
                if name.startswith(head) and name.endswith(tail):
                    return name.removeprefix(head).removesuffix(tail)
    from importlib.metadata import version as installed_version

    return installed_version(package)


def read_info(name: str, info: Any) -> dict[str, Any]:
    """Return a copy of the record of a caller as plain values of JSON."""
    if not isinstance(info, Mapping):
        raise WrongType(name, f"a mapping expected, got {kind_of(info)}")
    return plain(info, name)


def plain(value: Any, name: str = "info") -> Any:
    """Return a copy of a value as JSON returns it, with tuples as lists and keys as text."""

    def of_python(item: Any) -> Any:
        if isinstance(item, np.generic):
            return item.item()
        if isinstance(item, Mapping):
            return dict(item)
        raise TypeError(f"got {kind_of(item)}")

    try:
        return json.loads(json.dumps(value, allow_nan=False, default=of_python))
    except (TypeError, ValueError, RecursionError) as error:
        text = f"entries that JSON can represent expected: {error}"
    raise WrongType(name, text)


def agreed(infos: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the entries that all records have with the same value."""
    first = infos[0] if infos else {}
    return {
        key: value
        for key, value in first.items()
        if all(key in info and info[key] == value for info in infos)
    }


def made_of(info: Mapping[str, Any]) -> str:
    """Return method, k, unusual options, and numbers of samples and features, in words."""
    usual = {"ties": ("closed",), "backend": ("auto", "exact"), "split": ("folds", 0.5)}
    parts = [
        f"{key} {info[key]}"
        for key in ("method", "k", "ties", "backend", "split")
        if info.get(key) is not None and info[key] not in usual.get(key, ())
    ]
    words = {"n_real": "real", "n_fake": "generated"}
    sizes = " and ".join(f"{info[key]} {word}" for key, word in words.items() if key in info)
    parts += [f"{sizes} samples"] if sizes else []
    if "n_features" in info:
        parts.append(counted(info["n_features"], "feature", "features"))
    model = scalars(info).get(FEATURES)
    return ", ".join([*parts, f"features of {model}"] if model else parts)


def scalars(info: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of one value for a table; of the features the name of their model."""
    features = info.get(FEATURES)
    model = {FEATURES: features.get("model")} if isinstance(features, Mapping) else {}
    return {
        key: value
        for key, value in (dict(info) | model).items()
        if key != "caution" and not isinstance(value, list | dict)
    }


def get_include() -> str:
    """Return the folder of `prfast.h`, for compiling code that calls prfast from C or Cython.

    Example: ``prfast.get_include()``.  See also `theory.min_sums`.

    Returns
    -------
    folder : str
        Value for `-I` or `include_dirs` (`docs/embedding.md`).
    """
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "include")
