"""Imports point down: one list of chapters, from the ground up, and no circle.

A chapter is a folder of `prfast/` or a single file.  It imports from chapters before it in the
list.  Inside it files import each other without a circle, and never their own door, `__init__.py`,
which is an essay that hands names on and defines nothing.  Nobody imports from the roof, `prfast`
itself.  A method that draws or reports finds its function by name when it is called.
"""

import ast
import graphlib
import subprocess
import sys
from pathlib import Path

import pytest

import prfast

PACKAGE = Path(prfast.__file__).parent
CHAPTERS = [
    "_kernels",
    "inputs",
    "threads",
    "results",
    "files",
    "curve",
    "balls",
    "tradeoffs",
    "divergences",
    "reference",
    "scorers",
    "metrics",
    "estimate",
    "bounds",
    "plots",
    "comparison",
    "compat",
    "report",
    "cli",
    # the types by their paths of 0.1
    "groups",
    "hypotheses",
    "phi",
    "__init__",
    "__main__",
]


def module(package, path):
    """The name of a file inside the package: `curve.cells`; a door has the name of its chapter."""
    parts = path.relative_to(package).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def imported(package, path):
    """Modules of the package that a file imports, at its top and inside its functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                yield "relative"
                continue
            names = [f"{node.module}.{name.name}" for name in node.names]
        else:
            continue
        for name in names:
            if name.split(".")[0] == "prfast":
                yield _known(package, name.split(".")[1:])


def _known(package, parts):
    """The module that a dotted name is in, or is."""
    if not parts:
        return "__init__"
    for end in range(len(parts), 0, -1):
        place = package.joinpath(*parts[:end])
        compiled = (
            list(place.parent.glob(f"{place.name}.*.so")) or place.with_suffix(".pyx").exists()
        )
        if place.with_suffix(".py").exists() or place.is_dir() or compiled:
            return ".".join(parts[:end])
    return "__init__"


def chapter(name):
    return name.split(".")[0]


def violations(package, chapters):
    """What is wrong with the imports of a package, a line each."""
    level = {name: number for number, name in enumerate(chapters)}
    found, inside = [], {}
    for path in sorted(package.rglob("*.py")):
        name = module(package, path)
        if chapter(name) not in level:
            found.append(f"{name}: in no chapter")
            continue
        for other in set(imported(package, path)):
            if other == "relative":
                found.append(f"{name}: a relative import")
            elif other == "__init__" and name != "__main__":
                found.append(f"{name}: imports from the roof")
            elif chapter(other) == chapter(name):
                inside.setdefault(name, set()).add(other)
                if other == chapter(name):
                    found.append(f"{name}: imports its own door")
            elif level.get(chapter(other), 0) > level[chapter(name)]:
                found.append(f"{name}: imports {other}, which is above it")
    try:
        graphlib.TopologicalSorter(inside).prepare()
    except graphlib.CycleError as error:
        found.append("a circle: " + " -> ".join(error.args[1]))
    return found


def test_imports_point_down():
    assert violations(PACKAGE, CHAPTERS) == []


def test_every_chapter_of_the_list_is_there():
    there = {chapter(module(PACKAGE, path)) for path in PACKAGE.rglob("*.py")}
    assert set(CHAPTERS) - there <= {"_kernels"}  # compiled


@pytest.mark.parametrize(
    ("files", "wrong"),
    [
        ({"low.py": "from prfast.high import x"}, "low: imports high, which is above it"),
        (
            {"high.py": "def f():\n    import prfast.top.x"},
            "high: imports top.x, which is above it",
        ),
        ({"high.py": "from prfast import low"}, None),
        ({"high.py": "from prfast import anything"}, "high: imports from the roof"),
        ({"high.py": "import prfast"}, "high: imports from the roof"),
        ({"top/x.py": "from . import y"}, "top.x: a relative import"),
        ({"top/x.py": "from prfast.top import name"}, "top.x: imports its own door"),
        (
            {"top/x.py": "from prfast.top import y", "top/y.py": "from prfast.top.x import z"},
            "a circle: ",
        ),
        ({"new.py": ""}, "new: in no chapter"),
        ({"top/x.py": "from prfast.low import f\nimport numpy"}, None),
    ],
)
def test_what_is_wrong_is_found(tmp_path, files, wrong):
    for name, text in {"low.py": "", "high.py": "", "top/__init__.py": "", "top/x.py": ""}.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(files.get(name, text))
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = violations(tmp_path, ["low", "high", "top"])
    assert found == [] if wrong is None else any(one.startswith(wrong) for one in found)


def test_a_door_defines_nothing():
    for path in PACKAGE.glob("*/__init__.py"):
        rest = [
            node
            for node in ast.parse(path.read_text(encoding="utf-8")).body[1:]
            if not isinstance(node, ast.Import | ast.ImportFrom)
            and not (isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
        ]
        assert not rest, f"{path.parent.name}: its door defines something"
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_the_public_names_are_listed_before_they_are_loaded():
    assert set(prfast.__all__) <= set(dir(prfast))
    assert {"plots", "compat"} <= set(dir(prfast))
    assert prfast.compat.prdc.compute_prdc.__module__ == "prfast.compat.prdc"


def test_importing_prfast_loads_numpy_and_the_kernels_only():
    heavy = {"scipy", "sklearn", "joblib", "matplotlib", "prfast.compat", "prfast.files.formats"}
    heavy |= {"pandas", "polars", "pyarrow", "h5py", "safetensors", "torch", "jax", "plotly"}
    program = (
        f"import sys, prfast; print(sorted({heavy} & set(sys.modules)), 'numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[] True\n"
