"""Inputs and peers that several of the neighbour cases share."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any


def add_dims(parser: ArgumentParser) -> None:
    """The option of cases that run at d = 64 and 2048."""
    dims = [64, 2048]
    parser.add_argument("--dims", type=int, nargs="+", choices=dims, default=dims, metavar="D")


def clouds(size: int, dim: int) -> tuple[Any, Any]:
    """Real and generated samples: Gaussians at distance 1, float32, shapes (size, dim)."""
    import numpy as np

    rng = np.random.default_rng(0)
    real, fake = rng.standard_normal((2, size, dim), np.float32)
    return real, fake + np.float32(dim**-0.5)


def sgemm(rows: int, cols: int, dim: int, core: str | None = None) -> Callable[[], Any]:
    """NumPy's matrix product of all pairs into an array that is there already.

    core: the kernels that OpenBLAS has to take, such as "Haswell" for AVX2; by default its own
    choice.  It is read when NumPy is loaded, so this contender needs a process of its own.
    """
    if core is not None:
        os.environ["OPENBLAS_CORETYPE"] = core
    import numpy as np

    queries, refs = clouds(max(rows, cols), dim)
    queries, refs = queries[:rows].copy(), refs[:cols].copy()
    product = np.zeros((rows, cols), np.float32)
    return lambda: np.matmul(queries, refs.T, out=product)


def blas_core(_: Any) -> str:
    """The kernels that NumPy's OpenBLAS took: the `answer` of a matrix product."""
    from threadpoolctl import threadpool_info

    found = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    return ", ".join(sorted({str(pool.get("architecture", "unknown")) for pool in found}))
