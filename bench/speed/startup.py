"""Start-up: `import prfast` in a fresh interpreter against `import numpy`.

Each call starts a Python, imports, and ends, in the environment as it is.  -P keeps the folder
where the bench runs out of the path, so that the installed prfast is imported.  Memory is
that of the caller.
"""

from __future__ import annotations

import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.measure import side_by_side
from bench.results import Figure, Findings


def run(options: Namespace) -> Findings:
    repeats = options.repeats or (2 if options.tiny else 41)
    names = ("prfast", "numpy")
    contenders = {name: Contender(start, {"module": name}, threads=None) for name in names}
    measured = side_by_side(contenders, repeats)
    ours, numpy = measured["prfast"], measured["numpy"]
    figure = Figure.of_ratio("import prfast / import numpy", ours, numpy, at_most=1.5)
    return Findings(measured, [figure], [f"{repeats} turns"])


def start(module: str) -> Callable[[], Any]:
    command = [sys.executable, "-P", "-c", f"import {module}"]
    return lambda: subprocess.run(command, check=True)
