"""Records of features: next to .npy files, in the metadata of .safetensors and .h5."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from refusals import refused

from prfast.cli.parser import main
from prfast.distributed import shards
from prfast.files.load import load_array
from prfast.files.write import FORMAT, KEY, write_record

RECORD = {"model": "timm:resnet18", "versions": {"torch": "2.1"}, "words": "ä ∞"}
X = np.random.default_rng(0).normal(size=(30, 4)).astype(np.float32)


@pytest.fixture
def path(tmp_path):
    """A file of features with a record."""
    found = str(tmp_path / "x.npy")
    np.save(found, X)
    write_record(found, RECORD)
    return found


@pytest.fixture
def record(path):
    """The sidecar of that file."""
    return Path(path).with_suffix(".json")


def test_the_record_is_a_json_file_with_the_shape_of_the_array(path, record):
    written = json.loads(record.read_text())
    assert isinstance(written.pop("crc32"), int)
    assert written == {"format": FORMAT, "shape": [30, 4], **RECORD}
    assert Path(path).stat().st_size == 128 + X.nbytes  # the .npy file is NumPy's own


def test_a_loaded_array_has_the_record_and_is_still_mapped(path):
    found = load_array(path)
    assert found.record == RECORD
    assert isinstance(found.array, np.memmap)
    assert np.array_equal(found, X)


def test_a_copy_without_its_sidecar_is_a_plain_array(path, record, tmp_path):
    copy = tmp_path / "copy.npy"
    shutil.copy(path, copy)
    assert type(load_array(str(copy))) is np.memmap
    shutil.copy(record, tmp_path / "copy.json")
    assert load_array(str(copy)).record == RECORD


def test_a_record_of_another_shape_is_refused(path, record):
    np.save(path, X[:20])
    message = f"{record}: a record of shape [20, 4], as {path} has, expected, got [30, 4]; delete"
    with refused(ValueError, message):
        load_array(path)
    record.unlink()
    assert len(load_array(path)) == 20


@pytest.mark.parametrize("rows", [30, 200_000])
def test_a_record_of_other_numbers_of_the_same_shape_is_refused(path, record, rows):
    np.save(path, np.ones((rows, 4)))
    write_record(path, RECORD)
    np.save(path, np.full((rows, 4), 2.0))
    with refused(ValueError, f"{record}: the record of the numbers in {path} expected, got that"):
        load_array(path)


@pytest.mark.parametrize("text", ["", "[1]", "words", '{"format": "coco"}', '{"mine": 1}'])
def test_a_json_file_of_somebody_else_is_no_record(path, record, text):
    record.write_text(text)
    assert type(load_array(path)) is np.memmap


def test_a_damaged_record_is_refused(path, record):
    record.write_text(record.read_text().replace('"timm:resnet18"', '"cut'))
    with refused(ValueError, f"{record}: the record of features is damaged"):
        load_array(path)


def test_an_output_does_not_overwrite_the_record_of_an_input(path, record, capsys):
    before = record.read_bytes()
    assert main(["metrics", path, path, "--json", str(record)]) == 2
    said = capsys.readouterr().err
    assert said == f"prfast: error: {record}: is an input; choose another name for the output\n"
    assert record.read_bytes() == before


@pytest.mark.parametrize("versions", [[1], "2.1", None, {"torch": 2}, {"torch": {"a": "b"}}])
def test_versions_are_strings_by_their_packages(path, versions):
    write_record(path, {"versions": versions})
    place = path.replace(".npy", ".json")
    message = f"{place}: the record of features: 'versions', strings or null by their packages"
    with refused(ValueError, f"{message}, expected, got {versions!r}"):
        load_array(path)
    write_record(path, {"versions": {"torch": None}})
    assert load_array(path).record == {"versions": {"torch": None}}


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
    assert shards(path).record == RECORD


def test_commands_say_it_and_refuse_two_kinds(path, tmp_path, capsys):
    other, out = str(tmp_path / "y.npy"), str(tmp_path / "out.json")
    np.save(other, X[:20] + 1)
    assert main(["metrics", path, other, "--json", out]) == 0
    info = json.loads(Path(out).read_text())["metrics"][0]["info"]
    said = {"model": "timm:resnet18", "versions": {"torch": "2.1"}, "recorded": ["real"]}
    assert info["features"] == said
    write_record(other, RECORD | {"model": "timm:vit"})
    for command in ("metrics", "curve"):
        assert main([command, path, other]) == 2
        said = capsys.readouterr().err
        assert f"{other}: real and fake: features made in one way expected, got model" in said
        assert "'timm:resnet18' of real and 'timm:vit' of fake" in said
