"""Every way to compute a distance: instruction sets, no filter, engines, threads and memory."""

import os

import numpy as np
from hypothesis import strategies as st

from prfast.balls import Search
from prfast.balls.engines.exact import Exact
from prfast.balls.resources import Resources
from prfast.balls.tasks import Kth
from prfast.kernels.balls import ISAS


def ready(points):
    """What `prfast.inputs` makes of an array before the engine sees it: native byte order."""
    return points.astype(points.dtype.newbyteorder("="), copy=False)


@st.composite
def paths(draw):
    return draw(st.sampled_from([*ISAS, "unfiltered"]))


class on:
    """Run a block on one path."""

    def __init__(self, path):
        self.names = {"PRFAST_FILTER": "off"} if path == "unfiltered" else {"PRFAST_ISA": path}

    def __enter__(self):
        os.environ.update(self.names)

    def __exit__(self, *error):
        for name in self.names:
            del os.environ[name]


MEMORIES = st.sampled_from([1_000_000, 256_000_000])
SEARCHES = st.builds(
    Search,
    backend=st.sampled_from(["exact", "tree"]),
    n_jobs=st.sampled_from([1, 2, 3]),
    memory=MEMORIES,
)


def radii(points, ks, once, threads=1, memory=256_000_000):
    """Of the exact engine, each pair of points computed once or twice; and its work."""
    task, resources = Kth(np.array(ks), within=True), Resources(threads, memory)
    Exact(once).run(points, [points], [task], resources)
    return task.d2, resources.work
