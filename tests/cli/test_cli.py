"""The command line: how it refuses, an error a line."""

import os
import re
import signal
import sys

import numpy as np
import pytest
from terminal import FILES, QUICK, files, one_line_error, run

import prfast
import prfast.cli.outputs
from prfast.cli.parser import COMMANDS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("curve real.npy", "the following arguments are required: FAKE"),
        ("curve none.npy fake.npy", "none.npy: No such file or directory"),
        ("curve real.npy none.csv", "none.csv: No such file or directory"),
        (
            "curve real.npy fake.txt",
            "fake.txt: a .npy, .npz, .h5, .safetensors, .pt, .csv, .parquet, .arrow or .feather",
        ),
        (
            "curve real.npy more.npz",
            "more.npz: a key expected; write more.npz:KEY with one of near",
        ),
        (
            "curve real.npy more.npz:x",
            "more.npz: no key 'x'; write more.npz:KEY with one of near, ",
        ),
        ("curve real.npy fake.npy --method knm", "argument --method: invalid choice: 'knm' (choos"),
        (
            "curve real.npy fake.npy --method kmeans --option k=5",
            "k: not an option of method 'kmeans', which has ",
        ),
        (
            "curve real.npy fake.npy --method kmeans --option split=0.5",
            "split: not an option of method 'kmeans', ",
        ),
        (
            "curve real.npy fake.npy --method kmeans --option seed=1",
            "seed: not an option of method 'kmeans', whic",
        ),
        ("curve real.npy fake.npy --option runs", "--option: NAME=VALUE expected, got 'runs'"),
        ("curve real.npy fake.npy --option =3", "--option: NAME=VALUE expected, got '=3'"),
        (
            "curve real.npy fake.npy --method kmeans --option runs=ten",
            "runs: an integer expected, got a str",
        ),
        (
            "curve real.npy fake.npy --method kmeans --option runs=0",
            "runs: an integer of at least 1 expected, got",
        ),
        (
            "curve real.npy fake.npy --method kmeans --option clusters=999",
            "fake.npy: real and fake: at least 999",
        ),
        (
            "curve real.npy fake.npy --method kmeans --split 0.5",
            "--split: none expected for method 'kmeans', got ",
        ),
        (
            "curve real.npy fake.npy --method classifier --split half",
            "--split: auto, bernoulli, none or a share in (0, 1) expected, got 'half'",
        ),
        (
            "curve real.npy fake.npy --method classifier --split 1",
            "--split: auto, bernoulli, none or a share in (0, 1) expected, got '1'",
        ),
        *(
            (
                f"curve real.npy fake.npy --method kmeans --{name} {value}",
                f"--{name}: only for the methods that count neighbours (knn, ipr, parzen, "
                "coverage), got --method kmeans",
            )
            for name, value in (("k", "3"), ("ties", "open"), ("backend", "auto"))
        ),
        (
            "curve real.npy fake.npy --method knn --ties open --option ties=closed",
            "--ties: once expected, got --option ties=closed too",
        ),
        ("curve real.npy fake.npy --backend gpu", "argument --backend: invalid choice: 'gpu'"),
        ("curve real.npy fake.npy --seed x", "argument --seed: invalid int value: 'x'"),
        ("curve real.npy fake.npy --seed -1", "--seed: an integer in [0, 2**32) expected, got -1"),
        (
            "curve real.npy fake.npy --jobs 0",
            "--jobs: 1 or more, or -1 for every core, expected, got 0",
        ),
        (
            "curve real.npy fake.npy --view roc",
            "--view roc: --plot or --json expected as well,",
        ),
        ("curve real.npy fake.npy --view prc --json -", "argument --view: invalid choice: 'prc'"),
        ("curve real.npy fake.npy --order 2", "--order: only with --view frontier"),
        ("curve real.npy fake.npy --view roc --json o --order 2", "--order: only with --view fron"),
        (
            "curve real.npy fake.npy --view roc --json o --inclusive",
            "--inclusive: only with --view frontier",
        ),
        # Another option would not mend these.
        (
            "curve real.npy fake.npy --view roc --inclusive",
            "--inclusive: only with --view frontier",
        ),
        ("curve real.npy fake.npy --view roc --order 2", "--order: only with --view frontier"),
        (
            "curve real.npy fake.npy --view frontier --inclusive",
            "--view frontier: --plot or --json expected as well, to hold it",
        ),
        (
            "curve real.npy fake.npy --view frontier --json o --order 0",
            "--order: a number in (0, ∞] expected, got 0.0",
        ),
        (
            "curve real.npy fake.npy --view frontier --json o --order two",
            "argument --order: invalid float value: 'two'",
        ),
        ("curve real.npy fake.npy --json no/o.json", "no/o.json: no such folder, or not writable"),
        ("curve real.npy fake.npy --json .", ".: a file expected, got a folder"),
        ("curve real.npy fake.npy --json /dev/null", "/dev/null: a file expected, got a device or"),
        ("curve real.npy fake.npy --json=", "'': the name of a file expected"),
        ("curve real.npy fake.npy --plot o.xyz", "o.xyz: a file ending in one of "),
        ("curve real.npy fake.npy --plot -", "-: a file ending in one of "),
        ("curve real.npy fake.npy --plot o.svg --json ./o.svg", "./o.svg: two different files exp"),
        ("curve real.npy fake.npy --json fake.npy", "fake.npy: is an input; choose another name f"),
        ("curve real.npy fake.npy --json ./real.npy", "./real.npy: is an input; choose another na"),
        ("curve real.npy more.npz:far --json more.npz", "more.npz: is an input; choose another na"),
        ("demo --plot no/o.png", "no/o.png: no such folder, or not writable"),
        ("demo --seed -1 --plot o.png", "--seed: an integer in [0, 2**32) expected, got -1"),
        ("demo --jobs 0 --plot o.png", "--jobs: 1 or more, or -1 for every core, expected, got 0"),
        (
            "dmeo",
            "argument COMMAND: invalid choice: 'dmeo' (choose from 'curve', 'metrics', "
            "'report', 'features', 'demo', 'rerun'",
        ),
    ],
)
def test_an_error_is_one_line_and_nothing_is_written(capsys, arguments, message):
    assert one_line_error(capsys, run(*arguments.split())).startswith(message)
    assert files() == FILES


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("flat.npy", np.zeros(5), "flat.npy: fake: a 2-D array (samples × features) expected, got"),
        ("wide.npy", np.zeros((5, 9)), "wide.npy: real and fake: the same number of features exp"),
        ("nan.npy", np.full((5, 3), np.nan), "nan.npy: fake: finite numbers expected, got nan in"),
        ("text.npy", np.array([["a"]]), "text.npy: fake: float32, float64, float16, integer or b"),
    ],
)
def test_an_error_in_samples_names_the_file_and_the_argument(capsys, name, array, message):
    np.save(name, array)
    assert one_line_error(capsys, run("curve", "real.npy", name)).startswith(message)
    if "wide" not in name:
        message = message.replace(" fake: ", " real: ")
        assert one_line_error(capsys, run("curve", name, "fake.npy")).startswith(message)


