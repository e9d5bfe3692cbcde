"""Outputs of the command line: help, JSON, pictures, no drafts."""

import signal
import sys

import numpy as np
from terminal import FAKE, FILES, QUICK, files, one_line_error, run

import prfast
import prfast.cli.files


def test_a_failing_run_leaves_existing_outputs_and_no_draft(capsys):
    with open("out.json", "w") as file:
        file.write("old")
    np.save("wide.npy", np.zeros((5, 9)))
    outputs = ["--json", "out.json", "--plot", "out.png"]
    assert run("curve", "real.npy", "fake.npy", "wide.npy", *QUICK, *outputs) == 2
    assert capsys.readouterr().out == ""
    with open("out.json") as file:
        assert file.read() == "old"
    assert files() == sorted([*FILES, "out.json", "wide.npy"])


EVIL = "\x1b[31mred\x1b]0;title\x07\r\x7f\x9b2J"
WRITTEN = r"\x1b[31mred\x1b]0;title\x07\x0d\x7f\x9b2J"


def test_names_of_models_and_files_do_not_control_the_terminal(capsys):
    np.save("few.npy", FAKE[:30])  # which is noted
    assert run("curve", "real.npy", "few.npy", *QUICK, "--names", EVIL) == 0
    printed = capsys.readouterr()
    assert WRITTEN in printed.out
    assert "\x1b" not in printed.out + printed.err
    error = one_line_error(capsys, run("curve", "real.npy", "\x1b[31m.npy", *QUICK))
    assert error == r"\x1b[31m.npy: No such file or directory"
    error = one_line_error(capsys, run("curve", "real.npy", "fake.npy", "--\x1b[31m"))
    assert error.startswith(r"unrecognized arguments: --\x1b[31m")


def test_a_missing_matplotlib_is_named_before_any_work(capsys, monkeypatch):
    """None in sys.modules makes Python's import raise as if it were not installed."""
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    arguments = ["curve", "real.npy", "none.npy"]
    message = one_line_error(capsys, run(*arguments, "--plot", "out.png"))
    assert message == "matplotlib is needed for plots: python -m pip install matplotlib"
    assert run("curve", "real.npy", "fake.npy", *QUICK) == 0  # no picture, no matplotlib


def test_an_interrupt_is_one_line_and_status_130(capsys, monkeypatch):
    def interrupted(path, selection):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(prfast.cli.files, "load_array", interrupted)
    # As in a terminal: who starts the tests in the background may have it ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert run("curve", "real.npy", "fake.npy") == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err == "prfast: interrupted\n"


def test_no_command_prints_the_help_and_is_no_success(capsys):
    """The help is on standard output, with status 1, as of git."""
    assert run() == 1
    printed = capsys.readouterr()
    assert printed.err == ""
    for command in ("curve", "metrics", "report", "demo"):
        assert f"\n    {command} " in printed.out
