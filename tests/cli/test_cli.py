"""The command line: help, statuses, and what a word is taken for."""

import signal
import subprocess
import sys

from terminal import QUICK, one_line_error, run

import prfast
import prfast.cli.files


def test_a_missing_matplotlib_names_the_extra_before_any_work(capsys, monkeypatch):
    """None in sys.modules makes Python's import raise as if it were not installed."""
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    arguments = ["curve", "real.npy", "none.npy"]
    message = one_line_error(capsys, run(*arguments, "--plot", "out.png"))
    assert message == "matplotlib is needed for plots: python -m pip install 'prfast[plot]'"
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
    """As git does: on standard output, with status 1."""
    assert run() == 1
    printed = capsys.readouterr()
    assert printed.err == ""
    for command in ("curve", "metrics", "report", "demo"):
        assert f"\n    {command} " in printed.out
    done = subprocess.run([sys.executable, "-m", "prfast"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("usage: prfast ")
