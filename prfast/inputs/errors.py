"""Errors of arguments, which keep apart what is shown as "argument: what was expected, what came".

Whoever has another name for the argument, or for where it is from, says so without reading texts:
`renamed`, `at`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, ParamSpec, Self, TypeVar

# A hint for a name that is not known: the one that is written most like it.


def closest(name: Any, known: Iterable[str]) -> str:
    """What is put behind an error, as "; did you mean 'knn'?"; nothing where none is like it."""
    if not isinstance(name, str):
        return ""
    from difflib import get_close_matches  # only for an error

    by_folded = {one.casefold(): one for one in known}
    found = get_close_matches(name.casefold(), by_folded, 1, 0.6)
    return f"; did you mean {by_folded[found[0]]!r}?" if found else ""


class ArgumentError(Exception):
    """The name of an argument and what is wrong with it; a TypeError or a ValueError."""

    def __init__(self, argument: str, text: str) -> None:
        super().__init__(f"{argument}: {text}")
        self.argument, self.text = argument, text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.argument, self.text)

    def renamed(self, argument: str) -> Self:
        """The same of an argument by another name."""
        return type(self)(argument, self.text)

    def at(self, place: str) -> Self:
        """The same, and where the argument is from, such as a file."""
        return self.renamed(f"{place}: {self.argument}")


class WrongType(ArgumentError, TypeError):
    """Not of a kind that is taken."""


class WrongValue(ArgumentError, ValueError):
    """Of the kind, and not in the range, shape or number."""


class WrongRow(WrongValue):
    """Something wrong in one row of many; its text has the row's number at {row}."""

    def __init__(self, argument: str, text: str, row: int) -> None:
        super().__init__(argument, text.replace("{row}", str(row)))
        self.row, self._template = row, text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.argument, self._template, self.row)

    def renamed(self, argument: str) -> Self:
        return type(self)(argument, self._template, self.row)

    def below(self, rows: int) -> Self:
        """The same in a set that has so many rows before these."""
        return type(self)(self.argument, self._template, self.row + rows)


class WrongEither(WrongType, WrongValue):
    """Both at once, where callers may catch the one or the other."""


P = ParamSpec("P")
R = TypeVar("R")


def raises_either(call: Callable[P, R]) -> Callable[P, R]:
    """The function; its errors of arguments are a TypeError and a ValueError at once."""

    @wraps(call)
    def checked(*args: P.args, **options: P.kwargs) -> R:
        try:
            return call(*args, **options)
        except (WrongType, WrongValue) as error:
            raise WrongEither(error.argument, error.text) from None

    return checked


# What a value is, by the names of its type: for messages, and to know libraries unimported.


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
