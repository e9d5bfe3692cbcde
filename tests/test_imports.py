"""Imports point down: one list of chapters, from the ground up, and no circle.

A chapter is a folder of `prfast/` or a single file.  It imports from chapters before it in the
list.  Inside it files import each other without a circle, and never their own door, `__init__.py`,
which is an essay that hands names on and defines nothing.  Nobody imports from the roof, `prfast`
itself.  A method that draws, reports or explains finds its function by name when it is called.
"""

import ast
import graphlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import prfast

PACKAGE = Path(prfast.__file__).parent
CHAPTERS = [
    "inputs",
    "kernels",
    "results",
    "files",
    "features",
    "curve",
    "neighbors",
    "theory",
    "methods",
    "scalars",
    "estimate",
    "reference",
    "plots",
    "comparison",
    "distributed",
    "compat",
    "report",
    "records",
    "cli",
    "integrations",
    "__init__",
    "__main__",
]


# Distances, and the one object: they meet in `estimate`.
WINGS = ({"neighbors", "methods", "scalars"}, {"theory"})


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
            if node.module == "prfast":
                yield "__init__"
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


def violations(package, path, chapters):
    """What is wrong with the imports of a file, a line each."""
    level = {name: number for number, name in enumerate(chapters)}
    name = module(package, path)
    if chapter(name) not in level:
        return [f"{name}: in no chapter"]
    found = []
    for other in sorted(set(imported(package, path))):
        if other == "relative":
            found.append(f"{name}: a relative import")
        elif other == "__init__":
            if name != "__init__":
                found.append(f"{name}: imports from the roof")
        elif chapter(other) == chapter(name):
            if other == chapter(name):
                found.append(f"{name}: imports its own door")
        elif level.get(chapter(other), 0) > level[chapter(name)]:
            found.append(f"{name}: imports {other}, which is above it")
    return found


def circle(package):
    """Modules that import each other in a circle, in order; none: None."""
    paths = sorted(package.rglob("*.py"))
    graph = {module(package, path): set(imported(package, path)) for path in paths}
    graph.pop("__init__", None)  # the roof, from which nothing is imported
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return None


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: module(PACKAGE, path)
)
def test_imports_point_down(path):
    assert violations(PACKAGE, path, CHAPTERS) == []


def test_only_methods_that_draw_report_or_explain_find_what_is_above_by_name():
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "import_module"
            if named and isinstance(node.args[0], ast.Constant):
                found.add((module(PACKAGE, path), node.args[0].value))
    found = {pair for pair in found if pair[0] != "__init__"}
    assert found == {
        ("curve.curve", "prfast.plots"),
        ("curve.curve", "prfast.estimate.explain"),
        ("curve.curve", "prfast.estimate.explain"),
        ("curve.curve", "prfast.estimate.intervals"),
        ("comparison.results", "prfast.report"),
    }


def test_the_wings_do_not_know_each_other():
    met = set()
    for path in PACKAGE.rglob("*.py"):
        own = chapter(module(PACKAGE, path))
        met |= {(own, chapter(other)) for other in imported(PACKAGE, path)}
    for one, other in (WINGS, WINGS[::-1]):
        assert not {pair for pair in met if pair[0] in one and pair[1] in other}
    assert ("scalars", "methods") not in met


def test_no_module_has_the_name_of_a_public_function():
    """`import prfast.metrics as pm` would otherwise give the function."""
    modules = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    public = {name for name in prfast.__all__ if not inspect.ismodule(getattr(prfast, name))}
    assert not modules & public


def test_nothing_imports_in_a_circle():
    assert circle(PACKAGE) is None


def test_every_chapter_of_the_list_is_there():
    there = {chapter(module(PACKAGE, path)) for path in PACKAGE.rglob("*.py")}
    assert set(CHAPTERS) == there


def test_a_door_defines_nothing():
    for path in PACKAGE.rglob("*/__init__.py"):
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


# A process a name is slow: one of each kind, and the chapters that were always there.
@pytest.mark.parametrize("name", ["__version__", "pr_curve", "plots", "methods"])
def test_names_that_are_loaded_late_are_there_in_a_fresh_process(name):
    program = f"import prfast; assert prfast.{name} is not None"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_importing_prfast_loads_numpy_and_the_kernels_only():
    heavy = {
        "scipy",
        "sklearn",
        "joblib",
        "tqdm",
        "matplotlib",
        "numpy.random",
        "hashlib",
        "prfast.compat",
        "prfast.files.tables",
    }
    heavy |= {"pandas", "polars", "pyarrow", "h5py", "safetensors", "torch", "jax", "plotly"}
    # Older versions of NumPy load some of them themselves.
    program = (
        "import sys, numpy; before = set(sys.modules); import prfast; "
        f"print(sorted({heavy} & (set(sys.modules) - before)), 'numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[] True\n"


def test_the_modules_of_pictures_are_imported_without_matplotlib():
    program = "import sys, prfast.plots, prfast.report; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)
