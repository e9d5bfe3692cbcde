"""Any methods side by side: "auto", those that count neighbours from the same passes, and others,
each by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from prfast.balls import Points, Search
from prfast.cluster.sharded import Sharded
from prfast.curve import PRCurve
from prfast.estimate.check import checked
from prfast.estimate.cross_fitted import CrossFitted, cross_fitted
from prfast.estimate.intervals import Scores
from prfast.estimate.method import (
    MethodScored,
    Partitioned,
    check_pieces,
    check_split,
    method_scores,
)
from prfast.estimate.scores import draw_split, how_made, read_split, score_samples, train_size
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue, closest, kind_of
from prfast.inputs.options import (
    Progress,
    is_word,
    read_flag,
    read_list,
    read_seed,
    read_share,
    read_ties,
)
from prfast.results.info import read_info
from prfast.scorers.auto.estimator import Auto
from prfast.scorers.auto.estimator import expected_pairs as expected_auto
from prfast.scorers.methods import METHODS, check_options, choose
from prfast.scorers.neighbors import NEIGHBOR_METHODS, NeighborScores, expected_pairs, read_k

# Curves of several neighbour methods and several k from the same passes over the distances.


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


# Curves of several methods: those that count neighbours from the same passes, and "auto".


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


def expected_work_of_several(wanted: CurveOptions, n: int, m: int) -> int:
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


AnyScored = ScoredSet | MethodScored | Partitioned

# Options of methods that the caller has for all of them.
_OF_ALL = ("memory", "progress")


class Other(NamedTuple):
    """A method that neither is "auto" nor counts neighbours."""

    name: str
    """Where several methods have their curves, beside k = None."""
    method: Any
    """As the caller gave it."""
    options: dict[str, Any]
    """Its own, and split if the caller gave one; as JSON keeps them."""
    split: float | str | None
    """The one to use."""

    def scores(
        self, real: Floats, fake: Floats, seed: int, n_jobs: int | None, progress: Progress
    ) -> AnyScored:
        """Of samples that have been read."""
        own = {name: value for name, value in self.options.items() if name != "split"}
        if isinstance(self.method, str):
            own["progress"] = progress
        chosen = choose(self.method, own, seed, n_jobs)
        return method_scores(chosen, real, fake, self.split, seed)


class Methods(NamedTuple):
    """Checked methods and their options."""

    curves: CurveOptions
    """Of those that count neighbours, and whether "auto" is wanted; the seed is that of all."""
    of_auto: dict[str, Any]
    """Options of "auto", as JSON keeps them."""
    others: list[Other]

    @property
    def names(self) -> list[str]:
        """In the order of the curves."""
        others = [other.name for other in self.others]
        return ["auto"] * self.curves.auto + self.curves.methods + others

    @property
    def given(self) -> list[Any]:
        """What the caller named or gave, in the order of the curves."""
        others = [other.method for other in self.others]
        return ["auto"] * self.curves.auto + self.curves.methods + others

    @property
    def options(self) -> dict[str, dict[str, Any]]:
        """{name: options} of the methods that were given any."""
        of_others = {other.name: other.options for other in self.others if other.options}
        return ({"auto": self.of_auto} if self.of_auto else {}) | of_others

    @property
    def number_of_curves(self) -> int:
        counting = len(self.curves.methods) * len(self.curves.ks)
        return self.curves.auto + counting + len(self.others)


def read_methods(
    methods: Any,
    k: Any,
    split: Any,
    random_state: Any,
    ties: str,
    count_self: Any,
    options: Any,
) -> Methods:
    """Check the arguments of an evaluator, which documents them."""
    seed = read_seed(random_state)
    single = isinstance(methods, str) or hasattr(methods, "fit") or callable(methods)
    # An ensemble of scikit-learn is iterable, and one method all the same.
    wanted = (
        [methods] if single or hasattr(methods, "masses") else read_list("methods", methods, ())
    )
    counted = [one for one in wanted if isinstance(one, str) and one in ("auto", *NEIGHBOR_METHODS)]
    curves = read_several(counted or "auto", k, split, seed, ties, count_self)
    if not counted:
        curves = curves._replace(auto=False)
    of_methods = _read_options(options)
    of_auto = of_methods.pop("auto", {}) if curves.auto else {}
    _check_auto(of_auto, seed)
    others: list[Other] = []
    for one in wanted:
        if not (isinstance(one, str) and one in counted):
            others.append(_read_other(one, of_methods, seed))
    _check_names([other.name for other in others])
    for name in of_methods:
        if name in curves.methods:
            raise WrongValue("options", f"those of {name!r} are arguments of their own: ties, …")
        known = ", ".join(map(repr, Methods(curves, of_auto, others).names))
        raise WrongValue("options", f"names of methods expected, of {known}; got {name!r}")
    return Methods(curves, of_auto, others)


def all_scores(
    real: Floats,
    fake: Floats,
    wanted: Methods,
    search: Search,
    settings: Mapping[str, Any],
    halves: tuple[Points, Points] | None = None,
) -> list[AnyScored]:
    """The scores of every method that is wanted, for samples that have been read; as
    `several.scored_sets`, which documents the arguments, and those of the others behind."""
    curves = wanted.curves
    found: list[AnyScored] = []
    found += scored_sets(real, fake, curves, search, {**settings, **wanted.of_auto}, halves)
    progress: Progress = settings["progress"]
    for other in wanted.others:
        with progress.work(1, share=expected_auto(len(real) + len(fake))):
            found.append(other.scores(real, fake, curves.seed, settings["n_jobs"], progress))
    return found


def expected_work(wanted: Methods, n: int, m: int) -> int:
    """Of so many real and generated samples: in pairs of neighbours, for a bar."""
    others = sum(expected_auto(n + m) for _ in wanted.others)  # about as long as "auto"
    return expected_work_of_several(wanted.curves, n, m) + others


def check_for_pieces(wanted: Methods, real: Any) -> None:
    """Do all methods take samples in pieces, if the real ones are?"""
    if isinstance(real, Sharded):
        for other in wanted.others:
            chosen = choose(other.method, {}, wanted.curves.seed, None)
            try:
                check_pieces(chosen, real)
            except ArgumentError as error:
                raise error.renamed("methods") from None


def _read_options(options: Any) -> dict[str, dict[str, Any]]:
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise WrongType(
            "options", f"a mapping of methods to their options expected, got {kind_of(options)}"
        )
    for name, own in options.items():
        if not isinstance(own, Mapping):
            raise WrongType(
                f"options[{name!r}]", f"a mapping of names to values expected, got {kind_of(own)}"
            )
    return read_info("options", options)


def _check_auto(options: dict[str, Any], seed: int) -> None:
    try:
        _check_own(options)
        check_options("auto", options)
        METHODS["auto"].make(random_state=seed, **options)
    except ArgumentError as error:
        raise error.at("options['auto']") from None


def _check_own(options: Mapping[str, Any]) -> None:
    for name in options:
        if name in _OF_ALL:
            raise WrongType(name, "an argument of its own, for all methods")


def _read_other(method: Any, of_methods: dict[str, dict[str, Any]], seed: int) -> Other:
    """One method, whose options are taken out of those of all."""
    try:
        chosen = choose(method, {}, seed, None)
    except ArgumentError as error:
        raise error.renamed("methods") from None
    options = of_methods.pop(chosen.name, {})
    own = {name: value for name, value in options.items() if name != "split"}
    try:
        _check_own(own)
        choose(method, own, seed, None)
        split = read_split(options.get("split", "auto"), chosen.split)
        if isinstance(split, str):
            draw_split(2, 2, split, seed)  # is there one of this name?
        check_split(chosen, split)
    except ArgumentError as error:
        raise error.at(f"options[{chosen.name!r}]") from None
    return Other(chosen.name, method, options, split)


def _check_names(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise WrongValue("methods", f"methods of different names expected, got two {name!r}")
