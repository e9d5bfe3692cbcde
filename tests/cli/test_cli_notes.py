"""Names of models, and notes on samples that are few or copied."""

import numpy as np
import pytest
from terminal import FAKE, QUICK, REAL, one_line_error, run


@pytest.mark.parametrize("command", [["curve", *QUICK], ["metrics"]], ids=["curve", "metrics"])
def test_names_stand_for_files(capsys, command):
    first, *more = command
    files = ["real.npy", "fake.npy", "more.npz:near"]
    assert run(first, *files, *more, "--names", "one model", "another") == 0
    printed = capsys.readouterr()
    assert "one model" in printed.out
    assert "another" in printed.out
    assert "fake.npy" not in printed.out + printed.err
    message = one_line_error(capsys, run(first, *files, *more, "--names", "one"))
    assert message == "--names: 2 names expected, got 1"
    message = one_line_error(capsys, run(first, *files, *more, "--names", "one", "one"))
    assert message == "--names: names that differ expected"
    message = one_line_error(capsys, run(first, *files[:2], *more, "--names", "one", "two"))
    assert message == "--names: 1 name expected, got 2"


def notes(capsys):
    return [line.removeprefix("prfast: note: ") for line in capsys.readouterr().err.splitlines()]


def test_copies_are_counted(capsys):
    fake = FAKE.copy()
    fake[:30] = REAL[40:70]
    fake[100:110] = fake[99]
    np.save("copied.npy", fake)
    assert run("metrics", "real.npy", "copied.npy") == 0
    assert notes(capsys)[1:] == [
        "copied.npy: 30 of 150 generated samples equal a real one, to the last bit: the numbers "
        "cannot tell copying from skill; compare with real samples that were not used for "
        "training.",
        "copied.npy: Only 140 of the 150 generated samples are distinct.",
    ]


def test_equal_rows_that_a_curve_records_are_noted_once(capsys):
    np.save("copied.npy", np.concatenate([REAL[:30], np.repeat(FAKE[:1], 70, axis=0)]))
    for command in (["metrics"], ["curve", *QUICK]):
        assert run(*command, "real.npy", "copied.npy") == 0
        result = " ".join(notes(capsys))
        assert result.count("30 of 100 generated samples equal a real one") == 1
        assert result.count("Only 31 of the 100 generated samples are distinct") == 1
