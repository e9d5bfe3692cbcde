"""Curves of several methods: those that count neighbours from the same passes, and "auto"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prfast.balls import Points, Search
from prfast.curve import PRCurve
from prfast.estimate.check import checked
from prfast.estimate.cross_fitted import CrossFitted, cross_fitted
from prfast.estimate.neighbors import (
    CurveOptions,
    NeighborScored,
    neighbor_scores,
    read_curve_options,
)
from prfast.estimate.split import train_size
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import WrongValue
from prfast.scorers.auto.estimator import Auto
from prfast.scorers.auto.estimator import expected_pairs as expected_auto
from prfast.scorers.neighbors import NEIGHBOR_METHODS
from prfast.scorers.passes import expected_pairs

ScoredSet = NeighborScored | CrossFitted


def read_several(
    methods: Any, k: Any, split: Any, random_state: Any, ties: str, count_self: Any
) -> CurveOptions:
    """Check the arguments of a caller that takes "auto" as well; those that only count for
    neighbours are refused where no method counts any."""
    found = read_curve_options(methods, k, split, random_state, ties, count_self, ("auto",))
    if not found.methods:
        changed = {"k": found.ks != ["sqrt"], "split": found.split != 0.5}
        changed["count_self"] = not found.count_self
        for name in (name for name, is_changed in changed.items() if is_changed):
            known = ", ".join(map(repr, NEIGHBOR_METHODS))
            raise WrongValue(
                name,
                f"only for methods that count neighbours, {known}: name one in methods",
            )
    return found


def scored_sets(
    real: Floats,
    fake: Floats,
    wanted: CurveOptions,
    search: Search,
    settings: Mapping[str, Any],
    halves: tuple[Points, Points] | None = None,
) -> list[ScoredSet]:
    """The scores of every method that is wanted, for samples that have been read.

    settings: n_jobs, memory, progress.
    """
    found: list[ScoredSet] = []
    if wanted.auto:
        found.append(cross_fitted(Auto(random_state=wanted.seed, **settings), real, fake))
    if wanted.methods:
        found.append(neighbor_scores(real, fake, wanted, search, halves))
    return found


def expected_work(wanted: CurveOptions, n: int, m: int) -> int:
    """Of so many real and generated samples: in pairs of neighbours, for a bar."""
    found = expected_auto(n + m) if wanted.auto else 0
    if wanted.methods:
        share = wanted.split
        train = (n, m) if share is None else (train_size(n, share), train_size(m, share))
        scored = n + m if share is None else n + m - sum(train)
        found += expected_pairs(wanted.methods, train, scored)
    return found


def several_curves(
    scored: Sequence[Any], real: Floats, fake: Floats, seed: int
) -> dict[tuple[str, Any], PRCurve]:
    """The curve of every method and k, with a caution where the metrics contradict it."""
    found = {key: curve for one in scored for key, curve in one.curves().items()}
    return checked(found, real, fake, seed)
