"""Tables with columns that are no features, on the command line."""

import json

import numpy as np
import pytest
from terminal import FAKE, QUICK, REAL, one_line_error, run

from prfast import two_sample_test


@pytest.fixture
def tables():
    """real.parquet, fake.arrow and fake.csv with paths, classes and row numbers."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    for name, samples in (("real", REAL), ("fake", FAKE)):
        columns = {"path": [f"{i}.png" for i in range(len(samples))], "": range(len(samples))}
        columns |= {f"f{i}": samples[:, i] for i in range(3)} | {"label": [0] * len(samples)}
        table = pyarrow.table(columns)
        parquet.write_table(table, f"{name}.parquet")
        with pyarrow.ipc.new_file(f"{name}.arrow", table.schema) as file:
            file.write_table(table)
        rows = zip(*columns.values(), strict=True)
        with open(f"{name}.csv", "w") as file:
            file.write(",".join(columns) + "\n")
            file.writelines(",".join(map(str, row)) + "\n" for row in rows)


CHOSEN = pytest.mark.parametrize(
    "options", [["--columns", "f*"], ["--drop", "path", "", "label"]], ids=["columns", "drop"]
)


@CHOSEN
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_numbers_are_those_of_the_arrays(tables, capsys, options, kind):
    result = []
    for files in (["real.npy", "fake.npy"], [f"real.{kind}", f"fake.{kind}", *options]):
        assert run("curve", *files, *QUICK, "--json", "-") == 0
        (curve,) = json.loads(capsys.readouterr().out)["curves"]
        assert run("metrics", *files, "--json", "-") == 0
        (values,) = json.loads(capsys.readouterr().out)["metrics"]
        result.append([{**record, "fake": None} for record in (curve, values)])
    assert result[0] == result[1]


def test_columns_of_files_are_matched_by_name(capsys):
    for name, samples, order in (("a", REAL, [0, 1, 2]), ("b", FAKE, [2, 0, 1])):
        head = ",".join(f"f{i}" for i in order)
        np.savetxt(f"{name}.csv", samples[:, order], "%.17g", ",", header=head, comments="")
    np.savetxt("c.csv", FAKE, delimiter=",", header="f0,f1,f3", comments="")
    result = []
    for files in (
        ["a.csv", "b.csv"],
        ["a.csv", "b.csv", "--columns", "f*"],
        ["real.npy", "fake.npy"],
    ):
        assert run("metrics", *files, "--json", "-") == 0
        result += json.loads(capsys.readouterr().out)["metrics"]
    assert all({**record, "fake": None} == {**result[2], "fake": None} for record in result)
    message = one_line_error(capsys, run("metrics", "a.csv", "b.csv", "c.csv"))
    assert message.startswith("c.csv: real and fake: the same columns expected, got 'f3' only in")


def test_a_column_of_vectors_names_no_features(capsys):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    for name, samples in (("real", REAL), ("fake", FAKE)):
        vectors = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(samples.ravel()), 3)
        parquet.write_table(pyarrow.table({"v": vectors}), f"{name}.parquet")
    assert run("test", "real.parquet", "fake.parquet") == 0
    assert f"fake.parquet\n{two_sample_test(REAL, FAKE)}\n" == capsys.readouterr().out
