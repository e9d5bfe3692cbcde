"""Extreme-value metrics: scalars from neighbours, all data, no split, one pass for all of them.

X are the N real and Y the M generated samples, r_k^S(s) is the distance of s from its k-th nearest
other point of S.

    precision                 mean over Y: some x with d(x, y) <= r_k^X(x)        Kynkäänniemi 2019
    recall                    mean over X: some y with d(x, y) <= r_k^Y(y)
    density                   mean over Y: # {x : d(x, y) <= r_k^X(x)} / k        Naeem 2020
    coverage                  mean over X: some y with d(x, y) <= r_k^X(x)
    complementary_precision   mean over Y: some x with d(x, y) <= r_k^Y(y)        Khayatkhoei 2023
    symmetric_precision       min(precision, complementary_precision)
    symmetric_recall          min(recall, coverage)
    precision_cover           mean over Y: # {x : d(x, y) <= r_{Ck}^Y(y)} >= k    Cheema 2023
    recall_cover              the same with X and Y exchanged
    p_precision               mean over Y: 1 − Π_x min(1, d(x, y) / R_X)          Park 2023
    p_recall                  the same with X and Y exchanged;  R_S = a · mean r_k^S
    f1                        2 precision · recall / (precision + recall)
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from prfast.balls import MEMORY, Count, Points, Search, in_range
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.options import read_count, read_list, read_number
from prfast.inputs.samples import read_pair
from prfast.results.version import version
from prfast.scorers.neighbors import mean_radius, read_ties

NAMES = (
    "precision",
    "recall",
    "density",
    "coverage",
    "complementary_precision",
    "symmetric_precision",
    "symmetric_recall",
    "precision_cover",
    "recall_cover",
    "p_precision",
    "p_recall",
    "f1",
)
# What a name is computed from, where it is not computed itself.
_PARTS = {
    "symmetric_precision": ("precision", "complementary_precision"),
    "symmetric_recall": ("recall", "coverage"),
    "f1": ("precision", "recall"),
}


class Metrics(Mapping[str, float]):
    """Names and values, in the order asked for, also as attributes; `info` says how made."""

    def __init__(self, values: Mapping[str, float], info: Mapping[str, Any]) -> None:
        self._values = dict(values)
        self.info: Mapping[str, Any] = MappingProxyType(dict(info))

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __getattr__(self, name: str) -> float:
        if name in NAMES and name in self._values:
            return self._values[name]
        raise AttributeError(f"Metrics has {', '.join(self._values)}, not {name!r}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self) -> tuple[Any, ...]:
        return Metrics, (self._values, dict(self.info))

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value:.4g}" for name, value in self._values.items())
        info = ", ".join(f"{key}={value!r}" for key, value in self.info.items())
        return f"Metrics({values}; {info})"


@overload
def metrics(
    real: Any,
    fake: Any,
    k: int = ...,
    which: str | Sequence[str] | None = ...,
    *,
    ties: str = ...,
    cover_k: int = ...,
    cover_factor: int = ...,
    cover_self: bool = ...,
    p_k: int = ...,
    p_factor: float = ...,
    backend: str = ...,
    n_jobs: int | None = ...,
    memory: int = ...,
    progress: bool = ...,
) -> Metrics: ...
@overload
def metrics(
    real: Any,
    fake: Any,
    k: Sequence[int],
    which: str | Sequence[str] | None = ...,
    *,
    ties: str = ...,
    cover_k: int = ...,
    cover_factor: int = ...,
    cover_self: bool = ...,
    p_k: int = ...,
    p_factor: float = ...,
    backend: str = ...,
    n_jobs: int | None = ...,
    memory: int = ...,
    progress: bool = ...,
) -> dict[int, Metrics]: ...
def metrics(
    real: Any,
    fake: Any,
    k: int | Sequence[int] = 5,
    which: str | Sequence[str] | None = None,
    *,
    ties: str = "closed",
    cover_k: int = 3,
    cover_factor: int = 3,
    cover_self: bool = False,
    p_k: int = 4,
    p_factor: float = 1.2,
    backend: str = "auto",
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: bool = False,
) -> Metrics | dict[int, Metrics]:
    """Precision, recall, density, coverage and their relatives, all from one pass.

    All are shares in [0, 1] but density, which is not bounded (1 is expected for equal
    distributions).  X real, Y generated, r_k(s) the distance of s from its k-th nearest other
    point:

        precision, recall            Y in a ball r_k(x) of X; X in a ball r_k(y) of Y
        density                      balls r_k(x) that hold y, divided by k, mean over Y
        coverage                     X whose ball r_k(x) holds a y
        complementary_precision      Y whose ball r_k(y) holds an x
        symmetric_precision, _recall the smaller of the two precisions; of recall and coverage
        precision_cover, recall_cover  Y whose ball r_{Ck} holds k or more of X; the same of X
        p_precision, p_recall        1 − Π min(1, d/R), mean over Y (over X)
        f1                           harmonic mean of precision and recall

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Samples of the real and of the generated distribution; n ≠ m is fine.
    k : int or sequence of int
        Number of neighbours of precision, recall, density, coverage and what is made of them; a
        point is never its own.  5 by default, as in prdc; the first paper has 3.  Several k share
        the passes over the distances.
    which : str or sequence of str, optional
        Names of metrics; all by default.  Only what they need is computed.
    ties : "closed" or "open"
        Is a point at distance r in the ball: d <= r (default), or d < r as in prdc.
    cover_k, cover_factor : int
        Of precision and recall cover: at least k = 3 points in a ball that reaches the C k-th
        neighbour, C = 3.
    cover_self : bool
        Count the point itself as its own first neighbour there (default no), as one public
        implementation does.
    p_k, p_factor : int, float
        Of P-precision and P-recall: R = 1.2 × the mean distance of the 4th neighbour.
    backend : "auto", "exact", "tree", "approximate"
        Where distances come from; "auto" (default) is exact.
    n_jobs : int or None
        Threads; None (default) is every usable core.  Results do not depend on it.
    memory : int
        Bytes beside the inputs; 256 MB by default.
    progress : bool
        Show a bar.

    Returns
    -------
    Metrics
        A mapping of names to values with `info`; for a sequence of k, {k: Metrics}.

    Raises
    ------
    TypeError, ValueError
        Naming the argument, what was expected and what came: too few samples for k, an unknown
        name, whatever `pr_curve` refuses.

    References
    ----------
    Kynkäänniemi et al. 2019; Naeem et al. 2020; Khayatkhoei and AbdAlmageed 2023; Cheema and Urner
    2023; Park and Kim 2023: definitions in the module's first lines.
    """
    real, fake = read_pair(real, fake, at_least=2)
    wanted = read_metric_options(
        k,
        which,
        ties,
        cover_k=cover_k,
        cover_factor=cover_factor,
        cover_self=cover_self,
        p_k=p_k,
        p_factor=p_factor,
    )
    found: Metrics | dict[int, Metrics] = measure(
        real, fake, wanted, Search(backend, n_jobs, memory, progress)
    )
    return found


def realism(
    real: Any,
    fake: Any,
    k: int = 3,
    *,
    prune: bool = True,
    squared: bool = False,
    backend: str = "auto",
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: bool = False,
) -> Float64s:
    """Realism of each generated sample: max over x of r_k(x) / d(x, y) (Kynkäänniemi 2019, Eq. 3).

    At least 1 where the sample lies in the ball of a real one; ∞ where it equals one.

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
    k : int
        Number of neighbours, 3 by default; a real sample is never its own.
    prune : bool
        Leave out the real samples whose radius is above the median (default, as in the paper).
    squared : bool
        Give the square of the ratio, as one public implementation does.
    backend, n_jobs, memory, progress
        As for `metrics`.

    Returns
    -------
    realism : float64 array, shape (m,)

    Raises
    ------
    TypeError, ValueError
        As `metrics`.
    """
    real, fake = read_pair(real, fake)
    k = read_count("k", k)
    for name, flag in (("prune", prune), ("squared", squared)):
        if not isinstance(flag, bool):
            raise TypeError(f"{name}: True or False expected, got {flag!r}")
    _check_k("k", k, "real", len(real))
    x, y = in_range(real, fake)
    search = Search(backend, n_jobs, memory, progress)
    d2 = search.kth_within(x, [k])[:, 0].copy()
    if prune:
        radii = np.sqrt(d2)
        d2[radii > np.median(radii)] = -1.0  # no ball
    ratio = search.largest_ratio(y, x, d2)
    return ratio if squared else np.sqrt(ratio)


# ---- what is wanted --------------------------------------------------------------------------


@dataclass(frozen=True)
class MetricOptions:
    """Checked arguments of `metrics`, but for the samples and the search."""

    ks: list[int]
    several: bool  # {k: Metrics} rather than Metrics
    names: list[str]
    ties: str
    cover_k: int
    cover_factor: int
    cover_self: bool
    p_k: int
    p_factor: float

    @property
    def cover_reach(self) -> int:
        """k' of precision and recall cover, the point itself not counted."""
        return self.cover_factor * self.cover_k - self.cover_self

    @property
    def needed(self) -> set[str]:
        """The metrics that the names are made of."""
        return {part for name in self.names for part in _PARTS.get(name, (name,))}


