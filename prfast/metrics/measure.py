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

from collections.abc import Sequence
from typing import Any, overload

from prfast.balls import MEMORY, Search
from prfast.inputs.arrays import Floats
from prfast.inputs.samples import read_pair
from prfast.metrics.options import MetricOptions, read_metric_options
from prfast.metrics.passes import Shares, shares
from prfast.metrics.result import Metrics
from prfast.metrics.table import _PARTS
from prfast.results.version import version


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


# ---- what is wanted --------------------------------------------------------------------------


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


# ---- arguments -----------------------------------------------------------------------------
