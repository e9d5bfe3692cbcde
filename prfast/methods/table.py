"""METHODS, the table of methods by name, and the reader of the arguments `method` and `methods`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from prfast.inputs.errors import WrongType, WrongValue, closest
from prfast.inputs.options import is_word, read_flag, read_list, read_ties
from prfast.methods.adapters import adapted
from prfast.methods.auto.estimator import Auto
from prfast.methods.base import (
    ExecutionContext,
    Histograms,
    Key,
    Method,
    PartitionMethod,
    Scores,
    equivalent_pairs,
    read_split,
)
from prfast.methods.classifier import Classifier
from prfast.methods.kmeans import KMeans
from prfast.methods.neighbors import (
    NEIGHBOR_METHODS,
    NEIGHBORS,
    NeighborMethod,
    expected_pairs,
    read_k,
    shared_scores,
)
from prfast.neighbors import NeighborSearch, Points
from prfast.samples.pair import Pair
from prfast.samples.partition import share_of

METHODS: dict[str, type[Method]] = {
    "auto": Auto,
    **NEIGHBORS,
    "kmeans": KMeans,
    "classifier": Classifier,
}

# Arguments of the functions that belong to no method; candidates for a misspelled option.
_CALL_OPTIONS = {
    *("method", "methods", "random_state", "n_jobs", "memory", "progress", "k", "split"),
    *("w_real", "w_fake", "groups"),
}


class Run(NamedTuple):
    """A method and the split that it uses in a call."""

    method: Method
    split: float | str | None


def read_method(method: Any, options: Mapping[str, Any], name: str = "method") -> Method:
    """Return the method of a name with these options, or the one that an object is.

    An object is a `Method`, a scorer, a partition, a scikit-learn classifier or a function of
    points; options are set on it beforehand.

    Raises
    ------
    ValueError
        The name is unknown, or an option has a wrong value.
    TypeError
        The object is none of these, or the method does not have an option.
    """
    for other in sorted(options.keys() & _CALL_OPTIONS - {"k"}):  # k is an option of some methods
        raise WrongType(other, "not an argument of this function")
    if isinstance(method, str) and method in METHODS:
        check_options(method, options)
        return METHODS[method](**options)
    known = ", ".join(map(repr, METHODS))
    if isinstance(method, str):
        text = f"one of {known}, or a scorer expected, got {method!r}"
        raise WrongValue(name, text + closest(method, METHODS))
    if options:
        raise WrongType(min(options), "options go with a method's name; set them on the object")
    result = method if isinstance(method, Method) else adapted(method)
    if result is None:
        raise WrongType(
            name,
            f"one of {known}, a scikit-learn classifier, a scorer with fit(real, fake) and "
            f"score(points), or a function of points expected, got {method!r}",
        )
    return result


def check_options(method: str, options: Iterable[str]) -> None:
    """Raise a TypeError for the first name that is not an option of the method."""
    known = METHODS[method].option_names()
    unknown = sorted(set(options) - set(known))
    if not unknown:
        return
    first = unknown[0]
    others = [repr(name) for name, other in METHODS.items() if first in other.option_names()]
    hint = closest(first, [*known, *sorted(_CALL_OPTIONS)])
    if others:
        hint = f"; pass method={' or '.join(others)} for it"
    raise WrongType(
        first, f"not an option of method {method!r}, which has {', '.join(known)}{hint}"
    )


def read_run(method: Method, split: Any) -> Run:
    """Return a method with its split, which "auto" leaves to the method.

    Raises
    ------
    ValueError
        The method has no split, and one is passed.
    """
    split = read_split(split)
    if split == "auto":
        return Run(method, method.split)
    if split is not None and not method.has_split:
        has = ", which has folds" if method.has_folds else ""
        raise WrongValue("split", f"None expected for method {method.name!r}{has}, got {split!r}")
    return Run(method, split)


def read_runs(
    methods: Any, k: Any, split: Any, ties: Any, count_self: Any, backend: str
) -> list[Run]:
    """Return the methods of a call: "auto" first, then those that count neighbors, k by k, then
    the others.

    k, ties, count_self, backend: options of the methods that count neighbors and are given by
    their names.  split: that of all methods that have one; "auto" leaves it to each.
    """
    read_ties(ties)
    shared = {"ties": ties, "count_self": read_flag("count_self", count_self), "backend": backend}
    items, ks = listed_methods(methods), read_ks(k)
    names = list(dict.fromkeys(item for item in items if is_word(item, *NEIGHBOR_METHODS)))
    if not names:
        for name, is_changed in {"k": ks != ["sqrt"], "count_self": not count_self}.items():
            if is_changed:
                known = ", ".join(map(repr, NEIGHBOR_METHODS))
                raise WrongValue(
                    name, f"only for methods that count neighbors, {known}: name one in methods"
                )
    read: list[Method] = [NEIGHBORS[name](k=k, **shared) for k in ks for name in names]
    read += [read_method(item, {}, "methods") for item in items if not is_word(item, *names)]
    read.sort(key=lambda one: 0 if one.has_folds else 2 - isinstance(one, NeighborMethod))
    keys = [method.key for method in read]
    for key in keys:
        if keys.count(key) > 1:
            twice = key[0] if key[1] is None else f"{key[0]} k={key[1]}"
            raise WrongValue("methods", f"methods of different names expected, got two {twice!r}")
    split = read_split(split)
    if len(read) == 1 or not any(method.has_split for method in read):
        return [read_run(method, split) for method in read]
    return [read_run(method, split if method.has_split else "auto") for method in read]


def listed_methods(methods: Any) -> list[Any]:
    """Return the argument `methods`, one or several, as a list."""
    # An ensemble of scikit-learn is iterable, but a single method.
    is_one = isinstance(methods, str | Method) or callable(methods)
    if is_one or hasattr(methods, "fit") or hasattr(methods, "masses"):
        return [methods]
    items: list[Any] = read_list("methods", methods, ())
    return items


def read_ks(k: Any) -> list[int | str]:
    """Return the argument `k`, one or several numbers of neighbors, without repetition."""
    items = read_list("k", k, (str,))
    return list(dict.fromkeys("sqrt" if is_word(x, "sqrt") else read_k(x, ()) for x in items))


def check_runs(runs: Sequence[Run], pair: Pair, name: str = "methods") -> None:
    """Raise WrongValue if a method does not take what the pair has: partitions, weights, groups."""
    for method, _ in runs:
        if pair.real.is_partitioned and not method.takes_partitions:
            known = ", ".join(map(repr, ("auto", *NEIGHBOR_METHODS)))
            text = f"one of {known} expected for partitioned samples, got {method.name!r}"
            raise WrongValue(name, text)
        if pair.weighted and not method.takes_weights:
            raise pair.weights_refused(
                f"for method {method.name!r}, which has no weights; 'auto', 'kmeans', "
                "'classifier', classifiers of scikit-learn whose fit has sample_weight, and "
                "functions of points have"
            )
        if pair.is_grouped and isinstance(method, PartitionMethod) and not method.takes_weights:
            text = f"None expected for method {method.name!r}, which has no groups"
            raise WrongValue("groups", text)


def all_scores(
    runs: Sequence[Run],
    pair: Pair,
    context: ExecutionContext,
    search: NeighborSearch | None = None,
    halves: tuple[Points, Points] | None = None,
) -> dict[Key, Scores | Histograms]:
    """Return the scores of all methods by their keys, for samples that have been read.

    Neighbor methods that agree in their other options share passes over the distances.  search,
    halves: as for `shared_scores`, where its backend is that of the methods.
    """
    groups: dict[Any, list[NeighborMethod]] = {}
    for run in runs:
        if isinstance(run.method, NeighborMethod):
            groups.setdefault(_pass_options(run), []).append(run.method)
    shared: dict[Key, Scores | Histograms] = {}
    results: dict[Key, Scores | Histograms] = {}
    for run in runs:
        method, split = run
        if isinstance(method, NeighborMethod):
            group = groups.pop(_pass_options(run), None)
            if group:  # the first of its group computes all
                is_cached = search is not None and search.backend == method.backend
                own = (search, halves) if is_cached else (None, None)
                shared |= shared_scores(group, pair, split, context, *own)
            results[method.key] = shared[method.key]
        elif len(runs) > 1 and not method.has_folds:
            with context.progress.work(1, share=equivalent_pairs(sum(pair.sizes))):
                results[method.key] = method.scores(pair, split, context)
        else:
            results[method.key] = method.scores(pair, split, context)
    return results


def _pass_options(run: Run) -> tuple[Any, ...]:
    """Return the options in which neighbor methods agree that share passes."""
    method: Any = run.method
    return method.ties, method.count_self, method.backend, run.split


def expected_work(runs: Sequence[Run], n: int, m: int) -> int:
    """Return the work for n real and m generated samples, in pairs of samples; for the progress
    bar."""
    work = 0
    groups: dict[Any, list[str]] = {}
    for run in runs:
        if isinstance(run.method, NeighborMethod):
            groups.setdefault(_pass_options(run), []).append(run.method.name)
        else:  # others take about as long as "auto"
            work += equivalent_pairs(n + m)
    for (*_, split), names in groups.items():
        share = 0.5 if isinstance(split, str) else split
        train = (n, m) if share is None else (share_of(n, share), share_of(m, share))
        scored = n + m if share is None else n + m - sum(train)
        work += expected_pairs(names, train, scored)
    return work
