"""Checksums of files, of folders and of patterns."""

import hashlib
import shutil
import subprocess

import pytest

from prfast.records.inputs import checksum_of, size_of


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (("a-1.npy", b"one"), ("a-2.npy", b"two"), ("z.zarr/c/0", b"three")):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def test_a_file_has_that_of_sha256sum(files):
    found = checksum_of("a-1.npy")
    assert found == (hashlib.sha256(b"one").hexdigest(), 3, 1)


def test_a_pattern_has_that_of_the_list_that_sha256sum_writes(files):
    found = checksum_of("a-*.npy")
    lines = [f"{hashlib.sha256(one).hexdigest()}  {name}\n" for one, name in LISTED]
    assert found == (hashlib.sha256("".join(lines).encode()).hexdigest(), 6, 2)
    if shutil.which("sha256sum"):
        told = subprocess.run(["sha256sum", "a-1.npy", "a-2.npy"], capture_output=True, check=True)
        assert found.sha256 == hashlib.sha256(told.stdout).hexdigest()


LISTED = [(b"one", "a-1.npy"), (b"two", "a-2.npy")]


def test_a_folder_has_that_of_the_files_in_it(files):
    line = f"{hashlib.sha256(b'three').hexdigest()}  c/0\n"
    assert checksum_of("z.zarr") == (hashlib.sha256(line.encode()).hexdigest(), 5, 1)


def test_it_tells_how_much_it_has_read(files):
    told = []
    checksum_of("a-*.npy", told.append)
    assert sum(told) == size_of("a-*.npy") == 6


@pytest.mark.parametrize("path", ["b.npy", "b-*.npy", "b.npz:key"])
def test_what_is_not_there_is_the_systems_own_error(files, path):
    with pytest.raises(FileNotFoundError):
        checksum_of(path)
