"""Imports flow one way, and `import prfast` is light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import prfast

PACKAGE = Path(prfast.__file__).parent
LAYERS = [
    {"_version", "foreign", "kernels", "kernels.balls", "kernels.masses", "readers"},
    {"samples", "files"},
    {"archive"},
    {
        "kernels.choice",
        "kernels.threads",
        "arcs",
        "sweep",
        "phi",
        "scorers.classifier",
        "scorers.partition",
    },
    {"minsum", "curve", "balls.pairs", "balls.rows", "balls.tasks"},
    {"balls.divide", "divergences", "drawing", "frontiers", "multipliers", "tradeoffs"},
    {"balls.exact", "balls.approximate", "losses", "outputs", "plots"},
    {"balls.tree", "bounds", "hypotheses", "views"},
    {"balls.search"},
    {"balls.remember"},
    {"balls"},
    {"scorers.neighbors"},
    {"scorers", "metrics"},
    {"estimate", "reference", "compat.prdc", "compat.prd_score", "report.lines", "report.spread"},
    {"compat", "comparison", "groups", "tables"},
    {"report.reading"},
    {"report.page"},
    {"report"},
    {"demo", "evaluator"},
    {"commands"},
    {"cli", ""},
    {"__main__"},
]
# Methods that draw or report, and import what does so when they are called.
UPWARDS = {("curve", "plots"), ("comparison", "report")}
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def module(path):
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path):
    """Modules of the package that a file imports, at its top and inside its functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [f"{node.module}.{name.name}" for name in node.names]
        else:
            continue
        for name in names:
            if name.split(".")[0] == "prfast":
                inside = name.removeprefix("prfast").removeprefix(".")
                yield inside if inside in LEVEL else inside.rpartition(".")[0]


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=module)
def test_a_module_imports_only_from_layers_below(path):
    name = module(path)
    above = {other for other in imported(path) if LEVEL[other] >= LEVEL[name]}
    assert {(name, other) for other in above} <= UPWARDS


def test_the_public_names_are_listed_before_they_are_loaded():
    assert set(prfast.__all__) <= set(dir(prfast))
    assert {"plots", "compat"} <= set(dir(prfast))
    assert prfast.compat.prdc.compute_prdc.__module__ == "prfast.compat.prdc"


def test_importing_prfast_loads_numpy_and_the_kernels_only():
    heavy = {"scipy", "sklearn", "joblib", "matplotlib", "prfast.compat", "prfast.readers"}
    heavy |= {"pandas", "polars", "pyarrow", "h5py", "safetensors", "torch", "jax", "plotly"}
    program = (
        f"import sys, prfast; print(sorted({heavy} & set(sys.modules)), 'numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[] True\n"
