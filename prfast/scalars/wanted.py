"""What is wanted of `metrics`: its options, as a type checker sees them, and checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypedDict

from prfast.inputs.options import RandomState
from prfast.inputs.progress import Shown


class MetricKeywords(TypedDict, total=False):
    """The keywords of `metrics`, for its overloads."""

    ties: str
    cover_k: int
    cover_factor: int | None
    cover_reach: int | None
    cover_self: bool
    p_k: int | None
    p_factor: float | None
    p_radius: float | Sequence[float] | None
    kernel_subsets: int | None
    kernel_subset_size: int
    random_state: RandomState
    backend: str
    n_jobs: int | None
    memory: int
    progress: Shown
    client: Any


class MetricOptions(NamedTuple):
    """Checked arguments of `metrics`, but for the samples and the search."""

    ks: list[int]
    several: bool  # {k: Metrics} rather than Metrics
    names: list[str]
    ties: str
    cover_k: int
    cover_factor: int
    cover_reach: int | None  # k′, the point itself counted if cover_self; None: C k
    cover_self: bool
    p_k: int
    p_factor: float
    p_radius: tuple[float, float] | None  # R of real, of fake; None: p_factor × mean radius
    kernel_subsets: int | None  # of kernel_distance; None: all pairs
    kernel_subset_size: int
    seed: int  # of the subsets

    @property
    def cover_neighbor(self) -> int:
        """k′ of precision and recall cover, the point itself not counted."""
        asked = self.cover_reach
        return (self.cover_factor * self.cover_k if asked is None else asked) - self.cover_self

    @property
    def draws(self) -> bool:
        """Are subsets drawn?"""
        return self.kernel_subsets is not None and "kernel_distance" in self.names
