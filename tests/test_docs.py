"""Blocks of README and docs/ run, a page at a time: Python, and `prfast` commands on small files.

Other shell lines install, build or measure; .ci/run runs those of the README."""

import inspect
import json
import pydoc
import re
import shlex
from pathlib import Path

import publics
import pytest

from prfast.cli.parser import main
from prfast.scalars.table import NAMES

sybil = pytest.importorskip("sybil")

from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
OBJECTS = sorted((DOCS / "reference").glob("*.md"))
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *OBJECTS]
# Others take minutes together, at night.
QUICK = {ROOT / "README.md", DOCS / "start.md", *OBJECTS}


def run_commands(example):
    for line in example.parsed.splitlines():
        if line.startswith("prfast "):
            assert main(shlex.split(line)[1:]) == 0, line


DOCUMENTS = sybil.Sybil(
    parsers=[PythonCodeBlockParser(), CodeBlockParser("sh", run_commands)], path=str(ROOT)
)


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=() if page in QUICK else pytest.mark.nightly) for page in PAGES],
    ids=lambda page: page.name,
)
def test_blocks_of_a_page_run_in_order_in_an_empty_folder(page, tmp_path, monkeypatch):
    plt = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.chdir(tmp_path)
    for example in DOCUMENTS.parse(page).examples():
        example.evaluate()
    plt.close("all")


@pytest.mark.nightly
def test_the_readme_shows_the_printed_curve(tmp_path, monkeypatch, capsys):
    """Numbers may differ in the last digits from one version of scikit-learn, or processor, to the
    next; half widths more, as bootstrap samples are of the cells of the hull."""
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    code, *_ = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (documented,) = re.findall(r"```text\n(.*?)```", text, re.DOTALL)
    exec(code, {})  # the same block runs above
    printed = capsys.readouterr().out.splitlines()
    for line, expected in zip(documented.splitlines(), printed, strict=False):
        words, numbers = (re.findall(kind, line) for kind in (r"[^\W\d]+", r"\d\.\d+"))
        assert words == re.findall(r"[^\W\d]+", expected)
        result = [float(x) for x in re.findall(r"\d\.\d+", expected)]
        differences = [abs(x - float(y)) for x, y in zip(result, numbers, strict=True)]
        assert all(d < most for d, most in zip(differences, (0.011, 0.02), strict=False)), line


def test_every_public_name_is_in_the_reference():
    text = "\n".join(page.read_text("utf-8") for page in (DOCS / "api.rst", *OBJECTS))
    documented = set(re.findall(r"^\.\. (?:auto|py:)\w+:: (prfast\.[\w.]+)$", text, re.MULTILINE))
    assert set(publics.exported()) <= documented


def test_every_public_member_has_a_docstring():
    text = "\n".join(page.read_text("utf-8") for page in OBJECTS)
    paths = re.findall(r"^\.\. autoclass:: ([\w.]+)$", text, re.MULTILINE)
    assert len(paths) >= 15
    for path in paths:
        for name, member in vars(pydoc.locate(path)).items():
            if not name.startswith("_") and (callable(member) or isinstance(member, property)):
                assert inspect.getdoc(member), f"{path}.{name}"


def test_links_between_pages():
    for page in [*PAGES, *(DOCS / "papers").glob("*.md")]:
        links = r"\]\((?!http)([\w./]+)(?:#[^) ]+)?(?: \"[^\"]+\")?\)"
        for target in re.findall(links, page.read_text("utf-8")):
            metric = re.fullmatch(r"metrics/(\w+)\.md", target)  # written by the build
            there = metric[1] in NAMES if metric else (page.parent / target).is_file()
            assert there, f"{page.name}: {target}"


NOTEBOOKS = sorted((DOCS / "notebook").glob("*.ipynb"))


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/development.md", "tests/README.md"])
def test_files_that_a_page_for_developers_names(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(re.findall(r"`([\w./]+\.(?:c|h|md|pxd|py|pyx|rst|toml|txt))`", text))
    folders = ("prfast", "csrc", "tests", "bench", "docs", "examples", ".ci")
    files = [str(path) for folder in folders for path in (ROOT / folder).rglob("*.*")]
    files += map(str, ROOT.glob("*.*"))
    missing = {name for name in named if not any(path.endswith(f"/{name}") for path in files)}
    assert named
    assert missing <= {"csrc/isa/NAME.c", "docs/papers/YEAR.md"}


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore:Contradiction")  # k-means where it fails, as the papers show
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs")  # nothing generated is kept
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    if path.stem == "resolution":
        check_resolution(names)


def check_resolution(names):
    coarse = {
        name: x.summary()["coarse_area"].value for name, x in names["comparison"].profiles.items()
    }
    assert coarse["noise of half a level"] > 0.95 > coarse["a tenth of junk"]
