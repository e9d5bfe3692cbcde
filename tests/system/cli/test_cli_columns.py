"""Tables with columns that are no features, on the command line."""

import json

import pytest
from terminal import FAKE, QUICK, REAL, run

from prfast import two_sample_test


@pytest.fixture
def tables():
    """Files .parquet and .csv with paths, classes and row numbers."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    for name, samples in (("real", REAL), ("fake", FAKE)):
        columns = {"path": [f"{i}.png" for i in range(len(samples))], "": range(len(samples))}
        columns |= {f"f{i}": samples[:, i] for i in range(3)} | {"label": [0] * len(samples)}
        table = pyarrow.table(columns)
        parquet.write_table(table, f"{name}.parquet")
        rows = zip(*columns.values(), strict=True)
        with open(f"{name}.csv", "w") as file:
            file.write(",".join(columns) + "\n")
            file.writelines(",".join(map(str, row)) + "\n" for row in rows)


@pytest.mark.parametrize(
    "options", [["--columns", "f*"], ["--drop", "path", "", "label"]], ids=["columns", "drop"]
)
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


def test_a_column_of_vectors_names_no_features(capsys):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    for name, samples in (("real", REAL), ("fake", FAKE)):
        vectors = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(samples.ravel()), 3)
        parquet.write_table(pyarrow.table({"v": vectors}), f"{name}.parquet")
    assert run("test", "real.parquet", "fake.parquet") == 0
    assert f"fake.parquet\n{two_sample_test(REAL, FAKE)}\n" == capsys.readouterr().out
