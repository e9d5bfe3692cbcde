"""Types of the public names for a type checker: precise, no Any."""

import subprocess
import sys
from pathlib import Path

import publics
import pytest

import prfast
from prfast.scalars.api import Keywords

PACKAGE = Path(prfast.__file__).parent
# A user's program: every line must pass mypy --strict.
USER = """
from typing import Any, assert_type

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

import prfast
from prfast import PRCurve
from prfast.reference import papers

x: NDArray[np.float64] = np.zeros((10, 2))

curve = prfast.pr_curve(x, x, "knn", 3, split=None)
assert_type(curve, PRCurve)
assert_type(prfast.pr_curves(x, x), dict[tuple[str, Any], PRCurve])
assert_type(papers.plug_in(x, x, 1.0, "auto", folds=5, random_state=1), tuple[Any, Any])
assert_type(curve.at(1.0), tuple[float, float])
assert_type(curve.area, float)
assert_type(curve.f_score(8), float)
assert_type(curve.vertices.fpr, NDArray[np.float64])
assert_type(PRCurve.mean([curve]), PRCurve)
assert_type(curve.plot(), Axes)

assert_type(prfast.metrics(x, x), prfast.Metrics)
assert_type(prfast.metrics(x, x, 5), prfast.Metrics)
assert_type(prfast.metrics(x, x, k=[3, 5]), dict[int, prfast.Metrics])
assert_type(prfast.metrics(x, x, (3, 5), "recall"), dict[int, prfast.Metrics])
assert_type(prfast.metrics(x, x).recall, float)
assert_type(prfast.realism(x, x), NDArray[np.float64])

evaluator = prfast.Evaluator(x, "knn", 3)
assert_type(evaluator, prfast.Evaluator)
assert_type(evaluator.compare({"a": x})["a"].curve, PRCurve)
evaluator.update(x)
assert_type(evaluator.compute().scalars("val_"), dict[str, float])
assert_type(prfast.by_class(x, x, [0], [0]).labels, PRCurve)

assert_type(prfast.theory.lorenz(curve), prfast.theory.Lorenz)
assert_type(prfast.theory.renyi_frontier(curve, 2), prfast.theory.Frontier)
assert_type(prfast.theory.phi_divergence(curve, "kl"), float)
assert_type(prfast.theory.divergence_table(curve)["kl"], float)
assert_type(prfast.reference.GaussianShift(1.0).curve(), PRCurve)
assert_type(prfast.methods.METHODS["knn"].summary, str)


class Mine:
    def fit(self, real: NDArray[np.floating], fake: NDArray[np.floating]) -> "Mine":
        return self

    def score(self, points: NDArray[np.floating]) -> NDArray[np.floating]:
        return -points[:, 0]


scorer: prfast.methods.Scorer = Mine()
prfast.pr_curve(x, x, Mine())
"""
WRONG = {
    "prfast.lorentz(curve)": "attr-defined",
    "prfast.metrics(x, x, k=5.5)": "call-overload",
    "prfast.metrics(x, x, cover=3)": "call-overload",
    "curve.area()": "operator",
    "prfast.Evaluator(x, which=1)": "arg-type",
}

OPTIONS = ("--strict", "--follow-imports", "silent", "--config-file", "", "--no-error-summary")


def check(text, tmp_path):
    """Return the errors of mypy --strict in a program, without those of the library."""
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(text, encoding="utf-8")
    result = subprocess.run(
        [sys.executable, "-m", "mypy", *OPTIONS, "--cache-dir", str(tmp_path / "cache"), program],
        cwd=tmp_path,
        env={"MYPYPATH": str(PACKAGE.parent), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=600,
    )
    return result.stdout + result.stderr


def test_the_overloads_of_metrics_have_the_types_of_its_keywords():
    types, keywords = prfast.metrics.__annotations__, prfast.metrics.__kwdefaults__
    declared = {name: of.__forward_arg__ for name, of in Keywords.__annotations__.items()}
    assert declared == {name: types[name] for name in keywords}


@pytest.mark.nightly
def test_a_program_with_all_public_names_is_typed(tmp_path):
    lines = [f"{wrong}  # type: ignore[{code}]" for wrong, code in WRONG.items()]
    # An unused ignore is an error under --strict, so each of these lines has its error.
    assert check("\n".join([USER, *lines, *publics.exported()]), tmp_path) == ""
