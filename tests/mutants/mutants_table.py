"""The table of all mutants, of the texts TABLE of the modules `of_….py`.

`@@` is before the tests of which one must fail; `#` before a file of the package, or of csrc/, and
what is broken in it.  Then comes a text that occurs once in the file: with `~` a line of which a
part changes, as «right → wrong»; or its lines with `-`, and with `+` those that take its place.
`=` is before the reason why no test can detect it.
"""

import re
from importlib import import_module
from pathlib import Path
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


def read_table(text: str) -> list[Mutant]:
    """Return the rows of a table."""
    rows: list[dict] = []
    for line in text.splitlines():
        sign, text_of_line = line[:1], line[1:]
        if sign == "@":
            tests = line.removeprefix("@@ ")
        elif sign == "#":
            file, _, what = text_of_line[1:].partition(": ")
            rows.append({"what": what, "file": file, "right": [], "wrong": [], "tests": tests})
        elif sign == "=":
            rows[-1]["why"] = text_of_line[1:]
        elif sign == "~":
            for i, side in enumerate(("right", "wrong"), 1):
                rows[-1][side].append(re.sub("«(.*?) → (.*?)»", rf"\{i}", text_of_line))
        elif sign:
            rows[-1]["right" if sign == "-" else "wrong"].append(text_of_line)
    texts = ({side: "\n".join(row[side]) for side in ("right", "wrong")} for row in rows)
    return [Mutant(**row | text) for row, text in zip(rows, texts, strict=True)]


MUTANTS = [
    mutant
    for path in sorted(Path(__file__).parent.glob("of_*.py"))
    for mutant in read_table(import_module(path.stem).TABLE)
]
