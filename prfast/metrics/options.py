"""Arguments of `metrics`, checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_count, read_flag, read_list, read_number, read_ties
from prfast.metrics.table import NAMES, needed_rows
from prfast.metrics.wanted import MetricOptions


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
    )


def _read_names(which: str | Sequence[str] | None) -> list[str]:
    names = list(NAMES) if which is None else read_list("which", which, (str,))
    for name in names:
        if name not in NAMES:
            raise WrongValue("which", f"some of {', '.join(NAMES)} expected, got {name!r}")
    return names


def check_sizes(n: int, m: int, wanted: MetricOptions) -> None:
    """Is there a k-th other point wherever one is needed?"""
    sizes = {"real": n, "fake": m}
    balls = needed_rows(NAMES).values()  # in one order, whatever is wanted
    needed = {(row.around, row.reach) for row in needed_rows(wanted.names).values()}
    for around, reach in dict.fromkeys((row.around, row.reach) for row in balls):
        if (around, reach) in needed:
            largest = max(reach.number(k, wanted) for k in wanted.ks)
            check_neighbor(reach.option, largest, around, sizes[around])


def check_neighbor(option: str, k: int, name: str, size: int) -> None:
    """Has each of `size` points a k-th other one?"""
    if not 1 <= k < size:
        raise WrongValue(
            option, f"from 1 to {size - 1} expected, the other points of {name}, got {k}"
        )
