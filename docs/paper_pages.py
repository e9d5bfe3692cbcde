"""The tables of docs/papers.md, generated from the rows of docs/papers/*.md when the site is built.

A paper has a table of its items, with what prfast has for each:

    | item | what it says | prfast | tests | shown by | a note, or why none |

Names are in backticks, separated by commas: functions as they are called (`PRCurve.at`,
`pr_curve(method="knn")`), tests as `file::test`, and a case of the bench (`table1`) or a figure of
these pages (`views.png`).  A row has a name or a reason for having none."""

import re
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).resolve().parent
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
    return [
        read(path) for path in sorted((DOCS / "papers").glob("*.md"), key=lambda path: path.stem)
    ]


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


def write_all(folder):
    """Write NAME.txt of every paper, and counts.txt, which docs/papers.md includes."""
    folder = Path(folder)
    folder.mkdir(exist_ok=True)
    for paper in papers():
        (folder / f"{paper.name}.txt").write_text(table(paper), encoding="utf-8")
    (folder / "counts.txt").write_text(overview(), encoding="utf-8")


def table(paper):
    """Return the table of a paper: functions, tests, cases or figures, or a reason."""
    lines = [f"{paper.title}.", "", "| item | what it says | in prfast |", "| --- | --- | --- |"]
    for row in paper.rows:
        parts = [
            ", ".join(map(function, row.functions)),
            ", ".join(map(breakable, row.tests)),
            ", ".join(map(shown, row.shown)),
            row.why,
        ]
        lines.append(f"| {row.item} | {row.says} | {'<br>'.join(filter(None, parts))} |")
    return "\n".join(lines) + "\n"


def function(name):
    """Return a link to a function."""
    return f"{{py:obj}}`{name} <prfast.{name.partition('(')[0]}>`"


def breakable(test):
    """Return code that a narrow column breaks after _, / and ::, and not within words."""
    text = re.sub(r"(::|[_/])", r"\1<wbr>", test)
    return f'<code class="docutils literal notranslate">{text}</code>'


def shown(name):
    """Return a link to the first page with a figure, or the command of a case."""
    if not name.endswith(".png"):
        return f"`python -m bench {name}`"
    page = pages_with(name)[0]
    return f"figure on [{page.stem}]({page.name})"


def pages_with(name):
    return [page for page in sorted(DOCS.glob("*.md")) if f"_figures/{name}" in page.read_text()]


def overview():
    """Return the table of counts, a row per paper and per kind of item."""
    result = papers()
    everything = [row for paper in result for row in paper.rows]
    groups = {f"[{paper.name.replace('-', ', ')}](#{paper.name})": paper.rows for paper in result}
    groups["**all**"] = everything
    for kind in KINDS:
        groups[kind] = [row for row in everything if row.kind == kind]
    names = list(counts(everything))
    lines = ["| of | " + " | ".join(names) + " |", "| --- " * (len(names) + 1) + "|"]
    for name, rows in groups.items():
        lines.append(f"| {name} | {' | '.join(map(str, counts(rows).values()))} |")
    return "\n".join(lines) + "\n"
