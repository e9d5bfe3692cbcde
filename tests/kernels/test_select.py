"""The k-th smallest number, of C: it ends on any bits, as of data that change in mid-call."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPILER = shutil.which("cc") or shutil.which("gcc")


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
@pytest.mark.skipif(sys.platform != "linux", reason="a shared library of Linux")
@pytest.mark.parametrize("k", [1, 24, 25, 50, 100])
def test_numbers_that_are_none_end_it(tmp_path, k):
    library = tmp_path / "select.so"
    source = ROOT / "csrc/arithmetic/select.c"
    command = [COMPILER, "-O2", "-shared", "-fPIC", "-I", ROOT / "csrc", source, "-o", library]
    subprocess.run(command, check=True)
    program = f"""
import ctypes, numpy as np
select = ctypes.CDLL({str(library)!r}).prf_select
select.restype = ctypes.c_double
select.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]
rng = np.random.default_rng(0)
for share in (1.0, 0.5, 0.02, 0.0):
    v = rng.normal(size=100)
    v[rng.random(100) < share] = np.nan
    expected = np.sort(v)[{k} - 1]
    found = select(v.ctypes.data, 100, {k})
    assert share or found == expected
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=20)
