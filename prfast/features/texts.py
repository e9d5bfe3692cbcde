"""Texts: of a list, or of a file with a line a text."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from typing import Any

from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.kinds import kind_of


class Texts:
    """Texts, in the order given."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self.about: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def name(self, i: int) -> str:
        return f"text {i}"

    def load(self, i: int) -> tuple[str, bytes]:
        """A text, and a checksum of it."""
        return self.texts[i], self.digest(i)

    def digest(self, i: int) -> bytes:
        return hashlib.sha256(self.texts[i].encode()).digest()


def read_texts(name: str, values: Any) -> Texts:
    """A list of str, or the path of a file in UTF-8 with a line a text; an empty line is a text."""
    if isinstance(values, str | os.PathLike):
        return Texts(_lines(os.fspath(values)))
    if not isinstance(values, list | tuple):
        raise WrongType(name, f"texts or a file with a line a text expected, got {kind_of(values)}")
    if not values:
        raise WrongValue(name, "at least one text expected, got none")
    for i, one in enumerate(values):
        if not isinstance(one, str):
            raise WrongType(name, f"texts expected, got {kind_of(one)} at index {i}")
    return Texts(list(values))


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            text = file.read()
    except UnicodeDecodeError as error:
        raise WrongValue(path, f"a file of text in UTF-8 expected ({error})") from None
    if not text:
        raise WrongValue(path, "a line a text expected, got an empty file")
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
