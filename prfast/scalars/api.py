"""The public functions `metrics` and `realism`, and the checks of their options."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias, TypedDict, Unpack, overload

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongType, WrongValue, closest
from prfast.inputs.options import (
    MEMORY,
    ProgressOption,
    RandomState,
    is_word,
    read_count,
    read_flag,
    read_list,
    read_number,
    read_seed,
    read_ties,
)
from prfast.neighbors import NeighborSearch, in_range
from prfast.samples.pair import Pair
from prfast.scalars.measure import Metrics, check_sizes, measure
from prfast.scalars.options import MetricOptions
from prfast.scalars.table import ALL, NAMES, TABLE, USUAL, takes_weights

_Which: TypeAlias = str | Sequence[str] | None


class Keywords(TypedDict, total=False):
    """Types of the keywords of `metrics`, for both of its overloads."""

    ties: str
    cover_k: int
    cover_factor: int | None
    cover_reach: int | None
    p_k: int | None
    p_factor: float | None
    p_radius: float | Sequence[float] | None
    bandwidth: float | None
    w_real: Any
    w_fake: Any
    repeats: str
    resolution: float
    noise: Any
    random_state: RandomState
    backend: str
    n_jobs: int | None
    memory: int
    progress: ProgressOption


@overload
def metrics(
    real: Any, fake: Any, k: int = ..., which: _Which = ..., **options: Unpack[Keywords]
) -> Metrics: ...
@overload
def metrics(
    real: Any, fake: Any, k: Sequence[int], which: _Which = ..., **options: Unpack[Keywords]
) -> dict[int, Metrics]: ...
def metrics(
    real: Any,
    fake: Any,
    k: int | Sequence[int] = 5,
    which: _Which = None,
    *,
    ties: str = "closed",
    cover_k: int = 3,
    cover_factor: int | None = None,
    cover_reach: int | None = None,
    p_k: int | None = None,
    p_factor: float | None = None,
    p_radius: float | Sequence[float] | None = None,
    bandwidth: float | None = None,
    w_real: Any = None,
    w_fake: Any = None,
    repeats: str = "missing",
    resolution: float = 0.0,
    noise: Any = "std",
    random_state: RandomState = 0,
    backend: str = "auto",
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
    **others: Any,
) -> Metrics | dict[int, Metrics]:
    """Return precision, recall, density and coverage, or the metrics that `which` names.

    All are shares in [0, 1] but density, with the expectation 1 for equal distributions, and the
    distances.  A smaller distance is better: for equal distributions the expectation of
    ``frechet_distance`` is positive and falls as the number of samples rises, that of the others is
    0.  X are the real and Y the generated samples, r_k(s) the distance of s from its k-th nearest
    other point:

        <the rows of prfast.scalars.table>

    See also `pr_curve`, `realism` and `copies`.

    >>> real, fake = prfast.reference.GaussianShift(1.0, dim=8).sample(500)
    >>> print(prfast.metrics(real, fake))

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples of the real and of the generated distribution; n and m may differ.
    k : int or sequence of int
        Number of neighbors; a point is not a neighbor of itself.  Default: 5, as in prdc; the first
        paper has 3.  A sequence shares the passes over the distances.
    which : str or sequence of str, optional
        Names of metrics, or "all"; by default precision, recall, density and coverage; "fid"
        and "kid", the names elsewhere, are accepted.  Those from precision to f1 share the passes
        over the distances; ``frechet_distance`` is cubic in d, ``kernel_distance`` and
        ``gaussian_distance`` take a matrix product of all pairs each.
    ties : "closed" or "open"
        Whether a point at distance r is in the ball of radius r: "closed" (default), d <= r, or
        "open", d < r as in prdc.
    cover_k : int
        For precision and recall cover: number of points that the ball has to hold, 3 by default.
    cover_factor, cover_reach : int or None
        Rank of the neighbor that is the radius of that ball: C k, C = ``cover_factor``, 3 if
        neither is given; or ``cover_reach`` itself (Eq. 7 of Sykes et al. 2024).  For ``cover_k=1,
        cover_reach=k`` they are ``complementary_precision`` and ``coverage``.
    p_k, p_factor : int and float, or None
        For P-precision and P-recall: R = a × the mean distance of the k-th neighbor, k = 4 and a =
        1.2 if none is given.
    p_radius : float, two floats or None
        R itself instead, in the unit of the features (Eq. 8 of Sykes et al. 2024).  It is a number
        for both sets, or R_X of the real and R_Y of the generated samples.
    bandwidth : float or None
        For ``gaussian_distance``: σ, in the unit of the features; None (default): the median
        distance of different real samples, of 2048 random ones where there are more.
    w_real, w_fake : array, shapes (n,) and (m,), or None
        Weights of the samples, see `prfast.pr_curve`: each metric is the weighted mean over its
        set.  Balls are those of all samples of positive weight.  So metrics that count the samples
        of a set with weights are refused, as are the distances.  By default `which` has the others.
    repeats, resolution, noise
        See `prfast.pr_curve`; "missing" by default, or "weights" (refused with the same metrics as
        weights); 0 (default): no noise.
    random_state : int, generator of NumPy or None
        Seed of all that is random; default 0.
    backend, n_jobs, memory, progress
        See `prfast.pr_curve`; "auto" (default) is an exact search.

    Returns
    -------
    Metrics or dict
        For an int k a mapping of names to values, with `info` and with `errors`, the standard
        errors of those that have one.  For a sequence of any length a dictionary {k: Metrics}.

    Raises
    ------
    TypeError, ValueError
        Too few samples for k, an unknown name, values whose squares, or for ``kernel_distance``
        twelfth powers, are beyond float64, and whatever `pr_curve` refuses.

    References
    ----------
    Kynkäänniemi et al. 2019; Naeem et al. 2020; Khayatkhoei and AbdAlmageed 2023; Cheema and Urner
    2023; Park and Kim 2023; Alaa et al. 2022; Heusel et al. 2017; Bińkowski et al. 2018; Gretton
    et al. 2012; Sykes et al. 2024; Salvy et al. 2026: definitions on the page of
    `prfast.metrics`.

    2024, Eq. 4; 2024, Eq. 5; 2024, Eq. 6; 2024, Eq. 7; 2024, Eq. 8.
    """
    arguments = {name: value for name, value in locals().items() if name in _READERS}
    if others:
        name, names = min(others), ["k", "which", *(metrics.__kwdefaults__ or {})]
        raise WrongType(name, f"not an argument of metrics{closest(name, names)}")
    pair = Pair.read(real, fake, w_real=w_real, w_fake=w_fake, repeats=repeats, at_least=2)
    options = read_metric_options(k, which, ties, random_state=random_state, **arguments)
    if pair.weighted:
        options = for_weights(options, which is None, pair)
    search = NeighborSearch(backend, n_jobs, memory, progress)
    search.heads = {}
    by_k = measure(pair.at(resolution, noise, options.seed), options, search)
    return by_k if isinstance(k, Iterable) else by_k[options.ks[0]]


_LINES = "<the rows of prfast.scalars.table>"
if metrics.__doc__:
    _indent = metrics.__doc__.partition(_LINES)[0].rpartition("\n")[2]
    _formulas = (f"{name:<{max(map(len, NAMES))}}  {row.formula}" for name, row in TABLE.items())
    metrics.__doc__ = metrics.__doc__.replace(_LINES, f"\n{_indent}".join(_formulas))


def realism(
    real: Any,
    fake: Any,
    k: int = 3,
    *,
    prune: bool = True,
    backend: str = "auto",
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
) -> Float64s:
    """Return the realism of each generated sample y, the maximum over the real samples x of
    r_k(x) / d(x, y) (Kynkäänniemi 2019, Eq. 3).

    It is at least 1 where y lies in the ball of a real sample; ∞ where it equals one.
    Example: ``prfast.realism(*prfast.reference.GaussianShift(1).sample(500)).max()``.
    See also `metrics`.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
    k : int
        Number of neighbors, 3 by default; a sample is not a neighbor of itself.
    prune : bool
        True (default), as in the paper: leave out real samples whose radius is above the median.
    backend, n_jobs, memory, progress
        See `metrics`, as are the errors.

    Returns
    -------
    realism : float64 array, shape (m,)
    """
    pair = Pair.read(real, fake)
    k = read_count("k", k)
    prune = read_flag("prune", prune)
    check_sizes(len(pair.real), len(pair.fake), MetricOptions([k], ["density"], "closed", 0))
    x, y = in_range(*pair.points)
    search = NeighborSearch(backend, n_jobs, memory, progress)
    with search.progress.work(len(x) * (len(x) + len(y)), "realism"):
        d2 = search.kth_within(x, [k])[:, 0].copy()
        if prune:
            d2[d2 > np.sort(d2)[(len(d2) - 1) // 2]] = -1.0  # no ball
        ratio = search.largest_ratio(y, x, d2)
    return np.sqrt(ratio)


_LEAST = 1e-150  # of a bandwidth
_ALTERNATIVES = ("cover_reach", "cover_factor"), ("p_radius", "p_k"), ("p_radius", "p_factor")
_ALIASES = {"fid": "frechet_distance", "kid": "kernel_distance"}  # the same numbers elsewhere


def _read_radii(name: str, value: Any) -> tuple[float, float]:
    """Return R of the real and of the generated samples, from one number for both, or two."""
    items = read_list(name, value, (str, bytes))
    if len(items) > 2:
        text = f"a number, or two, of real and of fake, expected, got {len(items)}"
        raise WrongValue(name, text)
    radii = [read_number(name, item, 0.0, sys.float_info.max) for item in items]
    return radii[0], radii[-1]


_READERS: dict[str, Callable[[str, Any], Any]] = {
    "cover_k": read_count,
    "cover_factor": read_count,
    "cover_reach": read_count,
    "p_k": read_count,
    "p_factor": partial(read_number, low=0.0, high=1e6),
    "p_radius": _read_radii,
    "bandwidth": partial(read_number, low=_LEAST, high=1 / _LEAST),
}


def read_metric_options(
    k: Any, which: Any, ties: str, *, random_state: RandomState = 0, **others: Any
) -> MetricOptions:
    """Check the arguments of `metrics`, where they are documented."""
    ks = [read_count("k", item) for item in read_list("k", k, (str,))]
    names: list[str] = []
    for name in USUAL if which is None else read_list("which", which, (str,)):
        here = _ALIASES.get(str(name).lower(), name)
        if not is_word(here, *NAMES, ALL):
            text = f"some of {', '.join(NAMES)}, or {ALL} expected, got {name!r}"
            raise WrongValue("which", text + closest(name, NAMES))
        names += NAMES if here == ALL else [here]
    names = list(dict.fromkeys(names))
    read_ties(ties)
    # Those whose default is None mean others, or a default that depends on others.
    defaults = metrics.__kwdefaults__ or {}
    given = {name: x for name, x in others.items() if x is not None or defaults[name] is not None}
    for name, alternative in _ALTERNATIVES:
        if name in given and alternative in given:
            raise WrongValue(name, f"{name} or {alternative} expected, got both")
    read = {name: _READERS[name](name, value) for name, value in given.items()}
    return MetricOptions(ks, names, ties, read_seed(random_state), **read)


def for_weights(options: MetricOptions, are_default: bool, pair: Pair) -> MetricOptions:
    """Return the options without default metrics that do not take the weights of a pair."""
    refused = [name for name in options.names if not takes_weights(name, pair.weighted)]
    if refused and not are_default:
        cure = "without `which`, metrics are those that take weights"
        raise pair.weights_refused(f"for {refused[0]}, which takes none; {cure}")
    return options._replace(names=[name for name in options.names if name not in refused])
