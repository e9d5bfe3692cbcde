"""The bench: every case runs at a tiny size through its command, and has its place on the page."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bench.__main__ import find_cases

ROOT = Path(__file__).parents[2]
CASES = find_cases()
# Options of a tiny run; DATA is a file of features.
DATA = object()
OPTIONS = {
    "growth": ["--large", "--kinds", "isotropic"],
    "auto": ["--families", "shift-1,unequal-sizes", "--methods", "ipr,oracle"],
    "blind": ["--data", DATA],
    "cifar_classes": ["--data", DATA],
    "class_scores": ["--data", DATA],
    "clusters_content": ["--data", DATA],
    "equal_distance": ["--data", DATA],
    "inside_class": ["--data", DATA],
    "nearest": ["--kinds", "images", "--data", DATA],
    "metrics": ["--kinds", "isotropic"],
    "counting": ["--kinds", "isotropic", "--isas", "base"],
    "curves": ["--kinds", "relu"],
    "evaluator": ["--kinds", "images", "--data", DATA],
    "situations": ["--sets", "images,digits", "--data", DATA],
    "order": ["--sets", "images", "--damages", "noise,junk", "--data", DATA],
}
PEERS = {
    "metrics": "prdc",
    "nearest": "faiss",
}


def bench(*arguments):
    command = [sys.executable, "-W", "error", "-m", "bench", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")


def write_features(path):
    """Nine classes of 40, far apart, as float16: what the cases of images read."""
    labels = np.repeat(np.arange(9, dtype=np.int8), 40)
    noise = np.random.default_rng(0).standard_normal((labels.size, 16))
    np.savez(path, features=(8 * np.eye(9, 16)[labels] + noise).astype(np.float16), labels=labels)


@pytest.mark.nightly
@pytest.mark.parametrize("case", CASES)
def test_every_case_runs(case, tmp_path):
    more = OPTIONS.get(case, [])
    if case in PEERS:
        pytest.importorskip(PEERS[case], reason=f"the case {case} needs {PEERS[case]}")
    if DATA in more:
        write_features(tmp_path / "features.npz")
        more = [tmp_path / "features.npz" if x is DATA else x for x in more]
    done = bench(case, "--tiny", "--results", tmp_path, *more)
    assert done.returncode == 0, done.stderr
    record = json.loads((tmp_path / f"{case}.json").read_text(encoding="utf-8"))
    assert record["case"] == case
    assert record["figures"]
    assert "NO" not in done.stdout.split()  # tiny sizes are not judged


@pytest.mark.nightly
def test_a_missing_data_file_is_named(tmp_path):
    done = bench("cifar_classes", "--data", tmp_path / "none.npz", "--results", tmp_path)
    assert done.returncode != 0
    assert "none.npz; say --data FILE.npz" in done.stderr
    assert "Traceback" not in done.stderr


def test_every_case_that_a_page_quotes_exists_and_every_table_has_its_place():
    from bench.report import TABLES, fill

    assert {row.case for table in TABLES.values() for row in table.rows} <= set(CASES)
    for name, table in TABLES.items():
        fill((ROOT / "docs" / table.page).read_text(encoding="utf-8"), name, "")


def test_a_table_quotes_its_records_and_names_the_commands_that_make_them(tmp_path):
    from bench.report import Row, Table, commands, render

    figures = [
        {"name": "d=8: ours", "value": 1.234, "quartiles": [1.2, 1.3]},
        {"name": "area", "value": 0.5, "quartiles": None},
    ]
    place = {"cpu": "A", "cores": 2, "python": "3.12", "versions": {"numpy": "2"}}
    place |= {"processor": "a-avx512_vnni", "variables": {}}
    environment = place | {"date": "2026-01-02T03:04"}
    record = {"options": {}, "environment": environment, "figures": figures, "measured": {}}
    (tmp_path / "sweep.json").write_text(json.dumps(record), encoding="utf-8")
    rows = (
        Row("speed", "sweep", "{d=8: ours|quartiles} ×", "--data FILE.npz"),
        Row("area", "sweep", "{area|.2f}"),
    )
    assert render(Table("x.md", ("what", "measured"), rows), tmp_path) == (
        "| what | measured | command |\n| --- | --- | --- |\n"
        "| speed | 1.23 (1.2 to 1.3) × | `python -m bench sweep --data FILE.npz` |\n"
        "| area | 0.50 | `python -m bench sweep` |\n\n"
        "2026-01-02, A, 2 cores, Python 3.12, numpy 2.\n"
    )
    page = render(Table("x.md", ("what", "measured"), rows[1:]), tmp_path)
    assert page.endswith("| area | 0.50 |\n\n`python -m bench sweep`; 2026-01-02, A, 2 cores, "
                        "Python 3.12, numpy 2.\n")  # fmt: skip
    kinds = Table("x.md", ("what",), rows[1:], ("AVX2", "AVX-512 VNNI"))
    assert "| area | – | 0.50 |\n" in render(kinds, tmp_path)
    environment["variables"]["PRFAST_ISA"] = "avx2"
    (tmp_path / "sweep.json").write_text(json.dumps(record), encoding="utf-8")
    page = render(kinds, tmp_path)
    assert "| area | 0.50 | – |\n" in page
    assert "AVX2: `python -m bench sweep`; 2026-01-02, A with PRFAST_ISA=avx2, 2 cores" in page
    tables = [Table("x.md", ("what", "measured"), rows)]
    assert commands(tables, Path("f.npz")) == [["sweep", "--data", "f.npz"]]
    twice = Table("y.md", ("what", "measured"), (Row("area", "sweep", "{area}", "--tiny"),))
    with pytest.raises(ValueError, match="sweep: one record expected"):
        commands([*tables, twice], Path("f.npz"))
