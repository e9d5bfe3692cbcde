"""prfast metrics: a block a k, the JSON, files behind an option of several values."""

import json

import pytest
from terminal import FAKE, FILES, REAL, files, one_line_error, other_notes, run

import prfast


def test_metrics_prints_a_block_a_k_and_what_all_agree_on(capsys):
    arguments = ["--k", "3", "5", "--which", "recall", "density", "--ties", "open"]
    assert run("metrics", "real.npy", "fake.npy", "more.npz:near", *arguments) == 0
    printed = capsys.readouterr()
    assert other_notes(printed.err) == []
    lines = printed.out.splitlines()
    for first, k in ((0, 3), (4, 5)):
        found = [
            prfast.metrics(REAL, fake, k, ("recall", "density"), ties="open")
            for fake in (FAKE, FAKE[:100])
        ]
        assert lines[first].split() == ["k", "=", str(k), "fake.npy", "more.npz:near"]
        for line, name in zip(lines[first + 1 : first + 3], ("recall", "density"), strict=True):
            assert line.split() == [name, *(f"{one[name]:.4f}" for one in found)]
    assert lines[-1].startswith("ties open, cover_k 3, ")
    assert "n_fake" not in lines[-1]  # the files differ
    assert len({len(line) for line in lines[:3]}) == 1


def test_metrics_json_holds_every_number_and_how_it_was_made(capsys):
    assert run("metrics", "real.npy", "fake.npy", "--jobs", "1", "--json", "-") == 0
    (record,) = json.loads(capsys.readouterr().out)["metrics"]
    expected = prfast.metrics(REAL, FAKE)
    assert {name: record[name] for name in expected} == dict(expected)
    assert record["info"] == dict(expected.info)
    assert (record["fake"], record["k"]) == ("fake.npy", 5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--k 150", "k: from 1 to 149 expected, the other points of fake, got 150"),
        ("--k 0", "k: an integer of at least 1 expected, got 0"),
        (
            "--which fid",
            "argument --which: frechet_distance expected, which is the name of 'fid' h",
        ),
        ("--kernel-subsets 0", "kernel_subsets: an integer of at least 1 expected, got 0"),
        (
            "--which kernel_distance --kernel-subsets 9",
            "kernel_subset_size: at most 200 expected, the samples of real, got 1000",
        ),
        ("--seed -1", "--seed: an integer in [0, 2**32) expected, got -1"),
        ("--jobs 0", "--jobs: 1 or more, or -1 for every core, expected, got 0"),
        ("--backend gpu", "argument --backend: invalid choice: 'gpu'"),
        ("--json real.npy", "real.npy: is an input; choose another name for the output"),
    ],
)
def test_metrics_errors_are_one_line(capsys, arguments, message):
    status = run("metrics", "real.npy", "fake.npy", *arguments.split())
    assert one_line_error(capsys, status).startswith(message)
    assert files() == FILES


def test_the_kernel_distance_of_subsets(capsys):
    subsets = ["--kernel-subsets", "7", "--kernel-subset-size", "60", "--seed", "3"]
    arguments = ["--which", "kernel_distance", *subsets, "--json", "-"]
    assert run("metrics", "real.npy", "fake.npy", *arguments) == 0
    (record,) = json.loads(capsys.readouterr().out)["metrics"]
    options = {"kernel_subsets": 7, "kernel_subset_size": 60, "random_state": 3}
    expected = prfast.metrics(REAL, FAKE, which="kernel_distance", **options)
    assert record["kernel_distance"] == expected.kernel_distance
    assert record["info"] == dict(expected.info)
    assert "errors" not in record


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        (["--k", "3", "5"], "--k: an integer expected"),
        (["--which", "recall"], "--which: some of precision, "),
    ],
)
def test_files_behind_an_option_of_several_values(capsys, option, expected):
    """They are taken for values; the message says what to do, and that works."""
    message = one_line_error(capsys, run("metrics", *option, "real.npy", "fake.npy"))
    assert message.startswith(f"argument {expected}")
    assert message.endswith("got 'real.npy'; files go before the options, or behind a --")
    printed = []
    for arguments in (["real.npy", "fake.npy", *option], [*option, "--", "real.npy", "fake.npy"]):
        assert run("metrics", *arguments) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