def read_metric_options(
    k: Any,
    which: Any,
    ties: str,
    *,
    cover_k: Any = 3,
    cover_factor: Any = 3,
    cover_self: Any = False,
    p_k: Any = 4,
    p_factor: Any = 1.2,
) -> MetricOptions:
    """Check the arguments of `metrics`, which documents them."""
    several = isinstance(k, Iterable) and not isinstance(k, str)
    ks = [read_count("k", one) for one in read_list("k", k, (str,))]
    names = _read_names(which)
    if not isinstance(cover_self, bool):
        raise TypeError(f"cover_self: True or False expected, got {cover_self!r}")
    read_ties(ties)
    return MetricOptions(
        ks,
        several,
        names,
        ties,
        read_count("cover_k", cover_k),
        read_count("cover_factor", cover_factor),
        cover_self,
        read_count("p_k", p_k),
        read_number("p_factor", p_factor, 0.0, 1e6),
    )


@dataclass(frozen=True)
class Share:
    """What each sample adds to a metric, which is Σ values / (each · samples)."""

    of: str  # "real" or "fake": the set that the mean is over
    values: NDArray[Any]  # whole numbers or float64, a sample each
    each: int = 1

    def mean(self, chosen: Any = slice(None)) -> float:
        """The metric over all samples of the set, or over those chosen."""
        values = self.values[chosen]
        if values.dtype.kind == "f":
            return math.fsum(values.tolist()) / len(values)
        return int(values.sum()) / (self.each * len(values))


