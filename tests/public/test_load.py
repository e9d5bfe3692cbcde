"""Files: the same numbers in each format, or one line that names the file and what is wrong."""

import re
import struct
import sys
from pathlib import Path

import numpy as np
import pytest

from prfast.files.readers import load, load_array
from prfast.samples.samples import read_samples

DATA = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]], np.float32)


@pytest.fixture
def make(tmp_path):
    """make(name, content): the path of a file with these bytes or this array."""

    def make(name, content):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, dict):
            np.savez(path, **content)
        else:
            np.save(path, content, allow_pickle=True)
        return str(path)

    return make


def refused(path, message):
    """`pytest.raises` for a ValueError that begins with the path and then this literal message."""
    return pytest.raises(ValueError, match="^" + re.escape(f"{path}: {message}"))


def test_npy_is_mapped_not_loaded(make):
    result = load_array(make("x.npy", DATA))
    assert isinstance(result, np.memmap)
    assert not result.flags.writeable
    np.testing.assert_array_equal(result, DATA)


@pytest.mark.parametrize("content", [{"x": np.array([None])}, b"PK\x03\x04 no archive"])
def test_what_is_no_archive_of_numbers_is_refused(make, content):
    path = make("x.npz", content)
    with refused(path, "not a .npz archive of numbers ("):
        load_array(path)


def test_a_file_whose_own_name_has_a_colon(make):
    np.testing.assert_array_equal(load_array(make("a.npz:b.npy", DATA)), DATA)


@pytest.mark.parametrize("name", ["x.txt", "x", ".npy"])
def test_an_unknown_kind_is_refused_even_if_it_is_missing(tmp_path, name):
    path = str(tmp_path / name)
    if name in ("x", ".npy"):  # without an ending nothing says that it was to be a file
        with pytest.raises(FileNotFoundError):
            load_array(path)
        Path(path).touch()
    kinds = "a .npy, .npz, .h5, .safetensors, .pt, .csv or .parquet file"
    with refused(path, kinds):
        load_array(path)


@pytest.mark.parametrize("name", ["x.npy", "x.npz:key", "x.parquet"])
def test_a_missing_file_is_the_systems_own_error(tmp_path, name):
    with pytest.raises(FileNotFoundError) as error:
        load_array(str(tmp_path / name))
    assert error.value.filename == str(tmp_path / name.removesuffix(":key"))


def write_h5(path, arrays):
    with pytest.importorskip("h5py").File(path, "w") as file:
        for key, array in arrays.items():
            file[key] = array


def write_safetensors(path, arrays):
    pytest.importorskip("safetensors.numpy").save_file(arrays, path)


def write_pt(path, arrays):
    torch = pytest.importorskip("torch")
    torch.save({key: torch.from_numpy(array) for key, array in arrays.items()}, path)


def write_npz(path, arrays):
    with open(path, "wb") as file:  # NumPy would add an ending
        np.savez(file, **arrays)


KEYED = pytest.mark.parametrize(
    ("ending", "write"),
    [("npz", write_npz), ("h5", write_h5), ("safetensors", write_safetensors), ("pt", write_pt)],
)
LIBRARIES = {"parquet": "pyarrow", "h5": "h5py", "safetensors": "safetensors", "pt": "torch"}


def write_table(folder, table):
    """Return the path of a file with a pyarrow table."""
    path = str(folder / "x.parquet")
    pytest.importorskip("pyarrow.parquet").write_table(table, path)
    return path


@KEYED
def test_an_array_with_a_key_or_the_only_one(tmp_path, ending, write):
    single, double = str(tmp_path / f"one.{ending}"), str(tmp_path / f"TWO.{ending.upper()}")
    write(single, {"x": DATA})
    write(double, {"x": DATA, "y": DATA + 1})
    for path, expected in ((single, DATA), (f"{single}:x", DATA), (f"{double}:y", DATA + 1)):
        result = read_samples("real", load_array(path))
        assert result.dtype == np.float32
        np.testing.assert_array_equal(result, expected)
    with refused(double, f"a key expected; write {double}:KEY with one of x, y"):
        load_array(double)
    with refused(single, f"no key 'z'; write {single}:KEY with one of x"):
        load_array(f"{single}:z")


