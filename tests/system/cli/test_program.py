"""prfast as a program: statuses, closed streams, terminals that take little."""

import json
import os
import subprocess
import sys

import pytest
from terminal import QUICK, files, other_notes


def test_as_a_module_an_error_has_status_2_and_no_traceback():
    command = [sys.executable, "-m", "prfast", "curve", "none.npy", "fake.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "prfast: error: none.npy: No such file or directory\n"


def test_a_reader_that_goes_away_is_no_error_and_loses_no_output():
    """An example is `prfast curve … --json o.json | head -1`."""
    command = [sys.executable, "-m", "prfast", "curve", "real.npy", "fake.npy"]
    command += [*QUICK, "--json", "o.json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        program.stdout.close()
        assert other_notes(program.stderr.read().decode()) == []
        assert program.wait() == 0
    with open("o.json", encoding="utf-8") as file:
        assert json.load(file)["curves"]


@pytest.mark.nightly
def test_a_terminal_without_the_characters_loses_nothing():
    """A character that the encoding lacks is printed as a question mark."""
    command = [sys.executable, "-m", "prfast", "curve", "real.npy", "fake.npy"]
    command += [*QUICK, "--names", "∞", "--json", "o.json"]
    environment = os.environ | {"PYTHONIOENCODING": "cp1252"}
    ran = subprocess.run(command, env=environment, capture_output=True)
    assert (ran.returncode, other_notes(ran.stderr.decode("cp1252"))) == (0, [])
    assert ran.stdout.split()[0] == b"?"
    assert "o.json" in files()


@pytest.mark.parametrize("argument", ["--version", "curv"])
def test_version_and_help_import_nothing_heavy(argument):
    program = (
        "import sys\n"
        "from prfast.cli import main\n"
        "try:\n"
        f"    main([{argument!r}])\n"
        "finally:\n"
        "    names = 'scipy', 'sklearn', 'prfast.cli.commands', 'prfast.methods'\n"
        "    print([one for one in names if one in sys.modules])\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.stdout.endswith("[]\n")
