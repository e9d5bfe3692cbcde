"""Contents of the wheel and the sdist, dependencies, and flags of the compiler."""

import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CI = ROOT / ".ci"
MANIFEST = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_lowest_txt_has_the_lower_bounds():
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    pinned = re.findall(r"^([\w-]+)==([\d.]+)$", (CI / "lowest.txt").read_text(), re.MULTILINE)
    tested = {name: re.sub(r"(\.0)+$", "", version) for name, version in pinned}
    for line in project["dependencies"] + extras["plot"] + extras["report"]:
        name, lower = line.split(">=")
        assert tested[name] == re.sub(r"(\.0)+$", "", lower), name


# A compiler that accepts or refuses flags as the one that it simulates, and compiles nothing.
COMPILER = """#!{python}
import json, os, sys
arguments = sys.argv[1:]
with open({log!r}, "a") as log:
    log.write(json.dumps(arguments) + chr(10))
text = " ".join(arguments)
apart = text.replace("-Xpreprocessor -fopenmp", "-apple")
refused = {{"gcc": "-apple -lomp", "apple": "-fopenmp", "none": "-apple -fopenmp -lomp"}}
if set(refused[os.environ["STANDS_FOR"]].split()) & set(apart.split()):
    sys.exit("unknown flag")
open(arguments[arguments.index("-o") + 1], "w").close()
"""


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Return a copy of the sources in a folder prfast, a compiler and the log of its calls."""
    pytest.importorskip("setuptools", minversion="77")  # as pyproject.toml asks for
    pytest.importorskip("Cython", minversion="3.1")
    if sys.platform == "win32":
        pytest.skip("needs a compiler that is a script")
    folder = tmp_path_factory.mktemp("sources") / "prfast"
    folder.mkdir()
    for name in ("prfast", "csrc"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.so"))
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"):
        shutil.copy(ROOT / name, folder)
    compiler, log = folder / "compiler", folder / "log"
    compiler.write_text(COMPILER.format(python=sys.executable, log=str(log)))
    compiler.chmod(0o755)
    return folder, compiler, log


@pytest.fixture(scope="module")
def build(sources):
    """Return build(compiler, abi3) -> the wheel, commands of the compiler and of the linker."""
    folder, compiler, log = sources

    @functools.cache
    def built(stands_for, abi3):
        log.write_text("")
        shutil.rmtree(folder / "build", ignore_errors=True)
        options = {"CC": f"{compiler}", "LDSHARED": f"{compiler} -shared"}
        options |= {"STANDS_FOR": stands_for, "PRFAST_ABI3": "1" if abi3 else ""}
        subprocess.run(
            [sys.executable, "setup.py", "-q", "bdist_wheel", "--dist-dir", f"{stands_for}{abi3}"],
            cwd=folder,
            env=os.environ | options,
            check=True,
            capture_output=True,
        )
        (wheel,) = (folder / f"{stands_for}{abi3}").iterdir()
        calls = [json.loads(line) for line in log.read_text().splitlines()]
        # Without those that test for OpenMP, which do not compile sources.
        compiled = [call for call in calls if "-c" in call and "-Icsrc" in call]
        linked = [call for call in calls if "-shared" in call]
        return wheel, compiled, linked

    return built


@pytest.mark.parametrize(
    ("compiler", "compile_flags", "link_flags"),
    [
        ("gcc", ["-fopenmp"], ["-fopenmp"]),
        # Apple's clang with libomp
        pytest.param("apple", ["-Xpreprocessor", "-fopenmp"], ["-lomp"], marks=pytest.mark.nightly),
        pytest.param("none", [], [], marks=pytest.mark.nightly),
    ],
)
def test_flags_of_openmp_of_several_compilers(build, compiler, compile_flags, link_flags):
    _, compiled, linked = build(compiler, False)
    assert compiled
    assert linked
    openmp = {"-Xpreprocessor", "-fopenmp", "-lomp"}
    flags = ["-std=c11", "-ffp-contract=off", "-fvisibility=hidden", *compile_flags]
    for call in compiled:
        (source,) = [word for word in call if word.endswith(".c")]
        # Generated C whose loops call functions of csrc takes long to compile, and gains nothing.
        calls = source.startswith("prfast") and "monotone" not in source
        flags_of_file = ["-g0", "-O2" if calls else "-O3", *flags]
        assert call[-len(flags_of_file) :] == flags_of_file
    for call in linked:
        assert [flag for flag in call if flag in openmp] == link_flags


@pytest.mark.parametrize("abi3", [False, True])
def test_abi3_gives_one_wheel_for_every_python(build, abi3):
    wheel, compiled, linked = build("gcc", abi3)
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=3.")
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert (f"-cp3{oldest}-abi3-" if abi3 else f"-{python}-{python}-") in wheel.name
    for call in compiled:
        assert ("-DPy_LIMITED_API=0x030B0000" in call) is abi3
    for call in linked:
        assert call[call.index("-o") + 1].endswith(".abi3.so") is abi3


def test_packages_and_files_that_are_not_modules_are_in_the_wheel_and_the_sdist(build):
    wheel, *_ = build("gcc", False)
    there = set(zipfile.ZipFile(wheel).namelist())
    packages = (ROOT / "prfast").rglob("__init__.py")
    assert {path.relative_to(ROOT).as_posix() for path in packages} <= there
    (rule,) = re.findall(r"^recursive-include prfast (.*)$", MANIFEST, re.MULTILINE)
    for folder in ("include", "kernels", "records", "report"):
        for path in (ROOT / "prfast" / folder).glob("*.*"):
            if path.suffix not in (".py", ".c", ".so"):
                assert path.relative_to(ROOT).as_posix() in there
                assert any(path.match(pattern) for pattern in rule.split())
    for kind in ("*.c", "*.pyx", "*.py", "*.rs"):
        assert re.search(rf"^recursive-include examples .*\{kind}\b", MANIFEST, re.MULTILINE), kind


def test_every_file_of_csrc_is_compiled_once(build):
    _, compiled, _ = build("gcc", False)
    sources = [word for call in compiled for word in call if word.startswith("csrc/")]
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "csrc").rglob("*.c")]
    assert sorted(sources) == sorted(files)
