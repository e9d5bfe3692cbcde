"""The bench: every case runs at a tiny size through its command; measurements are right."""

import json
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from commands import ROOT, bench, bench_apart, write_features

from bench.__main__ import find_cases
from bench.papers import cifar_classes

CASES = find_cases()
# The papers' experiments, which draw a figure and end with a verdict.
REPRODUCTIONS = [
    "adaptation", "bands", "choose_k", "cifar_classes", "class_scores", "clusters_content",
    "convergence", "digit_classes", "dimension", "equal", "equal_distance", "f_scores",
    "inside_class", "linear_classifiers", "many_classes", "many_settings", "mixtures",
    "outlier", "shifted", "step", "table1", "text_topics", "trained", "variability",
]  # fmt: skip
# Options of a tiny run; DATA is a file of features.
DATA = object()
OPTIONS = {
    "growth": ["--large", "--kinds", "tails"],
    "auto": ["--families", "shift-1,unequal-sizes", "--methods", "ipr,oracle"],
    "auto_cost": ["--method", "ipr", "--large"],
    "blind": ["--data", DATA],
    "cifar_classes": ["--data", DATA],
    "class_scores": ["--data", DATA],
    "clusters_content": ["--data", DATA],
    "equal_distance": ["--data", DATA],
    "inside_class": ["--data", DATA],
    "many_settings": ["--data", DATA],
    "linear_classifiers": ["--data", DATA],
    "nearest": ["--kinds", "images", "--data", DATA],
    "metrics": ["--kinds", "tails", "--isas", "base"],
    "counting": ["--kinds", "isotropic", "--isas", "base"],
    "curves": ["--kinds", "relu", "--isas", "base"],
    "within": ["--kinds", "isotropic", "--isas", "base"],
    "evaluator": ["--kinds", "images", "--data", DATA],
    "situations": ["--sets", "images,digits", "--data", DATA],
    "order": ["--sets", "images", "--damages", "noise,junk", "--data", DATA],
    "invariances": ["--families", "normal"],
}
# Of digits, which scikit-learn has, and of images in a file.
OF_DIGITS_TOO = [
    "class_scores", "clusters_content", "equal_distance", "inside_class", "many_settings",
]  # fmt: skip
# Cases that report which level of the filter decided how many pairs.
LEVELS = ["counting", "curves", "evaluator", "growth", "metrics", "million", "nearest", "within"]
# Measured by one call: what --large adds, and a million.
SINGLE = ("tails, d=8, n=400", "n=400", "d=4")
PEERS = {
    "metrics": "prdc",
    "nearest": "faiss",
    "approximate": "pynndescent",
    "torch_peers": "torch_fidelity",
    "trained": "torch",
}


@pytest.mark.nightly
@pytest.mark.parametrize("case", CASES)
def test_every_case_runs(case, tmp_path):
    more = OPTIONS.get(case, [])
    if case in PEERS:
        pytest.importorskip(PEERS[case], reason=f"the case {case} needs {PEERS[case]}")
    if DATA in more:
        write_features(tmp_path / "features.npz")
        more = [tmp_path / "features.npz" if one is DATA else one for one in more]
    done = bench(case, "--tiny", "--results", tmp_path, *more)
    assert done.returncode == 0, done.stderr
    record = json.loads((tmp_path / f"{case}.json").read_text(encoding="utf-8"))
    assert record["case"] == case
    assert record["environment"]["versions"].keys() >= {"numpy", "scikit-learn", "prfast"}
    assert record["figures"]
    assert "NO" not in done.stdout.split()  # tiny sizes are not judged
    if case in REPRODUCTIONS:
        assert (tmp_path / f"{case}.png").read_bytes().startswith(b"\x89PNG")
        assert record["numbers"]
        assert record["notes"][-1].startswith("Found: ")
    elif case == "auto":
        assert len(record["numbers"]) == 4
    else:
        if case == "modes":
            assert (tmp_path / "modes.png").read_bytes().startswith(b"\x89PNG")
        said = [note for note in record["notes"] if " decided by " in note]
        assert bool(said) is (case in LEVELS)
        turns = {name: len(one["seconds"]) for name, one in record["measured"].items()}
        assert {n for name, n in turns.items() if name in SINGLE} <= {1}
        assert {n for name, n in turns.items() if name not in SINGLE} <= {2}


@pytest.mark.nightly
@pytest.mark.parametrize("case", OF_DIGITS_TOO)
def test_without_data_the_half_that_needs_none_is_run(case, tmp_path, monkeypatch):
    monkeypatch.setattr(cifar_classes, "DATA", tmp_path / "none.npz")
    done = bench(case, "--tiny", "--results", tmp_path)
    assert done.returncode == 0, done.stderr
    record = json.loads((tmp_path / f"{case}.json").read_text(encoding="utf-8"))
    assert {row["images"] for row in record["numbers"]} == {"digits"}
    assert "CIFAR-10: left out; say --data FILE.npz" in record["notes"]
    assert not any("CIFAR" in figure["name"] for figure in record["figures"])
    assert (tmp_path / f"{case}.png").read_bytes().startswith(b"\x89PNG")


def test_a_missing_data_file_is_named(tmp_path):
    done = bench_apart("cifar_classes", "--data", tmp_path / "none.npz", "--results", tmp_path)
    assert done.returncode != 0
    assert "none.npz; say --data FILE.npz" in done.stderr
    assert "Traceback" not in done.stderr


# ---- measuring -----------------------------------------------------------------------------------

SIZE = 20_000_000  # bytes; so small that malloc keeps it when it is freed


def allocate_again():
    """A call that touches SIZE bytes, after a setup that touched and freed three times as many."""
    [np.ones(SIZE, np.uint8) for _ in range(3)]
    return lambda: np.ones(SIZE, np.uint8)


def test_peak_memory_is_that_of_the_call():
    from bench.contender import Contender
    from bench.measure import side_by_side

    peak = side_by_side({"a": Contender(allocate_again)}, 2)["a"].peak_bytes
    if peak is None:
        pytest.skip("no peak memory on this system")
    assert SIZE * 0.98 <= peak < SIZE * 1.2  # the kernel counts pages in batches


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8])
def test_each_contender_comes_after_each_other_as_often_within_whole_rounds(n):
    from bench.measure import order_of

    turns = n * (1 + n % 2)
    orders = [order_of("ABCDEFGH"[:n], turn) for turn in range(turns)]
    assert all(sorted(one) == list("ABCDEFGH"[:n]) for one in orders)
    after = Counter(pair for one in orders for pair in pairwise(one))
    assert len(after) == n * (n - 1)
    assert set(after.values()) == {turns // n}


def test_a_ratio_is_taken_turn_by_turn():
    from bench.measure import Measured, ratio

    over, under = (
        Measured(s, s, 1, 1, None, None, None) for s in ([2.0, 3.0, 40.0], [1.0, 6.0, 10.0])
    )
    assert ratio(over, under) == (2.0, 1.25, 3.0)  # of 2, ½, 4; the ratio of medians is ½


# ---- the tables of the page ----------------------------------------------------------------------


def test_every_case_that_the_page_quotes_exists_and_every_table_has_its_place():
    from bench.published import TABLES
    from bench.report import fill

    assert {row.case for table in TABLES.values() for row in table.rows} <= set(CASES)
    fill((ROOT / "docs" / "measured.md").read_text(encoding="utf-8"), dict.fromkeys(TABLES, ""))
