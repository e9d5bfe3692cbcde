"""Functions that render results, by class and verb: no class imports what renders it.

`prfast/__init__.py` registers them: it is the only file that may name any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

_PLACES: dict[tuple[str, str], str] = {}


def register(places: Mapping[tuple[str, str], str]) -> None:
    """Add the places of functions, as "module:function", by the class of a result and a verb."""
    _PLACES.update(places)


def renderer(result: Any, verb: str) -> Callable[..., Any]:
    """Return the function of a verb for the nearest class of a result that has one."""
    for kind in type(result).__mro__:
        if (kind.__name__, verb) in _PLACES:
            return loaded(_PLACES[kind.__name__, verb])
    raise TypeError(f"no function to {verb} a {type(result).__name__} is registered")


def loaded(place: str) -> Any:
    """Return what is at a place, as "module:name" without "prfast."."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"prfast.{module}"), name)
