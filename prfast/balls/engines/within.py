"""Radii inside a set, the distance of each pair of its points computed once."""

from __future__ import annotations

import math

from prfast.balls.engines.pairs import ordered_pairs, rounds
from prfast.balls.engines.passes import FLOPS_A_CALL, QUERIES, calls, flops, new_pass
from prfast.balls.engines.reservoirs import capacity, fit
from prfast.balls.resources import Resources
from prfast.balls.rows import Points
from prfast.balls.tasks import Kth
from prfast.kernels import balls as kernels


def pays(points: Points, k: int, memory: int) -> bool:
    """Does computing each pair once pay (`python -m bench within`), and is there memory for the
    packed set and the reservoirs of all its points?"""
    return k <= 4 * points.shape[1] and fit(len(points), k, 4 * points.shape[1] + 16, memory)


def each_pair_once(points: Points, task: Kth, resources: Resources) -> bool:
    """Answer the task; False where the filter decides so little that float64 tiles are better."""
    n, dim = points.shape
    threads = resources.threads
    side = new_pass(points, points, n, True)
    if side.exact:
        return False
    side.load(0, n, threads)
    state = kernels.Nearest(0, n, task.k, capacity(task.k))
    for first, count in calls(0, n, n, dim, threads):
        side.within_start(state, first, count, threads)
    least = math.ceil(n * n * flops(dim) / (2 * threads * FLOPS_A_CALL))
    done = 0
    for parts in rounds(n, max(4 * threads, least), QUERIES):
        decided = side.within_pairs(state, parts, threads)
        # Within a part the kernel gives up, where it is long enough; here between rounds.
        if not decided or kernels.useless(side.refined, done + ordered_pairs(parts)):
            resources.work.add(*side.counters())
            resources.advance(-done)
            return False
        done += ordered_pairs(parts)
        resources.advance(ordered_pairs(parts))
    for first, count in calls(0, n, n, dim, threads):
        side.within_end(state, first, count, threads)
    task.d2 = side.finish(state, 0, n, task.ks, threads)
    resources.work.add(*side.counters())
    return True
