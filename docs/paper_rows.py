"""The rows of docs/papers/*.md, a table per paper, with what prfast has for each item.

    | item | what it says | prfast | tests | shown by | a note, or why none |

Names are in backticks, separated by commas: functions as they are called (`PRCurve.at`,
`pr_curve(method="knn")`), tests as `file::test`, and a case of the bench (`table1`) or a figure of
these pages (`views.png`).  A row has a name or a reason for having none."""

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).with_name("papers")
# Items of these kinds must be implemented or tested.
KEPT = ("Definition", "Theorem", "Lemma", "Proposition", "Corollary", "Algorithm", "Eq.", "Formula")
KINDS = (*KEPT, "Remark", "Footnote", "Principle", "Example", "Fig.", "Table")


class Row(NamedTuple):
    """One item of a paper."""

    item: str
    says: str
    functions: tuple[str, ...]
    tests: tuple[str, ...]
    shown: tuple[str, ...]
    why: str

    @property
    def kind(self):
        return self.item.split()[0]

    @property
    def missed(self):
        """Whether a case shows the item without reproducing all of it."""
        return "not reproduced: " in self.why

    @property
    def left_out(self):
        return not (self.functions or self.tests or self.shown)


class Paper(NamedTuple):
    """A paper by its title, and its items."""

    name: str
    title: str
    rows: tuple[Row, ...]


def papers():
    """Return all papers by year."""
    return [read(path) for path in sorted(FOLDER.glob("*.md"), key=lambda path: path.stem)]


def read(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    table = [cells(line) for line in lines if line.startswith("| ")]
    return Paper(path.stem, lines[0].partition(": ")[2], tuple(map(row, table[2:])))


def cells(line):
    """Return the cells of a row; a bar in backticks or after a backslash does not end a cell."""
    parts = re.findall(r"((?:`[^`]*`|\\\||[^|`])*)\|", line.rstrip()[1:])
    if len(parts) != 6:
        raise ValueError(f"6 cells expected, got {len(parts)}: {line}")
    return [part.strip() for part in parts]


def row(parts):
    item, says, *named, why = parts
    return Row(item, says, *(tuple(re.findall(r"`([^`]+)`", cell)) for cell in named), why)


def counts(rows):
    """Return the numbers of items: all, implemented, tested, …."""
    rows = list(rows)
    return {
        "items": len(rows),
        "implemented": sum(bool(one.functions) for one in rows),
        "tested": sum(bool(one.tests) for one in rows),
        "shown": sum(bool(one.shown) for one in rows),
        "not reproduced": sum(one.missed for one in rows),
        "left out": sum(one.left_out for one in rows),
    }
