"""What is built for these tests: the driver of the C library, and the package with other flags."""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
COMPILER = shutil.which(os.environ.get("CC", "cc"))
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
BUILT_OF = ("prfast", "csrc", "tests", "setup.py", "pyproject.toml", "README.md", "LICENSE")


def compile_with(flags, target, compiler=(COMPILER,)):
    """Compile the driver and the library as a program; return what the compiler printed."""
    sources = [Path(__file__).with_name("driver.c"), *sorted((ROOT / "csrc").rglob("*.c"))]
    command = [*compiler, "-std=c11", "-ffp-contract=off", "-g1", "-O1"]
    command += ["-I", ROOT / "csrc", "-I", ROOT, *flags]
    objects = [str(target.with_name(f"{target.name}{i}.o")) for i in range(len(sources))]

    def run(*arguments):
        return subprocess.run([*command, *arguments], capture_output=True, text=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for built in pool.map(lambda *pair: run("-c", pair[0], "-o", pair[1]), sources, objects):
            if built.returncode:
                return built
    return run(*objects, "-lm", "-o", str(target))


def build_package(folder, compiler, flags=""):
    """Copy the package and its tests, with faults.c in `trees`, and build it by this command."""
    for name in ("Cython", "setuptools"):
        pytest.importorskip(name, reason=f"{name}, with which the package is built, is not here")
    for name in BUILT_OF:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("*.so", "__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, folder)
    with (folder / "csrc/trees/bins.c").open("a") as source:
        source.write(Path(__file__).with_name("faults.c").read_text(encoding="utf-8"))
    env = {"CC": compiler, "LDSHARED": f"{compiler} -shared", "CFLAGS": flags}
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace", "--parallel", "2"]
    built = subprocess.run(
        command, cwd=folder, env=os.environ | env, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    assert "no OpenMP" not in built.stdout + built.stderr


def library_of(compiler, name):
    """Return the path of a library of the compiler; None where it has none."""
    command = [compiler, f"-print-file-name={name}"]
    path = Path(subprocess.run(command, capture_output=True, text=True).stdout.strip())
    return path.resolve() if path.is_absolute() and path.exists() else None
