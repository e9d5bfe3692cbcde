"""Curves of several neighbour methods and several k from the same passes over the distances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.balls import Points, Search
from prfast.curve import PRCurve
from prfast.estimate.check import checked
from prfast.estimate.paired import Scores
from prfast.estimate.record import how_made
from prfast.estimate.scores import score_samples
from prfast.inputs.arrays import Floats
from prfast.inputs.closest import closest
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import is_word, read_flag, read_list, read_seed, read_share, read_ties
from prfast.scorers.methods import METHODS
from prfast.scorers.neighbor_scorer import NeighborScores
from prfast.scorers.neighbors import NEIGHBOR_METHODS, read_k


class CurveOptions(NamedTuple):
    """Checked arguments of `pr_curves`, but for the samples and the search."""

    methods: list[str]
    """Those that count neighbours."""
    ks: list[Any]
    split: float | None
    seed: int
    ties: str
    count_self: bool
    auto: bool = False
    """Is the automatic estimator wanted as well?"""


def read_curve_options(
    methods: Any,
    k: Any,
    split: Any,
    random_state: Any,
    ties: str,
    count_self: Any,
    besides: Sequence[str] = (),
) -> CurveOptions:
    """Check the arguments of `pr_curves`, which documents them; besides: other methods that may be
    among them."""
    seed = read_seed(random_state)
    methods = read_list("methods", methods, (str,))
    for method in methods:
        if not is_word(method, *besides, *NEIGHBOR_METHODS):
            known = ", ".join(map(repr, (*besides, *NEIGHBOR_METHODS)))
            text = f"some of {known} expected, got {method!r}"
            hint = closest(method, (*besides, *NEIGHBOR_METHODS))
            if not besides and isinstance(method, str) and method in METHODS:
                hint = f"; Evaluator(real, {methods}).curves(fake) takes every method"
            raise WrongValue("methods", text + hint)
    read_ties(ties)
    count_self = read_flag("count_self", count_self)
    if split is not None:
        split = read_share("split", split)
    ks = [one if is_word(one, "sqrt") else read_k(one, ()) for one in read_list("k", k, (str,))]
    counting = [method for method in methods if method in NEIGHBOR_METHODS]
    auto = len(counting) < len(methods)
    return CurveOptions(counting, ks, split, seed, ties, count_self, auto)


class NeighborScored(NamedTuple):
    """Scores of the evaluation samples of both sets and how they were made, each {(method, k): …},
    k as it was asked for, and the rows of those samples."""

    real: dict[tuple[str, int | str], Floats]
    fake: dict[tuple[str, int | str], Floats]
    info: dict[tuple[str, int | str], dict[str, Any]]
    real_rows: Any
    fake_rows: Any
    work: dict[str, int]

    def curves(
        self, real: Any = slice(None), fake: Any = slice(None), **more: Any
    ) -> dict[tuple[str, int | str], PRCurve]:
        """The curves of these samples, all by default; more: what their record says besides."""
        return {
            key: PRCurve.from_scores(
                self.real[key][real], self.fake[key][fake], info=info | more
            )._worked(self.work)
            for key, info in self.info.items()
        }

    def paired(self, n: int, reference: int) -> dict[tuple[str, int | str], Scores]:
        """The scores, with the rows of the n real samples of a reference that they are of."""
        rows = np.arange(n)[self.real_rows]
        return {
            key: Scores(real, self.fake[key], rows, reference) for key, real in self.real.items()
        }


def neighbor_scores(
    real: Floats,
    fake: Floats,
    wanted: CurveOptions,
    search: Search,
    halves: tuple[Points, Points] | None = None,
) -> NeighborScored:
    """Scores of every method and k that is wanted, for samples that have been read.

    halves: the training and the evaluation half of real, if they are there already.
    """
    closed, count_self = wanted.ties == "closed", wanted.count_self
    scorer = NeighborScores(wanted.methods, wanted.ks, search, closed=closed, count_self=count_self)
    before = search.work
    scored = score_samples(scorer, real, fake, wanted.split, wanted.seed, halves)
    work = search.work_since(before)
    settings = {"ties": wanted.ties, "count_self": count_self, "backend": search.backend}
    found = NeighborScored({}, {}, {}, scored.real_rows, scored.fake_rows, work)
    for k in wanted.ks:
        for method in wanted.methods:
            number = scorer.number[k]
            found.real[method, k] = scored.real[method, number]
            found.fake[method, k] = scored.fake[method, number]
            sizes = found.real[method, k].size, found.fake[method, k].size
            found.info[method, k] = how_made(
                method, {"k": number} | settings, wanted.split, real, fake, sizes, wanted.seed
            )
    return found


def neighbor_curves(
    real: Floats,
    fake: Floats,
    wanted: CurveOptions,
    search: Search,
    halves: tuple[Points, Points] | None = None,
) -> dict[tuple[str, int | str], PRCurve]:
    """What `pr_curves` returns, for samples that have been read."""
    curves = neighbor_scores(real, fake, wanted, search, halves).curves()
    return checked(curves, real, fake, wanted.seed)
