"""A Python without a lock of the interpreter keeps being one: no module asks for it."""

import subprocess
import sys
import sysconfig

import pytest

pytestmark = pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"),
    reason="this Python has a lock; docs/development.md says how to build one without",
)

CALLS = """
import sys
import numpy as np
import prfast
from prfast.kernels import capi, distances, masses

x = np.random.default_rng(0).normal(size=(60, 3))
prfast.pr_curves(x, x[1:], ("knn", "ipr", "parzen", "coverage"), 3)
prfast.metrics(x, x[1:])
prfast.Evaluator(x, "auto").evaluate(x[1:])
for name in prfast.__all__:
    getattr(prfast, name)
assert not sys._is_gil_enabled()
print("no lock")
"""


def test_the_lock_stays_off():
    """A module that switches it on when imported causes a RuntimeWarning, which is an error
    here."""
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", CALLS]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "no lock\n"), result.stderr
