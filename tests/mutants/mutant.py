"""A mutant: one change that breaks the package."""

from __future__ import annotations

from typing import NamedTuple


class Mutant(NamedTuple):
    """A row of the tables in `of_….py`."""

    what: str
    file: str
    """A file of the package, or of csrc/; one of csrc/ or .pyx is then compiled."""
    right: str
    """A text that occurs once in the file."""
    wrong: str
    tests: str
    """Files of tests/, or tests in them, of which one must fail."""
    why: str = ""
    """For an equivalent mutant, why no test can detect it."""

    @property
    def compiled(self) -> bool:
        """Whether its file is compiled."""
        return self.file.startswith("csrc/") or self.file.endswith(".pyx")