Shares = dict[str, Share]


def shares(real: Floats, fake: Floats, wanted: MetricOptions, search: Search) -> dict[int, Shares]:
    """{k: {name: Share}} of all metrics that are needed, for samples that have been read."""
    needed, ks = wanted.needed, wanted.ks
    reach, p_k = wanted.cover_reach, wanted.p_k
    check_sizes(len(real), len(fake), wanted)
    x, y = in_range(real, fake)
    closed = wanted.ties == "closed"
    radii = _radii(x, y, needed, ks, reach, p_k, search)
    found = _count(x, y, radii, needed, ks, (wanted.cover_k, reach), closed, search)
    fixed = _p_metrics(x, y, radii, needed, p_k, wanted.p_factor, search)
    return {k: {**found[k], **fixed} for k in ks}


def values(parts: Shares, names: Sequence[str], **chosen: Any) -> dict[str, float]:
    """The metrics of these names; chosen: real=, fake=, the samples that they are of."""

    def mean(part: str) -> float:
        share = parts[part]
        return share.mean(chosen.get(share.of, slice(None)))

    def value(name: str) -> float:
        if name == "f1":
            p, r = mean("precision"), mean("recall")
            return 2 * p * r / (p + r) if p + r > 0 else 0.0
        return min(mean(part) for part in _PARTS.get(name, (name,)))

    return {name: value(name) for name in names}


def made(real: Floats, fake: Floats, wanted: MetricOptions, search: Search) -> dict[str, Any]:
    """How the metrics were made, but for k."""
    return {
        "ties": wanted.ties,
        "cover_k": wanted.cover_k,
        "cover_factor": wanted.cover_factor,
        "cover_self": wanted.cover_self,
        "p_k": wanted.p_k,
        "p_factor": wanted.p_factor,
        "backend": search.backend,
        "n_real": len(real),
        "n_fake": len(fake),
        "n_features": real.shape[1],
        "version": version(),
    }


def measure(real: Floats, fake: Floats, wanted: MetricOptions, search: Search) -> Any:
    """What `metrics` returns, for samples that have been read."""
    parts, info = shares(real, fake, wanted, search), made(real, fake, wanted, search)
    results = {k: Metrics(values(parts[k], wanted.names), {"k": k, **info}) for k in wanted.ks}
    return results if wanted.several else results[wanted.ks[0]]


# ---- the passes ----------------------------------------------------------------------------


def _radii(
    x: Points, y: Points, needed: set[str], ks: list[int], reach: int, p_k: int, search: Search
) -> dict[tuple[str, int], Float64s]:
    """D of the k-th neighbour inside each set, {("x" or "y", k): (n,)}, those that are needed."""
    wanted: dict[str, set[int]] = {"x": set(), "y": set()}
    if needed & {"precision", "density", "coverage"}:
        wanted["x"].update(ks)
    if needed & {"recall", "complementary_precision"}:
        wanted["y"].update(ks)
    for name, side, k in (
        ("precision_cover", "y", reach),
        ("recall_cover", "x", reach),
        ("p_precision", "x", p_k),
        ("p_recall", "y", p_k),
    ):
        if name in needed:
            wanted[side].add(k)
    radii = {}
    for side, points in (("x", x), ("y", y)):
        order = sorted(wanted[side])
        if order:
            d2 = search.kth_within(points, order)
            radii.update({(side, k): d2[:, i].copy() for i, k in enumerate(order)})
    return radii


