"""Samples in files: which files, cut where, and what is noticed when one has changed."""

import dataclasses
import os
import pickle

import numpy as np
import pytest
from refusals import refused
from written import KINDS, write

import prfast
from prfast.distributed import ranges, reading

ROWS = np.random.default_rng(0).normal(size=(50, 3)).astype(np.float32)


def loaded(shards):
    return [piece.load() for piece in shards.pieces]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [1, 10, None])
def test_pieces_are_the_rows_of_all_files(kind, rows, tmp_path):
    found = prfast.distributed.shards(write(tmp_path, "real", ROWS, kind, (20, 21)), rows=rows)
    assert (found.shape, len(found), len(found.files)) == ((50, 3), 50, 3)
    assert np.array_equal(np.concatenate(loaded(found)), ROWS)
    lengths = [piece.stop - piece.start for piece in found.pieces]
    assert [len(one) for one in loaded(found)] == lengths
    assert len(pickle.dumps(found.pieces[-1])) < 400


@pytest.mark.parametrize(("kind", "lengths"), [("npy", 4), ("parquet", 7), ("h5", 5), ("zarr", 6)])
def test_files_are_cut_where_that_costs_nothing(kind, lengths, tmp_path):
    found = prfast.distributed.shards(write(tmp_path, "real", ROWS, kind), rows=4)
    assert {len(one) for one in loaded(found)[:-1]} == {lengths}
    assert str(found) == f"Shards(shape (50, 3) in 1 files, {len(found.pieces)} pieces)"


def test_pieces_of_a_table_are_whole_row_groups(tmp_path):
    found = prfast.distributed.shards(write(tmp_path, "real", ROWS, "parquet"), rows=20)
    assert [len(one) for one in loaded(found)] == [14, 14, 14, 8]


def test_files_come_in_the_order_of_numbers_or_as_they_are_given(tmp_path):
    pattern = write(tmp_path, "real", ROWS, "npy", (20,))
    last, first = (tmp_path / f"real-{i}.npy" for i in (10, 9))
    assert prfast.distributed.shards(pattern).files == [str(first), str(last)]
    assert prfast.distributed.shards([last, str(first)]).files == [str(last), str(first)]
    assert prfast.distributed.shards(first).files == [str(first)]


def test_numbers_in_names_are_those_of_digits_alone(tmp_path):
    names = ["x1²2.npy", "x1²10.npy", "x10.npy"]  # ² is a digit to Python, and no decimal
    for name in names:
        np.save(tmp_path / name, ROWS)
    assert prfast.distributed.shards(tmp_path / "*.npy").files == [
        str(tmp_path / name) for name in names
    ]


def test_a_file_may_have_a_name_that_looks_like_a_pattern(tmp_path):
    np.save(tmp_path / "a[1].npy", ROWS)
    assert len(prfast.distributed.shards(tmp_path / "a[1].npy")) == 50


def test_a_key_stands_behind_the_file_or_the_pattern(tmp_path):
    h5py, zarr = pytest.importorskip("h5py"), pytest.importorskip("zarr")
    with h5py.File(tmp_path / "a-1.h5", "w") as file:
        file["x"], file["y"] = ROWS, 2 * ROWS
    group = zarr.open_group(tmp_path / "a.zarr", mode="w")
    for name, rows in (("deep/y", 2 * ROWS), ("x", ROWS)):
        group.create_array(name, shape=rows.shape, dtype=rows.dtype)[:] = rows
    for path in ("a-*.h5:y", "a.zarr:deep/y"):
        (found,) = loaded(prfast.distributed.shards(tmp_path / path))
        assert np.array_equal(found, 2 * ROWS)
    for path in ("a-1.h5", "a.zarr"):
        with pytest.raises(ValueError, match=r"a key expected; write .*:KEY with one of"):
            prfast.distributed.shards(tmp_path / path)


