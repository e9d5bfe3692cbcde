"""What a value is, by the names of its type: for messages, and to know libraries unimported."""

from __future__ import annotations

from typing import Any

from prfast.inputs.errors import WrongType


class NotNumbers(WrongType):
    """Held, and no number that prfast takes."""


def kind_of(value: Any) -> str:
    """A type in words, for messages."""
    return f"a {type(value).__module__}.{type(value).__qualname__}".replace("builtins.", "")


def not_numbers(name: str, values: Any, dtype: Any, hint: str = "") -> NotNumbers:
    """The one message for what is held but is no number that prfast takes."""
    return NotNumbers(
        name,
        f"float32, float64, float16, integer or boolean numbers expected, "
        f"got {kind_of(values)} of dtype {dtype}{hint}",
    )


def libraries_of(values: Any) -> set[str]:
    """The libraries that define a type or what it is derived from."""
    return {base.__module__.partition(".")[0] for base in type(values).__mro__}
