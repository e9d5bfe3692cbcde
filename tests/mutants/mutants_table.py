"""The table of all mutants, of the texts TABLE of the modules `of_….py`.

`@@` is before a file of the package, or of csrc/, and the tests of which one must fail; `#` before
what is broken.  Then comes a text that occurs once in the file: with `~` a line of which a part
changes, as «right → wrong»; or its lines with `-`, and with `+` those that take its place.  `=` is
before the reason why no test can detect it.
"""

import re
from importlib import import_module
from pathlib import Path

from mutant import Mutant


def read_table(text: str) -> list[Mutant]:
    """Return the rows of a table."""
    rows: list[dict] = []
    for line in text.splitlines():
        sign, text_of_line = line[:1], line[1:]
        if sign == "@":
            file, _, tests = line.removeprefix("@@ ").partition(" ")
        elif sign == "#":
            row = {"what": text_of_line[1:], "file": file, "right": [], "wrong": [], "tests": tests}
            rows.append(row)
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
