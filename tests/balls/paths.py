"""Every way to compute a distance: instruction sets, no filter, engines, threads and memory."""

import os

from hypothesis import strategies as st

from prfast import _kernels
from prfast.balls import Search

ISAS = [name for name, number in _kernels.ISAS.items() if _kernels.isa_runs(number)]


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


SEARCHES = st.builds(
    Search,
    backend=st.sampled_from(["exact", "tree"]),
    n_jobs=st.sampled_from([1, 2, 3]),
    memory=st.sampled_from([1_000_000, 256_000_000]),
)
