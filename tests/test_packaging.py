"""Contents of the wheel and the sdist, dependencies, and flags of the compiler."""

import functools
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CI = ROOT / ".ci"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def bounds(lines, sign):
    """Return {name: version} of the requirements `name sign version`."""
    found = (re.fullmatch(rf"([\w-]+){sign}([\d.]+)", line.strip()) for line in lines)
    return {match[1]: tuple(map(int, match[2].split("."))) for match in found if match}


def same_version(one, two):
    """Whether two versions are equal; 1.26 is 1.26.0."""
    size = max(len(one), len(two))
    return one + (0,) * (size - len(one)) == two + (0,) * (size - len(two))


def test_lowest_txt_has_the_lower_bounds():
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    stated = project["dependencies"] + extras["plot"] + extras["report"]
    lower = bounds(stated, ">=")
    assert len(lower) == len(stated)
    tested = bounds((CI / "lowest.txt").read_text().splitlines(), "==")
    assert lower.keys() <= tested.keys()
    for name, version in lower.items():
        assert same_version(tested[name], version), name


def test_setuptools_installs_every_package_and_nothing_else():
    setuptools = pytest.importorskip("setuptools")
    rule = PROJECT["tool"]["setuptools"]["packages"]["find"]
    found = setuptools.find_packages(str(ROOT), **rule)
    folders = {init.parent.relative_to(ROOT) for init in (ROOT / "prfast").rglob("__init__.py")}
    assert set(found) == {".".join(folder.parts) for folder in folders}


REQUIREMENTS = CI / "requirements.py"


def required(project, extras):
    return runpy.run_path(str(REQUIREMENTS))["required"](project, extras)


def test_requirements_expand_extras_of_the_package():
    extras = {
        "plot": ["matplotlib>=3"],
        "test-all": ["My_Package [plot, all.in]", "pytest", "my-package-peers[plot]"],
        "all-in": ["tqdm", "matplotlib>=3"],
    }
    project = {
        "name": "my-package",
        "dependencies": ["numpy", "tqdm"],
        "optional-dependencies": extras,
    }
    assert required(project, []) == ["numpy", "tqdm"]
    found = ["numpy", "tqdm", "matplotlib>=3", "pytest", "my-package-peers[plot]"]
    assert required(project, ["test_all"]) == required(project, ["plot", "test-all"]) == found


def test_requirements_run_with_the_standard_library():
    command = [sys.executable, "-I", "-S", str(REQUIREMENTS)]
    none, some, wrong = (
        subprocess.run([*command, *extras], capture_output=True, text=True)
        for extras in ([], ["test"], ["test", "tset"])
    )
    assert none.stdout.splitlines() == PROJECT["project"]["dependencies"]
    lines = some.stdout.splitlines()
    assert {*none.stdout.splitlines(), *PROJECT["project"]["optional-dependencies"]["plot"]} < {
        *lines
    }
    assert not any(line.startswith("prfast") for line in lines)
    assert (wrong.stdout, wrong.returncode) == ("", 1)
    assert re.match(r"an extra of prfast expected \(plot, .*\), got 'tset'$", wrong.stderr)


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
        compiled = [one for one in calls if "-c" in one and "-Icsrc" in one]
        linked = [one for one in calls if "-shared" in one]
        return wheel, compiled, linked

    return built


@pytest.mark.parametrize(
    ("compiler", "compile_flags", "link_flags"),
    [
        ("gcc", ["-fopenmp"], ["-fopenmp"]),
        ("apple", ["-Xpreprocessor", "-fopenmp"], ["-lomp"]),  # Apple's clang with libomp
        ("none", [], []),
    ],
)
def test_flags_of_openmp_of_several_compilers(build, compiler, compile_flags, link_flags):
    _, compiled, linked = build(compiler, False)
    assert compiled
    assert linked
    openmp = {"-Xpreprocessor", "-fopenmp", "-lomp"}
    flags = ["-O3", "-std=c11", "-ffp-contract=off", "-fvisibility=hidden", *compile_flags]
    for one in compiled:
        assert one[-len(flags) :] == flags
    for one in linked:
        assert [flag for flag in one if flag in openmp] == link_flags


