"""Selection of the columns of a table in a file that are features, by names and patterns."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from prfast.inputs.errors import WrongType, closest, kind_of
from prfast.inputs.options import read_list

_SHOWN = 8  # names in a message


class Refused(ValueError):
    """An intact file from which the features cannot be selected as requested."""


class Wanted(NamedTuple):
    """Names and patterns of columns to select and to drop; None selects all, or drops none."""

    columns: tuple[str, ...] | None = None
    drop: tuple[str, ...] | None = None

    def __bool__(self) -> bool:
        """Return whether columns are selected or dropped."""
        return self.columns is not None or self.drop is not None

    def of(self, path: str, names: Sequence[str]) -> list[str]:
        """Return the selected ones of the column names of a file, each once.

        They are in the order of the selection; those that match one pattern, in the order of the
        file.

        Raises
        ------
        Refused
            No column has a name or matches a pattern; several columns have the same name; no
            column is left.
        """
        double = [name for name in dict.fromkeys(names) if names.count(name) > 1] if self else []
        if double:
            raise Refused(f"{path}: columns of different names expected, several are {double[0]!r}")
        chosen = list(names)
        if self.columns is not None:
            chosen = _matching(path, names, self.columns)
        if self.drop is not None:
            out = set(_matching(path, names, self.drop))
            chosen = [name for name in chosen if name not in out]
        if self and not chosen:
            raise Refused(f"{path}: at least one column expected, all are left out")
        return chosen


ALL = Wanted()


def read_wanted(columns: Any, drop: Any) -> Wanted:
    """Return the options `columns` and `drop`: a name or pattern such as "f*", several, or None."""
    return Wanted(_read_names("columns", columns), _read_names("drop", drop))


def _read_names(name: str, values: Any) -> tuple[str, ...] | None:
    if values is None:
        return None
    found = read_list(name, values, (str,))
    for one in found:
        if not isinstance(one, str):
            raise WrongType(name, f"names of columns, of type str, expected, got {kind_of(one)}")
    return tuple(found)


def _matching(path: str, names: Sequence[str], patterns: Iterable[str]) -> list[str]:
    found: dict[str, None] = {}
    for pattern in patterns:
        here = [pattern] if pattern in names else [n for n in names if fnmatchcase(n, pattern)]
        if not here:
            raise Refused(
                f"{path}: no column {pattern!r}; it has {listed(names)}{closest(pattern, names)}"
            )
        found |= dict.fromkeys(here)
    return [*found]


def listed(names: Sequence[str]) -> str:
    """Return the first names for a message, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(map(repr, names[:_SHOWN])) + more


def check_numbers(
    path: str, types: Sequence[tuple[str, Any]], holds_numbers: Callable[[Any], bool]
) -> None:
    """Raise Refused, with a hint how to drop them, for columns of types without numbers."""
    wrong = [(name, dtype) for name, dtype in types if not holds_numbers(dtype)]
    if wrong:
        told = ", ".join(f"{name!r} ({dtype})" for name, dtype in wrong[:_SHOWN])
        more = f" and {len(wrong) - _SHOWN} more" if len(wrong) > _SHOWN else ""
        hint = "" if len(wrong) == len(types) else ways_out([name for name, _ in wrong])
        raise Refused(f"{path}: columns of numbers expected, got {told}{more}{hint}")


def ways_out(names: Sequence[str]) -> str:
    """Return a hint for a message: how to drop these columns."""
    some = list(names[:_SHOWN])
    words = " ".join(map(shlex.quote, some))
    return (
        f"; leave out what is no feature: --drop {words}, in Python drop={some}, or choose "
        "columns: --columns 'f*', columns=['f*']"
    )


def no_columns(path: str) -> Refused:
    """Return the exception for a selection of columns in a file of arrays."""
    return Refused(f"{path}: an array, whose columns have no names to choose from")
