"""The map of the papers: its names exist, items have no gap, none that is required is missing."""

import ast
import inspect
import pydoc
import re
from pathlib import Path

import pytest
from publics import docs_modules

from prfast.methods import METHODS
from prfast.scalars.table import NAMES

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def module():
    """Return the module that reads the rows and writes the page."""
    return docs_modules("paper_pages")[0]


@pytest.fixture(scope="module")
def papers(module):
    return {paper.name: paper.rows for paper in module.papers()}


@pytest.fixture(scope="module")
def rows(papers):
    return [row for of_paper in papers.values() for row in of_paper]


# ---- numbers -------------------------------------------------------------------------------------


def test_a_number_with_code_is_in_the_code_as_year_and_number(papers):
    """A search for "2024, Eq. 9" leads to the code."""
    paths = [path for folder in ("prfast", "csrc") for path in (ROOT / folder).rglob("*.[pch]*")]
    code = "\n".join(
        path.read_text("utf-8") for path in paths if path.suffix in (".py", ".h", ".c")
    )
    numbered = r"(?:Definition|Theorem|Lemma|Proposition|Corollary|Algorithm|Eq\.|Remark) [\d.]*\d"
    numbers = {
        f"{name[:4]}, {item[0]}"
        for name, of_paper in papers.items()
        for row in of_paper
        if row.functions and (item := re.match(numbered, row.item))
    }
    assert len(numbers) >= 100
    assert [x for x in sorted(numbers) if not re.search(re.escape(x) + r"(?!\.?\d)", code)] == []


# ---- names ---------------------------------------------------------------------------------------


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
    any_option = any(one.kind is one.VAR_KEYWORD for one in parameters)
    known = {"method": METHODS, "which": NAMES}
    options = {one.arg: ast.literal_eval(one.value) for one in tree.keywords}
    names = {parameter.name for parameter in parameters}
    if any_option and options.get("method") in METHODS:  # options of the method
        names |= set(METHODS[options["method"]].option_names())
    for option, value in options.items():
        if option not in names:
            return f"{name}: no option {option}"
        if option in known and value not in known[option]:
            return f"{name}: no {option} {value!r}"
    return ""


def test_every_function_exists(rows):
    assert [wrong for row in rows for wrong in map(missing, row.functions) if wrong] == []


def functions(path):
    """Return the names of the functions of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_test_exists(rows):
    files = {path.name: path for path in (ROOT / "tests").rglob("test_*.py")}
    requested = {name for row in rows for name in row.tests}
    assert all(re.fullmatch(r"test_\w+\.py::test_\w+", name) for name in requested)
    result = {
        f"{file}::{test}"
        for file in {name.partition("::")[0] for name in requested} & set(files)
        for test in functions(files[file])
    }
    assert requested - result == set()


def test_every_case_and_figure_exists(rows, module):
    from bench.__main__ import find_cases

    cases = find_cases()
    for name in {name for row in rows for name in row.shown}:
        assert name in cases or module.pages_with(name), name


def test_the_mixtures_of_fig_2_of_2023_have_its_alpha(module, monkeypatch):
    """α_1 ≈ 0.38 (§5.2)."""
    pytest.importorskip("sphinx", reason="figures of the documentation, which CI draws")
    monkeypatch.syspath_prepend(DOCS)
    import figures

    curve = figures.two_mixtures().curve(cells=2000)
    assert curve.at(1.0)[0] == pytest.approx(0.38, abs=2e-3)
    views = figures.views()
    labels = [[text.get_text() for text in ax.get_legend().texts] for ax in views.axes]
    assert all("two mixtures" in of_one for of_one in labels)


# ---- items ---------------------------------------------------------------------------------------

NUMBERS = {
    "2018": {"Definition": 2, "Theorem": 2, "Eq.": 4, "Fig.": 7},
    "2019": {"Definition": 3, "Theorem": 5, "Lemma": 1, "Corollary": 1, "Eq.": 4, "Fig.": 6},
    "2023": {"Eq.": 41, "Fig.": 4, "Table": 1},
    "2024": {"Eq.": 13, "Fig.": 8, "Table": 1},
}
# In 2023 they share one numbering.
STATEMENTS = ("Definition", "Theorem", "Lemma", "Proposition", "Corollary", "Remark")


def numbers(rows, *kinds):
    result = (re.match(r"(\w+\.?) (\d+)\b", row.item) for row in rows)
    return {int(one[2]) for one in result if one and one[1] in kinds}


@pytest.mark.parametrize("paper", NUMBERS)
def test_numbers_have_no_gap(papers, paper):
    for kind, last in NUMBERS[paper].items():
        assert numbers(papers[paper], kind) == set(range(1, last + 1)), kind


def test_statements_of_2023_have_no_gap(papers):
    assert numbers(papers["2023"], *STATEMENTS) == set(range(1, 38))


def test_items_occur_once(papers):
    for of_paper in papers.values():
        items = [row.item for row in of_paper]
        assert sorted(set(items)) == sorted(items)


def test_every_item_without_code_has_a_reason(papers):
    for name, of_paper in papers.items():
        for row in of_paper:
            assert not row.left_out or row.why, f"{name}, {row.item}"


def test_every_definition_theorem_and_formula_has_code(papers, module):
    for name, of_paper in papers.items():
        for row in of_paper:
            if row.kind in module.KEPT:
                assert row.functions or row.tests, f"{name}, {row.item}"


# ---- the page ------------------------------------------------------------------------------------


def test_the_page_has_every_row_and_their_counts(papers, rows, module, tmp_path):
    module.write_all(tmp_path)
    for name, of_paper in papers.items():
        table = (tmp_path / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        assert [line.split(" | ")[0] for line in table[4:]] == [f"| {row.item}" for row in of_paper]
        assert f"{{include}} _papers/{name}.txt" in (DOCS / "papers.md").read_text("utf-8")
    counted = (tmp_path / "counts.txt").read_text(encoding="utf-8")
    left_out = sum(not (row.functions or row.tests or row.shown) for row in rows)
    (line,) = re.findall(r"^\| \*\*all\*\* \| (\d+) .* (\d+) \|$", counted, re.MULTILINE)
    assert line == (str(len(rows)), str(left_out))
