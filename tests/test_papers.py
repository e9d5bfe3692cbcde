"""The map of the papers: its names and links exist.

docs/papers/*.md has a table of the items of a paper: item, statement, functions as they are called,
tests, cases of the bench, figures or sections of notebooks, and a note or the reason for having
none of these.  A link to a file of tests/papers has the number with which the names of its tests
begin, any other link the names of tests as its title.
"""

import ast
import functools
import inspect
import pydoc
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from prfast.methods import METHODS
from prfast.scalars.table import NAMES

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
# Items of these kinds must be implemented or tested.
LINK = re.compile(r"\[([^\]]+)\]\(([^) ]+)(?: \"([^\"]+)\")?\)")


class Row(NamedTuple):
    """An item of a paper."""

    item: str
    functions: list[str]
    tests: list[tuple[str, str, str]]
    """(number or file, path, names of tests of a file outside tests/papers)"""
    cases: list[str]
    figures: list[tuple[str, str, str]]
    """(name, path of a page, "")"""
    why: str

    @property
    def shown(self):
        return bool(self.cases or self.figures)

    @property
    def left_out(self):
        return not (self.functions or self.tests or self.shown)


def row(line):
    """Return a row; a bar in backticks does not end a cell."""
    cells = re.findall(r"((?:`[^`]*`|[^|`])*)\|", line.rstrip()[1:])
    assert len(cells) == 6, line
    item, _, functions, tests, shown, why = map(str.strip, cells)
    codes = re.compile(r"`([^`]+)`")
    cases = codes.findall(shown)
    return Row(item, codes.findall(functions), LINK.findall(tests), cases, LINK.findall(shown), why)


@pytest.fixture(scope="module")
def papers():
    result = {}
    for path in sorted((DOCS / "papers").glob("*.md"), key=lambda path: path.stem):
        lines = path.read_text("utf-8").splitlines()
        result[path.stem] = [row(line) for line in lines if line.startswith("| ")][2:]
    return result


@pytest.fixture(scope="module")
def rows(papers):
    return [row for paper in papers.values() for row in paper]


def missing(name):
    """Return the part of a name or call that prfast does not have, or ""."""
    tree = ast.parse(name, mode="eval").body
    called = tree.func if isinstance(tree, ast.Call) else tree
    result = pydoc.locate(f"prfast.{ast.unparse(called)}")
    if result is None:
        return f"{name}: no such name"
    if not isinstance(tree, ast.Call):
        return ""
    parameters = inspect.signature(result).parameters.values()
    any_option = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)
    choices = {"method": METHODS, "which": NAMES}
    options = {keyword.arg: ast.literal_eval(keyword.value) for keyword in tree.keywords}
    names = {parameter.name for parameter in parameters}
    if any_option and options.get("method") in METHODS:  # options of the method
        names |= set(METHODS[options["method"]].option_names())
    for option, value in options.items():
        if option not in names:
            return f"{name}: no option {option}"
        if option in choices and value not in choices[option]:
            return f"{name}: no {option} {value!r}"
    return ""


def test_every_function_exists(rows):
    notation = (DOCS / "papers.md").read_text("utf-8").split("## From notation to code")[1]
    codes = [line.split(" | ")[2] for line in notation.split("\n## ")[0].splitlines()[5:-1]]
    names = [name for code in codes for name in re.findall(r"`([^`]+)`", code)]
    assert len(names) > 30
    names += [name for row in rows for name in row.functions]
    assert [wrong for wrong in map(missing, names) if wrong] == []


@functools.cache
def functions(path):
    """Return the names of the functions of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def linked(number, path, names):
    """Return the names of the tests of a link."""
    present = functions(DOCS / "papers" / path)
    if "/papers/" in path:
        return {name for name in present if name.startswith(f"test_{number}_")}
    return present & {*names.split(", ")}


def test_every_link_of_a_row_is_to_the_test_or_page_that_it_names(rows):
    for link in (link for row in rows for link in row.tests):
        assert len(linked(*link)) >= len(link[2].split(", ")), link
    for name, path, _ in (figure for row in rows for figure in row.figures):
        shown = name if path.endswith(".ipynb") else f"_figures/{name}"
        assert shown in (DOCS / "papers" / path).read_text("utf-8"), name


def test_every_test_of_a_paper_is_in_a_row_of_it(papers):
    for path in (ROOT / "tests" / "papers").glob("test_*.py"):
        rows = [row for name in papers if name[:4] == path.stem[5:9] for row in papers[name]]
        links = [link for row in rows for link in row.tests if link[1].endswith(path.name)]
        tests = {name for name in functions(path) if name.startswith("test_")}
        assert tests - set().union(*(linked(*link) for link in links)) == set(), path.name


def test_every_case_exists(rows):
    from bench.__main__ import find_cases

    assert {name for row in rows for name in row.cases} - {*find_cases()} == set()


# In 2023 they share one numbering.


def test_the_mixtures_of_fig_2_of_2023_have_its_alpha(monkeypatch):
    """α_1 ≈ 0.38 (§5.2)."""
    pytest.importorskip("sphinx", reason="figures of the documentation, which CI draws")
    monkeypatch.syspath_prepend(DOCS)
    import figures

    curve = figures.two_mixtures().curve(cells=2000)
    assert curve.at(1.0)[0] == pytest.approx(0.38, abs=2e-3)
    views = figures.views()
    labels = [[text.get_text() for text in ax.get_legend().texts] for ax in views.axes]
    assert all("two mixtures" in legend for legend in labels)


def counts(rows):
    """Return the numbers of a line of docs/papers.md."""
    return [
        len(rows),
        sum(bool(row.functions) for row in rows),
        sum(bool(row.functions and row.tests) for row in rows),
        sum(bool(row.tests and not row.functions) for row in rows),
        sum(row.why.startswith("refuted") for row in rows),
        sum(row.shown for row in rows),
        sum("not reproduced: " in row.why for row in rows),
        sum(row.left_out for row in rows),
    ]


def test_the_page_has_the_counts_of_each_paper(papers, rows):
    lines = {f"[{name}](papers/{name}.md)": counts(items) for name, items in papers.items()}
    lines["**all**"] = counts(rows)
    expected = [f"| {name} | {' | '.join(map(str, numbers))} |" for name, numbers in lines.items()]
    page = (DOCS / "papers.md").read_text("utf-8")
    assert [line for line in expected if line not in page] == []
