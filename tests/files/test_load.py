"""Files: what is read, what is refused and how, and outputs that are written whole or not."""

import io
import os
import re
import stat
import struct
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from prfast.files.load import load_array
from prfast.files.write import write_whole

DATA = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@pytest.fixture
def make(tmp_path):
    """make(name, content): the path of a file with this text, these bytes or this array."""

    def make(name, content):
        path = tmp_path / name
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        elif isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, dict):
            with path.open("wb") as file:
                np.savez(file, **content)
        else:
            with path.open("wb") as file:
                np.save(file, content, allow_pickle=True)
        return str(path)

    return make


def refused(path, message):
    """`pytest.raises` for a ValueError that begins with the path and then this literal message."""
    return pytest.raises(ValueError, match="^" + re.escape(f"{path}: {message}"))


# ---- .npy --------------------------------------------------------------------------------------


def test_npy_is_mapped_not_loaded(make):
    found = load_array(make("x.npy", DATA))
    assert isinstance(found, np.memmap)
    assert not found.flags.writeable
    np.testing.assert_array_equal(found, DATA)


def test_the_ending_may_be_in_capitals(make):
    np.testing.assert_array_equal(load_array(make("X.NPY", DATA)), DATA)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello",
        b"\x93NUMPY\x01\x00",
        b"\x93NUMPY\x01\x00\x06\x00{'a': (",
        b"\x93NUMPY\x01\x00\x3b\x00{'descr': '<,8', 'fortran_order': False, 'shape': (2,), }\n"
        + bytes(16),
        np.array([None, "x"]),
    ],
    ids=["empty", "text", "truncated", "bad header", "bad type", "objects"],
)
def test_what_is_no_npy_of_numbers_is_refused(make, content):
    path = make("x.npy", content)
    with refused(path, "not a .npy file of numbers ("):
        load_array(path)


def test_an_npy_shorter_than_its_header_says_is_refused(make):
    whole = make("x.npy", DATA)
    with open(whole, "rb") as file:
        path = make("short.npy", file.read()[:-8])
    with refused(path, "not a .npy file of numbers ("):
        load_array(path)