def test_an_input_whose_own_name_has_a_colon_is_refused_as_an_output(capsys):
    os.rename("fake.npy", "a:b.npy")
    message = one_line_error(capsys, run("curve", "real.npy", "a:b.npy", "--json", "a:b.npy"))
    assert message == "a:b.npy: is an input; choose another name for the output"


def test_an_output_that_links_to_an_input_is_refused(capsys):
    os.symlink("fake.npy", "link.json")
    message = one_line_error(capsys, run("curve", "real.npy", "fake.npy", "--json", "link.json"))
    assert message == "link.json: is an input; choose another name for the output"


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
    def interrupted(path, wanted):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(prfast.cli.outputs, "load_array", interrupted)
    # As in a terminal: who starts the tests in the background may have it ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert run("curve", "real.npy", "fake.npy") == 130
    finally:
        signal.signal(signal.SIGINT, before)
    assert capsys.readouterr().err == "prfast: interrupted\n"


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_are_no_errors(capsys, argument):
    assert run(argument) == 0
    assert "prfast" in capsys.readouterr().out


def test_the_help_of_a_command_names_every_method(capsys):
    assert run("curve", "--help") == 0
    text = " ".join(capsys.readouterr().out.split())
    for name, row in prfast.methods.METHODS.items():
        assert f"{name}: {row.summary}" in text


@pytest.mark.parametrize("command", COMMANDS)
def test_a_usage_line_names_every_option_or_says_that_there_are_some(capsys, command):
    assert run(command, "--help") == 0
    usage, _, rest = capsys.readouterr().out.partition("\n\n")
    listed = set(re.findall(r"^  (?:-\w [A-Z]+, )?(--[a-z-]+)", rest, re.MULTILINE))
    named = set(re.findall(r"--[a-z-]+", usage))
    assert "[options]" in usage or "[-h]" in usage or listed == named
