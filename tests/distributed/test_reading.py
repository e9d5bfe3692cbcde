"""Sets in pieces as arguments: what is known of them, and the errors of one process."""

import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from refusals import refused
from shards import sharded
from written import write

import prfast
from prfast.distributed.partitions import Here
from prfast.distributed.reading import hold, read_cluster, read_pair, read_samples
from prfast.files.write import write_record
from prfast.inputs import arrays

ROWS = np.random.default_rng(0).normal(size=(50, 3)).astype(np.float32)
HERE = Here()


def cut(folder, rows, kind="npy", name="real"):
    return prfast.distributed.shards(write(folder, name, rows, kind, (20, 21)), rows=8)


def with_values(**values):
    """ROWS with numbers elsewhere: r45c2=np.nan."""
    rows = ROWS.copy()
    for where, value in values.items():
        row, column = re.fullmatch(r"r(\d+)c(\d+)", where).groups()
        rows[int(row), int(column)] = value
    return rows


def test_a_look_tells_what_one_process_would_see(tmp_path):
    rows = with_values(r3c0=0, r40c1=-100, r49c2=1e-6)
    found = read_samples("real", cut(tmp_path, rows), HERE)
    assert (found.shape, found.dtype) == ((50, 3), np.float32)
    assert (found.largest, found.smallest) == (100, np.float32(1e-6))
    assert found.lengths.tolist() == [8, 8, 4, 1, 8, 8, 8, 5]
    assert np.array_equal(found.span(0, 50).load(), rows)


def test_a_set_that_has_been_looked_at_stays_what_it_is():
    set_ = sharded(ROWS, (20,))
    assert read_samples("real", set_) is set_
    with refused(ValueError, "real: at least 51 samples expected, got 50"):
        read_samples("real", set_, at_least=51)


@pytest.mark.parametrize(
    "values",
    [
        {"r45c2": np.nan},
        {"r45c2": -np.inf, "r22c1": np.inf},
        {"r20c0": np.nan, "r20c1": np.inf},
        {"r0c0": np.nan},
    ],
)
@pytest.mark.parametrize("name", ["real", "fake"])
def test_the_row_of_an_error_is_that_of_the_whole_set(values, name, tmp_path):
    rows = with_values(**values)
    with pytest.raises(ValueError, match="finite numbers expected") as error:
        arrays.read_samples(name, rows)
    with refused(ValueError, str(error.value)):
        read_samples(name, cut(tmp_path, rows), HERE)


