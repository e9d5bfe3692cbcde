"""What is wanted of `metrics`: its options, as a type checker sees them, and checked."""

from __future__ import annotations

from typing import Any, NamedTuple, TypedDict

from prfast.inputs.options import RandomState
from prfast.inputs.progress import Shown


class MetricKeywords(TypedDict, total=False):
    """The keywords of `metrics`, for its overloads."""

    ties: str
    cover_k: int
    cover_factor: int
    cover_self: bool
    p_k: int
    p_factor: float
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
    cover_self: bool
    p_k: int
    p_factor: float
    kernel_subsets: int | None  # of kernel_distance; None: all pairs
    kernel_subset_size: int
    seed: int  # of the subsets

    @property
    def cover_reach(self) -> int:
        """k' of precision and recall cover, the point itself not counted."""
        return self.cover_factor * self.cover_k - self.cover_self

    @property
    def draws(self) -> bool:
        """Are subsets drawn?"""
        return self.kernel_subsets is not None and "kernel_distance" in self.names
