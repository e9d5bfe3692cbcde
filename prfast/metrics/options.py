"""Arguments of `metrics`, checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from prfast.inputs.closest import closest
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import (
    is_word,
    read_count,
    read_flag,
    read_list,
    read_number,
    read_seed,
    read_ties,
)
from prfast.metrics.table import ALL, NAMES, USUAL, needed_rows, wholes
from prfast.metrics.wanted import MetricOptions
from prfast.results.text import listed

_ELSEWHERE = {  # names that others have
    "fid": "frechet_distance",
    "fd": "frechet_distance",
    "kid": "kernel_distance",
    "mmd": "kernel_distance",
    "memorisation": "authenticity",
    "memorization": "authenticity",
}


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
    kernel_subsets: Any = None,
    kernel_subset_size: Any = 1000,
    random_state: Any = 0,
) -> MetricOptions:
    """Check the arguments of `metrics`, which documents them."""
    several = isinstance(k, Iterable) and not isinstance(k, str)
    ks = [read_count("k", one) for one in read_list("k", k, (str,))]
    names = _read_names(which)
    cover_self = read_flag("cover_self", cover_self)
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
        None if kernel_subsets is None else read_count("kernel_subsets", kernel_subsets),
        read_count("kernel_subset_size", kernel_subset_size, at_least=2),
        read_seed(random_state),
    )


def _read_names(which: str | Sequence[str] | None) -> list[str]:
    if which is None:
        return list(USUAL)
    names: list[str] = []
    for name in read_list("which", which, (str,)):
        if not is_word(name, *NAMES, ALL):
            raise WrongValue("which", no_metric(name))
        names += NAMES if name == ALL else [name]
    return list(dict.fromkeys(names))


def no_metric(name: Any, hint: str = "") -> str:
    """What is said of a name that is none: which is meant, for those who know a metric by another
    name or write it otherwise, or a hint; and the names."""
    known = f"some of {', '.join(NAMES)}, or {ALL}"
    its = _ELSEWHERE.get(name.lower()) if isinstance(name, str) else None
    if its is not None:
        return f"{its} expected, which is the name of {name!r} here; {known}"
    return f"{known} expected, got {name!r}{closest(name, NAMES) or hint}"


def check_sizes(n: float, m: float, wanted: MetricOptions) -> None:
    """Is there a k-th other point wherever one is needed, and samples for what is of all?"""
    sizes = {"real": n, "fake": m}
    balls = needed_rows(NAMES).values()  # in one order, whatever is wanted
    needed = {(row.around, row.reach) for row in needed_rows(wanted.names).values()}
    for around, reach in dict.fromkeys((row.around, row.reach) for row in balls):
        if (around, reach) in needed:
            largest = max(reach.number(k, wanted) for k in wanted.ks)
            check_neighbor(reach.option, largest, around, sizes[around])
    for name, size in sizes.items():
        if size < 2 and wholes(wanted.names):
            first = next(iter(wholes(wanted.names)))
            raise WrongValue(name, f"at least 2 samples expected for {first}, got {size}")
        if wanted.draws and wanted.kernel_subset_size > size:
            raise WrongValue(
                "kernel_subset_size",
                f"at most {size} expected, the samples of {name}, got {wanted.kernel_subset_size}",
            )


def check_neighbor(option: str, k: int, name: str, size: float) -> None:
    """Has each of `size` points a k-th other one?"""
    if not 1 <= k < size:
        raise WrongValue(
            option, f"from 1 to {size - 1} expected, the other points of {name}, got {k}"
        )


def check_asked(backend: str, pieces: bool, wanted: MetricOptions) -> None:
    """Can the metrics be had from this backend, and, if they are, of samples in pieces?"""
    nearest = [n for n, row in needed_rows(wanted.names).items() if row.counted == "nearest"]
    if pieces:
        check_pieces(nearest)
    if backend == "approximate" and nearest:
        raise WrongValue("backend", f"an exact one expected for {nearest[0]}, got {backend!r}")


def check_pieces(names: Sequence[str]) -> None:
    """ValueError if there are any."""
    if names:
        raise WrongValue(
            "which",
            f"metrics that are there for samples in pieces expected, got {listed(names)}; those "
            "are for arrays",
        )
