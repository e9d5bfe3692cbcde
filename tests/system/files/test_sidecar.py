"""Records of features next to files, and outputs that are written whole or not at all."""

import os
import stat
from pathlib import Path

import numpy as np
import pytest
from refusals import refused

from prfast.files.readers import load_array
from prfast.files.write import write_record, write_whole

RECORD = {"model": "timm:resnet18", "versions": {"torch": "2.1"}, "words": "ä ∞"}
X = np.random.default_rng(0).normal(size=(30, 4)).astype(np.float32)


@pytest.fixture
def path(tmp_path):
    """Return a file of features with a record."""
    result = str(tmp_path / "x.npy")
    np.save(result, X)
    write_record(result, RECORD)
    return result


@pytest.fixture
def record(path):
    """Return the sidecar of that file."""
    return Path(path).with_suffix(".json")


def test_a_loaded_array_has_the_record_and_is_still_mapped(path):
    result = load_array(path)
    assert result.record == RECORD
    assert isinstance(result.array, np.memmap)
    assert np.array_equal(result, X)


@pytest.mark.parametrize("rows", [30, 200_000])
def test_a_record_of_another_shape_or_of_other_numbers_is_refused(path, record, rows):
    np.save(path, np.ones((rows, 4)))
    write_record(path, RECORD)
    for points in (np.full((rows, 4), 2.0), np.ones((rows - 10, 4))):
        np.save(path, points)
        with refused(ValueError, f"{record}: the record of the numbers in {path} expected, got th"):
            load_array(path)
    record.unlink()
    assert len(load_array(path)) == rows - 10


def save_h5(path, points):
    with pytest.importorskip("h5py").File(path, "w") as file:
        file["x"] = points


def save_safetensors(path, points):
    pytest.importorskip("safetensors.numpy").save_file({"x": points}, path)


@pytest.mark.parametrize(
    ("ending", "save"),
    [(".npz", np.savez), (".h5", save_h5), (".safetensors", save_safetensors)],
)
def test_a_record_beside_another_array_is_of_it_or_refused(path, record, ending, save):
    archive = path.replace(".npy", ending)
    save(archive, X)
    assert isinstance(load_array(archive), np.ndarray)  # the record is that of the .npy file
    os.unlink(path)
    with refused(ValueError, f"{record}: the record of the numbers in {archive} expected, got"):
        load_array(archive)
    write_record(archive, RECORD)
    assert load_array(archive).record == RECORD


@pytest.mark.parametrize("text", ["", "[1]", '{"format": "coco"}'])
def test_a_json_file_of_somebody_else_is_no_record(path, record, text):
    record.write_text(text)
    assert type(load_array(path)) is np.memmap


@pytest.mark.parametrize("damage", ['"cut', "[" * 100_000])
def test_a_damaged_record_is_refused(path, record, damage):
    record.write_text(record.read_text().replace('"timm:resnet18"', damage))
    with refused(ValueError, f"{record}: the record of features is damaged"):
        load_array(path)


def write_text(text):
    def write(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    return write


@pytest.mark.parametrize("error", [ValueError, OSError, KeyboardInterrupt])
def test_a_failing_writer_leaves_the_old_file_and_no_draft(tmp_path, error):
    path = tmp_path / "out.json"
    path.write_text("old")

    def write(draft):
        write_text("half of the n")(draft)
        raise error("stop")

    with pytest.raises(error, match="stop"):
        write_whole(str(path), write)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.json"]


def test_an_old_file_keeps_its_permissions(tmp_path):
    path = tmp_path / "out.json"
    path.write_text("old")
    path.chmod(0o600)
    write_whole(str(path), write_text("new"))
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_folder_or_a_device_in_its_place_is_reported_as_it_is(tmp_path):
    for path in (str(tmp_path), os.devnull):
        with pytest.raises(OSError, match="not a regular file") as error:
            write_whole(path, write_text("new"))
        assert error.value.filename == path
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("exists", [True, False])
def test_a_link_stays_and_what_it_points_to_is_written(tmp_path, exists):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "target.json", tmp_path / "out.json"
    if exists:
        target.write_text("old")
    link.symlink_to(os.path.join("there", "target.json"))
    write_whole(str(link), write_text("new"))
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert os.listdir(tmp_path / "there") == ["target.json"]
