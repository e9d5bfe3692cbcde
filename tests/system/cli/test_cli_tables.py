"""prfast tables: files of data frames to a table, a report and JSON."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers import check_record
from refusals import rows
from terminal import one_line_error, run

import prfast
from bench.tables.attribution import shifted, table
from prfast.files.tables import load_frames

RNG = np.random.default_rng(0)
REAL, OTHER, HELD = (table(n, RNG) for n in (160, 150, 80))
QUICK = ["--resolutions", "none"]


@pytest.fixture(autouse=True)
def written(folder):
    REAL.to_csv("real.csv", index=False)
    OTHER.to_csv("a.csv", index=False)
    shifted(OTHER, "visits", RNG).to_parquet("b.parquet", index=False)
    HELD.to_csv("test.csv", index=False)


def test_it_prints_what_python_prints(capsys):
    files = ["real.csv", "a.csv", "b.parquet"]
    assert run("tables", *files, *QUICK, "--held-out", "test.csv") == 0
    printed = capsys.readouterr()
    real, a, b, held_out = load_frames([*files, "test.csv"])
    result = prfast.compare_tables(real, {"a.csv": a, "b.parquet": b}, held_out, resolutions=None)
    assert printed.out == f"{result}\n"
    assert printed.err == ""


def test_a_column_that_is_empty_in_all_files_is_left_out(capsys):
    empty = REAL[["visits", "weight"]].assign(note=None)
    empty.to_csv("empty.csv", index=False)
    empty.to_parquet("empty.parquet", index=False)
    assert run("tables", "empty.csv", "empty.parquet", *QUICK) == 0
    assert "Left out, as they do not vary: 'note'." in capsys.readouterr().out


def test_all_outputs_and_a_record_that_rerun_repeats(capsys):
    pytest.importorskip("jinja2")
    outputs = ["--report", "o.html", "--json", "o.json"]
    names = ["--names", "A", "--drop", "since", "--categories", "points"]
    files = ["real.csv", "a.csv", "--held-out", "test.csv"]
    assert run("tables", *files, *QUICK, *outputs, *names) == 0
    record = json.loads(Path("o.json").read_text())
    check_record(record)
    assert [file["role"] for file in record["inputs"]] == ["real", "held_out", "fake"]
    assert [table["name"] for table in record["tables"]] == ["held-out rows", "A"]
    columns = {name for column in record["tables"][1]["columns"] for name in column["columns"]}
    assert "since" not in columns
    capsys.readouterr()
    Path("o.html").unlink()
    assert run("rerun", "o.json") == 0
    assert "all the same" in capsys.readouterr().out
    assert not Path("o.html").exists()


def test_columns_of_csv_files_have_one_type_in_all_of_them():
    """Codes that are numbers in one file and text in another are text in both."""
    left = pd.DataFrame({"code": ["1", "A2", "B3"] * 20, "zip": ["123"] * 60, "n": [1, 2, 3] * 20})
    right = pd.DataFrame({"code": ["1", "22"] * 20, "zip": ["012"] * 40, "n": [1.5, None] * 20})
    left.to_csv("real.csv", index=False)
    right.to_csv("a.csv", index=False)
    real, fake = load_frames(["real.csv", "a.csv"])
    assert fake["code"].to_pylist()[:2] == ["1", "22"]
    assert (real["zip"][0].as_py(), fake["zip"][0].as_py()) == ("123", "012")
    assert fake["n"].to_pylist()[:2] == [1.5, None]
    assert str(real.schema.field("n").type) == "int64"


def write(name, text):
    Path(name).write_text(text)


REFUSED = """
fake.npy
    fake.npy: a .csv or .parquet file expected
semicolons.csv
    semicolons.csv: commas between columns expected, got semicolons
index.csv
    index.csv: a name of the first column expected, got none, as of row numbers
latin.csv
    latin.csv: text in UTF-8 expected
text.csv
    text.csv: numbers expected in the column 'size', as in real.csv, got '
a.csv --drop sise
    --drop: names of columns expected, got 'sise'; did you mean 'size'?
text.parquet
    real['size'] and models['text.parquet']['size']: one kind of column expected
"""


@pytest.mark.parametrize(("files", "message"), rows(REFUSED))
def test_files_that_are_refused(capsys, files, message):
    write("semicolons.csv", "a;b\n1;2\n")
    write("index.csv", ",a\n0,1\n1,2\n")
    few = REAL["size"].astype(object).where(np.arange(160) > 2, "unknown")
    write("text.csv", REAL.assign(size=few).to_csv(index=False))
    Path("latin.csv").write_bytes("size\nMünchen\n".encode("latin-1"))
    REAL.assign(size="large").to_parquet("text.parquet", index=False)
    status = run("tables", "real.csv", *files.split(), *QUICK)
    assert one_line_error(capsys, status).startswith(message)
