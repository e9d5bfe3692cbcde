"""Exceptions for arguments, names of types for their messages, and optional dependencies.

A message is "argument: what was expected, what came".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Self

# Arguments by their names in other libraries, for hints.
_HERE = {"seed": "random_state", "rng": "random_state", "rng_seed": "random_state"}
_HERE |= {"nearest_k": "k", "n_neighbors": "k", "neighbors": "k", "threads": "n_jobs"}
_HERE |= {"weights": "w_real", "sample_weight": "w_real", "alpha": "level"}


def some_of(items: Iterable[str], most: int = 8) -> str:
    """Return the first items for a message, and how many more there are."""
    items = list(items)
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + more


def closest(name: Any, known: Iterable[str]) -> str:
    """Return a hint such as "; did you mean 'knn'?", or "" if no known name is similar."""
    if not isinstance(name, str):
        return ""
    known = list(known)
    if (here := _HERE.get(name)) in known:
        return f"; did you mean {here!r}?"
    from difflib import get_close_matches  # only for an error

    by_folded = {word.casefold(): word for word in known}
    matches = get_close_matches(name.casefold(), by_folded, 1, 0.6)
    return f"; did you mean {by_folded[matches[0]]!r}?" if matches else ""


class ArgumentError(Exception):
    """Base of the exceptions for arguments: `argument`, its name, and `text`, what is wrong.

    Example: ``issubclass(prfast.WrongValue, prfast.ArgumentError)``.
    See also `WrongType` and `WrongValue`, which are TypeError and ValueError as well.
    """

    def __init__(self, argument: str, text: str) -> None:
        super().__init__(f"{argument}: {text}")
        self.argument, self.text = argument, text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.argument, self.text)

    def renamed(self, argument: str) -> Self:
        """Return the exception with another name for the argument."""
        return type(self)(argument, self.text)

    def at(self, place: str) -> Self:
        """Return the exception with the origin of the argument, such as a file, in front."""
        return self.renamed(f"{place}: {self.argument}")


class WrongType(ArgumentError, TypeError):
    """An argument of a type or dtype that is not accepted.  See also `ArgumentError`."""


class WrongValue(ArgumentError, ValueError):
    """An argument outside the accepted range, shape or number.  See also `ArgumentError`."""


class WrongRow(WrongValue):
    """An invalid value in one row; `{row}` in the text becomes the number of the row."""

    def __init__(self, argument: str, text: str, row: int) -> None:
        super().__init__(argument, text.replace("{row}", str(row)))
        self.row, self._template = row, text

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.argument, self._template, self.row)

    def renamed(self, argument: str) -> Self:
        return type(self)(argument, self._template, self.row)

    def below(self, rows: int, place: str = "") -> Self:
        """Return the exception for a set in which `rows` rows precede these, with their place."""
        return type(self)(self.argument, self._template + place, self.row + rows)


class NotNumbers(WrongType):
    """An array or column whose dtype is not a supported numeric one."""


def kind_of(value: Any) -> str:
    """Return the type of a value for a message, such as "a pandas.DataFrame" or "a list"."""
    name = f"{type(value).__module__}.{type(value).__qualname__}".removeprefix("builtins.")
    return f"{'an' if name[0] in 'aeio' else 'a'} {name}"


# What makes numbers of values, by a word in the names of their type and dtype; the first that
# occurs counts.  x is the argument, with the methods of NumPy and pandas.
_ENCODED = "prfast.encode and compare_tables take {} in data frames"
_CURES = {
    "generator": "np.stack(list(x)) makes an array",
    "dict": "pandas.DataFrame(x) makes a table",
    "sparse": "x.sparse.to_dense() makes it dense",
    "categor": f"{_ENCODED.format('categories')}; x.astype(float) makes numbers of codes",
    "enum": _ENCODED.format("categories"),
    "timedelta": f"{_ENCODED.format('durations')}; x / np.timedelta64(1, 's') makes seconds",
    "duration": _ENCODED.format("durations"),
    "date": f"{_ENCODED.format('dates')}; x.astype('datetime64[s]').astype(float) makes seconds",
    "complex": "np.concatenate([x.real, x.imag], axis=1) makes features of both parts",
    "decimal": "x.astype(float) rounds",
    "str": f"{_ENCODED.format('text')}; x.astype(float) makes numbers of digits",
    "<u": f"{_ENCODED.format('text')}; x.astype(float) makes numbers of digits",
    # Last: pandas before 3 has text in columns of this dtype.
    "object": "x.astype(float) makes numbers of Decimal and other numbers",
}


def cure(name: str, values: Any, dtype: Any) -> str:
    """Return what makes numbers of values of this dtype, after "; "; "" where nothing is known."""
    text = f"{type(values).__qualname__} {getattr(values, 'dtype', '')} {dtype}".casefold()
    known = next((_CURES[word] for word in _CURES if word in text), "")
    parts = [part for part in known.split("; ") if hasattr(values, "astype") or "x." not in part]
    return "".join("; " + re.sub(r"\bx\b", lambda _: name, part) for part in parts if part)


def not_numbers(name: str, values: Any, dtype: Any, hint: str = "") -> NotNumbers:
    """Return the exception for values of an unsupported dtype."""
    text = "float32, float64, float16, integer or boolean numbers expected, got "
    text += f"{kind_of(values)} of dtype {dtype}{hint or cure(name, values, dtype)}"
    return NotNumbers(name, text)


def libraries_of(values: Any) -> set[str]:
    """Return the top-level packages that define the type of a value and its base classes."""
    return {base.__module__.partition(".")[0] for base in type(values).__mro__}


def import_optional(module: str, purpose: str, *, place: str = "", extra: str = "") -> Any:
    """Return a module of an optional dependency, or raise ImportError with the way to install it.

    purpose: such as "plots"; place: such as a file; extra: of prfast that has the package.
    """
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        package = {"PIL": "pillow", "torch_fidelity": "torch-fidelity"}.get(package, package)
        start = f"{place}: " if place else ""
        hint = f", or with all of the extra {extra} 'prfast[{extra}]'" if extra else ""
        text = f"{start}{package} is needed for {purpose}: python -m pip install {package}{hint}"
        raise ImportError(text) from None
