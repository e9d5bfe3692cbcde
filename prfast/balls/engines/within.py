"""Radii inside a set, the distance of each pair of its points computed once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from prfast.balls.engines.lists import answers, capacity
from prfast.balls.engines.order import fair
from prfast.balls.engines.pairs import ordered_pairs, rounds
from prfast.balls.engines.passes import (
    FLOPS_A_CALL,
    QUERIES,
    calls,
    flops,
    frame_of,
    new_pass,
    packed_bytes,
)
from prfast.balls.resources import LISTED, Resources
from prfast.balls.rows import Points, select
from prfast.balls.tasks import Kth
from prfast.kernels import balls as kernels

_FEWEST = 8 * kernels.SAMPLE  # points for which the sample is a small part of the pairs


def pays(points: Points, k: int, memory: int) -> bool:
    """Does computing each pair once pay (`python -m bench within`), and is there memory for the
    packed set and the lists of all its points?"""
    n, dim = points.shape
    each = LISTED * capacity(k + 1, n) + packed_bytes(dim) + 40
    return n >= _FEWEST and bool(n * each <= memory)


def each_pair_once(points: Points, task: Kth, resources: Resources) -> Any:
    """Answer the task; which points lists do not tell.  None where the filter is off, or all points
    are the sample.

    The first points stand for all of them: they are looked at together with all, and give the
    others their first limits; then come the pairs of the others, each once.
    """
    frame = frame_of(points)
    n, dim = points.shape
    threads, sample = resources.threads, kernels.SAMPLE
    if frame.exact or n <= sample:
        return None
    order = fair(n)
    rows = select(points, order)
    passed = new_pass(rows, rows, n, True, frame)
    passed.load(0, n, threads)
    lists = resources.lists(n, task.k + 1, capacity(task.k + 1, n))
    for first, count in calls(0, sample, n, dim, threads):
        passed.look([], first, count, threads, lists)
    for first, count in calls(sample, n - sample, sample, dim, threads):
        passed.look([], first, count, threads, lists, sample=True)
    resources.advance(sample * (2 * n - sample))
    least = math.ceil(n * n * flops(dim) / (2 * threads * FLOPS_A_CALL))
    arms, seen = passed.arms(), np.full(n, sample)
    seen[:sample] = n
    for parts in rounds(n - sample, max(4 * threads, least), QUERIES):
        passed.lower(lists, seen, arms, threads)
        passed.triangle(lists, parts + sample, arms, threads)
        for first, end, start, stop in (parts + sample).tolist():
            seen[first:end] += stop - start
            if first != start:
                seen[start:stop] += end - first
        resources.advance(ordered_pairs(parts))
        if lists.given_up > n // 4:
            break
    task.d2 = np.empty((n, len(task.ks)))
    failed = np.ones(n, bool)
    none = np.empty(0, np.int64)
    if lists.given_up <= n // 4:
        told = answers(passed, lists, slice(0, n), (task.ks, none, none), True, resources)
        task.d2[order], failed[order] = told["d2"][0], told["failed"]
    resources.give_back(lists)
    resources.work.add(passed.counters())
    resources.work.redone += int(failed.sum())
    return failed