def claiming(shape, numbers=b""):
    """A .npy file whose header claims this shape."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + numbers


def test_a_shape_of_truths_is_refused(make):
    with refused(make("x.npy", claiming((True, 2), bytes(16))), "not a .npy file of numbers (an "):
        load_array(make("x.npy", claiming((True, 2), bytes(16))))


def test_an_array_larger_than_memory_names_the_file(tmp_path):
    """80 PB, which some hundred bytes of a file may claim."""
    path = str(tmp_path / "x.npz")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x.npy", claiming((10**14, 100)))
    with pytest.raises(MemoryError, match=f"^{re.escape(path)}: larger than the memory that there"):
        load_array(path)


def test_an_archive_named_npy_is_refused(make):
    path = make("x.npy", {"x": DATA})
    with refused(path, "not a .npy file of numbers (a .npz archive by another name)"):
        load_array(path)


# ---- .npz --------------------------------------------------------------------------------------


def test_npz_with_a_key_or_with_only_one_array(make):
    one, two = make("one.npz", {"x": DATA}), make("two.npz", {"x": DATA, "y": DATA + 1})
    np.testing.assert_array_equal(load_array(one), DATA)
    np.testing.assert_array_equal(load_array(f"{one}:x"), DATA)
    np.testing.assert_array_equal(load_array(f"{two}:y"), DATA + 1)


def test_a_file_whose_own_name_has_a_colon(make):
    np.testing.assert_array_equal(load_array(make("a.npz:b.npy", DATA)), DATA)


def test_a_missing_or_unknown_key_lists_the_keys(make):
    path = make("two.npz", {"x": DATA, "y": DATA})
    with refused(path, f"a key expected; write {path}:KEY with one of x, y"):
        load_array(path)
    with refused(path, f"no key 'z'; write {path}:KEY with one of x, y"):
        load_array(f"{path}:z")


@pytest.mark.parametrize(
    "content",
    [b"", b"hello", b"PK\x03\x04 no archive", {"x": np.array([None])}],
    ids=["empty", "text", "truncated", "objects"],
)
def test_what_is_no_npz_of_numbers_is_refused(make, content):
    path = make("x.npz", content)
    with refused(path, "not a .npz archive of numbers ("):
        load_array(path)


def test_a_damaged_archive_is_refused(tmp_path):
    path = tmp_path / "x.npz"
    np.savez_compressed(path, x=np.random.default_rng(0).normal(size=1000))
    whole = bytearray(path.read_bytes())
    whole[1000:1100] = bytes(100)
    path.write_bytes(whole)
    with refused(path, "not a .npz archive of numbers ("):
        load_array(str(path))


def test_an_array_named_npz_is_refused(make):
    path = make("x.npz", DATA)
    with refused(path, "not a .npz archive of numbers (a .npy file by another name)"):
        load_array(path)


def patched(path, at, values):
    """The file with these bytes from `at` after every header of a member, local and central."""
    content = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 2)):
        start = content.index(mark) + at + offset
        content[start : start + len(values)] = values
    path.write_bytes(content)
    return str(path)


@pytest.mark.parametrize(
    ("at", "values"),
    [
        (4, b"\xff"),
        (6, b"\x01"),
        (6, b"\x20"),
        (6, b"\x40"),
        (8, b"\x63"),
        (8, b"\x0e"),
        (8, b"\x0c"),
    ],
    ids=["version", "encrypted", "patched", "strong", "kind", "lzma", "bzip2"],
)
def test_a_member_that_cannot_be_unpacked_is_refused(tmp_path, at, values):
    path = tmp_path / "x.npz"
    np.savez_compressed(path, x=np.random.default_rng(0).normal(size=1000))
    path = patched(path, at, values)
    with refused(path, "not a .npz archive of numbers ("):
        load_array(path)


def test_a_damaged_lzma_member_is_refused(tmp_path):
    path = tmp_path / "x.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        array = io.BytesIO()
        np.save(array, np.random.default_rng(0).normal(size=1000))
        archive.writestr("x.npy", array.getvalue())
    whole = bytearray(path.read_bytes())
    whole[60:160] = bytes(range(100))
    path.write_bytes(whole)
    with refused(path, "not a .npz archive of numbers ("):
        load_array(str(path))


def test_any_one_byte_of_a_file_may_be_wrong(tmp_path):
    """It is refused, or read; nothing else happens."""
    np.save(tmp_path / "x.npy", DATA)
    np.savez_compressed(tmp_path / "x.npz", x=DATA)
    for name in ("x.npy", "x.npz"):
        path = tmp_path / name
        whole = path.read_bytes()
        for at in range(len(whole)):
            for flip in (0x01, 0x20, 0xFF):
                path.write_bytes(whole[:at] + bytes([whole[at] ^ flip]) + whole[at + 1 :])
                with suppress(ValueError):
                    load_array(str(path))


# ---- all kinds ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["x.txt", "x", "x.npz.gz", ".npy"])
def test_an_unknown_kind_is_refused_even_if_it_is_missing(tmp_path, name):
    path = str(tmp_path / name)
    if name in ("x", ".npy"):  # without an ending nothing says that it was to be a file
        with pytest.raises(FileNotFoundError):
            load_array(path)
        Path(path).touch()
    with refused(
        path, "a .npy, .npz, .h5, .safetensors, .pt, .csv, .parquet, .arrow or .feather file"
    ):
        load_array(path)


@pytest.mark.parametrize("name", ["x.npy", "x.npz", "x.npz:key", "x.csv"])
def test_a_missing_file_is_the_systems_own_error(tmp_path, name):
    with pytest.raises(FileNotFoundError) as error:
        load_array(str(tmp_path / name))
    assert error.value.filename == str(tmp_path / name.removesuffix(":key"))


def test_a_folder_is_the_systems_own_error(tmp_path):
    (tmp_path / "x.npy").mkdir()
    with pytest.raises(IsADirectoryError):
        load_array(str(tmp_path / "x.npy"))


# ---- outputs -----------------------------------------------------------------------------------


def write_text(text):
    def write(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    return write


def test_a_new_file_is_whole_and_has_the_usual_permissions(tmp_path):
    path = tmp_path / "out.json"
    write_whole(str(path), write_text("new"))
    assert path.read_text() == "new"
    usual = tmp_path / "usual"
    usual.touch()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)


def test_the_draft_has_the_same_ending_beside_the_file(tmp_path):
    drafts = []
    write_whole(str(tmp_path / "out.png"), drafts.append)
    assert os.path.dirname(drafts[0]) == str(tmp_path)
    assert drafts[0].endswith(".png")
    assert os.listdir(tmp_path) == ["out.png"]


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


def test_an_old_file_is_replaced(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out.json").write_text("old and longer")
    write_whole("out.json", write_text("new"))
    assert (tmp_path / "out.json").read_text() == "new"


def test_a_missing_folder_is_the_systems_own_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_whole(str(tmp_path / "none" / "out.json"), write_text("new"))


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


@pytest.mark.parametrize("name", ["x" * 300 + ".json", "x." + "y" * 300, "x." + "y" * 250])
def test_a_name_that_is_too_long_is_reported_as_it_is(tmp_path, name):
    path = str(tmp_path / name)
    with pytest.raises(OSError, match="too long") as error:
        write_whole(path, write_text("new"))
    assert error.value.filename == path
    assert os.listdir(tmp_path) == []


def test_a_folder_or_a_device_in_its_place_is_reported_as_it_is(tmp_path):
    path = tmp_path / "out.json"
    path.mkdir()
    with pytest.raises(IsADirectoryError) as error:
        write_whole(str(path), write_text("new"))
    assert (error.value.filename, error.value.filename2) == (str(path), None)
    assert os.listdir(tmp_path) == ["out.json"]
    with pytest.raises(OSError, match="not a regular file"):
        write_whole(os.devnull, write_text("new"))
