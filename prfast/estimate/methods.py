"""Any methods side by side: "auto", those that count neighbours from the same passes, and others,
each by itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from prfast.balls import Points, Search
from prfast.cluster.sharded import Sharded
from prfast.estimate.method import (
    MethodScored,
    Partitioned,
    check_pieces,
    check_split,
    method_scores,
)
from prfast.estimate.neighbors import CurveOptions
from prfast.estimate.several import ScoredSet, read_several, scored_sets
from prfast.estimate.several import expected_work as expected_several
from prfast.estimate.split import draw_split, read_split
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue
from prfast.inputs.kinds import kind_of
from prfast.inputs.options import read_list, read_seed
from prfast.inputs.progress import Progress
from prfast.results.info import read_info
from prfast.scorers.auto.estimator import expected_pairs as expected_auto
from prfast.scorers.methods import METHODS, check_options, choose
from prfast.scorers.neighbors import NEIGHBOR_METHODS

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
    return expected_several(wanted.curves, n, m) + others


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
