"""The tables of docs/papers.md, generated from the rows of docs/papers/ when the site is built."""

import re
from pathlib import Path

from paper_rows import KINDS, counts, papers

DOCS = Path(__file__).resolve().parent


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
