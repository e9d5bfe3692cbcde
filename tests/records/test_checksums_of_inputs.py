"""Checksums of files, of folders and of patterns."""

import hashlib
import shutil
import subprocess

import numpy as np
import pytest

from prfast.records.documents import checksum_of, checksum_of_array


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("a-1.npy", b"one"), ("a-2.npy", b"two"), ("z.zarr/c/0", b"three")):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def test_a_file_has_that_of_sha256sum(files):
    result = checksum_of("a-1.npy")
    assert result == (hashlib.sha256(b"one").hexdigest(), 3, 1)


@pytest.mark.parametrize("dtype", ["<f8", ">f4"])
def test_an_array_has_that_of_its_numbers(dtype):
    """As little-endian bytes, row by row, however it lies."""
    array = np.arange(21.0).reshape(3, 7).T.astype(dtype)
    numbers = array.astype(array.dtype.newbyteorder("<")).tobytes(order="C")
    result = checksum_of_array(array)
    assert result == (hashlib.sha256(numbers).hexdigest(), 21 * array.itemsize, 0)


def test_a_pattern_has_that_of_the_list_that_sha256sum_writes(files):
    result = checksum_of("a-*.npy")
    lines = [f"{hashlib.sha256(one).hexdigest()}  {name}\n" for one, name in LISTED]
    assert result == (hashlib.sha256("".join(lines).encode()).hexdigest(), 6, 2)
    if shutil.which("sha256sum"):
        printed = subprocess.run(
            ["sha256sum", "a-1.npy", "a-2.npy"], capture_output=True, check=True
        )
        assert result.sha256 == hashlib.sha256(printed.stdout).hexdigest()


LISTED = [(b"one", "a-1.npy"), (b"two", "a-2.npy")]


def test_a_folder_has_that_of_the_files_in_it(files):
    line = f"{hashlib.sha256(b'three').hexdigest()}  c/0\n"
    assert checksum_of("z.zarr") == (hashlib.sha256(line.encode()).hexdigest(), 5, 1)


@pytest.mark.parametrize("path", ["b.npy", "b-*.npy", "b.npz:key"])
def test_a_missing_file_is_the_systems_own_error(files, path):
    with pytest.raises(FileNotFoundError):
        checksum_of(path)
