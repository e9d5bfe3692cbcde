"""`prfast plan`, `prfast block` and `prfast finalize`."""

import json
import os

import numpy as np
import pytest
from refusals import refused
from terminal import FAKE, REAL, one_line_error, run

from prfast import metrics, pr_curves
from prfast.batch.folder import Share
from prfast.cli.block import of_slurm, read_share_of

PLAN = ["plan", "run", "real.npy", "fake.npy", "--rows", "60"]


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def test_three_commands_give_the_json_of_metrics(capsys):
    which = ["--k", "3", "5", "--which", "precision", "coverage", "p_recall"]
    assert run(*PLAN, *which) == 0
    assert "run: 4 chunks of real and 3 of generated samples" in capsys.readouterr().out
    while "all is there" not in capsys.readouterr().out:
        for job in range(3):
            assert run("block", "run", "--share", f"{job}/3") == 0
    assert run("finalize", "run", "--json", "found.json") == 0
    shown = capsys.readouterr().out
    assert run("metrics", "real.npy", "fake.npy", *which, "--json", "expected.json") == 0
    assert shown == capsys.readouterr().out
    found, expected = read("found.json"), read("expected.json")
    assert found["real"] == expected["real"]
    assert found["metrics"] == expected["metrics"]
    assert found["curves"] == []


def test_curves_are_in_the_json_and_in_a_table(capsys):
    assert run(*PLAN, "--curves", "knn", "ipr", "--curve-k", "4", "--seed", "2") == 0
    assert run("block", "run") == 0
    assert run("finalize", "run", "--json", "found.json") == 0
    assert "knn" in capsys.readouterr().out
    expected = pr_curves(REAL, FAKE, ["knn", "ipr"], 4, random_state=2)
    found = read("found.json")["curves"]
    assert [one["curve"] for one in found] == [c.to_dict() for c in expected.values()]
    assert [one["fake"] for one in found] == ["fake.npy"] * 2


def slurm(*numbers):
    """The environment of a job of an array."""
    names = ("ID", "MIN", "MAX", "STEP", "COUNT")
    return {f"SLURM_ARRAY_TASK_{name}": str(n) for name, n in zip(names, numbers, strict=True)}


def test_without_an_array_there_is_one_share_and_with_one_it_is_slurms(capsys, monkeypatch):
    assert of_slurm({}) == Share(0, 1)
    for numbers, share in (((0, 0, 7, 1, 8), (0, 8)), ((7, 3, 9, 2, 4), (2, 4))):
        told = slurm(*numbers)
        assert of_slurm(told) == share
    run(*PLAN, "--which", "coverage")
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    assert run("block", "run") == 0
    assert "left to other jobs" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["3", "3/3", "-1/3", "a/b", "1/", "1/2/3"])
def test_a_share_that_is_none_is_refused(text, capsys):
    run(*PLAN)
    capsys.readouterr()
    status = run("block", "run", f"--share={text}")
    expected = f"--share: I/N with 0 <= I < N expected, got {text!r}"
    assert one_line_error(capsys, status) == expected
    with pytest.raises(ValueError, match="--share"):
        read_share_of(text)


def test_an_array_with_gaps_must_say_its_shares():
    """Of --array=3,7 Slurm says neither that 5 is missing nor which of the two a job is."""
    with refused(ValueError, "--share: I/N expected, as the array has gaps: 2 jobs from 3 to 7"):
        of_slurm(slurm(7, 3, 7, 1, 2))


def test_what_slurm_leaves_out_is_told():
    with pytest.raises(ValueError, match="--share: I/N expected, as Slurm does not say it"):
        of_slurm({"SLURM_ARRAY_TASK_ID": "3"})


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--split", "2"], "argument --split: a share in (0, 1) or none expected, got '2'"),
        (["--split", "some"], "argument --split: a share in (0, 1) or none expected, got 'some'"),
        (["--rows", "0"], "--rows: an integer of at least 1 expected, got 0"),
        (["--k", "0"], "k: an integer of at least 1 expected, got 0"),
    ],
)
def test_what_is_asked_is_checked_before_anything_is_written(more, message, capsys):
    assert one_line_error(capsys, run(*PLAN, *more)) == message
    assert not os.path.exists("run")


def test_too_many_neighbours_are_refused_before_anything_is_written(capsys):
    message = one_line_error(capsys, run(*PLAN, "--k", "150"))
    with pytest.raises(ValueError, match="k: from 1 to 149 expected") as expected:
        metrics(REAL, FAKE, 150)
    assert message == str(expected.value)
    assert not os.path.exists("run")


def test_errors_name_folders_and_files(capsys):
    for command in ("block", "finalize"):
        message = one_line_error(capsys, run(command, "nowhere"))
        assert message == "nowhere/plan.json: is not there; prfast plan makes it"
    run(*PLAN, "--which", "coverage")
    capsys.readouterr()
    message = one_line_error(capsys, run("finalize", "run"))
    assert message.startswith("run: blocks are missing, nearest-")
    assert message.endswith(" and 15 more; run prfast block again")
    assert one_line_error(capsys, run(*PLAN)).startswith("run: has a plan already")
    status = run("finalize", "run", "--json", "run/plan.json")
    assert one_line_error(capsys, status).startswith("run/plan.json: is an input")
    np.save("wide.npy", np.ones((9, 7)))
    status = run("plan", "new", "real.npy", "wide.npy")
    assert "real.npy and wide.npy: the same number of features" in one_line_error(capsys, status)
