"""Imports between packages follow one order, without cycles.

A package is a folder of `prfast/` or a single file.  It imports from packages before it in the
list.  Its modules import each other without a cycle, and never its `__init__.py`, which documents
the package, exports names and defines nothing.  No module imports from `prfast` itself.
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


def module(package, path):
    """Return the name of a file, such as `curve.cells`; `__init__.py` has that of its folder."""
    parts = path.relative_to(package).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def imported(package, path):
    """Yield the modules of prfast that a file imports, inside functions as well."""
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
    """Return the module that a dotted name is, or is in."""
    if not parts:
        return "__init__"
    for end in range(len(parts), 0, -1):
        place = package.joinpath(*parts[:end])
        if place.is_dir() or [*place.parent.glob(f"{place.name}.*")]:
            return ".".join(parts[:end])
    return "__init__"


def package_of(name):
    return name.split(".")[0]


def violations(package, path, packages):
    """Return a line for each import of a file that is not allowed."""
    level = {name: number for number, name in enumerate(packages)}
    name = module(package, path)
    if package_of(name) not in level:
        return [f"{name}: in no package"]
    result = []
    for target in sorted(set(imported(package, path))):
        if target == "relative":
            result.append(f"{name}: a relative import")
        elif target == "__init__":
            if name != "__init__":
                result.append(f"{name}: imports from prfast itself")
        elif package_of(target) == package_of(name):
            if target == package_of(name):
                result.append(f"{name}: imports its own __init__")
        elif level.get(package_of(target), 0) > level[package_of(name)]:
            result.append(f"{name}: imports {target}, which is after it in the list")
    return result


def cycle(package):
    """Return modules that import each other in a cycle, or None."""
    paths = sorted(package.rglob("*.py"))
    graph = {module(package, path): set(imported(package, path)) for path in paths}
    graph.pop("__init__", None)  # nothing imports it
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return None


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: module(PACKAGE, path)
)
def test_imports_follow_the_order(path):
    assert violations(PACKAGE, path, PACKAGES) == []


def test_no_module_has_the_name_of_a_public_function():
    """`import prfast.metrics as pm` would otherwise give the function."""
    modules = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir()}
    public = {name for name in prfast.__all__ if not inspect.ismodule(getattr(prfast, name))}
    assert not modules & public


def test_there_is_no_cycle():
    assert cycle(PACKAGE) is None


def test_init_files_define_nothing():
    for path in PACKAGE.rglob("*/__init__.py"):
        statements = [
            node
            for node in ast.parse(path.read_text(encoding="utf-8")).body[1:]
            if not isinstance(node, ast.Import | ast.ImportFrom)
            and not (isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
        ]
        assert not statements, f"{path.parent.name}: its __init__ defines something"
        assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


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
