"""Curves of several neighbour methods and several k from the same passes over the distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from prfast.balls import Points, Rows, Search, in_range
from prfast.balls.thresholds import read_ties
from prfast.curve import PRCurve
from prfast.estimate.record import how_made
from prfast.estimate.split import split_share
from prfast.inputs.arrays import Floats
from prfast.inputs.options import read_list, read_seed, read_share
from prfast.scorers.neighbors import NEIGHBOR_METHODS, read_k
from prfast.scorers.passes import scores, train


@dataclass(frozen=True)
class CurveOptions:
    """Checked arguments of `pr_curves`, but for the samples and the search."""

    methods: list[str]
    ks: list[Any]
    split: float | None
    seed: int
    ties: str
    count_self: bool


def read_curve_options(
    methods: Any, k: Any, split: Any, random_state: Any, ties: str, count_self: Any
) -> CurveOptions:
    """Check the arguments of `pr_curves`, which documents them."""
    seed = read_seed(random_state)
    methods = read_list("methods", methods, (str,))
    for method in methods:
        if method not in NEIGHBOR_METHODS:
            known = ", ".join(map(repr, NEIGHBOR_METHODS))
            raise ValueError(f"methods: some of {known} expected, got {method!r}")
    read_ties(ties)
    if not isinstance(count_self, bool):
        raise TypeError(f"count_self: True or False expected, got {count_self!r}")
    if split is not None:
        split = read_share("split", split)
    ks = [one if one == "sqrt" else read_k(one, ()) for one in read_list("k", k, (str,))]
    return CurveOptions(methods, ks, split, seed, ties, count_self)


@dataclass(frozen=True)
class Scored:
    """Scores of the evaluation samples of both sets, {(method, k): scores}, k a number, and their
    rows; `number` gives the k that stands for each k that was asked for."""

    real: dict[tuple[str, int], Floats]
    fake: dict[tuple[str, int], Floats]
    real_rows: Any
    fake_rows: Any
    number: dict[Any, int]


def neighbor_scores(
    real: Floats,
    fake: Floats,
    wanted: CurveOptions,
    search: Search,
    halves: tuple[Points, Points] | None = None,
) -> Scored:
    """Scores of every method and k that is wanted, for samples that have been read.

    halves: the training and the evaluation half of real, if they are there already.
    """
    x, y = in_range(real, fake)
    train_real: Points = x
    test_real: Points = x
    train_fake: Points = y
    test_fake: Points = y
    rows: tuple[Any, Any] = (slice(None), slice(None))
    if wanted.split is not None:
        part = split_share(len(real), len(fake), wanted.split, wanted.seed)
        rows = part.real_test, part.fake_test
        train_real, test_real = Rows(x, part.real_train), Rows(x, part.real_test)
        train_fake, test_fake = Rows(y, part.fake_train), Rows(y, part.fake_test)
        if halves is not None and x is real:
            train_real, test_real = halves
    number = {one: read_k(one, train_real) for one in wanted.ks}
    keys = list(dict.fromkeys((method, number[k]) for k in wanted.ks for method in wanted.methods))
    training = train(train_real, train_fake, keys, search)
    closed = wanted.ties == "closed"
    found = []
    for name, points in (("real", test_real), ("fake", test_fake)):
        alone = name if wanted.split is None and not wanted.count_self else None
        found.append(scores(points, training, keys, search, closed=closed, leave_out=alone))
    return Scored(found[0], found[1], rows[0], rows[1], number)


def neighbor_curves(
    real: Floats,
    fake: Floats,
    wanted: CurveOptions,
    search: Search,
    halves: tuple[Points, Points] | None = None,
) -> dict[tuple[str, int | str], PRCurve]:
    """What `pr_curves` returns, for samples that have been read."""
    scored = neighbor_scores(real, fake, wanted, search, halves)
    curves = {}
    for k in wanted.ks:
        for method in wanted.methods:
            key = (method, scored.number[k])
            info = made(*key, real, fake, wanted, search)
            curves[method, k] = PRCurve.from_scores(scored.real[key], scored.fake[key], info=info)
    return curves


def made(
    method: str, k: int, real: Floats, fake: Floats, wanted: CurveOptions, search: Search
) -> dict[str, Any]:
    """What a curve of `pr_curves` says of its making."""
    settings = {"k": k, "ties": wanted.ties, "count_self": wanted.count_self}
    settings |= {"backend": search.backend}
    return how_made(method, settings, wanted.split, real, fake, wanted.seed)
