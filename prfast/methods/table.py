"""METHODS, the table of methods by name, and the reader of the arguments `method` and `methods`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from prfast.inputs.errors import WrongType, WrongValue, closest
from prfast.inputs.options import is_word, read_flag, read_list, read_share, read_ties
from prfast.methods.adapters import adapted
from prfast.methods.auto.estimator import Auto
from prfast.methods.base import (
    WORK_OF_SAMPLE,
    ExecutionContext,
    Histograms,
    Key,
    Method,
    Scores,
)
from prfast.methods.classifier import Classifier
from prfast.methods.kmeans import KMeans
from prfast.methods.neighbors import (
    NEIGHBOR_METHODS,
    NEIGHBORS,
    NeighborMethod,
    read_k,
    shared_scores,
)
from prfast.neighbors import NeighborSearch, Points
from prfast.samples.pair import Pair
from prfast.samples.partition import SPLITS
from prfast.samples.partitioned import check_array

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
    """A method and its split in a call."""

    method: Method
    split: float | str | None


# The options of runs in which neighbor methods agree that share passes.
_PASSES = attrgetter("method.ties", "method.count_self", "method.backend", "split")


def read_method(method: Any, options: Mapping[str, Any], name: str = "method") -> Method:
    """Return the method of a name with these options, or the one that an object is."""
    for option in sorted(options.keys() & _CALL_OPTIONS - {"k"}):  # k is one of some methods
        raise WrongType(option, "not an argument of this function")
    names = ", ".join(map(repr, METHODS))
    if isinstance(method, str):
        if method not in METHODS:
            text = f"one of {names}, or a scorer expected, got {method!r}"
            raise WrongValue(name, text + closest(method, METHODS))
        for option in sorted(options.keys() - inspect.signature(METHODS[method]).parameters.keys()):
            allowed = METHODS[method].option_names()
            having = [repr(key) for key, row in METHODS.items() if option in row.option_names()]
            hint = closest(option, [*allowed, *sorted(_CALL_OPTIONS)])
            hint = f"; pass method={' or '.join(having)} for it" if having else hint
            text = f"not an option of method {method!r}, which has {', '.join(allowed)}{hint}"
            raise WrongType(option, text)
        return METHODS[method](**options)
    if options:
        raise WrongType(min(options), "options go with a method's name; set them on the object")
    result = method if isinstance(method, Method) else adapted(method)
    if result is None:
        raise WrongType(
            name,
            f"one of {names}, a scikit-learn classifier, a scorer with fit(real, fake) and "
            f"score(points), or a function of points expected, got {method!r}",
        )
    return result


def read_run(
    method: Any, split: Any = "auto", k: Any = None, options: Mapping[str, Any] | None = None
) -> Run:
    """Return the method and the split of a call: None, a name, or a share as a Python float; "auto"
    leaves it to the method."""
    method = read_method(method, {**(options or {}), **({} if k is None else {"k": k})})
    if split is not None and not isinstance(split, str):
        split = read_share("split", split)
    elif split not in (None, "auto", *SPLITS):
        names = ", ".join(map(repr, ("auto", *SPLITS)))
        raise WrongValue("split", f"{names}, a share in (0, 1) or None expected, got {split!r}")
    if split == "auto":
        return Run(method, method.split)
    if split is not None and not method.has_split:
        has = ", which has folds" if method.has_folds else ""
        raise WrongValue("split", f"None expected for method {method.name!r}{has}, got {split!r}")
    return Run(method, split)


def read_runs(
    methods: Any, k: Any, split: Any, ties: Any, count_self: Any, backend: str
) -> list[Run]:
    """Return the methods of a call: "auto" first, then those that count neighbors, k by k.

    k, ties, count_self, backend: options of methods that count neighbors and are given by name.
    """
    read_ties(ties)
    shared = {"ties": ties, "count_self": read_flag("count_self", count_self), "backend": backend}
    items, ks = listed_methods(methods), read_ks(k)
    names = list(dict.fromkeys(item for item in items if is_word(item, *NEIGHBOR_METHODS)))
    if not names:
        for name, is_changed in {"k": ks != ["sqrt"], "count_self": not count_self}.items():
            if is_changed:
                text = ", ".join(map(repr, NEIGHBOR_METHODS))
                text = f"only for methods that count neighbors, {text}: name one in methods"
                raise WrongValue(name, text)
    found: list[Method] = [NEIGHBORS[name](k=k, **shared) for k in ks for name in names]
    found += [read_method(item, {}, "methods") for item in items if not is_word(item, *names)]
    found.sort(key=lambda item: 0 if item.has_folds else 2 - isinstance(item, NeighborMethod))
    keys = [method.key for method in found]
    for key in keys:
        if keys.count(key) > 1:
            twice = key[0] if key[1] is None else f"{key[0]} k={key[1]}"
            raise WrongValue("methods", f"methods of different names expected, got two {twice!r}")
    is_alone = len(found) == 1 or not any(method.has_split for method in found)
    return [read_run(item, split if is_alone or item.has_split else "auto") for item in found]


def listed_methods(methods: Any) -> list[Any]:
    """Return the argument `methods`, one or several, as a list."""
    # An ensemble of scikit-learn is iterable, but a single method.
    is_one = isinstance(methods, str | Method) or callable(methods)
    if is_one or hasattr(methods, "fit"):
        return [methods]
    return read_list("methods", methods, ())


def read_ks(k: Any) -> list[int | str]:
    """Return the argument `k`, one or several numbers of neighbors, without repetition."""
    items = read_list("k", k, (str,))
    return list(dict.fromkeys("sqrt" if is_word(x, "sqrt") else read_k(x, ()) for x in items))


def check_runs(runs: Sequence[Run], pair: Pair, name: str = "methods") -> None:
    """Raise WrongValue if a method does not take what the pair has: partitions, weights, groups."""
    for method, _ in runs:
        if pair.real.is_partitioned and not method.takes_partitions:
            names = ", ".join(map(repr, ("auto", *NEIGHBOR_METHODS)))
            check_array(name, pair.real.source, f"one of {names}", repr(method.name))
        if pair.weighted and not method.takes_weights:
            raise pair.weights_refused(
                f"for method {method.name!r}, which has no weights; 'auto', 'kmeans', "
                "'classifier', classifiers of scikit-learn whose fit has sample_weight, and "
                "functions of points have"
            )


def all_scores(
    runs: Sequence[Run],
    pair: Pair,
    context: ExecutionContext,
    search: NeighborSearch | None = None,
    halves: tuple[Points, Points] | None = None,
) -> dict[Key, Scores | Histograms]:
    """Return the scores of all methods by their keys; search, halves: as for `shared_scores`, where
    the backend is that of the methods."""
    results: dict[Key, Scores | Histograms] = {}
    for run in runs:
        method, split = run
        if method.key in results:  # of the passes of an earlier method
            continue
        if isinstance(method, NeighborMethod):
            alike = (x for x in runs if isinstance(x.method, NeighborMethod))
            group: list[Any] = [x.method for x in alike if _PASSES(x) == _PASSES(run)]
            is_cached = search is not None and search.backend == method.backend
            cached = (search, halves) if is_cached else (None, None)
            results |= shared_scores(group, pair, split, context, *cached)
        elif len(runs) > 1 and not method.has_folds:
            with context.progress.work(1, share=WORK_OF_SAMPLE * sum(pair.sizes)):
                results[method.key] = method.scores(pair, split, context)
        else:
            results[method.key] = method.scores(pair, split, context)
    return {run.method.key: results[run.method.key] for run in runs}


def expected_work(runs: Sequence[Run], n: int, m: int) -> int:
    """Return the work for n real and m generated samples, in pairs of samples, for the progress
    bar.  Methods that count no neighbors take about as long as "auto"."""
    counted = [run for run in runs if isinstance(run.method, NeighborMethod)]
    alone, passes = len(runs) - len(counted), set(map(_PASSES, counted))
    return WORK_OF_SAMPLE * (n + m) * alone + (n + m) ** 2 * len(passes)
