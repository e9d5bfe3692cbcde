"""Functions that render results, by class and verb, so that no class imports what renders it.

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
    """Return the function of a verb for the class of a result, or of its nearest base class."""
    keys = ((kind.__name__, verb) for kind in type(result).__mro__)
    function: Callable[..., Any] = loaded(next(_PLACES[key] for key in keys if key in _PLACES))
    return function


def loaded(place: str) -> Any:
    """Return what is at a place, as "module:name" without "prfast."."""
    module, _, name = place.partition(":")
    return getattr(import_module(f"prfast.{module}"), name)
