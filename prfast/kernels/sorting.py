"""The scores of two classes in order: which sort, and on how many threads.

NumPy sorts floats with what the processor has, and how fast that is depends on it: a million
float32 took 5 ms on one with AVX-512 and 31 ms on another, where the radix sort of
`csrc/masses/sort.c` took 6.  So from `FEW` numbers on whichever is faster here is taken.  Once a
process has sorted `LARGE` numbers of a type, with NumPy, both sorts are timed on a few of the
caller's own; that costs some percent of what has been spent by then.  Beside weights the sort is
stable, which NumPy's fast ones are not: it is the radix sort.

`PRFAST_SORT=numpy` or `PRFAST_SORT=radix` forces one of them.  Both give equal scores, and the
weights beside them in the same order.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, Floats
from prfast.kernels import masses
from prfast.kernels.threads import resolve_threads

SORTS = ("numpy", "radix")
LARGE = 1 << 20
FEW = 1 << 14

_MOST_TIMED = 1 << 15
_TURNS = 3

# By the name of a type: how many numbers NumPy has sorted, and then which sort is faster.
_sorted: dict[str, int] = {}
_faster: dict[str, str] = {}


def sort(real: Floats, fake: Floats) -> tuple[Floats, Floats]:
    """The scores of both classes, of one type, each ascending; fresh arrays."""
    if (forced() or usual(real, fake)) == "numpy":
        return np.sort(real), np.sort(fake)
    return masses.sort(real, fake, team())


def sort_weighted(
    real: Float64s, w_real: Float64s, fake: Float64s, w_fake: Float64s
) -> tuple[Float64s, Float64s, Float64s, Float64s]:
    """The same with the weights beside the scores; those of equal scores keep their order."""
    name = forced() or ("numpy" if real.size + fake.size < FEW else "radix")
    if name == "radix":
        return masses.sort_weighted(real, w_real, fake, w_fake, team())
    first, second = np.argsort(real, kind="stable"), np.argsort(fake, kind="stable")
    return real[first], w_real[first], fake[second], w_fake[second]


def forced() -> str | None:
    """The sort that PRFAST_SORT names; None: it names none."""
    name = os.environ.get("PRFAST_SORT")
    if name is not None and name not in SORTS:
        raise ValueError(f"PRFAST_SORT: one of {', '.join(SORTS)} expected, got {name!r}")
    return name


def team() -> int:
    """A thread a class, where there are two."""
    return min(2, resolve_threads(None))


def usual(real: Floats, fake: Floats) -> str:
    """The faster sort; NumPy's for a few numbers, and until a measurement pays."""
    dtype = real.dtype.name
    if real.size + fake.size < FEW:
        return "numpy"
    if dtype not in _faster:
        seen = _sorted.get(dtype, 0) + real.size + fake.size
        _sorted[dtype] = seen
        if seen < LARGE:
            return "numpy"
        larger = max(real, fake, key=len)
        _faster[dtype] = measured(sample(larger, min(seen >> 8, _MOST_TIMED)))
    return _faster[dtype]


def sample(scores: Floats, size: int) -> Floats:
    """At most so many of the scores, from all over them."""
    return scores[:: -(-scores.size // size)].copy()


def measured(scores: Floats) -> str:
    """Which sort of these takes less time, at its best of a few turns."""
    none = scores[:0]
    sorts: dict[str, Callable[[], Any]] = {
        "numpy": lambda: np.sort(scores),
        "radix": lambda: masses.sort(scores, none, 1),
    }
    best = dict.fromkeys(sorts, float("inf"))
    for _ in range(_TURNS):
        for name, call in sorts.items():
            start = time.perf_counter()
            call()
            best[name] = min(best[name], time.perf_counter() - start)
    return min(best, key=lambda name: best[name])
