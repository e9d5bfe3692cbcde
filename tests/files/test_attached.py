"""Records in files: behind the numbers of .npy, in the metadata of .safetensors and .h5."""

import io
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from refusals import refused

from prfast.cli.program import main
from prfast.files.attached import FORMAT, KEY, attach
from prfast.files.load import load_array
from prfast.files.ranges import KINDS

RECORD = {"model": "timm:resnet18", "versions": {"torch": "2.1"}, "words": "ä ∞"}
X = np.random.default_rng(0).normal(size=(30, 4)).astype(np.float32)


@pytest.fixture
def path(tmp_path):
    """A file of features with a record."""
    found = str(tmp_path / "x.npy")
    np.save(found, X)
    attach(found, RECORD)
    return found


def test_numpy_reads_the_numbers_as_if_nothing_were_there(path):
    assert np.array_equal(np.load(path), X)
    mapped = np.load(path, mmap_mode="r+")
    assert mapped.shape == X.shape
    mapped[0] = X[0]
    mapped.flush()
    with open(path, "rb") as file:
        assert np.array_equal(np.load(file), X)
        assert np.array_equal(np.load(io.BytesIO(Path(path).read_bytes())), X)


def test_a_loaded_array_has_the_record_and_is_still_mapped(path):
    found = load_array(path)
    assert found.record == RECORD
    assert isinstance(found.base, np.memmap)
    assert np.array_equal(found, X)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_whatever_the_header_of_the_file(tmp_path, order, version):
    path = str(tmp_path / "x.npy")
    with open(path, "wb") as file:
        np.lib.format.write_array(file, np.asarray(X, order=order), version=version)
    attach(path, RECORD)
    assert load_array(path).record == RECORD
    assert np.array_equal(np.load(path), X)


def test_copies_keep_it_and_arrays_saved_again_do_not(path, tmp_path):
    copy, again = str(tmp_path / "copy.npy"), str(tmp_path / "again.npy")
    shutil.copy(path, copy)
    assert load_array(copy).record == RECORD
    np.save(again, load_array(path))
    assert not hasattr(load_array(again), "record")


def test_a_second_record_takes_the_place_of_the_first(path):
    attach(path, {"model": "another"})
    assert load_array(path).record == {"model": "another"}
    assert np.array_equal(np.load(path), X)


def test_a_file_without_one_is_as_before(tmp_path):
    path = str(tmp_path / "x.npy")
    np.save(path, X)
    assert type(load_array(path)) is np.memmap


def test_what_others_write_behind_the_numbers_is_no_record(tmp_path):
    path = str(tmp_path / "x.npy")
    with open(path, "wb") as file:
        np.save(file, X)
        np.save(file, X)
    assert type(load_array(path)) is np.memmap


def test_a_damaged_record_is_refused_by_name(path):
    size = X.nbytes + 128
    text = Path(path).read_bytes()
    Path(path).write_bytes(text[:size] + b"more" + text[size:])
    with refused(ValueError, f"{path}: the record behind its numbers is damaged"):
        load_array(path)
    Path(path).write_bytes(text[:size] + b"!" + text[size + 1 :])
    with refused(ValueError, f"{path}: the record of its features is damaged"):
        load_array(path)


@pytest.mark.parametrize("left", [1, 10, 30, 60, -20, -1])
def test_a_record_that_was_cut_is_refused_and_not_left_out(path, left):
    end = X.nbytes + 128
    content = Path(path).read_bytes()
    Path(path).write_bytes(content[: end + left if left > 0 else left])
    with refused(ValueError, f"{path}: the record behind its numbers is damaged"):
        load_array(path)


@pytest.mark.parametrize("versions", [[1], "2.1", None, {"torch": 2}, {"torch": {"a": "b"}}])
def test_versions_are_strings_by_their_packages(path, versions):
    attach(path, {"versions": versions})
    message = f"{path}: the record of its features: 'versions', strings or null by their packages"
    with refused(ValueError, f"{message}, expected, got {versions!r}"):
        load_array(path)
    attach(path, {"versions": {"torch": None}})
    assert load_array(path).record == {"versions": {"torch": None}}


@pytest.mark.parametrize("number", [b" NaN", b"-1e999", b"1e9999"])
def test_a_record_has_no_numbers_that_are_not_finite(path, number):
    attach(path, {"seed": "number"})
    before = b'"number"'.ljust(8)
    Path(path).write_bytes(Path(path).read_bytes().replace(before, number.rjust(len(before))))
    with refused(ValueError, f"{path}: the record of its features is damaged"):
        load_array(path)


def test_a_record_of_another_format_is_refused(path):
    attach(path, {"format": "prfast.features/9"})
    message = f"{path}: a record of format {FORMAT!r} expected, got 'prfast.features/9'"
    with refused(ValueError, message):
        load_array(path)


def test_other_files_take_none(tmp_path):
    path = str(tmp_path / "x.npz")
    with refused(ValueError, f"{path}: a .npy file expected, which takes a record"):
        attach(path, RECORD)


def test_safetensors_have_it_in_their_metadata(tmp_path):
    writer = pytest.importorskip("safetensors.numpy", reason="writes the file")
    path = str(tmp_path / "x.safetensors")
    text = json.dumps({"format": FORMAT, **RECORD})
    writer.save_file({"features": X}, path, metadata={KEY: text})
    assert load_array(path).record == RECORD


def test_h5_files_have_it_in_the_attributes(tmp_path):
    h5py = pytest.importorskip("h5py", reason="writes the file")
    path = str(tmp_path / "x.h5")
    with h5py.File(path, "w") as file:
        file["features"] = X
        file["features"].attrs[KEY] = json.dumps({"format": FORMAT, **RECORD})
    assert load_array(path).record == RECORD


def test_rows_of_a_file_know_it_too(path):
    assert KINDS[".npy"].extent(path, None).record == RECORD


def test_commands_say_it_and_refuse_two_kinds(path, tmp_path, capsys):
    other, out = str(tmp_path / "y.npy"), str(tmp_path / "out.json")
    np.save(other, X[:20] + 1)
    assert main(["metrics", path, other, "--json", out]) == 0
    info = json.loads(Path(out).read_text())["metrics"][0]["info"]
    said = {"model": "timm:resnet18", "versions": {"torch": "2.1"}, "recorded": ["real"]}
    assert info["features"] == said
    attach(other, RECORD | {"model": "timm:vit"})
    for command in ("metrics", "curve"):
        assert main([command, path, other]) == 2
        said = capsys.readouterr().err
        assert f"{other}: real and fake: features made in one way expected, got model" in said
        assert "'timm:resnet18' of real and 'timm:vit' of fake" in said


def test_commands_refuse_two_generated_sets_of_different_models(tmp_path, capsys):
    real, *fakes = (str(tmp_path / f"{name}.npy") for name in "rabc")
    np.save(real, X)
    for i, path in enumerate(fakes):
        np.save(path, X[:20] + i)
    attach(fakes[0], RECORD)
    attach(fakes[2], RECORD | {"model": "timm:vit"})
    assert main(["metrics", real, *fakes[:2]]) == 0
    capsys.readouterr()
    for command in ("metrics", "curve"):
        assert main([command, real, *fakes]) == 2
        said = capsys.readouterr().err
        assert f"{fakes[0]} and {fakes[2]}: features made in one way expected, got model" in said
