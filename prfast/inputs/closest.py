"""A hint for a name that is not known: the one that is written most like it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def closest(name: Any, known: Iterable[str]) -> str:
    """What is put behind an error, as "; did you mean 'knn'?"; nothing where none is like it."""
    if not isinstance(name, str):
        return ""
    from difflib import get_close_matches  # only for an error

    by_folded = {one.casefold(): one for one in known}
    found = get_close_matches(name.casefold(), by_folded, 1, 0.6)
    return f"; did you mean {by_folded[found[0]]!r}?" if found else ""
