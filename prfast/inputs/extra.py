"""Packages that prfast does without until somebody asks for what they do: the extras."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load_extra(module: str, purpose: str, extra: str | None, *, place: str = "") -> Any:
    """A module, imported now; where it is missing, the error says how to install its package.

    Parameters
    ----------
    module : str
        With the name of its package in front, as in "matplotlib.figure".
    purpose : str
        What it is needed for, as in "plots".
    extra : str or None
        The extra of prfast that has it; None where the package is to be installed itself.
    place : str
        What asks for it, such as a file, if that is to be named.
    """
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        asked = f"{place}: " if place else ""
        source = package if extra is None else f"'prfast[{extra}]'"
        raise ImportError(
            f"{asked}{package} is needed for {purpose}: python -m pip install {source}"
        ) from None
