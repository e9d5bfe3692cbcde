"""Radii inside a set: each pair computed once against twice, by dimension, k and threads.

10 000 samples.  Computing a pair once halves the products and doubles the work on each that counts;
the rule of `balls.engines.within` (k <= 4 d) is to be where that pays.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.machine import cores
from bench.measure import Measured, side_by_side
from bench.results import Figure, Findings
from bench.speed.clouds import clouds

SETTINGS = ((4, 5), (16, 5), (16, 100), (64, 5), (64, 100), (64, 500), (512, 5), (512, 100))


def run(options: Namespace) -> Findings:
    size = 300 if options.tiny else 10_000
    settings = ((8, 5),) if options.tiny else SETTINGS
    repeats = options.repeats or (2 if options.tiny else 9)
    measured: dict[str, Measured] = {}
    figures = []
    for threads in sorted({1, 1 if options.tiny else cores()}):
        for dim, k in settings:
            shape = {"size": size, "dim": dim, "k": k, "jobs": threads}
            found = side_by_side(
                {
                    name: Contender(radii, {**shape, "once": name == "once"}, threads, float)
                    for name in ("once", "twice")
                },
                repeats,
            )
            name = f"d={dim}, k={k}, {threads} thr"
            if found["once"].answer != found["twice"].answer:
                raise ArithmeticError(f"{name}: the radii differ")
            figures.append(
                Figure.of_ratio(
                    f"{name}: once / twice{'' if k <= 4 * dim else ' (not taken)'}",
                    found["once"],
                    found["twice"],
                )
            )
            measured |= {f"{name}: {key}": one for key, one in found.items()}
    return Findings(measured, figures, [f"{size} samples, {repeats} turns"])


def radii(size: int, dim: int, k: int, jobs: int, once: bool) -> Callable[[], Any]:
    """The sum of all squared radii, with the rule overruled."""
    import numpy as np

    from prfast.balls.engines.exact import Exact
    from prfast.balls.resources import Resources
    from prfast.balls.tasks import Kth

    points, task = clouds(size, dim)[0], Kth(np.array([k]), within=True)

    def call() -> Any:
        Exact(once).run(points, [points], [task], Resources(jobs))
        return task.d2.sum()

    return call
