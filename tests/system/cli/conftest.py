"""Every test of the command line runs in a folder of its own."""

import numpy as np
import pytest
from helpers import few_draws  # noqa: F401
from terminal import FAKE, REAL


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test runs in its own folder with these files."""
    monkeypatch.chdir(tmp_path)
    np.save("real.npy", REAL)
    np.save("fake.npy", FAKE)
    np.savez("more.npz", near=FAKE[:100], far=FAKE + 100)
    np.savetxt("fake.csv", FAKE, delimiter=",", header="a,b,c", comments="")
    return tmp_path