def test_a_zarr_array_has_no_keys(tmp_path):
    place = write(tmp_path, "a", ROWS, "zarr").replace("*", "9")
    with refused(ValueError, f"{place}: no key 'x': it is one array, write {place}"):
        prfast.distributed.shards(f"{place}:x")


@pytest.mark.parametrize("dtype", ["float16", "int8", "int64", ">f4"])
def test_numbers_are_read_as_those_of_arrays_are(dtype, tmp_path):
    rows = (10 * ROWS).astype(dtype)
    np.save(tmp_path / "a.npy", rows)
    found = np.concatenate(loaded(prfast.distributed.shards(tmp_path / "a.npy")))
    assert found.dtype == (np.float64 if dtype == "int64" else np.float32)
    assert np.array_equal(found, rows)


def test_no_rows_are_a_set_without_samples(tmp_path):
    for kind in ("npy", "parquet", "h5"):
        found = prfast.distributed.shards(write(tmp_path, "none", ROWS[:0], kind))
        assert (found.shape, len(found.pieces)) == ((0, 3), 1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_changes_is_refused_by_name(kind, tmp_path):
    found = prfast.distributed.shards(write(tmp_path, "real", ROWS, kind))
    (name,) = found.files
    path = written(found.pieces[0])
    with refused(ValueError, f"{name}: has changed since it was looked at: written anew"):
        loaded(found)
    with open(path, "ab") as file:
        file.truncate(file.tell() - 8)
    with refused(
        ValueError,
        f"{name}: has changed since it was looked at: {found.pieces[0].stamp[0]} → ",
    ):
        loaded(found)


def test_what_a_zarr_says_of_itself_is_part_of_it(tmp_path):
    """Its length, and the number that stands for chunks that are not there."""
    zarr = pytest.importorskip("zarr")
    for name, change in (("short", lambda array: array.resize((20, 3))), ("filled", _refill)):
        write(tmp_path, name, ROWS, "zarr")
        found = prfast.distributed.shards(tmp_path / f"{name}-9.zarr", rows=60)
        change(zarr.open(tmp_path / f"{name}-9.zarr", mode="r+"))
        with refused(ValueError, f"{tmp_path}/{name}-9.zarr: has changed since it was looked at: "):
            loaded(found)


def _refill(array):
    path = array.store.root / "zarr.json"
    text = path.read_text().replace('"fill_value": 0.0', '"fill_value": 1.0')
    assert '"fill_value": 1.0' in text
    path.write_text(text)


def test_fewer_rows_than_were_counted(tmp_path):
    (piece,) = prfast.distributed.shards(write(tmp_path, "real", ROWS, "npy")).pieces
    more = dataclasses.replace(piece, stop=60)
    with refused(
        ValueError,
        f"{piece.place}: has changed since it was looked at: 50 of 60 rows are there",
    ):
        more.load()


def test_numbers_that_are_in_other_files(tmp_path):
    h5py = pytest.importorskip("h5py")
    layout = h5py.VirtualLayout((50, 3), np.float32)
    layout[:] = h5py.VirtualSource("other.h5", "x", (50, 3))
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_virtual_dataset("x", layout)
    with refused(
        ValueError, f"{tmp_path}/a.h5: numbers in the file itself expected, they are in others"
    ):
        prfast.distributed.shards(tmp_path / "a.h5")


def test_arrays_without_rows_have_no_samples(tmp_path, client):
    np.save(tmp_path / "a.npy", np.float32(1))
    pytest.importorskip("h5py").File(tmp_path / "b.h5", "w").create_dataset(
        "x", data=pytest.importorskip("h5py").Empty("f4")
    )
    pytest.importorskip("zarr").create_array(tmp_path / "c.zarr", shape=(), dtype="f4")
    for name in ("a.npy", "b.h5", "c.zarr"):
        found = prfast.distributed.shards(tmp_path / name)
        with refused(
            ValueError,
            "real: a 2-D array (samples × features) expected, got shape ()",
        ):
            prfast.distributed.metrics(found, found, client=client)


def test_something_that_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "a.npy")
    with refused(ValueError, f"{tmp_path}/a.npy: a file expected, got something to wait for"):
        prfast.distributed.shards(tmp_path / "a.npy")