def test_a_table_is_read_column_by_column(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    counts = np.arange(50).astype(object)
    columns = {"c0": ROWS[:, 0].copy(), "c1": counts.copy(), "c2": counts.copy()}
    columns["c1"][44] = columns["c2"][3] = columns["c2"][2] = None
    columns["c0"][0] = float("nan")
    table = pyarrow.table({name: pyarrow.array(list(c)) for name, c in columns.items()})
    parquet.write_table(table, tmp_path / "a.parquet", row_group_size=7)
    message = "real['c1']: no missing value expected, got one in row 44"
    with refused(ValueError, message):
        arrays.read_samples("real", table)
    with refused(ValueError, message):
        read_samples("real", prfast.distributed.shards(tmp_path / "a.parquet", rows=7), HERE)


def test_integers_that_are_not_exact(tmp_path):
    rows = np.zeros((50, 2), np.int64)
    rows[30, 1] = 2**53 + 1
    with refused(TypeError, "real: integers beyond 2**53 are not exact in float64"):
        read_samples("real", cut(tmp_path, rows), HERE)


@pytest.mark.parametrize(
    "rows",
    [ROWS[:, 0], ROWS.reshape(5, 5, 2, 3), ROWS[:, :0], ROWS[:0]],
    ids=lambda r: str(r.shape),
)
def test_shapes_that_are_no_set_of_samples(rows, tmp_path):
    np.save(tmp_path / "a.npy", rows)
    with pytest.raises(ValueError, match="expected, got") as error:
        arrays.read_samples("real", rows)
    with refused(ValueError, str(error.value)):
        read_samples("real", prfast.distributed.shards(tmp_path / "a.npy"), HERE)


def test_no_numbers(tmp_path):
    np.save(tmp_path / "a.npy", np.array([["a", "b"]]))
    with refused(
        TypeError, "real: float32, float64, float16, integer or boolean numbers expected, "
    ):
        read_samples("real", prfast.distributed.shards(tmp_path / "a.npy"), HERE)


def test_tables_of_several_dtypes(tmp_path):
    parts = ROWS[:20], ROWS[20:].astype(np.float64)
    paths = [write(tmp_path, f"part{i}", part, "parquet") for i, part in enumerate(parts)]
    files = [path.replace("*", "9") for path in paths]
    with refused(ValueError, "real: pieces of one dtype expected, got float32 and float64"):
        read_samples("real", prfast.distributed.shards(files), HERE)


def test_sets_of_different_widths(tmp_path):
    real, fake = cut(tmp_path, ROWS), cut(tmp_path, ROWS[:, :2], name="fake")
    message = "real and fake: the same number of features expected, got 3 and 2"
    with refused(ValueError, message):
        read_pair(real, fake, HERE)
    with refused(ValueError, message):
        arrays.read_other("fake", fake, read_samples("real", real, HERE))


def test_both_in_pieces_or_both_arrays(tmp_path):
    pieces = cut(tmp_path, ROWS)
    for name, real, fake in (("fake", pieces, ROWS), ("real", ROWS, pieces)):
        message = f"{name}: shards or a dask array expected, got a numpy.ndarray; numpy.save and "
        with refused(TypeError, message):
            read_pair(real, fake, HERE)
    with refused(TypeError, "fake: shards or a dask array expected, got a numpy.ndarray; "):
        arrays.read_other("fake", ROWS, read_samples("real", pieces, HERE))
    message = "fake: an array expected, got a prfast.distributed.shards.Shards; prfast.distributed."
    with refused(TypeError, message):
        arrays.read_other("fake", pieces, ROWS)


class Half:
    """Some of what a cluster is."""

    threads = 1

    def submit(self, function, *args):
        return function(*args)

    def gather(self, handles):
        return list(handles)

    def persist(self, handles):
        pass

    def cancel(self, handles):
        pass


def test_a_cluster_has_all_its_members():
    message = (
        "client: a distributed.Client, or an object with the members of "
        "prfast.distributed.partitions.Cluster, expected, got a "
    )
    with refused(TypeError, f"{message}test_reading.Half without room, memory"):
        read_cluster(Half())
    whole = Half()
    whole.room = whole.memory = None
    assert read_cluster(whole) is whole


def test_rows_that_are_not_numbers_are_not_kept():
    held = hold("real", with_values(r1c1=np.nan))
    assert held.rows is None
    assert str(held.look.wrong) == "real: finite numbers expected, got nan in row 1, column 1"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda x: prfast.distributed.pr_curve(x, x, "kmeans", client=HERE),
            "method: one of 'auto', 'knn', 'ipr', 'parzen', 'coverage' expected for samples in "
            "pieces, got 'kmeans'",
        ),
        (
            lambda x: prfast.distributed.pr_curve(x, x, len, client=HERE),
            "method: one of 'auto', 'knn', 'ipr', 'parzen', 'coverage' expected for samples in "
            "pieces, got 'len'",
        ),
        (
            lambda x: prfast.distributed.metrics(x, x, backend="approximate", client=HERE),
            "backend: 'auto', 'exact', 'tree' expected for samples in pieces, got 'approximate'",
        ),
        (
            lambda x: prfast.distributed.by_class(
                x, x, [0] * 50, [0] * 50, neighbors="class", client=HERE
            ),
            "neighbors: 'all' expected for samples in pieces, got 'class'",
        ),
        (
            lambda x: prfast.distributed.Evaluator(x, ["knn", "kmeans"], client=HERE),
            "methods: one of 'auto', 'knn', 'ipr', 'parzen', 'coverage' expected for samples in "
            "pieces, got 'kmeans'",
        ),
        (
            lambda x: prfast.distributed.metrics(
                x, x, which=("recall", "authenticity"), client=HERE
            ),
            "which: other metrics expected for samples in pieces, got authenticity",
        ),
    ],
)
def test_what_is_not_done_in_pieces(call, message, tmp_path):
    with refused(ValueError, message):
        call(cut(tmp_path, ROWS))


