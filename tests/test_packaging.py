"""What is installed, on what, and with which flags."""

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
    """{name: version} of the requirements `name sign version`."""
    found = (re.fullmatch(rf"([\w-]+){sign}([\d.]+)", line.strip()) for line in lines)
    return {match[1]: tuple(map(int, match[2].split("."))) for match in found if match}


def same_version(one, two):
    """1.26 is 1.26.0."""
    size = max(len(one), len(two))
    return one + (0,) * (size - len(one)) == two + (0,) * (size - len(two))


def test_the_oldest_versions_that_are_tested_are_the_lower_bounds():
    project = PROJECT["project"]
    extras = project["optional-dependencies"]
    stated = project["dependencies"] + extras["plot"] + extras["report"]
    lower = bounds(stated, ">=")
    assert len(lower) == len(stated)
    tested = bounds((CI / "lowest.txt").read_text().splitlines(), "==")
    assert lower.keys() <= tested.keys()
    for name, version in lower.items():
        assert same_version(tested[name], version), name


def test_every_package_is_found_and_nothing_beside_them():
    setuptools = pytest.importorskip("setuptools")
    rule = PROJECT["tool"]["setuptools"]["packages"]["find"]
    found = setuptools.find_packages(str(ROOT), **rule)
    folders = {init.parent.relative_to(ROOT) for init in (ROOT / "prfast").rglob("__init__.py")}
    assert set(found) == {".".join(folder.parts) for folder in folders}


def test_checks_see_a_missing_line_of_the_readme():
    """Under set -e a failing substitution stops the script in an assignment, not in an argument."""
    assert "set -euo pipefail" in (CI / "parts.sh").read_text(encoding="utf-8")
    script = (CI / "run").read_text(encoding="utf-8")
    assert len(re.findall(r"^line=\$\(readme ", script, re.MULTILINE)) == 2
    assert not re.search(r"in_env .*\$\(", script)


@pytest.mark.skipif(shutil.which("bash") is None, reason="the script is of bash")
@pytest.mark.parametrize(
    ("lines", "printed", "status"),
    [
        ("beside x good; echo main; joined x; echo after", "main\ngood\nafter\n", 0),
        ("beside x bad; echo main; joined x; echo after", "main\nbegun\n", 1),
        # Reading a terminal would stop a background process; a lane that has ended is forgotten.
        ("beside x cat; joined x; echo ${#beside[*]}", "0\n", 0),
    ],
)
def test_a_lane_that_fails_fails_the_checks(lines, printed, status):
    script = (CI / "parts.sh").read_text(encoding="utf-8")
    functions = re.search(r"^beside\(\).*?^joined.*?^}$", script, re.M | re.S)[0]
    program = (
        "set -euo pipefail; scratch=$(mktemp -d); trap 'rm -rf \"$scratch\"' EXIT",
        *("declare -A beside", functions, "good() { echo good; }"),
        *("bad() { echo begun; false; echo never; }", lines),
    )
    done = subprocess.run(
        ["bash", "-c", "\n".join(program)], input="typed\n", capture_output=True, text=True
    )
    assert (done.stdout, done.returncode) == (printed, status), done.stderr


REQUIREMENTS = CI / "requirements.py"


def required(project, extras):
    return runpy.run_path(str(REQUIREMENTS))["required"](project, extras)


def test_own_extras_are_what_they_stand_for():
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


def test_requirements_need_the_standard_library_alone():
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


# A compiler that does nothing but take flags, or refuse them as the one that it stands for does.
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
    """A clone named prfast, and beside its folder a compiler and what it was asked."""
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
    """build(compiler, abi3): the wheel, how its files were compiled, how linked."""
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
        # Not those that try OpenMP out, which are not of the sources.
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
def test_openmp_is_tried_in_the_ways_of_several_compilers(
    build, compiler, compile_flags, link_flags
):
    _, compiled, linked = build(compiler, False)
    assert compiled
    assert linked
    openmp = {"-Xpreprocessor", "-fopenmp", "-lomp"}
    flags = ["-O3", "-std=c11", "-ffp-contract=off", "-fvisibility=hidden", *compile_flags]
    for one in compiled:
        assert one[-len(flags) :] == flags
    for one in linked:
        assert [flag for flag in one if flag in openmp] == link_flags


@pytest.mark.parametrize("asked", [False, True])
def test_one_wheel_for_every_python_if_asked(build, asked):
    wheel, compiled, linked = build("gcc", asked)
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=3.")
    own = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert (f"-cp3{oldest}-abi3-" if asked else f"-{own}-{own}-") in wheel.name
    for one in compiled:
        assert ("-DPy_LIMITED_API=0x030B0000" in one) is asked
    for one in linked:
        assert one[one.index("-o") + 1].endswith(".abi3.so") is asked


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


def test_what_the_report_is_made_of_is_installed_and_in_the_sdist():
    rules = PROJECT["tool"]["setuptools"]["package-data"]["prfast.report"]
    manifest = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
    for path in (ROOT / "prfast" / "report").iterdir():
        if path.suffix not in (".py", "") and path.is_file():
            assert f"*{path.suffix}" in rules
            assert f"*{path.suffix}" in manifest


def test_the_schema_of_records_is_installed_and_in_the_sdist():
    rules = PROJECT["tool"]["setuptools"]["package-data"]["prfast.records"]
    (schema,) = (ROOT / "prfast" / "records").glob("*.json")
    assert any(schema.match(rule) for rule in rules)
    assert "*.schema.json" in (ROOT / "MANIFEST.in").read_text(encoding="utf-8")


def test_the_header_and_what_cython_reads_are_in_the_wheel_and_in_the_sdist(build):
    wheel, *_ = build("gcc", False)
    there = set(zipfile.ZipFile(wheel).namelist())
    assert {"prfast/include/prfast.h", "prfast/__init__.pxd"} <= there
    manifest = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
    assert re.search(r"^recursive-include prfast .*\*\.pxd .*\*\.h ", manifest, re.MULTILINE)
    for kind in ("*.c", "*.pyx", "*.py", "*.rs"):
        assert re.search(rf"^recursive-include examples .*\{kind}\b", manifest, re.MULTILINE), kind


def test_every_file_of_csrc_is_compiled_into_one_module(build):
    _, compiled, _ = build("gcc", False)
    sources = [one for call in compiled for one in call if one.startswith("csrc/")]
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "csrc").rglob("*.c")]
    assert sorted(sources) == sorted(files)


def test_versions_of_python_are_stated_alike():
    lines = PROJECT["project"]["classifiers"]
    stated = {line.rpartition(".")[2] for line in lines if "Python :: 3." in line}
    built = {re.match(r"cp3(\d+)-", name)[1] for name in PROJECT["tool"]["cibuildwheel"]["build"]}
    assert stated == built
    assert PROJECT["project"]["requires-python"] == f">=3.{min(map(int, stated))}"


def test_the_citation_is_of_this_version():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"version: {PROJECT['project']['version']}\n" in text
    assert f"license: {PROJECT['project']['license']}\n" in text