def test_selected_columns_of_a_table_are_read(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    columns = {"path": ["a", "b"], "f": DATA[:, 0], "f.1": DATA[:, 1], "g": [1, 2]}
    path = write_table(tmp_path, pyarrow.table(columns))
    with refused(path, "columns of numbers expected, got 'path' (string); columns of any"):
        load(path)
    for options, expected in (
        ({"columns": "f*"}, DATA[:, :2]),
        ({"columns": ["f.1", "f"]}, DATA[:, [1, 0]]),
        ({"columns": "f"}, DATA[:, :1]),
        ({"drop": ["path", "g"]}, DATA[:, :2]),
    ):
        result = load(path, **options)
        assert result.dtype == np.float32
        np.testing.assert_array_equal(result, expected)
    with refused(path, "no column 'h'; it has 'path', 'f', 'f.1', 'g'"):
        load(path, columns="h")


def test_a_column_of_vectors_is_samples_by_features(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    for kind in (pyarrow.list_(pyarrow.float32(), 3), pyarrow.list_(pyarrow.float32())):
        vectors = pyarrow.array(DATA.tolist(), kind)
        path = write_table(tmp_path, pyarrow.table({"path": ["a", "b"], "embedding": vectors}))
        result = load(path, columns="embedding")
        assert result.dtype == np.float32
        np.testing.assert_array_equal(result, DATA)


def test_row_labels_are_dropped_or_selected_by_name(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    frame = pytest.importorskip("pandas").DataFrame(DATA).add_prefix("f").set_index([[5.5, 7.5]])
    path = write_table(tmp_path, pyarrow.Table.from_pandas(frame))
    label = "__index_level_0__"
    with refused(path, f"row labels in the column {label!r} are no feature; write the table witho"):
        load(path)
    np.testing.assert_array_equal(load(path, drop=label), DATA)
    np.testing.assert_array_equal(load(path, columns="f*"), DATA)
    np.testing.assert_array_equal(load(path, columns=["f0", label]), [[1, 5.5], [4, 7.5]])


def test_arguments_of_load_are_checked(tmp_path):
    np.save(tmp_path / "x.npy", [[1.0, np.nan]])
    with pytest.raises(TypeError, match=r"^path: a path expected, got an int$"):
        load(3)
    with pytest.raises(TypeError, match=r"^columns: names of type str expected, got an int"):
        load("x.csv", columns=[0])
    with pytest.raises(ValueError, match=r"^drop: at least one expected, got none$"):
        load("x.csv", drop=[])
    with pytest.raises(ValueError, match=r"x.npy: finite numbers expected, got nan in row 0, colu"):
        load(tmp_path / "x.npy")


def test_groups_of_an_h5_file(tmp_path):
    path = str(tmp_path / "x.h5")
    write_h5(path, {"train/features": DATA, "test/features": DATA + 1})
    np.testing.assert_array_equal(load_array(f"{path}:/test/features"), DATA + 1)
    with refused(path, f"no key 'test'; write {path}:KEY with one of test/features, train/feat"):
        load_array(f"{path}:test")


def test_bfloat16_of_a_safetensors_file_is_float32_of_equal_values(tmp_path):
    pytest.importorskip("safetensors")
    path = tmp_path / "x.safetensors"
    values = np.array([[1.0, -2.5], [2.0**-133, 3.140625]], np.float32)
    halves = (values.view(np.uint32) >> 16).astype("<u2")
    header = b'{"x":{"dtype":"BF16","shape":[2,2],"data_offsets":[0,8]}}'
    path.write_bytes(struct.pack("<Q", len(header)) + header + halves.tobytes())
    result = load_array(str(path))
    assert result.dtype == np.float32
    np.testing.assert_array_equal(result, values)


def test_tensors_of_a_pt_file_single_nested_and_with_a_gradient(tmp_path):
    torch = pytest.importorskip("torch")
    path = str(tmp_path / "x.pt")
    tensor = torch.from_numpy(DATA)
    torch.save(tensor, path)
    np.testing.assert_array_equal(load_array(path), DATA)
    with refused(path, f"no key 'x': the file is one tensor, write {path}"):
        load_array(f"{path}:x")
    torch.save({"step": 3, "model": [{"weight": tensor.clone().requires_grad_()}]}, path)
    np.testing.assert_array_equal(read_samples("real", load_array(path)), DATA)
    np.testing.assert_array_equal(load_array(f"{path}:model/0/weight"), DATA)
    torch.save(tensor.bfloat16(), path)
    np.testing.assert_array_equal(read_samples("real", load_array(path)), DATA)


def test_a_pt_file_runs_nothing(tmp_path):
    torch = pytest.importorskip("torch")
    path, trace = str(tmp_path / "x.pt"), tmp_path / "trace"

    class Payload:
        def __reduce__(self):
            return trace.touch, ()

    torch.save({"x": Payload()}, path)
    with refused(path, "not a .pt file of tensors (Weights only load failed"):
        load_array(path)
    assert not trace.exists()


@pytest.mark.parametrize("ending", LIBRARIES)
def test_a_damaged_file_is_refused(tmp_path, ending):
    pytest.importorskip(LIBRARIES[ending])
    path = tmp_path / f"x.{ending}"
    path.write_bytes(bytes(64))
    with refused(path, f"not a .{ending} file") as error:
        load_array(str(path))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("ending", LIBRARIES)
def test_without_the_library_the_error_says_how_to_install_it(tmp_path, monkeypatch, ending):
    library = LIBRARIES[ending]
    for module in (library, "pyarrow.parquet", "pyarrow.feather"):
        monkeypatch.setitem(sys.modules, module, None)
    path = tmp_path / f"x.{ending}"
    path.touch()
    with pytest.raises(ImportError) as error:
        load_array(str(path))
    assert str(error.value) == (
        f"{path}: {library} is needed for .{ending} files: python -m pip install {library}"
    )
