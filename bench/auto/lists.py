"""Option values that are lists, separated by commas."""

from __future__ import annotations


def names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def numbers(text: str) -> list[int]:
    return [int(number) for number in names(text)]