def test_tables_have_their_columns_in_one_order(tmp_path):
    write(tmp_path, "a", ROWS, "parquet")
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(tmp_path / "a-9.parquet").select(["c1", "c0", "c2"])
    parquet.write_table(pyarrow.table(table), tmp_path / "b.parquet")
    with refused(
        ValueError,
        f"{tmp_path}/b.parquet: columns as in {tmp_path}/a-9.parquet, c0, c1, c2, expected, "
        "got c1, c0, c2",
    ):
        prfast.distributed.shards([tmp_path / "a-9.parquet", tmp_path / "b.parquet"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_changes_while_it_is_read_is_refused(kind, tmp_path, monkeypatch):
    (piece,) = prfast.distributed.shards(write(tmp_path, "real", ROWS, kind)).pieces
    row = ranges.KINDS[f".{kind}"]

    def rows(*where):
        found = row.rows(*where)
        written(piece)
        return found

    monkeypatch.setitem(ranges.KINDS, f".{kind}", row._replace(rows=rows))
    with refused(ValueError, f"{piece.place}: has changed since it was looked at: written anew"):
        piece.load()


def test_a_map_that_changes_during_the_first_look_is_refused(tmp_path, monkeypatch):
    (piece,) = prfast.distributed.shards(write(tmp_path, "real", ROWS, "npy")).pieces

    def hold(name, raw):
        written(piece)
        return held(name, raw)

    held = reading.hold
    monkeypatch.setattr(reading, "hold", hold)
    with refused(ValueError, f"{piece.place}: has changed since it was looked at: written anew"):
        reading.look_at("real", piece)


def written(piece):
    """As if the file had been written into."""
    path = os.path.join(piece.place, "c", "0", "0")  # of .zarr
    path = path if os.path.exists(path) else piece.place
    before = os.stat(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    return path


def test_a_file_that_is_gone_is_an_error_of_the_system(tmp_path):
    found = prfast.distributed.shards(write(tmp_path, "real", ROWS, "npy"))
    os.unlink(found.files[0])
    with pytest.raises(FileNotFoundError, match=r"real-9\.npy"):
        loaded(found)


def test_shards_are_never_gathered(tmp_path):
    found = prfast.distributed.shards(write(tmp_path, "real", ROWS, "npy"))
    with pytest.raises(TypeError, match="samples in pieces are never gathered into one array"):
        np.asarray(found)


@pytest.mark.parametrize(
    ("paths", "error", "message"),
    [
        (3, TypeError, "paths: a path, a pattern or paths in order expected, got a int"),
        ({"a.npy"}, TypeError, "paths: a path, a pattern or paths in order expected, got a set"),
        (b"a.npy", TypeError, "paths: a path, a pattern or paths in order expected, got a bytes"),
        (["a.npy", 3], TypeError, "paths: paths expected, got a int among them"),
        ([], ValueError, "paths: at least one expected, got none"),
        (
            "a.csv",
            ValueError,
            "a.csv: a .npy, .parquet, .h5 or .zarr file expected, of which rows can be read "
            "without the others",
        ),
    ],
)
def test_something_else_than_files(paths, error, message):
    with refused(error, message):
        prfast.distributed.shards(paths)


@pytest.mark.parametrize("path", ["none.npy", "none.parquet", "none.h5", "none.zarr"])
def test_no_file(path, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none"):
        prfast.distributed.shards(tmp_path / path)
    with pytest.raises(FileNotFoundError, match="no file has a name of this pattern"):
        prfast.distributed.shards(tmp_path / f"*{path}")


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files(kind, tmp_path):
    (tmp_path / f"a.{kind}").write_bytes(b"no such thing")
    with pytest.raises(ValueError, match=rf"a\.{kind}: not a \.{kind} "):
        prfast.distributed.shards(tmp_path / f"a.{kind}")


def test_files_that_do_not_go_together(tmp_path):
    others = {"wide": ROWS[:, :2], "flat": ROWS[0], "double": ROWS.astype(np.float64)}
    np.save(tmp_path / "a.npy", ROWS)
    messages = {
        "wide": f"samples as in {tmp_path}/a.npy, shape (50, 3), expected, got (50, 2)",
        "flat": f"samples as in {tmp_path}/a.npy, shape (50, 3), expected, got (3,)",
        "double": f"float32 as in {tmp_path}/a.npy expected, got float64",
    }
    for name, rows in others.items():
        np.save(tmp_path / f"{name}.npy", rows)
        with refused(ValueError, f"{tmp_path}/{name}.npy: {messages[name]}"):
            prfast.distributed.shards([tmp_path / "a.npy", tmp_path / f"{name}.npy"])


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        (0, ValueError, "rows: an integer of at least 1 expected, got 0"),
        ("x", TypeError, "rows: an integer expected, got a str"),
    ],
)
def test_rows_of_a_piece(rows, error, message, tmp_path):
    np.save(tmp_path / "a.npy", ROWS)
    with refused(error, message):
        prfast.distributed.shards(tmp_path / "a.npy", rows=rows)


def test_row_labels_of_pandas_are_no_column(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS, columns=["a", "b", "c"], index=[f"r{i}" for i in range(50)])
    frame.to_parquet(tmp_path / "a.parquet")
    with pytest.raises(ValueError, match="row labels in the column"):
        prfast.distributed.shards(tmp_path / "a.parquet")


def test_a_relative_path_is_one_of_the_caller(tmp_path, monkeypatch):
    """Workers may run in another folder."""
    np.save(tmp_path / "x.npy", ROWS)
    monkeypatch.chdir(tmp_path)
    (piece,) = prfast.distributed.shards("x.npy").pieces
    monkeypatch.chdir("/")
    assert np.array_equal(piece.load(), ROWS)


def test_columns_of_shards_are_chosen_as_those_of_one_file(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    vectors = pyarrow.array(
        np.arange(12.0).reshape(4, 3).tolist(), pyarrow.list_(pyarrow.float32(), 3)
    )
    table = pyarrow.table({"path": list("abcd"), "f": [1, 2, 3, 4], "clip": vectors})
    path = str(tmp_path / "x.parquet")
    parquet.write_table(table, path, row_group_size=2)
    with refused(ValueError, f"{path}: columns of numbers expected, got 'path' (string); leave"):
        prfast.distributed.shards(path)
    for told, width in (({"drop": "path"}, 4), ({"columns": "clip"}, 3), ({"columns": "f"}, 1)):
        found = prfast.distributed.shards(path, rows=2, **told)
        assert found.shape == (4, width)
        loaded = np.concatenate([piece.load() for piece in found.pieces])
        np.testing.assert_array_equal(loaded, prfast.load(path, **told))
    np.save(tmp_path / "x.npy", np.zeros((4, 3)))
    with refused(ValueError, f"{tmp_path}/x.npy: an array, whose columns have no names to choose"):
        prfast.distributed.shards(tmp_path / "x.npy", columns="f*")


def test_vectors_whose_length_the_file_does_not_tell_are_not_read_in_pieces(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    path = str(tmp_path / "x.parquet")
    table = pyarrow.table({"clip": [[1.0, 2.0], [3.0, 4.0]]})
    pytest.importorskip("pyarrow.parquet").write_table(table, path)
    with refused(
        ValueError, f"{path}: vectors of one length that the file tells (FixedSizeList) expected"
    ):
        prfast.distributed.shards(path)
