"""NumPy's matrix product of the pairs that a case needs: the measure of its arithmetic."""

import math
from collections.abc import Callable
from typing import Any

from bench.contender import Contender

ROWS = 10_000


def sgemm(pairs: float, dim: int, threads: int, core: str | None = None) -> Contender:
    """Return the product of so many pairs, in blocks of at most 10 000 × 15 000.

    core: the kernels that OpenBLAS has to take, such as "Haswell" for AVX2; by default its own
    choice.  Its answer is the name of the kernels that it took.
    """
    times = math.ceil(pairs / (1.5 * ROWS**2))
    rows = min(ROWS, math.ceil(math.sqrt(pairs / times)))
    settings = {"rows": rows, "cols": round(pairs / times / rows), "dim": dim, "times": times}
    variables = {} if core is None else {"OPENBLAS_CORETYPE": core}
    return Contender(product, settings, threads, blas_core, variables)


def product(rows: int, cols: int, dim: int, times: int) -> Callable[[], Any]:
    """`times` products into an array that is there already."""
    import numpy as np

    rng = np.random.default_rng(0)
    queries = rng.standard_normal((rows, dim), np.float32)
    refs = rng.standard_normal((cols, dim), np.float32)
    into = np.zeros((rows, cols), np.float32)

    def call() -> None:
        for _ in range(times):
            np.matmul(queries, refs.T, out=into)

    return call


def blas_core(_: Any) -> str:
    """Return the kernels that NumPy's OpenBLAS took: the `answer` of a matrix product."""
    from threadpoolctl import threadpool_info

    results = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    return ", ".join(sorted({str(pool.get("architecture", "unknown")) for pool in results}))
