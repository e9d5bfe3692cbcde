"""A budget of what prfast costs its readers: tests/budget.toml has the ceilings.

A commit may lower a ceiling.  A commit that raises a ceiling has a line "Budget: …" in its body,
which states what the raise buys.  `python tests/test_budget.py` prints numbers and ceilings.
"""

import ast
import functools
import gc
import re
import subprocess
import sys
import threading
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from habits import GENERATED, ROOT, habits

import prfast
from prfast.inputs.concurrency import cached_property
from prfast.results.info import read_info
from prfast.samples.repetition import row_keys

PACKAGE = Path(prfast.__file__).parent
TABLE = "tests/budget.toml"
CALLS = ("metrics", "pr_curve knn", "pr_curve auto", "profile", "two_sample_test", "compare_tables")

PYTHON, C = {".py", ".pyx", ".pxd", ".pxi", ".pyi"}, {".c", ".h"}
FOLDERS = {"prfast": PYTHON, "csrc": C, "tests": PYTHON | C, "bench": PYTHON}
ROOM = ROOT / "prfast" / "samples"  # where the subjects belong
SUBJECTS = {  # but for `np.repeat`, and for `groups` of a match of a regular expression
    "weights, groups": r"w_real|w_fake|groups(?!\(\))|[dD]esign|effective_size",
    "equal rows": r"[eE]qual_?[rR]ows|(?<!np\.)repeat|copied|distinct|[hH]eavy|discrete|covered",
    "noise": r"[nN]oise|resolution",
}
# What functions inside `pr_curve` may have beside the real samples: the generated ones, and what
# belongs to the samples or to the execution.
COMPANIONS = (
    "fake w_real w_fake groups design labels features equal smoothed cells real_rows fake_rows rows"
    " seed n_jobs memory progress"
)
STAND_IN = cached_property.__get__.__code__  # functools' own, from Python 3.12, is not of prfast


def call(name, size):
    """Return the call of this name, of so many real and so many generated samples."""
    rng = np.random.default_rng(0)
    real, fake, held_out = rng.normal(size=(3, size, 8)) + np.array([0, 0.3, 0])[:, None, None]
    if name == "compare_tables":
        pd = pytest.importorskip("pandas")
        sets = [pd.DataFrame(points, columns=[*"abcdefgh"]) for points in (real, fake, held_out)]
        return lambda: prfast.compare_tables(*sets, n_jobs=2)
    function, *method = name.split()
    # A pool of two threads: work in a thread is as deep as that thread, not as its caller.
    n_jobs = 2 if function == "two_sample_test" else 1
    return lambda: getattr(prfast, function)(real, fake, *method, n_jobs=n_jobs)


def trace(function):
    """Return how often each code object of prfast is entered in a call, and the most functions of
    prfast that are active at once in a thread."""
    entered, active, deepest = Counter(), Counter(), 0

    def profiler(frame, event, _):
        nonlocal deepest
        is_own = frame.f_code.co_filename.startswith(str(PACKAGE)) and frame.f_code is not STAND_IN
        if event in ("call", "return") and is_own:
            entered[frame.f_code] += event == "call"
            active[threading.get_ident()] += 1 if event == "call" else -1
            deepest = max(deepest, active[threading.get_ident()])

    gc.collect()  # finalizers of earlier tests would run during the call
    before = sys.getprofile()
    threading.setprofile(profiler)
    sys.setprofile(profiler)
    try:
        function()
    finally:
        sys.setprofile(before)
        threading.setprofile(before)
    return entered, deepest


@functools.cache
def traced(name):
    """Trace a call after one of few samples, which imports modules."""
    call(name, 60)()
    return trace(call(name, 400))


def cost(name):
    """Return the numbers of a call: distinct functions, without comprehensions and lambdas; their
    depth; sets of rows that are hashed to find equal rows; records of provenance read back."""
    entered, depth = traced(name)
    return {
        "functions": len({code for code in entered if not code.co_name.startswith("<")}),
        "depth": depth,
        "hashed": entered[row_keys.__code__],
        "parsed": entered[read_info.__code__],
    }


def companions():
    """Return what internal functions and records in the files that `pr_curve` runs through have
    beside real samples, or a pair; but `Pair.read`, whose arguments are those of public ones."""
    codes = [*traced("pr_curve knn")[0], *traced("pr_curve auto")[0]]
    found = set()
    for path in {Path(code.co_filename) for code in codes}:
        for node in ast.walk(ast.parse(text(path))):
            names = fields(node)
            if names & {"real", "pair"} and node.name not in {*prfast.__all__, "read"}:
                found |= names & {*COMPANIONS.split()}
    return {"rows" if "rows" in name else name for name in found}


