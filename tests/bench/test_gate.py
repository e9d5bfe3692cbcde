"""The gate of the benchmarks: ratios that are slower than a stored result fail."""

import json

import pytest
from commands import bench, bench_apart

from bench.gate import compare
from bench.machine import processor
from bench.results import Figure

RATIO = "tied: prfast / np.sort"
PEER = "tied: roc_curve / prfast"


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Return a folder with the stored ratios of a tiny run of sweep, which `check` repeats."""
    folder = tmp_path_factory.mktemp("gate")
    done = bench_apart("sweep", "--tiny", "--results", folder)
    assert done.returncode == 0, done.stderr
    refused = bench("keep", "sweep", "--results", folder, "--kept", folder)
    assert refused.returncode == 2
    assert "is of a tiny run; run `python -m bench sweep` first" in refused.stderr
    change(folder / "sweep.json", lambda record: record["options"].update(tiny=False))
    done = bench("keep", "sweep", "--results", folder, "--kept", folder)
    assert done.returncode == 0, done.stderr
    path = folder / processor() / "sweep.json"
    assert str(path) in done.stdout
    change(path, lambda record: record["options"].update(tiny=True))
    return folder


def change(path, how):
    record = json.loads(path.read_text(encoding="utf-8"))
    how(record)
    path.write_text(json.dumps(record), encoding="utf-8")


def test_check_lists_slower_and_missing_ratios(kept):
    """One run of `check`, of a kept file with other quartiles."""
    quartiles = {
        RATIO: ([1e-6, 1e-5], "lower"),
        PEER: ([1e-6, 1e-3], "higher"),
        "another": ([1, 2], "lower"),
    }

    def replace_figures(record):
        record["figures"] = [
            {"name": name, "quartiles": values, "better": better}
            for name, (values, better) in quartiles.items()
        ]

    change(kept / processor() / "sweep.json", replace_figures)
    done = bench("check", "sweep", "--kept", kept, "--results", kept)
    assert done.returncode == 1, done.stderr
    assert "Worse by more than 10% beyond the quartiles of both:" in done.stdout
    names = tuple(f"sweep: {name}" for name in quartiles)
    slower, missing = (line for line in done.stdout.splitlines() if line.startswith(names))
    assert "1e-06 .. 1e-05" in slower
    assert missing.split()[-2:] == ["missing", "lower"]
    assert PEER not in done.stdout


@pytest.mark.parametrize(
    ("better", "now", "worse"),
    [
        ("lower", (2.3, 2.4), True),  # 2.3 > 1.1 · 2
        ("lower", (2.1, 2.4), False),  # within 10 %
        ("lower", (1.5, 9.0), False),  # the quartiles overlap
        ("lower", (0.1, 0.2), False),
        ("higher", (0.5, 0.9), True),  # 1.1 · 0.9 < 1
        ("higher", (0.5, 0.95), False),
        ("higher", (9.0, 9.5), False),
    ],
)
def test_worse_is_more_than_a_tenth_beyond_both_quartiles(better, now, worse):
    old = {"figures": [{"name": "a / b", "quartiles": [1.0, 2.0], "better": better}]}
    rows, skipped = compare(old, [Figure("a / b", sum(now) / 2, now)], images=True)
    assert bool(rows) is worse
    assert skipped == []
