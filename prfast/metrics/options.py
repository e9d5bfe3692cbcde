"""Checked arguments of `metrics`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from prfast.balls.thresholds import read_ties
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_count, read_list, read_number
from prfast.metrics.table import _PARTS, NAMES


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
        raise WrongValue(
            option, f"from 1 to {size - 1} expected, the other points of {name}, got {k}"
        )
