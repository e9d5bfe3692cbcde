"""What is installed, on what, and with which flags."""

import re
import runpy
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
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
    tested = bounds((ROOT / ".ci" / "lowest.txt").read_text().splitlines(), "==")
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
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "set -euo pipefail" in script
    assert len(re.findall(r"^line=\$\(readme ", script, re.MULTILINE)) == 2
    assert not re.search(r"in_env .*\$\(", script)


@pytest.mark.parametrize(
    ("accepted", "compile_flags", "link_flags"),
    [
        ("-fopenmp", ["-fopenmp"], ["-fopenmp"]),
        ("-lomp", ["-Xpreprocessor", "-fopenmp"], ["-lomp"]),  # Apple's clang with libomp
        (None, [], []),
    ],
)
def test_openmp_is_tried_in_the_ways_of_several_compilers(
    monkeypatch, accepted, compile_flags, link_flags
):
    setuptools = pytest.importorskip("setuptools")
    build = pytest.importorskip("Cython.Build")
    from setuptools.command.build_ext import build_ext
    from setuptools.errors import LinkError

    class Compiler:
        compiler_type = "unix"

        def compile(self, sources, folder, extra_postargs):
            return []

        def link_executable(self, objects, target, extra_postargs):
            if extra_postargs != [accepted]:
                raise LinkError("unknown flag")

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(setuptools, "setup", lambda **given: None)
    monkeypatch.setattr(build, "cythonize", lambda extensions, **given: extensions)
    monkeypatch.setattr(build_ext, "build_extensions", lambda self: None)
    command = runpy.run_path("setup.py")["BuildExt"](setuptools.Distribution())
    command.compiler = Compiler()
    command.extensions = [setuptools.Extension("x", [])]
    command.build_extensions()
    (extension,) = command.extensions
    assert extension.extra_compile_args == ["-O3", "-std=c11", "-ffp-contract=off", *compile_flags]
    assert extension.extra_link_args == link_flags


def test_what_the_report_is_made_of_is_installed_and_in_the_sdist():
    rules = PROJECT["tool"]["setuptools"]["package-data"]["prfast.report"]
    manifest = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
    for path in (ROOT / "prfast" / "report").iterdir():
        if path.suffix not in (".py", "") and path.is_file():
            assert f"*{path.suffix}" in rules
            assert f"*{path.suffix}" in manifest


def test_every_file_of_csrc_is_compiled_into_one_module(monkeypatch):
    setuptools = pytest.importorskip("setuptools")
    build = pytest.importorskip("Cython.Build")
    given = {}
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(setuptools, "setup", lambda **options: given.update(options))
    monkeypatch.setattr(build, "cythonize", lambda extensions, **options: extensions)
    runpy.run_path("setup.py")
    sources = [path for one in given["ext_modules"] for path in one.sources if path.endswith(".c")]
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "csrc").rglob("*.c")]
    assert sorted(sources) == sorted(files)


@pytest.mark.parametrize("asked", [None, "1"])
def test_one_wheel_for_every_python_if_asked(monkeypatch, asked):
    setuptools = pytest.importorskip("setuptools")
    build = pytest.importorskip("Cython.Build")
    given = {}
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("PRFAST_ABI3", raising=False)
    if asked:
        monkeypatch.setenv("PRFAST_ABI3", asked)
    monkeypatch.setattr(setuptools, "setup", lambda **options: given.update(options))
    monkeypatch.setattr(build, "cythonize", lambda extensions, **options: extensions)
    runpy.run_path("setup.py")
    limit = "0x030B0000" if asked else None
    for extension in given["ext_modules"]:
        assert bool(extension.py_limited_api) is bool(asked)
        assert dict(extension.define_macros).get("Py_LIMITED_API") == limit
    oldest = PROJECT["project"]["requires-python"].removeprefix(">=3.")
    wheel = {"py_limited_api": f"cp3{oldest}"} if asked else None
    assert given["options"].get("bdist_wheel") == wheel


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
