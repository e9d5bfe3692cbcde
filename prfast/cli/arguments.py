"""What several commands can be told."""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
from typing import Any

from prfast.inputs.options import read_count, read_share
from prfast.scorers.methods import METHODS, check_options
from prfast.scorers.neighbors import NEIGHBOR_METHODS


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """The options of the method: of --option, and those that have a name of their own."""
    settings = dict(_option(text) for text in options.option)
    for name in ("k", "ties", "backend"):
        value = getattr(options, name)
        if value is None:
            continue
        if options.method not in NEIGHBOR_METHODS:
            known = ", ".join(NEIGHBOR_METHODS)
            raise ValueError(
                f"--{name}: only for the methods that count neighbours ({known}), "
                f"got --method {options.method}"
            )
        if name in settings:
            raise ValueError(f"--{name}: once expected, got --option {name}={settings[name]} too")
        settings[name] = value
    check_options(options.method, settings)
    if "progress" in METHODS[options.method].options:
        settings.setdefault("progress", progress())
    return settings


def _option(text: str) -> tuple[str, Any]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise ValueError(f"--option: NAME=VALUE expected, got {text!r}")
    try:
        return name, json.loads(value)
    except (json.JSONDecodeError, RecursionError):
        return name, value


def read_split(text: str) -> float | str | None:
    if text in ("auto", "bernoulli"):
        return text
    if text == "none":
        return None
    try:
        return read_share("--split", float(text))
    except ValueError:
        raise ValueError(
            f"--split: auto, bernoulli, none or a share in (0, 1) expected, got {text!r}"
        ) from None


def read_jobs(jobs: int | None) -> int | None:
    return None if jobs is None else read_count("--jobs", jobs)


def progress() -> bool:
    """A bar where somebody watches, if tqdm is there."""
    watched = sys.stderr is not None and sys.stderr.isatty()
    return watched and importlib.util.find_spec("tqdm") is not None
