"""`memory` bounds what a search takes, and changes no bit of what it finds."""

import os
import platform
import re
import subprocess
import sys

import numpy as np
import pytest

from prfast.kernels.balls import BLOCK, INT8_BLOCK
from prfast.neighbors import Count, Search
from prfast.neighbors.engines.exact import scratch
from prfast.neighbors.engines.lists import capacity
from prfast.neighbors.resources import LISTED

DIM = 20_000
MEASURED = f"""
import sys
import numpy as np
from prfast.neighbors import Search

def highest():
    said = open("/proc/self/status").read().split("VmHWM:")[1]
    return 1024 * int(said.split()[0])

x, y = np.random.default_rng(0).standard_normal((2, 250, {DIM}), np.float32)
search = Search("exact", n_jobs=2, memory=10**6)
search.kth(x[:9, :9].copy(), y[:9, :9].copy(), [1])
before = highest()
if sys.argv[1] == "one":
    search.kth(x, y, [3])
else:
    search.union(x, x, y, [3], [3], [3], leave_out="real")
print(highest() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the highest mark is Linux's")
@pytest.mark.parametrize("way", ["auto", "int8"])
@pytest.mark.parametrize(("sets", "each"), [("one", 400), ("two", 600)])
def test_a_process_takes_no_more_than_the_least_that_is_documented(sets, each, way):
    taken = told_by(MEASURED, {"PRFAST_FILTER": way}, sets)
    assert 100 * DIM < taken < each * DIM + 4_000_000


# Every array of some length is mapped on its own, so that the peak of the addresses tells; some
# are held until they are at the peak.  Beside the scratch: 8 bytes of a reference, NumPy's objects.
BLOCKS_OF_A_THREAD = """
import sys
import numpy as np
from prfast.neighbors.engines.lists import frame_of, new_pass
from prfast.kernels import balls

def said(name):
    return 1024 * int(open("/proc/self/status").read().split(name + ":")[1].split()[0])

x = np.random.default_rng(0).standard_normal((4000, 64), np.float32)
y = x[:1000] + np.float32(0.5)
passed = new_pass(x, y, len(y), False, frame_of(x, y), None, 3, int(sys.argv[1]))
passed.load(0, len(y), 1)
lists = balls.Lists(len(x), 3, 500)
passed.look([], 0, 96, 1, balls.Lists(96, 3, 500))
held = []
while said("VmSize") < said("VmPeak"):
    held.append(np.empty(1 << 16, np.uint8))
before = said("VmPeak")
passed.look([], 0, len(x), 1, lists)
print(said("VmPeak") - before)
"""


def told_by(code, environment, *arguments):
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(ran.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the setting is glibc's")
@pytest.mark.parametrize(("way", "least"), [("int8", 0.7), ("float32", 0.2)])
@pytest.mark.parametrize("block", [12, BLOCK, 3 * BLOCK, INT8_BLOCK])
def test_a_thread_takes_no_more_than_is_said_for_its_block(monkeypatch, way, least, block):
    environment = {"PRFAST_FILTER": way, "MALLOC_MMAP_THRESHOLD_": "8192"}
    taken = told_by(BLOCKS_OF_A_THREAD, environment, str(block))
    monkeypatch.setenv("PRFAST_FILTER", way)
    said = scratch(64, block)
    assert least * said - 32_000 < taken < said + 64_000


def answers(search, x, y):
    """Of every task."""
    near = search.union(y, x, y, [1, 4], [2], [3], leave_out="fake", across=True)
    t = search.kth(x, y, [2])[:, 0]
    rows, cols = np.zeros(len(y), np.int64), np.zeros(len(x), np.int64)
    search.count(y, x, [Count(None, t, True, rows, cols)])
    return [
        t,
        rows,
        cols,
        near.d2_a,
        near.d2_b,
        near.d2_both,
        near.of_a,
        near.across_a,
        near.across_b,
        search.kth_within(x, [1, 5]),
        search.log_distances(y, x, float(t.max())),
        search.largest_ratio(y, x, t),
    ]


def test_lists_take_no_more_than_the_least_that_is_documented():
    """Of two sets, with a point's own place; of few references less."""
    factor, beside = re.search(r"8 bytes × \((\d+)k \+ (\d+)\)", Search.__doc__).groups()
    assert LISTED == 8
    for k in (1, 5, 100, 5000):
        least = int(factor) * k + int(beside)
        assert 2 * capacity(k + 1, 10**10) == least
        assert all(2 * capacity(k + 1, n) <= least for n in (k + 1, 1000, 10**5, 10**7))


def test_less_memory_changes_no_bit(path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(330, 1100)).round(1).astype(np.float32)
    y = rng.normal(0.1, size=(290, 1100)).round(1).astype(np.float32)
    plenty, little = Search("exact", n_jobs=2), Search("exact", n_jobs=2, memory=10**6)
    for one, other in zip(answers(plenty, x, y), answers(little, x, y), strict=True):
        assert np.array_equal(one, other)
    assert plenty.work["cramped"] == 0
    assert little.work["cramped"] > 0


@pytest.mark.parametrize("memory", [1_000_000, 256_000_000])
def test_a_tree_that_does_not_fit_is_not_taken(memory):
    x = np.random.default_rng(0).normal(size=(6000, 2))
    search = Search(n_jobs=1, memory=memory)
    found = search.kth_within(x, [3])
    assert np.array_equal(found, Search("tree").kth_within(x, [3]))
    assert (search.work["float32"] > 0) == (search.work["cramped"] > 0) == (memory == 1_000_000)
