"""Every way to compute a distance: instruction sets and filters, engines, threads and memory."""

import os

import numpy as np
import oracles
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from prfast.kernels.distances import ISAS
from prfast.neighbors import Count, NeighborSearch, exact
from prfast.neighbors.tasks import Nearest, Resources

# What can be set: an instruction set, a filter, or both.  "off" needs no instruction set.
PATHS = [
    *(f"{isa} {levels}" for isa in ISAS for levels in ("float32", "int8", "head", "auto")),
    "off",
]

_PLAINEST, *_, _BEST = [*ISAS] * 2

# For what is slow.
FEW_PATHS = [f"{_PLAINEST} float32", f"{_PLAINEST} int8", f"{_BEST} int8", f"{_BEST} head", "off"]
FEW_PATHS = [*dict.fromkeys(FEW_PATHS)]

_ORDER = np.random.default_rng(0).permutation(len(PATHS)).tolist()
_BY_INT8 = [PATHS[i] for i in _ORDER if PATHS[i].endswith(("int8", "head", "auto"))]
_BY_OTHERS = [PATHS[i] for i in _ORDER if PATHS[i] not in _BY_INT8]


def in_turn(cases):
    """(case, path): each case on a path with int8 or on one without, in turn; nightly on both."""
    pairs = []
    for i, case in enumerate(cases):
        two_paths = _BY_INT8[i % len(_BY_INT8)], _BY_OTHERS[i % len(_BY_OTHERS)]
        pairs.append((case, two_paths[i % 2]))
        pairs.append(pytest.param(case, two_paths[1 - i % 2], marks=pytest.mark.nightly))
    return pairs


def examples(count):
    """So many in every run; PRFAST_EXPLORE draws as many as of all."""
    return settings() if os.environ.get("PRFAST_EXPLORE") else settings(max_examples=count)


def variables(path):
    """Return the environment of a path."""
    if path == "off":
        return {"PRFAST_FILTER": "off"}
    isa, _, levels = path.partition(" ")
    return {"PRFAST_ISA": isa} | ({"PRFAST_FILTER": levels} if levels else {})


def ready(points):
    """Return an array as `prfast.inputs` passes it to the engine: of native byte order."""
    return points.astype(points.dtype.newbyteorder("="), copy=False)


def paths():
    return st.sampled_from(PATHS)


class on:
    """Run a block on one path."""

    def __init__(self, path):
        self.names = variables(path)

    def __enter__(self):
        self.before = {name: os.environ.get(name) for name in self.names}
        os.environ.update(self.names)

    def __exit__(self, *error):
        for name, value in self.before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def check_bounds(x, y, path):
    """A bound that D exceeds decides a ball wrongly that ends at this D."""
    d2 = oracles.squared_distances(x.astype(float), y.astype(float))
    for shift in range(0, max(d2.shape), 1 + max(d2.shape) // 3):
        t_x = d2[np.arange(len(x)), (np.arange(len(x)) + shift) % len(y)]
        t_y = d2[(np.arange(len(y)) + shift) % len(x), np.arange(len(y))]
        for query_t, ref_t, t in ((t_x, None, t_x[:, None]), (None, t_y, t_y)):
            for closed in (True, False):
                rows = np.zeros(len(x), np.int64)
                with on(path):
                    count = Count(query_t, ref_t, closed, rows)
                    NeighborSearch("exact", n_jobs=1).run(x, [y], [count])
                expected = (d2 <= t if closed else d2 < t).sum(axis=1)
                assert np.array_equal(rows, expected), path


MEMORIES = st.sampled_from([1_000_000, 256_000_000])
SEARCHES = st.builds(
    NeighborSearch,
    backend=st.sampled_from(["exact", "tree"]),
    n_jobs=st.sampled_from([1, 1, 1, 2, 3]),
    memory=MEMORIES,
)


def answer(once, points, task, resources):
    """Answer a task within a set, each pair computed once or twice; None: as is faster."""
    with pytest.MonkeyPatch.context() as patch:
        if once is not None:
            patch.setattr(exact, "symmetric_pays", lambda *_: once)
        exact.answer(points, [points], [task], resources)


def radii(points, ks, once, threads=1, memory=256_000_000):
    """Return the radii of the exact engine, each pair of points computed once or twice; and its
    work."""
    task, resources = Nearest(np.array(ks), within=(True, False)), Resources(threads, memory)
    answer(once, points, task, resources)
    return task.d2_a, resources.work


def union(
    search, queries, a, b, ks_a, ks_b, ks_both, closed=True, leave_out=None, across=False, counts=()
):
    """Return the answered `Nearest` of queries in a, in b and in both, with `counts` in its pass.

    leave_out: the set, "real" (a) or "fake" (b), whose rows the queries are, none its own neighbor.
    """
    ks = (np.array(each, np.int64) for each in (ks_a, ks_b, ks_both))
    task = Nearest(*ks, closed, (leave_out == "real", leave_out == "fake"), across)
    search.run(queries, [a, b], [task, *counts])
    return task
