"""Comparison of two records of one command: every number that differs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

_RESULTS = ("curves", "metrics", "classes")
_ABOUT = ("fake", "name", "class", "method", "k")  # keys that identify an entry
_MISSING = "nothing"


class Differs(NamedTuple):
    """A value that differs between the records, and its place."""

    place: str
    was: Any
    now: Any

    def __str__(self) -> str:
        return f"{self.place}: {_short(self.was)} was recorded, it is {_short(self.now)}"


class Compared(NamedTuple):
    """The number of compared numbers, and the differences."""

    numbers: int
    differ: list[Differs]


def compare(was: Mapping[str, Any], now: Mapping[str, Any]) -> Compared:
    """Compare every value of the results for equality.

    `info.version` of results is left out; `versions_differ` compares versions.
    """
    count, differ = 0, []
    for key in _RESULTS:
        for place, one, other in _walk(key, was.get(key), now.get(key)):
            if place.endswith(".info.version"):
                continue
            count += isinstance(one, int | float) and not isinstance(one, bool)
            if type(one) is not type(other) or one != other:
                differ.append(Differs(place, one, other))
    return Compared(count, differ)


def versions_differ(was: Mapping[str, Any], now: Mapping[str, Any]) -> list[Differs]:
    """Return the differences of versions and platform."""
    return [
        Differs(place.partition(".")[2], one, other)
        for key in ("versions", "platform")
        for place, one, other in _walk(key, was.get(key), now.get(key))
        if one != other
    ]


def _walk(place: str, was: Any, now: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield (place, old value, new value) of all leaves."""
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        for key in dict.fromkeys([*was, *now]):
            yield from _walk(f"{place}.{key}", was.get(key, _MISSING), now.get(key, _MISSING))
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for i, (one, other) in enumerate(zip(was, now, strict=True)):
            yield from _walk(f"{place}[{_label(i, one)}]", one, other)
    else:
        yield place, was, now


def _label(number: int, entry: Any) -> str:
    """Return the keys that identify an entry, else its number."""
    if not isinstance(entry, Mapping):
        return str(number)
    about = [str(entry[key]) for key in _ABOUT if entry.get(key) is not None]
    return ", ".join(about) or str(number)


def _short(value: Any) -> str:
    text = value if value is _MISSING else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
