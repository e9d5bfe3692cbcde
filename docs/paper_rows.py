"""The rows of docs/papers/*.md, a table a paper: what it says, what of prfast stands for it.

    | item | what it says | prfast | tests | shown by | a note, or why none |

Names stand in backticks, separated by commas: of prfast as they are called (`PRCurve.at`,
`pr_curve(method="knn")`), of tests as `file::test`, of what shows it a case of the bench (`table1`)
or a figure of these pages (`views.png`).  A row has a name, or says why it has none."""

import re
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).with_name("papers")
# Of these each is implemented or tested; to be shown is not enough.
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
        """A case shows it, and some of what the paper says of it does not come out."""
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
    """All papers, in the order of their years."""
    return [read(path) for path in sorted(FOLDER.glob("*.md"), key=lambda path: path.stem)]


def read(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    table = [cells(line) for line in lines if line.startswith("| ")]
    return Paper(path.stem, lines[0].partition(": ")[2], tuple(map(row, table[2:])))


def cells(line):
    """A bar in backticks, or behind a backslash, is none between cells."""
    parts = re.findall(r"((?:`[^`]*`|\\\||[^|`])*)\|", line.rstrip()[1:])
    if len(parts) != 6:
        raise ValueError(f"6 cells expected, got {len(parts)}: {line}")
    return [part.strip() for part in parts]


def row(parts):
    item, says, *named, why = parts
    return Row(item, says, *(tuple(re.findall(r"`([^`]+)`", cell)) for cell in named), why)


def counts(rows):
    """How many items there are, and how many have what."""
    rows = list(rows)
    return {
        "items": len(rows),
        "implemented": sum(bool(one.functions) for one in rows),
        "tested": sum(bool(one.tests) for one in rows),
        "shown": sum(bool(one.shown) for one in rows),
        "not reproduced": sum(one.missed for one in rows),
        "left out": sum(one.left_out for one in rows),
    }
