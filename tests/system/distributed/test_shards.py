"""Samples in files: which files, cut where, and that a file which has changed is refused."""

import os
import pickle

import numpy as np
import pytest
from refusals import refusals, refused
from sample_files import FORMATS, write, write_parquet

import prfast
from prfast.distributed import shards

ROWS = np.random.default_rng(0).normal(size=(50, 3)).astype(np.float32)


def load(samples):
    return [partition.load() for partition in samples.partitions]


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("rows", [1, 10, None])
def test_partitions_have_the_rows_of_all_files(kind, rows, tmp_path):
    samples = shards(write(tmp_path, "real", ROWS, kind, (20, 21)), rows=rows)
    assert (samples.shape, len(samples), len(samples.files)) == ((50, 3), 50, 3)
    assert np.array_equal(np.concatenate(load(samples)), ROWS)
    lengths = [partition.stop - partition.start for partition in samples.partitions]
    assert [len(part) for part in load(samples)] == lengths
    assert len(pickle.dumps(samples.partitions[-1])) < 400


@pytest.mark.parametrize(
    ("kind", "rows", "lengths"),
    [
        ("npy", 4, {4}),
        ("parquet", 4, {7}),  # whole row groups
        ("parquet", 20, {14}),
    ],
)
def test_tables_are_cut_between_row_groups(kind, rows, lengths, tmp_path):
    samples = shards(write(tmp_path, "real", ROWS, kind), rows=rows)
    assert {len(part) for part in load(samples)[:-1]} == lengths
    text = f"Shards(shape (50, 3) in 1 files, {len(samples.partitions)} partitions)"
    assert str(samples) == text


def test_files_of_a_pattern_are_sorted_by_numbers_and_others_as_given(tmp_path):
    pattern = write(tmp_path, "real", ROWS, "npy", (20,))
    last, first = (tmp_path / f"real-{i}.npy" for i in (10, 9))
    assert shards(pattern).files == [str(first), str(last)]
    assert shards([last, str(first)]).files == [str(last), str(first)]
    assert shards(first).files == [str(first)]
    np.save(tmp_path / "a[1].npy", ROWS)  # a file whose name is a pattern
    assert len(shards(tmp_path / "a[1].npy")) == 50


@pytest.mark.parametrize("kind", FORMATS)
def test_a_file_without_rows(kind, tmp_path):
    samples = shards(write(tmp_path, "none", ROWS[:0], kind))
    assert (samples.shape, len(samples.partitions)) == ((0, 3), 1)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_file_that_changes_is_refused(kind, tmp_path):
    samples = shards(write(tmp_path, "real", ROWS, kind))
    path = samples.files[0]
    status = os.stat(path)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    with refused(ValueError, f"{path}: has changed since its header was read"):
        load(samples)


def test_relative_paths_are_those_of_the_caller(tmp_path, monkeypatch):
    """Workers may run in another folder."""
    np.save(tmp_path / "x.npy", ROWS)
    monkeypatch.chdir(tmp_path)
    (partition,) = shards("x.npy").partitions
    monkeypatch.chdir("/")
    assert np.array_equal(partition.load(), ROWS)


test_paths_are_refused = refusals("""
shards({"a.npy"})
    TypeError: paths: a path, a pattern or paths in order expected, got a set
shards("a.csv")
    ValueError: a.csv: a .npy or .parquet file expected, of which rows
shards("none*.npy")
    FileNotFoundError: [Errno 2] no file has a name of this pattern
""")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (ROWS[:, :2], "features as in {}/a.npy, 3, expected, got 2"),
        (ROWS[0], "a 2-D array (samples × features) expected, got shape (3,)"),
        (ROWS.astype(np.float64), "dtype as in {}/a.npy, float32, expected, got float64"),
    ],
)
def test_files_of_different_arrays(rows, message, tmp_path):
    np.save(tmp_path / "a.npy", ROWS)
    np.save(tmp_path / "b.npy", rows)
    with refused(ValueError, f"{tmp_path}/b.npy: {message.format(tmp_path)}"):
        shards([tmp_path / "a.npy", tmp_path / "b.npy"])


def test_vectors_of_unknown_length_are_refused(tmp_path):
    path = str(tmp_path / "x.parquet")
    write_parquet(path, {"clip": [[1.0, 2.0], [3.0, 4.0]]})
    message = f"{path}: vectors whose length is in the schema (FixedSizeList) expected"
    with refused(ValueError, message):
        shards(path)


def test_columns_are_selected_as_those_of_one_file(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    kind = pyarrow.list_(pyarrow.float32(), 3)
    vectors = pyarrow.array(np.arange(12.0).reshape(4, 3).tolist(), kind)
    path = str(tmp_path / "x.parquet")
    write_parquet(path, {"path": list("abcd"), "f": [1, 2, 3, 4], "clip": vectors}, 2)
    with refused(ValueError, f"{path}: columns of numbers expected, got 'path' (string); columns"):
        shards(path)
    for options, width in (({"drop": "path"}, 4), ({"columns": "clip"}, 3), ({"columns": "f"}, 1)):
        samples = shards(path, rows=2, **options)
        assert samples.shape == (4, width)
        np.testing.assert_array_equal(np.concatenate(load(samples)), prfast.load(path, **options))
    np.save(tmp_path / "x.npy", np.zeros((4, 3)))
    with refused(ValueError, f"{tmp_path}/x.npy: an array, whose columns have no names to choose"):
        shards(tmp_path / "x.npy", columns="f*")
