"""One bar over all models, in a real terminal and nowhere else."""

import os
import re
import select
import subprocess
import sys
import time

import numpy as np
import pytest

pty = pytest.importorskip("pty", reason="needs pseudo-terminals")

AT_ONCE = """
import sys
from prfast.inputs import options as progress
progress.DELAY = progress.INTERVAL = 0.0  # these sets are small
from prfast.cli.parser import main
sys.exit(main(sys.argv[1:]))
"""


def in_a_terminal(*argv, program=AT_ONCE):
    """Status and what a terminal of 100 columns was sent, output and errors together."""
    fcntl, termios = (pytest.importorskip(name) for name in ("fcntl", "termios"))
    here, its = pty.openpty()
    size = np.array([30, 100, 0, 0], np.uint16).tobytes()
    fcntl.ioctl(its, termios.TIOCSWINSZ, size)
    command = [sys.executable, "-c", program, *argv]
    with subprocess.Popen(command, stdin=its, stdout=its, stderr=its) as process:
        os.close(its)
        result = b""
        end = time.monotonic() + 120
        while time.monotonic() < end and select.select([here], [], [], 120)[0]:
            try:
                read = os.read(here, 1 << 16)
            except OSError:  # Linux: the other end is closed
                break
            if not read:
                break
            result += read
        status = process.wait(10)
    os.close(here)
    return status, result.decode()


def bars(text):
    """(name, percent) of each state of a bar."""
    result = re.findall(r"\r([^\r\n]*?): +(\d+)%\|", text)
    return [(name, int(percent)) for name, percent in result]


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("command", "what"),
    [(["curve", "--method", "ipr"], "curves"), (["metrics"], "metrics")],
    ids=["curve", "metrics"],
)
def test_a_bar_names_each_model_and_never_goes_back(command, what):
    first, *more = command
    files = ["real.npy", "fake.npy", "more.npz:near", "more.npz:far"]
    status, text = in_a_terminal(first, *files, *more)
    assert status == 0, text
    result = bars(text)
    names = [f"{name} ({i} of 3), {what}" for i, name in enumerate(files[1:], start=1)]
    assert [name for name in names if any(name in bar for bar, _ in result)] == names
    percents = [percent for _, percent in result]
    assert percents == sorted(percents)
    assert (percents[0], percents[-1]) == (0, 100)
    for part in (0, 33, 67):  # each model has its third
        assert any(part < percent < part + 33 for percent in percents)
    # When the table comes the bar has been cleared.
    after = text[text.rindex("%|") :]
    assert re.match(r"%\|[^\r]*\r +\r", after), after
    assert "%|" not in after[2:]
