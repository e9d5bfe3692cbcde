"""Option values that are lists, separated by commas."""

from argparse import ArgumentTypeError
from collections.abc import Callable, Iterable


def names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def numbers(text: str) -> list[int]:
    return [int(number) for number in names(text)]


def among(choices: Iterable[str]) -> Callable[[str], list[str]]:
    """Return a reader of names, all of which must be known."""

    def read(text: str) -> list[str]:
        for name in names(text):
            if name not in choices:
                raise ArgumentTypeError(f"one of {', '.join(choices)} expected, got {name!r}")
        return names(text)

    return read
