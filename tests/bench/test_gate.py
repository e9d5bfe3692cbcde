"""The gate of the bench: ratios that were kept, and what it says when they got worse."""

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
    """A folder with the ratios of a tiny run of sweep, which `check` will run as tiny again."""
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


def check(folder, ratio, peer, name=RATIO, *more):
    """`check` of a kept file whose quartiles are doctored."""

    def doctored(record):
        record["figures"] = [
            {"name": name, "quartiles": ratio, "better": "lower"},
            {"name": PEER, "quartiles": peer, "better": "higher"},
        ]

    change(folder / processor() / "sweep.json", doctored)
    return bench("check", "sweep", "--kept", folder, "--results", folder)


def test_what_is_as_fast_as_it_was_passes(kept):
    done = check(kept, [1e-3, 1e6], [1e-6, 1e-3])
    assert done.returncode == 0, done.stderr
    assert done.stdout == "sweep: 2 ratios, 0 of them worse\n"


def test_what_is_slower_fails_and_is_shown(kept):
    done = check(kept, [1e-6, 1e-5], [1e-6, 1e-3])
    assert done.returncode == 1, done.stderr
    assert "Worse by more than 10% beyond the quartiles of both:" in done.stdout
    (row,) = [line for line in done.stdout.splitlines() if line.startswith(f"sweep: {RATIO}")]
    assert "1e-06 .. 1e-05" in row
    assert PEER not in done.stdout


def test_a_ratio_that_is_gone_fails(kept):
    done = check(kept, [1, 2], [1e-6, 1e-3], "another")
    assert done.returncode == 1
    (row,) = [line for line in done.stdout.splitlines() if line.startswith("sweep: another")]
    assert row.split()[-2:] == ["missing", "lower"]


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
