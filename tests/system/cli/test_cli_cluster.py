"""Files in pieces on workers: --cluster."""

import json
from pathlib import Path

import numpy as np
import pytest
from terminal import REAL, one_line_error, run

pytest.importorskip("distributed")
pytestmark = pytest.mark.nightly  # each starts a cluster


@pytest.fixture
def pieces(folder):
    """The real samples in files, of which real-10 comes after real-9."""
    for number, part in enumerate(np.split(REAL, [50, 120]), start=9):
        np.save(f"real-{number}.npy", part)


def test_metrics_and_curves_are_those_of_one_process(pieces):
    for command in (["metrics"], ["curve", "--method", "knn", "--k", "3"]):
        for real, more in (("real.npy", []), ("real-*.npy", ["--cluster", "local:1"])):
            assert run(*command, real, "fake.npy", "--json", f"{len(more)}.json", *more) == 0
        alone, clustered = (json.loads(Path(f"{name}.json").read_text()) for name in (0, 2))
        for key in ("curves", "metrics"):
            assert alone.get(key) == clustered.get(key)
        assert clustered["real"] == clustered["inputs"][0]["path"] == "real-*.npy"
        assert clustered["inputs"][0]["files"] == 3
        assert clustered["inputs"][0]["shape"] == alone["inputs"][0]["shape"]
        assert "blocks" in clustered["engines"]


def test_errors_name_the_pattern_and_the_file(pieces, capsys):
    rows = REAL[120:].copy()
    rows[7, 1] = np.nan
    np.save("real-11.npy", rows)
    status = run("metrics", "fake.npy", "real-*.npy", "--cluster", "local:1")
    assert one_line_error(capsys, status) == (
        "real-*.npy: fake: finite numbers expected, got nan in row 127, column 1, "
        f"row 7 of {Path('real-11.npy').absolute()}"
    )


def test_a_scheduler_that_does_not_answer_is_named(capsys):
    where = "tcp://127.0.0.1:1"
    status = run("curve", "real.npy", "fake.npy", "--cluster", where)
    assert one_line_error(capsys, status).startswith(f"{where}: no scheduler answers (")