def test_an_evaluator_of_pieces_takes_pieces(tmp_path):
    pieces = cut(tmp_path, ROWS)
    evaluator = prfast.distributed.Evaluator(pieces, "knn", 3, client=HERE)
    message = "a reference that is an array expected, got pieces; "
    with refused(TypeError, f"update: {message}evaluate takes all samples of a model"):
        evaluator.update(ROWS)
    with refused(TypeError, f"pickle: {message}its pieces stay where they are"):
        pickle.dumps(evaluator)
    with refused(TypeError, f"merge: {message}it has no batches"):
        evaluator.merge(evaluator)
    for call in (evaluator.state_dict, lambda: evaluator.load_state_dict({})):
        with pytest.raises(TypeError, match="state_dict: a reference that is an array expected"):
            call()
    with refused(TypeError, "fake: shards or a dask array expected"):
        evaluator.evaluate(ROWS)


def test_evaluations_are_paired_if_their_references_are_the_same_pieces(tmp_path):
    def scores(rows, name):
        evaluator = prfast.distributed.Evaluator(
            cut(tmp_path, rows, name=name), "knn", 3, client=HERE
        )
        return evaluator.evaluate(cut(tmp_path, ROWS + 1, name="fake")).scores["knn", 3]

    first = scores(ROWS, "one")
    assert scores(ROWS, "two").shares_real(first)
    assert not scores(with_values(r45c2=9), "three").shares_real(first)
    assert not scores(ROWS[::-1], "four").shares_real(first)


def test_columns_of_pieces_are_matched_by_name(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")

    def pieces(names, rows=ROWS):
        table = pyarrow.table({name: rows[:, "abcd".index(name) % 3] for name in names})
        parquet.write_table(table, tmp_path / f"{names}.parquet", row_group_size=20)
        return prfast.distributed.shards(tmp_path / f"{names}.parquet", rows=20)

    real, fake, other = pieces("abc"), pieces("cab", ROWS[:30] + 1), pieces("abd")
    expected = prfast.metrics(ROWS, ROWS[:30] + 1)
    assert prfast.distributed.metrics(real, fake, client=HERE) == expected
    evaluator = prfast.distributed.Evaluator(real, "knn", 3, client=HERE)
    assert evaluator.metrics(fake) == expected
    text = "real and fake: the same columns expected, got 'd' only in fake and 'c' only in real"
    with refused(ValueError, text):
        prfast.distributed.metrics(real, other, client=HERE)
    with refused(ValueError, text):
        evaluator.evaluate(other)


def recorded(folder, model, name="real"):
    """ROWS in files, every one with the record of a model."""
    paths = prfast.distributed.shards(write(folder, name, ROWS, "npy", (20, 21))).files
    for path in paths:
        write_record(path, {"model": model, "weights": None})
    return paths


def test_pieces_know_what_they_are_features_of(tmp_path):
    real = prfast.distributed.shards(recorded(tmp_path, "one"))
    fake = prfast.distributed.shards(recorded(tmp_path, "one", "fake"))
    found = prfast.distributed.metrics(real, fake, client=HERE)
    assert found.info["features"] == {
        "model": "one",
        "weights": None,
        "versions": {},
        "recorded": ["real", "fake"],
    }
    other = prfast.distributed.shards(recorded(tmp_path, "two", "other"))
    message = "real and fake: features made in one way expected, got model 'one' of real and 'two'"
    with refused(ValueError, message):
        prfast.distributed.metrics(real, other, client=HERE)


def test_files_of_one_set_are_of_one_model(tmp_path):
    paths = recorded(tmp_path, "one")
    write_record(paths[2], {"model": "two", "weights": None})
    with refused(ValueError, f"{paths[0]} and {paths[2]}: features made in one way expected"):
        prfast.distributed.shards(paths)
    Path(paths[0]).with_suffix(".json").unlink()
    with refused(ValueError, f"{paths[1]} and {paths[2]}: features made in one way expected"):
        prfast.distributed.shards(paths)
    Path(paths[2]).with_suffix(".json").unlink()
    assert prfast.distributed.shards(paths).record is None