def fields(node):
    """Return the names of the parameters of a function, or of the annotated fields of a class."""
    if isinstance(node, ast.FunctionDef):
        return {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
    body = node.body if isinstance(node, ast.ClassDef) else []
    return {ast.unparse(part.target) for part in body if isinstance(part, ast.AnnAssign)}


def text(path):
    return path.read_text(encoding="utf-8")


def sources(folder, suffixes):
    return [path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes]


def lines(folder):
    return sum(len(text(path).splitlines()) for path in sources(folder, FOLDERS[folder]))


def words():
    pages = [path for path in sources("docs", {".md"}) if not GENERATED & {*path.parts}]
    return sum(len(text(path).split()) for path in [ROOT / "README.md", *pages])


def mentions():
    """Return the number of lines that name a subject, without those of `ROOM`, of docstrings and of
    public signatures."""
    trees = {path: ast.parse(text(path)) for path in sources("prfast", {".py"})}
    assigned = [x for tree in trees.values() for x in tree.body if isinstance(x, ast.Assign)]
    exports = [x.value.elts for x in assigned if ast.unparse(x.targets[0]) == "__all__"]
    public = {name.value for names in exports for name in names}
    numbers = Counter(dict.fromkeys(SUBJECTS, 0))
    for path, tree in trees.items():
        left_out = {line for block in described(tree, public) for line in block}
        for number, line in enumerate(text(path).splitlines(), 1):
            if not (path.is_relative_to(ROOM) or number in left_out):
                numbers.update(name for name in SUBJECTS if re.search(SUBJECTS[name], line))
    return numbers


def described(parent, public):
    """Yield the lines of docstrings, and of signatures of public functions and of the methods of
    public classes, as ranges."""
    for node in parent.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield range(node.lineno, node.end_lineno + 1)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from described(node, public)
            names = {node.name, getattr(parent, "name", node.name)}
            if isinstance(node, ast.FunctionDef) and public & names:
                yield range(node.lineno, node.body[0].lineno)


MEASURES = {
    "lines": lambda: {folder: lines(folder) for folder in FOLDERS},
    "words": lambda: {"docs": words()},
    "habits": habits,
    "mentions": mentions,
    "companions": lambda: {"pr_curve": len(companions())},
    **{name: functools.partial(cost, name) for name in CALLS},
}


def above(numbers, ceilings):
    """Return a line for each ceiling that a number exceeds, or that has no number."""
    return [
        f"{name}: {numbers.get(name)}, at most {ceiling}"
        for name, ceiling in ceilings.items()
        if not numbers.get(name, float("inf")) <= ceiling
    ]


def git(folder, *arguments):
    """Return what git prints, or None where it fails: no git, no repository, no such commit."""
    try:
        silent = {"stderr": subprocess.DEVNULL, "text": True, "encoding": "utf-8"}
        return subprocess.check_output(["git", *arguments], cwd=folder, **silent)
    except (FileNotFoundError, subprocess.CalledProcessError):
        return None


def raised(folder):
    """Return the ceilings that the last commit raises without a line "Budget: …"; None where git
    has no table of its parent."""
    tables = [git(folder, "show", f"{commit}:{TABLE}") for commit in ("HEAD", "HEAD^")]
    if None in tables:
        return None
    if re.search(r"^Budget: \S", git(folder, "log", "-1", "--format=%b"), re.MULTILINE):
        return []
    now, before = map(tomllib.loads, tables)
    return [line for part in before for line in above(now.get(part, {}), before[part])]


@pytest.mark.parametrize("part", MEASURES)
def test_no_number_is_above_its_ceiling(part, many_cores, monkeypatch):
    for variable in ("PRFAST_ISA", "PRFAST_FILTER"):
        monkeypatch.delenv(variable, raising=False)
    numbers, ceilings = MEASURES[part](), tomllib.loads(text(ROOT / TABLE))[part]
    assert numbers.keys() == ceilings.keys()
    assert not above(numbers, ceilings)


def test_the_last_commit_says_what_a_raise_buys():
    lines = raised(ROOT)
    if lines is None:
        pytest.skip("git has no parent of the last commit here, or the parent has no table")
    assert not lines, "a commit that raises a ceiling has a line 'Budget: what it buys'"


if __name__ == "__main__":
    table = tomllib.loads(text(ROOT / TABLE))
    for part, measure in MEASURES.items():
        for name, number in measure().items():
            print(f"{part:16} {name:18} {number:6} of {table.get(part, {}).get(name, '–'):>6}")
