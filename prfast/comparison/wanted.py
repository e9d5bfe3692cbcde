"""What an evaluator is asked for: its options, checked, as they are recorded and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from prfast.balls import Search
from prfast.estimate.methods import Methods, read_methods
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.options import read_count
from prfast.inputs.progress import read_progress
from prfast.scalars.options import read_metric_options
from prfast.scalars.table import NAMES, K, needed_rows
from prfast.scalars.wanted import MetricOptions

# What metrics call the neighbours that their balls reach, other than k.
_REACHES = {row.reach.option for row in needed_rows(NAMES).values() if row.reach is not K}
# Options that change no result.
OF_ONE_PROCESS = ("n_jobs", "memory", "progress")


class Wanted(NamedTuple):
    """Checked arguments of an evaluator, but for the samples."""

    methods: Methods
    metrics: MetricOptions
    halvings: int
    settings: dict[str, Any]
    """Of a search: backend, n_jobs, memory, progress."""

    def options(self) -> dict[str, Any]:
        """The arguments of which the same evaluator is made."""
        curves, metrics = self.methods.curves, self.metrics
        return {
            "methods": self.methods.given,
            "k": curves.ks,
            "split": curves.split,
            "random_state": curves.seed,
            "ties": curves.ties,
            "count_self": curves.count_self,
            "options": self.methods.options or None,
            "metrics_k": metrics.ks[0],
            "which": metrics.names,
            "halvings": self.halvings,
            **self.settings,
            "progress": self.settings["progress"].shown,
        }

    def named(self) -> dict[str, Any]:
        """The same, as JSON keeps them: methods that are objects by their names."""
        return self.options() | {"methods": self.methods.names}

    def check_same(self, name: str, others: dict[str, Any]) -> None:
        """Have the options of another, as `named` gives them, the same results?"""
        for key, value in self.named().items():
            if key not in OF_ONE_PROCESS and others.get(key) != value:
                raise WrongValue(name, f"{key}={value!r} expected, got {others.get(key)!r}")


def read_wanted(
    methods: Any,
    k: Any,
    split: Any,
    random_state: Any,
    ties: str,
    count_self: Any,
    options: Any,
    metrics_k: Any,
    which: str | Sequence[str] | None,
    halvings: Any,
    settings: dict[str, Any],
) -> Wanted:
    """Check the arguments of an evaluator, which documents them."""
    read = read_methods(methods, k, split, random_state, ties, count_self, options)
    metrics = read_metric_options(read_count("metrics_k", metrics_k), which, ties)
    halvings = read_count("halvings", halvings, at_least=0, at_most=10_000)
    Search(**settings)
    numbers = {
        name: None if value is None else int(value)  # that JSON knows
        for name, value in settings.items()
        if name in ("n_jobs", "memory")
    }
    progress = read_progress(settings["progress"])
    return Wanted(read, metrics, halvings, {**settings, **numbers, "progress": progress})


@contextmanager
def own_names() -> Iterator[None]:
    """Errors of the metrics, whose k is `metrics_k` here, and whose other options are not here."""
    try:
        yield
    except ArgumentError as error:
        if error.argument in _REACHES:
            raise WrongValue(
                "which",
                "metrics for which there are enough samples expected; one has "
                f"{error.argument}: {error.text}",
            ) from None
        raise (error.renamed("metrics_k") if error.argument == "k" else error) from None
