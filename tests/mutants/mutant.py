"""A mutant: one idea of the package the other way round."""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    """A row of the tables `of_….py`."""

    what: str
    file: str
    """Of the package, or of the C library, which is then built again."""
    right: str
    """A text of the file that is there once."""
    wrong: str
    tests: str
    """Files of tests/, or tests of them, of which one has to fail; the likeliest first."""
    why: str = ""
    """Of an equivalent: why no test can see it."""

    @property
    def compiled(self) -> bool:
        """Is it built before it is tested?"""
        return self.file.startswith("csrc/")
