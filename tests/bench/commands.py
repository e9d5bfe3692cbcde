"""What the bench's tests share: its command, and features of images that are told apart."""

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

import numpy as np

from bench.__main__ import main

ROOT = Path(__file__).parents[2]


def bench(*arguments):
    """`python -W error -m bench …` within this process, which has imported the libraries already;
    processes that it starts have -W error as well, and warnings are errors in all tests."""
    output, errors = io.StringIO(), io.StringIO()
    with (
        redirect_stdout(output),
        redirect_stderr(errors),
        patch.object(sys, "warnoptions", ["error"]),
    ):
        try:
            code = main([*map(str, arguments)])
        except SystemExit as stopped:
            code = stopped.code or 0
            if isinstance(code, str):  # as Python itself does
                print(code, file=sys.stderr)
                code = 1
    return SimpleNamespace(returncode=code, stdout=output.getvalue(), stderr=errors.getvalue())


def bench_apart(*arguments):
    """The same, as it is typed."""
    command = [sys.executable, "-W", "error", "-m", "bench", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")


def write_features(path):
    """Nine classes of 40, far apart, as float16: what the cases of images read."""
    labels = np.repeat(np.arange(9, dtype=np.int8), 40)
    noise = np.random.default_rng(0).standard_normal((labels.size, 16))
    np.savez(path, features=(8 * np.eye(9, 16)[labels] + noise).astype(np.float16), labels=labels)
