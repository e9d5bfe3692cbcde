"""`memory` bounds what a search takes, and changes no bit of what it finds."""

import os
import subprocess
import sys

import numpy as np
import pytest

from prfast.neighbors import NeighborSearch

DIM = 20_000
MEASURED = f"""
import sys
import numpy as np
from prfast.neighbors import NeighborSearch
from prfast.neighbors.tasks import Nearest

def highest():
    status = open("/proc/self/status").read().split("VmHWM:")[1]
    return 1024 * int(status.split()[0])

x, y = np.random.default_rng(0).standard_normal((2, 250, {DIM}), np.float32)
search = NeighborSearch("exact", n_jobs=2, memory=10**6)
search.kth(x[:9, :9].copy(), y[:9, :9].copy(), [1])
before = highest()
if sys.argv[1] == "one":
    search.kth(x, y, [3])
else:
    search.run(x, [x, y], [Nearest(*3 * [np.array([3])], within=(True, False))])
print(highest() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the highest mark is Linux's")
@pytest.mark.parametrize(("sets", "each", "way"), [("one", 400, "auto"), ("two", 600, "int8")])
def test_a_process_takes_no_more_than_the_least_that_is_documented(sets, each, way):
    ran = subprocess.run(
        [sys.executable, "-c", MEASURED, sets],
        env=os.environ | {"PRFAST_FILTER": way},
        capture_output=True,
        text=True,
        check=True,
    )
    peak = int(ran.stdout)
    assert 100 * DIM < peak < each * DIM + 4_000_000


@pytest.mark.parametrize("memory", [1_000_000, 256_000_000])
def test_a_tree_that_does_not_fit_is_not_taken(memory):
    x = np.random.default_rng(0).normal(size=(6000, 2))
    search = NeighborSearch(n_jobs=1, memory=memory)
    result = search.kth_within(x, [3])
    assert np.array_equal(result, NeighborSearch("tree").kth_within(x, [3]))
    assert (
        (search.work["float32"] > 0) == (search.work["memory_limited"] > 0) == (memory == 1_000_000)
    )
