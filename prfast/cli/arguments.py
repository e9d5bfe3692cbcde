"""Options of a command as arguments of the functions of Python, checked before files are opened."""

from __future__ import annotations

import argparse
import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any

from prfast.cli.options import ARGUMENTS, number_or_text
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.methods.base import read_context
from prfast.methods.table import read_method, read_run
from prfast.samples.noise import Noise

# Options that are arguments of functions by name, but name files and their columns.
_OF_FILES = ("real", "fake", "held_out", "groups")
_OF_CONTEXT = ("random_state", "n_jobs", "memory", "progress")


def arguments_of(function: Callable[..., Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a function that options set; given: those of `read_options`."""
    names = inspect.signature(function).parameters
    return {name: given[name] for name in names if name in given}


def read_options(options: argparse.Namespace) -> dict[str, Any]:
    """Return the options that were given, by their names in Python."""
    given = {ARGUMENTS.get(name, name): value for name, value in vars(options).items()}
    given = {k: x for k, x in given.items() if x is not None and k not in _OF_FILES}
    if "method" in given:
        given |= _read_method(options, given)
    if given.get("resolution") and options.cluster is not None:
        raise WrongValue("resolution", f"0 expected with --cluster, got {options.resolution}")
    if "noise" in given:
        given["noise"] = Noise(options.noise, categories=options.categories)
    if "resolutions" in given:
        given["resolutions"] = _read_resolutions(options.resolutions)
    context = read_context(**{name: given[name] for name in _OF_CONTEXT if name in given})
    return given | {"progress": context.progress}  # a single bar for all models


def _read_method(options: argparse.Namespace, given: dict[str, Any]) -> dict[str, Any]:
    """Return the method with its options, in place of those, and the split."""
    named = dict(_name_and_value(text) for text in options.option)
    flags: dict[str, Any] = {
        name: given.pop(name) for name in ("k", "ties", "backend") if name in given
    }
    for name in flags.keys() & named.keys():
        raise ValueError(f"--{name}: once expected, got --option {name}={named[name]} too")
    of_method = named | flags
    of_call = ("memory", "progress")
    read: dict[str, Any] = {name: of_method.pop(name) for name in of_call if name in of_method}
    try:
        method = read_method(options.method, of_method)
    except ArgumentError as error:
        name = error.argument
        raise (error.renamed(f"--option {name}") if name in named else error) from None
    read |= {"method": method, "methods": method}
    read |= {name: getattr(method, name) for name in ("ties", "backend") if hasattr(method, name)}
    split = None if options.split == "none" else number_or_text(options.split)
    return read | {"split": read_run(method, split).split}


def _name_and_value(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise ValueError(f"--option: NAME=VALUE expected, got {text!r}")
    try:
        return name, json.loads(value)
    except (json.JSONDecodeError, RecursionError):
        return name, value


def _read_resolutions(values: Any) -> Any:
    """Return "auto", None for none, or the resolutions."""
    from prfast.estimate.profiles import read_resolutions

    if values in ("auto", ["auto"]):
        return "auto"
    return None if values == ["none"] else read_resolutions(values)
