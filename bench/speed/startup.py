"""Start-up, against `import numpy`: of `import prfast`, and of `prfast curve` on two small files.

Each call starts a Python, works, and ends, in the environment as it is.  -P keeps the folder where
the bench runs out of the path, so that the installed prfast is imported.  Memory is that of the
caller.
"""

import subprocess
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.contender import Contender
from bench.measure import side_by_side
from bench.report import Findings

N, D = 200, 16  # samples of each file, features


def run(options: Namespace) -> Findings:
    repeats = options.repeats or (2 if options.tiny else 41)
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder, name)) for name in ("real.npy", "fake.npy")]
        for file in files:
            np.save(file, rng.normal(size=(N, D)))
        curve = ["-m", "prfast", "curve", *files]
        arguments = {
            "numpy": ["-c", "import numpy"],
            "import prfast": ["-c", "import prfast"],
            "prfast curve --method knn": [*curve, "--method", "knn"],
            "prfast curve": curve,
        }
        contenders = {
            name: Contender(start, {"arguments": words}, threads=None)
            for name, words in arguments.items()
        }
        measured = side_by_side(contenders, repeats)
    most = {"import prfast": 1.5, "prfast curve --method knn": 2.0, "prfast curve": 3.0}
    findings = Findings(measured, notes=[f"{repeats} turns; files of {N} samples, {D} features"])
    for name, target in most.items():
        pair = measured[name], measured["numpy"]
        findings.ratio(f"{name} / import numpy", *pair, at_most=target)
    return findings


def start(arguments: list[str]) -> Callable[[], Any]:
    command = [sys.executable, "-P", *arguments]
    return lambda: subprocess.run(command, check=True, capture_output=True)
