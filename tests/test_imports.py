"""Imports between packages follow one order, without cycles.

A package is a folder of `prfast/` or a single file.  It imports from packages before it in the
list.  Its modules import each other without a cycle, and never its `__init__.py`.  No module
imports from `prfast` itself.
"""

import ast
import graphlib
import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import prfast

PACKAGE = Path(prfast.__file__).parent
ORDER = """inputs kernels results samples files features curve neighbors theory methods scalars
estimate reference plots comparison tables distributed compat report records cli integrations
__init__ __main__"""
PACKAGES = ORDER.split()


def module(path):
    """Return the name of a file, such as `curve.cells`; `__init__.py` has that of its folder."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def imported(path):
    """Yield the modules of prfast that a file imports, inside functions as well."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [f"{node.module}.{name.name}" for name in node.names]
            names = ["prfast"] if node.module == "prfast" else names
        else:
            assert not isinstance(node, ast.ImportFrom), f"{path}: a relative import"
            continue
        for package, *parts in (name.split(".") for name in names):
            if package == "prfast":
                yield _known(parts)


def _known(parts):
    """Return the module that a dotted name is, or is in."""
    for end in range(len(parts), 0, -1):
        place = PACKAGE.joinpath(*parts[:end])
        if place.is_dir() or [*place.parent.glob(f"{place.name}.*")]:
            return ".".join(parts[:end])
    return "__init__"


GRAPH = {module(path): {*imported(path)} for path in sorted(PACKAGE.rglob("*.py"))}


@pytest.mark.parametrize("name", GRAPH)
def test_imports_follow_the_order(name):
    level = {package: number for number, package in enumerate(PACKAGES)}
    package = name.split(".")[0]
    for target in GRAPH[name] - ({"__init__"} if name == "__init__" else set()):
        assert target not in ("__init__", package), "no module imports from an __init__ around it"
        assert level[target.split(".")[0]] <= level[package]


def test_there_is_no_cycle():
    graphlib.TopologicalSorter(GRAPH | {"__init__": ()}).prepare()


def test_no_module_has_the_name_of_a_public_function():
    """`import prfast.metrics as pm` would otherwise give the function."""
    modules = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    public = {name for name in prfast.__all__ if not inspect.ismodule(getattr(prfast, name))}
    assert not modules & public


def printed(program):
    """Return what a program prints."""
    return subprocess.check_output([sys.executable, "-c", program], text=True)


def test_importing_prfast_loads_numpy_and_the_kernels_only():
    heavy = {"scipy", "sklearn", "joblib", "tqdm", "matplotlib", "numpy.random", "hashlib"}
    heavy |= {"pandas", "polars", "pyarrow", "h5py", "safetensors", "torch", "jax", "jinja2"}
    heavy |= {"prfast.compat", "prfast.files.tables"}
    # Older versions of NumPy load some of them themselves.
    program = (
        "import sys, numpy; before = set(sys.modules); import prfast; "
        f"print(sorted({heavy} & (set(sys.modules) - before)), 'numpy' in sys.modules)"
    )
    assert printed(program) == "[] True\n"


# What neither the default method nor "knn" uses, for a printed table.
UNUSED = {"scipy", "sklearn", "joblib", "matplotlib", "pathlib", "csv", "decimal"}
UNUSED |= {f"prfast.{name}" for name in ("comparison", "plots", "records", "scalars", "theory")}
UNUSED |= {"prfast.distributed"}
UNUSED |= {"prfast.estimate.profiles", "prfast.estimate.two_sample", "prfast.inputs.frames"}
OF_AUTO = {"concurrent.futures", "threadpoolctl", "numpy.ma", "prfast.methods.auto.model"}


@pytest.mark.parametrize(
    ("options", "unused"), [([], UNUSED), (["--method", "knn"], UNUSED | OF_AUTO)]
)
def test_the_command_loads_only_what_it_uses(tmp_path, options, unused):
    files = [str(tmp_path / name) for name in ("real.npy", "fake.npy")]
    for seed, file in enumerate(files):
        np.save(file, np.random.default_rng(seed).normal(size=(200, 3)))
    program = (
        "import sys, numpy.random; before = set(sys.modules); from prfast.cli import main; "
        f"assert main({['curve', *files, *options]}) == 0; "
        f"print(sorted({unused} & (set(sys.modules) - before)))"
    )
    assert printed(program).splitlines()[-1] == "[]"


def test_modules_are_imported_by_name_in_the_registry_alone():
    """`inputs.errors` and `inputs.concurrency` import others than prfast."""
    by_name = {"import_module", "__import__"}
    importers = {
        module(path)
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and (getattr(node.func, "id", None) or getattr(node.func, "attr", None)) in by_name
    }
    assert importers == {"__init__", "results.registry", "inputs.errors", "inputs.concurrency"}
