"""prfast metrics: a block a k, the JSON, files behind an option of several values."""

import json

from terminal import FAKE, REAL, other_notes, run

import prfast
from prfast.methods import Noise


def test_metrics_prints_a_block_a_k_and_what_all_agree_on(capsys):
    arguments = ["--k", "3", "5", "--which", "recall", "density", "--ties", "open"]
    assert run("metrics", "real.npy", "fake.npy", "more.npz:near", *arguments) == 0
    printed = capsys.readouterr()
    assert other_notes(printed.err) == []
    lines = printed.out.splitlines()
    for first, k in ((0, 3), (4, 5)):
        result = [
            prfast.metrics(REAL, fake, k, ("recall", "density"), ties="open")
            for fake in (FAKE, FAKE[:100])
        ]
        assert lines[first].split() == ["k", "=", str(k), "fake.npy", "more.npz:near"]
        for line, name in zip(lines[first + 1 : first + 3], ("recall", "density"), strict=True):
            assert line.split() == [name, *(f"{one[name]:.4f}" for one in result)]
    assert lines[-1].startswith("ties open, cover_k 3, ")
    assert "n_fake" not in lines[-1]  # the files differ
    assert len({len(line) for line in lines[:3]}) == 1


def test_a_resolution_and_categories_smooth_both_sets(capsys):
    arguments = ["--resolution", "0.5", "--noise", "common", "--categories", "0", "1+2"]
    assert run("metrics", "real.npy", "fake.npy", "--seed", "3", "--json", "-", *arguments) == 0
    (record,) = json.loads(capsys.readouterr().out)["metrics"]
    noise = Noise("common", categories=[0, (1, 2)])
    expected = prfast.metrics(REAL, FAKE, resolution=0.5, noise=noise, random_state=3)
    assert record["precision"] == expected.precision != prfast.metrics(REAL, FAKE).precision
    assert record["info"] == dict(expected.info)


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
