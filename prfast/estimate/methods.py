"""Curves of several methods: "auto", neighbour methods from the same passes, and any others.

`CurveOptions` and `neighbor_scores` are those of `pr_curves`; `Methods` and `all_scores` those of
an evaluator, whose other methods (`Other`) run one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

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
from prfast.methods.auto.estimator import Auto
from prfast.methods.auto.estimator import expected_pairs as expected_auto
from prfast.methods.base import METHODS, check_options, choose
from prfast.methods.neighbors import NEIGHBOR_METHODS, NeighborScores, expected_pairs, read_k
from prfast.neighbors import Points, Search
from prfast.results.info import read_info

_SHARED_OPTIONS = ("memory", "progress")  # options of methods that an evaluator has for all


# ---- neighbour methods ---------------------------------------------------------------------------


class CurveOptions(NamedTuple):
    """Checked arguments of `pr_curves`, but for the samples and the search."""

    methods: list[str]
    """Methods that count neighbours."""
    ks: list[Any]
    split: float | None
    seed: int
    ties: str
    count_self: bool
    auto: bool = False
    """Whether "auto" is among the methods."""


def read_curve_options(
    methods: Any,
    k: Any,
    split: Any,
    random_state: Any,
    ties: str,
    count_self: Any,
    besides: Sequence[str] = (),
) -> CurveOptions:
    """Check the arguments of `pr_curves`, where they are documented; besides: further methods that
    are accepted."""
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
    ks = [item if is_word(item, "sqrt") else read_k(item, ()) for item in read_list("k", k, (str,))]
    counting = [method for method in methods if method in NEIGHBOR_METHODS]
    auto = len(counting) < len(methods)
    return CurveOptions(counting, ks, split, seed, ties, count_self, auto)


class NeighborScored(NamedTuple):
    """Scores of the evaluation samples of both sets and their `info`, each {(method, k): …} with k
    as in the argument, and the rows of those samples."""

    real: dict[tuple[str, int | str], Floats]
    fake: dict[tuple[str, int | str], Floats]
    info: dict[tuple[str, int | str], dict[str, Any]]
    real_rows: Any
    fake_rows: Any
    work: dict[str, int]

    def curves(
        self, real: Any = slice(None), fake: Any = slice(None), **more: Any
    ) -> dict[tuple[str, int | str], PRCurve]:
        """Return the curves of the samples of these indices, by default of all; more: further
        entries of `info`."""
        return {
            key: PRCurve.from_scores(
                self.real[key][real], self.fake[key][fake], info=info | more
            )._worked(self.work)
            for key, info in self.info.items()
        }

    def paired(self, n: int, reference: int) -> dict[tuple[str, int | str], Scores]:
        """Return the scores with their rows of the n real samples, of which `reference` is the
        checksum."""
        rows = np.arange(n)[self.real_rows]
        return {
            key: Scores(real, self.fake[key], rows, reference) for key, real in self.real.items()
        }


def neighbor_scores(
    real: Floats,
    fake: Floats,
    options: CurveOptions,
    search: Search,
    halves: tuple[Points, Points] | None = None,
) -> NeighborScored:
    """Return the scores of every method and k of the options, for samples that have been read.

    halves: the training and the evaluation half of the real samples, if they are prepared already.
    """
    closed, count_self = options.ties == "closed", options.count_self
    scorer = NeighborScores(
        options.methods, options.ks, search, closed=closed, count_self=count_self
    )
    before = search.work
    scored = score_samples(scorer, real, fake, options.split, options.seed, halves)
    work = search.work_since(before)
    settings = {"ties": options.ties, "count_self": count_self, "backend": search.backend}
    result = NeighborScored({}, {}, {}, scored.real_rows, scored.fake_rows, work)
    for k in options.ks:
        for method in options.methods:
            number = scorer.number[k]
            result.real[method, k] = scored.real[method, number]
            result.fake[method, k] = scored.fake[method, number]
            sizes = result.real[method, k].size, result.fake[method, k].size
            result.info[method, k] = how_made(
                method, {"k": number} | settings, options.split, real, fake, sizes, options.seed
            )
    return result


def neighbor_curves(
    real: Floats,
    fake: Floats,
    options: CurveOptions,
    search: Search,
    halves: tuple[Points, Points] | None = None,
) -> dict[tuple[str, int | str], PRCurve]:
    """Return what `pr_curves` returns, for samples that have been read."""
    curves = neighbor_scores(real, fake, options, search, halves).curves()
    return checked(curves, real, fake, options.seed)


# ---- neighbour methods and "auto" ----------------------------------------------------------------


ScoredSet = NeighborScored | CrossFitted


def read_several(
    methods: Any, k: Any, split: Any, random_state: Any, ties: str, count_self: Any
) -> CurveOptions:
    """Check the arguments of a caller that accepts "auto" as well; options of neighbour methods are
    refused if there is no such method."""
    options = read_curve_options(methods, k, split, random_state, ties, count_self, ("auto",))
    if not options.methods:
        changed = {"k": options.ks != ["sqrt"], "split": options.split != 0.5}
        changed["count_self"] = not options.count_self
        for name in (name for name, is_changed in changed.items() if is_changed):
            known = ", ".join(map(repr, NEIGHBOR_METHODS))
            raise WrongValue(
                name,
                f"only for methods that count neighbours, {known}: name one in methods",
            )
    return options


def scored_sets(
    real: Floats,
    fake: Floats,
    options: CurveOptions,
    search: Search,
    settings: Mapping[str, Any],
    halves: tuple[Points, Points] | None = None,
) -> list[ScoredSet]:
    """Return the scores of every method of the options, for samples that have been read.

    settings: n_jobs, memory, progress, and options of "auto"; halves: as for `neighbor_scores`.
    """
    scored: list[ScoredSet] = []
    if options.auto:
        scored.append(cross_fitted(Auto(random_state=options.seed, **settings), real, fake))
    if options.methods:
        scored.append(neighbor_scores(real, fake, options, search, halves))
    return scored


def expected_work_of_several(options: CurveOptions, n: int, m: int) -> int:
    """Return the work for n real and m generated samples, in pairs of samples; for the progress
    bar."""
    work = expected_auto(n + m) if options.auto else 0
    if options.methods:
        share = options.split
        train = (n, m) if share is None else (train_size(n, share), train_size(m, share))
        scored = n + m if share is None else n + m - sum(train)
        work += expected_pairs(options.methods, train, scored)
    return work


def several_curves(
    scored: Sequence[Any], real: Floats, fake: Floats, seed: int
) -> dict[tuple[str, Any], PRCurve]:
    """Return the curve of every method and k, with a caution where the metrics contradict it."""
    curves = {key: curve for scores in scored for key, curve in scores.curves().items()}
    return checked(curves, real, fake, seed)


# ---- any methods ---------------------------------------------------------------------------------


AnyScored = ScoredSet | MethodScored | Partitioned


class Other(NamedTuple):
    """A method that is neither "auto" nor counts neighbours."""

    name: str
    """Its curve has the key (name, None)."""
    method: Any
    """The argument of the caller."""
    options: dict[str, Any]
    """Its own options, as JSON stores them; with "split" if the caller passed one."""
    split: float | str | None
    """The split to use."""

    def scores(
        self, real: Floats, fake: Floats, seed: int, n_jobs: int | None, progress: Progress
    ) -> AnyScored:
        """Return the scores, for samples that have been read."""
        own = {name: value for name, value in self.options.items() if name != "split"}
        if isinstance(self.method, str):
            own["progress"] = progress
        chosen = choose(self.method, own, seed, n_jobs)
        return method_scores(chosen, real, fake, self.split, seed)


class Methods(NamedTuple):
    """Checked methods and their options."""

    curves: CurveOptions
    """Options of neighbour methods, and whether "auto" is a method; the seed is that of all."""
    of_auto: dict[str, Any]
    """Options of "auto", as JSON stores them."""
    others: list[Other]

    @property
    def names(self) -> list[str]:
        """Names in the order of the curves."""
        others = [other.name for other in self.others]
        return ["auto"] * self.curves.auto + self.curves.methods + others

    @property
    def given(self) -> list[Any]:
        """Names or objects as the caller passed them, in the order of the curves."""
        others = [other.method for other in self.others]
        return ["auto"] * self.curves.auto + self.curves.methods + others

    @property
    def options(self) -> dict[str, dict[str, Any]]:
        """{name: options} of the methods for which the caller passed any."""
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
    """Check the arguments of an evaluator, where they are documented."""
    seed = read_seed(random_state)
    # An ensemble of scikit-learn is iterable, but a single method.
    single = isinstance(methods, str) or hasattr(methods, "fit") or callable(methods)
    items = [methods] if single or hasattr(methods, "masses") else read_list("methods", methods, ())
    counted = [item for item in items if is_word(item, "auto", *NEIGHBOR_METHODS)]
    curves = read_several(counted or "auto", k, split, seed, ties, count_self)
    if not counted:
        curves = curves._replace(auto=False)
    of_methods = _read_options(options)
    of_auto = of_methods.pop("auto", {}) if curves.auto else {}
    _check_auto(of_auto, seed)
    others: list[Other] = []
    for item in items:
        if not is_word(item, *counted):
            others.append(_read_other(item, of_methods, seed))
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
    methods: Methods,
    search: Search,
    settings: Mapping[str, Any],
    halves: tuple[Points, Points] | None = None,
) -> list[AnyScored]:
    """Return the scores of all methods, the others last, for samples that have been read.

    settings: n_jobs, memory, progress; halves: as for `neighbor_scores`.
    """
    curves = methods.curves
    scored: list[AnyScored] = []
    scored += scored_sets(real, fake, curves, search, {**settings, **methods.of_auto}, halves)
    progress: Progress = settings["progress"]
    for other in methods.others:
        with progress.work(1, share=expected_auto(len(real) + len(fake))):
            scored.append(other.scores(real, fake, curves.seed, settings["n_jobs"], progress))
    return scored


def expected_work(methods: Methods, n: int, m: int) -> int:
    """Return the work for n real and m generated samples, in pairs of samples; for the progress
    bar."""
    others = len(methods.others) * expected_auto(n + m)  # each takes about as long as "auto"
    return expected_work_of_several(methods.curves, n, m) + others


def check_for_pieces(methods: Methods, real: Any) -> None:
    """Raise WrongValue if samples are in partitions, and a method does not accept these."""
    for other in methods.others:
        chosen = choose(other.method, {}, methods.curves.seed, None)
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
        if name in _SHARED_OPTIONS:
            raise WrongType(name, "an argument of its own, for all methods")


def _read_other(method: Any, of_methods: dict[str, dict[str, Any]], seed: int) -> Other:
    """Check one method; its options are removed from those of all methods."""
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
            draw_split(2, 2, split, seed)  # raises for an unknown name
        check_split(chosen, split)
    except ArgumentError as error:
        raise error.at(f"options[{chosen.name!r}]") from None
    return Other(chosen.name, method, options, split)


def _check_names(names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise WrongValue("methods", f"methods of different names expected, got two {name!r}")
