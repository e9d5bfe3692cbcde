"""What is built again is what the broken file is a part of, and nothing else."""

import shutil
from pathlib import Path

import pytest
from builds import built, rebuilt

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")

# Prints its commands, as setuptools does.
SETUP = """
import os, subprocess
os.makedirs("build/temp", exist_ok=True)
os.makedirs("build/lib/package", exist_ok=True)
for name in ("one", "two"):
    for command in (
        f"gcc -I. -c {name}.c -o build/temp/{name}.o",
        f"gcc -shared build/temp/{name}.o -o build/lib/package/{name}.so",
    ):
        print(command)
        subprocess.run(command.split(), check=True)
"""


@pytest.fixture
def project(tmp_path):
    (tmp_path / "package").mkdir()
    for name, text in (
        ("setup.py", SETUP),
        ("one.h", "#define NUMBER 1\n"),
        ("one.c", '#include "one.h"\nint one(void) { return NUMBER; }\n'),
        ("two.c", "int two(void) { return 2; }\n"),
    ):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_header_is_a_part_of_what_includes_it(project):
    commands = built(project)
    assert [Path(one.makes).name for one in commands] == ["one.o", "one.so", "two.o", "two.so"]
    assert [one.parts for one in commands[:2]] == [{"one.c", "one.h"}, {"build/temp/one.o"}]
    (project / "one.h").write_text("#define NUMBER 7\n")
    rebuilt(project, commands, "one.h")
    assert [path.name for path in project.glob("package/*")] == ["one.so"]
