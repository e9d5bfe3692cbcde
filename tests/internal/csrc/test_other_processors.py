"""The engine for processors that are not here: NEON in an emulator, AVX-VNNI with its one
instruction written out.  The driver compares answers with the double loop."""

import platform
import shutil
import subprocess
from pathlib import Path

import pytest
from built import COMPILER, WARNINGS, compile_with

pytestmark = pytest.mark.nightly

ARM = shutil.which("aarch64-linux-gnu-gcc")
EMULATOR = shutil.which("qemu-aarch64")
BY_HAND = Path(__file__).with_name("avxvnni_by_hand.h")
CPUS = {  # those that run there; the last is what it is asked about
    "cortex-a72": ["base"],
    "cortex-a76": ["base", "dotprod"],
    "max": ["base", "dotprod", "i8mm"],
}


def names(*driver):
    """Return the instruction sets that this driver runs here."""
    return subprocess.run(driver, capture_output=True, text=True).stdout.split()


@pytest.fixture(scope="module")
def arm_driver(tmp_path_factory):
    if ARM is None or EMULATOR is None:
        pytest.skip("no aarch64-linux-gnu-gcc, or no qemu-aarch64")
    target = tmp_path_factory.mktemp("arm") / "driver"
    probe = [ARM, "-static", "-x", "c", "-", "-o", str(target)]
    if subprocess.run(probe, input=b"#include <stdio.h>\nint main(void) {}\n").returncode:
        pytest.skip("no C library for aarch64: libc6-dev-arm64-cross")
    built = compile_with([*WARNINGS, "-O2", "-static"], target, compiler=[ARM])
    assert built.returncode == 0, built.stderr
    return target


@pytest.mark.parametrize("cpu", CPUS)
def test_neon_answers_as_the_double_loop(arm_driver, cpu):
    emulated = [EMULATOR, "-cpu", cpu, arm_driver]
    assert names(*emulated) == CPUS[cpu]
    ran = subprocess.run([*emulated, CPUS[cpu][-1]], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.skipif(COMPILER is None, reason="no C compiler")
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="not an x86 processor")
def test_avx_vnni_by_hand_answers_as_the_double_loop(tmp_path):
    driver = tmp_path / "driver"
    built = compile_with(["-include", str(BY_HAND)], driver)
    assert built.returncode == 0, built.stderr
    if "avxvnni" not in names(driver):
        pytest.skip("no AVX2 here, or a compiler that does not know AVX-VNNI")
    ran = subprocess.run([driver, "avxvnni"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
