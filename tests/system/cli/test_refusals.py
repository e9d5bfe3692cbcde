"""Errors of the command line are one line, and nothing is written.

A row is a command and its message; "…" stands for any text.
"""

import os
import re

import numpy as np
import pytest
from terminal import FAKE, REAL, files, one_line_error, run

OF_REAL, OF_FAKE = np.arange(200) % 3, np.arange(150) % 2

REFUSED = """
curv real.npy fake.npy
    argument COMMAND: invalid choice: 'curv' (choose from 'curve', …
curve real.npy
    the following arguments are required: FAKE; files go before the options, or behind a --
curve none.npy fake.npy
    none.npy: No such file or directory
curve real.npy fake.txt
    fake.txt: a .npy, .npz, .h5, .safetensors, .pt, .csv or .parquet file expected
curve real.npy fake.npy --method knm
    argument --method: invalid choice: 'knm' …
curve real.npy fake.npy --method kmeans --option seed=1
    --option seed: not an option of method 'kmeans'…
curve real.npy fake.npy --method knn --ties open --option ties=closed
    --ties: once expected, got --option ties=closed too
curve real.npy fake.npy --seed -1
    --seed: an integer in [0, 2**32) expected, got -1
curve real.npy fake.npy --jobs 0
    --jobs: 1 or more, or -1 for every core, expected, got 0
curve real.npy fake.npy --json no/o.json
    no/o.json: no such folder, or not writable
curve real.npy fake.npy --plot o.xyz
    o.xyz: a file ending in one of …
curve real.npy fake.npy --json fake.npy
    fake.npy: is an input; choose another name for the output
metrics real.npy fake.npy --k 150
    --k: from 1 to 149 expected, the other points of fake, got 150
curve real.npy fake.npy --labels y_real.npy y_near.npy
    y_near.npy: labels: one label a sample, shape (150,), expected, got shape (100,)
curve real.npy fake.npy --labels y_real.npy y_fake.csv --plot o.png
    --plot: not with --labels
curve real.npy fake.npy --weights class
    --weights: tables expected, .csv or .parquet, got real.npy
metrics real.npy fake.npy --cluster local:0
    --cluster: tcp://HOST:PORT, local or local:WORKERS … got 'local:0'
profile real*.npy fake.npy
    real*.npy: a file expected, got a pattern: join the files with np.concatenate, or read shards …
metrics photos real.npy
    photos: a file expected, got a folder; prfast features photos -o FILE.npy makes a file of its…
curve real.npy fake.npy few.npy --method ipr --k 10 --json m.json
    few.npy: k: at most 1 expected for 'ipr' with 2 fake training samples, got 10
curve real_table.csv fake_table.csv --groups class --cluster local:2
    --groups: not with --cluster…
report real.npy fake.npy fake.npy -o r.html
    --names: names that differ expected…
curve real.npy fake.npy --labels y_real.npy y_text.npy
    y_real.npy and y_text.npy: labels of one kind expected, got integers and …
curve real.npy fake.npy --labels y_real.npy
    --labels: 2 files expected, of real samples and of each model, got 1
test real_table.csv fake_table.csv --weights a
    --weights: numbers >= 0 expected, got …
profile real.npy fake.npy --resolutions 0.2 0.2
    --resolutions: at least two different numbers expected, got 0.2 and 0.2
"""
ROWS = list(zip(*[iter(REFUSED.strip().splitlines())] * 2, strict=True))


@pytest.fixture
def labels():
    os.mkdir("photos")
    np.save("few.npy", FAKE[:4])
    np.save("y_real.npy", OF_REAL)
    np.savetxt("y_fake.csv", OF_FAKE, fmt="%d")
    np.save("y_near.npy", OF_FAKE[:100])
    np.save("y_text.npy", OF_FAKE.astype(str))
    for name, points, of in (("real", REAL, OF_REAL), ("fake", FAKE, OF_FAKE)):
        table = np.column_stack([of, points])
        np.savetxt(f"{name}_table.csv", table, delimiter=",", header="class,a,b,c", comments="")


@pytest.mark.parametrize(("command", "message"), ROWS)
def test_a_command_is_refused(capsys, labels, command, message):
    before = files()
    pattern = re.escape(message.strip()).replace("…", ".*")
    assert re.fullmatch(pattern, one_line_error(capsys, run(*command.split())))
    assert files() == before


def test_an_output_is_refused_where_it_is_an_input_by_another_name(capsys):
    os.symlink("fake.npy", "link.json")
    message = one_line_error(capsys, run("curve", "real.npy", "fake.npy", "--json", "link.json"))
    assert message == "link.json: is an input; choose another name for the output"
    os.rename("fake.npy", "a:b.npy")  # not a key of a file a
    message = one_line_error(capsys, run("curve", "real.npy", "a:b.npy", "--json", "a:b.npy"))
    assert message == "a:b.npy: is an input; choose another name for the output"