def _count(
    x: Points,
    y: Points,
    radii: dict[tuple[str, int], Float64s],
    needed: set[str],
    ks: list[int],
    cover: tuple[int, int],
    closed: bool,
    search: Search,
) -> dict[int, Shares]:
    """Whatever is a count of pairs, from one pass of Y over X: rows are Y's, columns X's."""
    n, m = len(x), len(y)

    def task(side: str, k: int, rows: set[str], cols: set[str]) -> Count:
        t = radii[side, k]
        return Count(
            t if side == "y" else None,
            t if side == "x" else None,
            closed,
            np.zeros(m, np.int64) if needed & rows else None,
            np.zeros(n, np.int64) if needed & cols else None,
        )

    tasks: dict[tuple[str, int], Count] = {}
    for k in ks:
        if needed & {"precision", "density", "coverage"}:
            tasks["x", k] = task("x", k, {"precision", "density"}, {"coverage"})
        if needed & {"recall", "complementary_precision"}:
            tasks["y", k] = task("y", k, {"complementary_precision"}, {"recall"})
    cover_k, reach = cover
    if "precision_cover" in needed:
        tasks["y cover", reach] = task("y", reach, {"precision_cover"}, set())
    if "recall_cover" in needed:
        tasks["x cover", reach] = task("x", reach, set(), {"recall_cover"})
    search.count(y, x, list(tasks.values()))

    found: dict[int, Shares] = {k: {} for k in ks}
    for (side, k), done in tasks.items():
        for parts in found.values() if "cover" in side else [found[k]]:
            if side == "x" and done.rows is not None:
                parts["precision"] = Share("fake", done.rows >= 1)
                parts["density"] = Share("fake", done.rows, k)
            if side == "x" and done.cols is not None:
                parts["coverage"] = Share("real", done.cols >= 1)
            if side == "y" and done.rows is not None:
                parts["complementary_precision"] = Share("fake", done.rows >= 1)
            if side == "y" and done.cols is not None:
                parts["recall"] = Share("real", done.cols >= 1)
            if side == "y cover":
                parts["precision_cover"] = Share("fake", done.rows >= cover_k)
            if side == "x cover":
                parts["recall_cover"] = Share("real", done.cols >= cover_k)
    return found


def _p_metrics(
    x: Points,
    y: Points,
    radii: dict[tuple[str, int], Float64s],
    needed: set[str],
    k: int,
    factor: float,
    search: Search,
) -> Shares:
    """1 − Π min(1, d/R) = 1 − exp Σ ln min(1, d/R): logarithms, so that nothing underflows."""
    found = {}
    for name, of, side, queries, refs in (
        ("p_precision", "fake", "x", y, x),
        ("p_recall", "real", "y", x, y),
    ):
        if name in needed:
            reach = factor * mean_radius(radii[side, k])
            logs = search.log_distances(queries, refs, reach * reach)
            found[name] = Share(of, np.array([-math.expm1(log) for log in logs.tolist()]))
    return found


# ---- arguments -----------------------------------------------------------------------------


def _read_names(which: str | Sequence[str] | None) -> list[str]:
    names = list(NAMES) if which is None else read_list("which", which, (str,))
    for name in names:
        if name not in NAMES:
            raise ValueError(f"which: some of {', '.join(NAMES)} expected, got {name!r}")
    return names


def check_sizes(n: int, m: int, wanted: MetricOptions) -> None:
    """Is there a k-th other point wherever one is needed?"""
    needed, ks = wanted.needed, wanted.ks
    reach, p_k = wanted.cover_reach, wanted.p_k
    for names, option, k, real, fake in (
        ({"precision", "density", "coverage"}, "k", max(ks), True, False),
        ({"recall", "complementary_precision"}, "k", max(ks), False, True),
        ({"precision_cover"}, "cover_k × cover_factor", reach, False, True),
        ({"recall_cover"}, "cover_k × cover_factor", reach, True, False),
        ({"p_precision"}, "p_k", p_k, True, False),
        ({"p_recall"}, "p_k", p_k, False, True),
    ):
        if needed & names and real:
            _check_k(option, k, "real", n)
        if needed & names and fake:
            _check_k(option, k, "fake", m)


def _check_k(option: str, k: int, name: str, size: int) -> None:
    if not 1 <= k < size:
        raise ValueError(
            f"{option}: from 1 to {size - 1} expected, the other points of {name}, got {k}"
        )
