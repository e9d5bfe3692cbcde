"""Outputs are written whole or not at all."""

import os
import stat

import pytest

from prfast.files.write import write_whole


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


def test_a_folder_or_a_device_in_its_place_is_reported_as_it_is(tmp_path):
    for path in (str(tmp_path), os.devnull):
        with pytest.raises(OSError, match="not a regular file") as error:
            write_whole(path, write_text("new"))
        assert error.value.filename == path
    assert os.listdir(tmp_path) == []
