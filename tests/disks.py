"""A disk that is nearly full, where the system lets a test have one."""

import subprocess
from contextlib import contextmanager

import pytest


@contextmanager
def small_disk(folder, size="64k"):
    """A file system of this size in a new folder."""
    folder.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    try:
        found = subprocess.run(mounted, capture_output=True, text=True)
    except FileNotFoundError as error:
        pytest.skip(f"no file system of a test's own: {error}")
    if found.returncode:
        pytest.skip(f"no file system of a test's own: {found.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