@pytest.mark.parametrize("abi3", [False, True])
def test_abi3_gives_one_wheel_for_every_python(build, abi3):
    wheel, compiled, linked = build("gcc", abi3)
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=3.")
    own = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert (f"-cp3{oldest}-abi3-" if abi3 else f"-{own}-{own}-") in wheel.name
    for one in compiled:
        assert ("-DPy_LIMITED_API=0x030B0000" in one) is abi3
    for one in linked:
        assert one[one.index("-o") + 1].endswith(".abi3.so") is abi3


def test_a_clone_named_as_the_package_does_not_shadow_it(sources, tmp_path):
    """In the folder that holds the clone, an editable install is what is imported."""
    folder, compiler, _ = sources
    options = {"CC": f"{compiler}", "LDSHARED": f"{compiler} -shared", "STANDS_FOR": "gcc"}
    subprocess.run(
        [sys.executable, "setup.py", "-q", "editable_wheel", "--dist-dir", str(tmp_path / "wheel")],
        cwd=folder,
        env=os.environ | options,
        check=True,
        capture_output=True,
    )
    (wheel,) = (tmp_path / "wheel").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    program = f"""
import site
site.addsitedir({str(tmp_path / "site")!r})
import importlib.util
print(importlib.util.find_spec("prfast").origin)
"""
    found = subprocess.run(
        [sys.executable, "-S", "-c", program], cwd=folder.parent, capture_output=True, text=True
    )
    assert found.stdout.strip() == str(folder / "prfast" / "__init__.py"), found.stderr


def test_files_of_the_report_are_in_the_wheel_and_the_sdist():
    rules = PROJECT["tool"]["setuptools"]["package-data"]["prfast.report"]
    manifest = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
    for path in (ROOT / "prfast" / "report").iterdir():
        if path.suffix not in (".py", "") and path.is_file():
            assert f"*{path.suffix}" in rules
            assert f"*{path.suffix}" in manifest


def test_the_schema_of_records_is_in_the_wheel_and_the_sdist():
    rules = PROJECT["tool"]["setuptools"]["package-data"]["prfast.records"]
    (schema,) = (ROOT / "prfast" / "records").glob("*.json")
    assert any(schema.match(rule) for rule in rules)
    assert "*.schema.json" in (ROOT / "MANIFEST.in").read_text(encoding="utf-8")


def test_headers_of_c_and_cython_are_in_the_wheel_and_the_sdist(build):
    wheel, *_ = build("gcc", False)
    there = set(zipfile.ZipFile(wheel).namelist())
    assert {"prfast/include/prfast.h", "prfast/__init__.pxd"} <= there
    manifest = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
    assert re.search(r"^recursive-include prfast .*\*\.pxd .*\*\.h ", manifest, re.MULTILINE)
    for kind in ("*.c", "*.pyx", "*.py", "*.rs"):
        assert re.search(rf"^recursive-include examples .*\{kind}\b", manifest, re.MULTILINE), kind


def test_every_file_of_csrc_is_compiled_once(build):
    _, compiled, _ = build("gcc", False)
    sources = [one for call in compiled for one in call if one.startswith("csrc/")]
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "csrc").rglob("*.c")]
    assert sorted(sources) == sorted(files)


def test_versions_of_python_agree():
    lines = PROJECT["project"]["classifiers"]
    stated = {line.rpartition(".")[2] for line in lines if "Python :: 3." in line}
    built = {re.match(r"cp3(\d+)-", name)[1] for name in PROJECT["tool"]["cibuildwheel"]["build"]}
    assert stated == built
    assert PROJECT["project"]["requires-python"] == f">=3.{min(map(int, stated))}"


def test_the_citation_has_the_version_and_the_license():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {PROJECT['project']['version']}\n" in text
    assert f"license: {PROJECT['project']['license']}\n" in text
