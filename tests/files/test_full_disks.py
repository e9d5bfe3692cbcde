"""A full disk: an error that names the file, what was there stays, and nothing else is left."""

import errno
import subprocess
from pathlib import Path

import numpy as np
import pytest

from prfast.files.write import write_whole


@pytest.fixture
def disk(tmp_path):
    """A file system of 64 kB, where the tests may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError as error:
        pytest.skip(f"cannot mount a file system: {error}")
    if mounted.returncode:
        pytest.skip(f"cannot mount a file system: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def full(disk):
    """A file system with a file `was` and space for less than a page of others."""
    (disk / "was").write_bytes(b"as it was")
    (disk / "fill").write_bytes(bytes(56 << 10))
    return disk


def test_a_full_disk_leaves_the_old_file(full):
    with pytest.raises(OSError, match="No space left on device") as result:
        write_whole(str(full / "was"), lambda draft: Path(draft).write_bytes(bytes(1 << 16)))
    assert (result.value.errno, result.value.filename) == (errno.ENOSPC, str(full / "was"))
    assert (full / "was").read_bytes() == b"as it was"
    assert sorted(one.name for one in full.iterdir()) == ["fill", "was"]


def test_features_reserve_space_before_they_are_computed(disk):
    """A map of a file that the disk has no room for ends the process."""
    from prfast.features import extract

    images = np.zeros((10_000, 1, 1, 3), np.uint8)
    with pytest.raises(OSError, match="No space left on device") as result:
        extract(images, lambda some: np.zeros((len(some), 64), np.float32), out=disk / "x.npy")
    assert result.value.filename == str(disk / "x.npy")
    assert not any(one.suffix == ".npy" for one in disk.iterdir())
