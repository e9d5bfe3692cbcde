"""Tables with columns that are no features, on the command line."""

import json
from pathlib import Path

import numpy as np
import pandas
import pytest
from helpers import unwrapped
from terminal import FAKE, QUICK, REAL, one_line_error, run

from prfast import by_class, metrics, pr_curve, profile, record, two_sample_test
from prfast.methods import KMeans


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


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["real.parquet", "fake.npy", "--columns", "f*"], "fake.npy: an array, whose columns have"),
        (["real.parquet", "fake.csv", "--columns", "g"], "real.parquet: no column 'g'; it has"),
        (
            ["real.parquet", "fake.npy"],
            "real.parquet: columns of numbers expected, got 'path' (str",
        ),
    ],
)
def test_columns_that_are_not_there_are_one_line(tables, capsys, arguments, expected):
    assert one_line_error(capsys, run("metrics", *arguments)).startswith(expected)


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


# ---- columns of weights and groups ---------------------------------------------------------------

WEIGHTS = np.exp(0.5 * REAL[:, 0])
GROUPS = np.arange(200) // 4, 50 + np.arange(150) // 3


def write(path, samples, **columns):
    table = np.column_stack([samples, *columns.values()])
    lines = [",".join(["a", "b", "c", *columns]), *(",".join(map(str, row)) for row in table)]
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")


@pytest.fixture
def designed():
    """Tables with a column of weights and of groups, and one with groups alone."""
    write("real_weighted.csv", REAL, w=WEIGHTS, clip=GROUPS[0])
    write("fake_grouped.csv", FAKE, clip=GROUPS[1])


KMEANS = KMeans(clusters=5, runs=2)
IN_FILES = [labels.astype(float).astype(str) for labels in GROUPS]  # as the files have them
RESULTS = {
    "curve": (QUICK, pr_curve, {"method": KMEANS}),
    "profile": (
        [*QUICK, "--resolutions", "0", "0.8"],
        profile,
        {"resolutions": [0, 0.8], "method": KMEANS},
    ),
    "test": ([], two_sample_test, {}),
}


@pytest.mark.parametrize("command", RESULTS)
def test_columns_of_weights_and_groups_are_no_features_and_the_call_repeats(
    designed, capsys, command
):
    arguments, function, options = RESULTS[command]
    call = [command, "real_weighted.csv", "fake_grouped.csv", *arguments]
    call += ["--weights", "w", "none", "--groups", "clip", "--json", "out.json"]
    assert run(*call) == 0
    names = pandas.DataFrame(REAL, columns=[*"abc"]), pandas.DataFrame(FAKE, columns=[*"abc"])
    expected = function(*names, w_real=WEIGHTS, groups=IN_FILES, **options)
    assert capsys.readouterr().out == f"fake_grouped.csv\n{expected}\n"
    (entry,) = json.loads(Path("out.json").read_text())[f"{command}s"]
    assert entry == entry | record(expected)[f"{command}s"][0]
    assert run("rerun", "out.json") == 0
    assert "all the same" in capsys.readouterr().out


def test_one_set_alone_may_have_groups(capsys):
    write("real_grouped.csv", REAL, clip=GROUPS[0])
    np.savetxt("fake_plain.csv", FAKE, delimiter=",", header="a,b,c", comments="")
    call = ["test", "real_grouped.csv", "fake_plain.csv", "--groups", "clip", "none"]
    assert run(*call, "--json", "out.json") == 0
    assert "each generated one is by itself" in unwrapped(capsys.readouterr().out)
    (entry,) = json.loads(Path("out.json").read_text())["tests"]
    groups = IN_FILES[0], None
    assert entry["p_value"] == two_sample_test(REAL, FAKE, groups=groups).p_value
    assert run("rerun", "out.json") == 0


def test_classes_have_the_weights_of_a_column(capsys):
    kinds = np.arange(200) % 2, np.arange(150) % 2
    weights = WEIGHTS * (np.arange(200) % 5 > 0)
    write("real_weighted.csv", REAL, w=weights, kind=kinds[0])
    write("fake_classes.csv", FAKE, kind=kinds[1])
    call = ["curve", "real_weighted.csv", "fake_classes.csv", "--weights", "w", "none"]
    assert run(*call, "--group-by", "kind", "--json", "-") == 0
    (entry,) = json.loads(capsys.readouterr().out)["classes"]
    expected = by_class(REAL, FAKE, *kinds, w_real=weights)
    assert [x["real"] for x in entry["shares"]] == [x.real for x in expected.changes]
    assert expected.changes[0].real == pytest.approx(weights[::2].sum() / weights.sum())


def test_metrics_are_weighted_by_a_column(capsys):
    write("real_weighted.csv", REAL, w=WEIGHTS)
    np.savetxt("fake_plain.csv", FAKE, delimiter=",", header="a,b,c", comments="")
    call = ["metrics", "real_weighted.csv", "fake_plain.csv", "--weights", "w", "none"]
    assert run(*call, "--json", "-") == 0
    (entry,) = json.loads(capsys.readouterr().out)["metrics"]
    expected = metrics(REAL, FAKE, w_real=WEIGHTS)
    assert {name: entry[name] for name in expected} == dict(expected)
    assert entry["info"]["effective_size"] == expected.info["effective_size"]
    assert expected.info["effective_size"][0] < 200
