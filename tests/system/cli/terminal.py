"""A command line inside a test: two sets of samples, a run and what it left."""

import os
import re

from prfast.cli.parser import main
from prfast.reference import GaussianShift

REAL, FAKE = GaussianShift(1.0, 3).sample(200, 150)
QUICK = ["--method", "kmeans", "--option", "runs=2", "--option", "clusters=5"]
PNG = b"\x89PNG\r\n\x1a\n"


def run(*argv):
    """Return the exit status, whether it is returned or, by argparse, raised."""
    try:
        return main(argv)
    except SystemExit as stop:
        return stop.code


def files():
    return sorted(os.listdir())


FILES = ["fake.csv", "fake.npy", "more.npz", "real.npy"]


def other_notes(err):
    """Return the lines on standard error but the note that the samples of these tests are few."""
    return [line for line in err.splitlines() if ": Few samples, " not in line]


def one_line_error(capsys, status):
    assert status == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.fullmatch(r"prfast: error: [^\n]*\n", printed.err)
    return printed.err.removeprefix("prfast: error: ").rstrip("\n")
