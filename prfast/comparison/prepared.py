"""Prepared: a reference with its cached search, and evaluation of one set against it.

`Wanted` holds the checked options of an evaluator, as checkpoints record and compare them.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple

import numpy as np

from prfast.comparison.models import Evaluation
from prfast.curve import PRCurve
from prfast.distributed.reading import read_other
from prfast.distributed.sharded import Sharded
from prfast.estimate.curves import several_curves, with_features
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.features import check_alike, features_info, plain, record_of
from prfast.inputs.options import Progress, read_count, read_progress, read_seed
from prfast.methods.base import ExecutionContext, Histograms, Key, Scores
from prfast.methods.neighbors import NeighborMethod, check_k, read_k
from prfast.methods.splits import read_split, split_share
from prfast.methods.table import (
    Run,
    all_scores,
    check_partitions,
    expected_work,
    listed_methods,
    read_ks,
    read_method,
    read_runs,
)
from prfast.neighbors import Points, Remembering, Rows, Search
from prfast.scalars.api import read_metric_options
from prfast.scalars.measure import check_available, check_halves, check_sizes, halve, measure
from prfast.scalars.measure import expected_work as expected_metrics
from prfast.scalars.result import Halves, Metrics
from prfast.scalars.table import NAMES, K, MetricOptions, ReferenceCache, needed_rows

# Names of the neighbour ranks of metrics other than k, as error messages have them.
_REACHES = {row.rank.option for row in needed_rows(NAMES).values() if row.rank is not K}
# Options that do not affect results.
OF_ONE_PROCESS = ("n_jobs", "memory", "progress")


class Wanted(NamedTuple):
    """Checked options of an evaluator."""

    runs: list[Run]
    """The methods with their splits."""
    arguments: dict[str, Any]
    """Checked arguments of the curves: methods, k, split, random_state, ties, count_self."""
    metrics: MetricOptions
    halvings: int
    settings: dict[str, Any]
    """Options of the neighbour search: backend, n_jobs, memory, progress."""

    def options(self) -> dict[str, Any]:
        """Return the arguments that construct an equal evaluator."""
        return {
            **self.arguments,
            "metrics_k": self.metrics.ks[0],
            "which": self.metrics.names,
            "halvings": self.halvings,
            **self.settings,
            "progress": self.settings["progress"].shown,
        }

    def named(self) -> dict[str, Any]:
        """Return the options for JSON: methods by their names, also where they are objects."""
        names = [
            method if isinstance(method, str) else repr(read_method(method, {}))
            for method in self.arguments["methods"]
        ]
        return self.options() | {"methods": names}

    @property
    def context(self) -> ExecutionContext:
        """The settings of the methods."""
        settings = {name: self.settings[name] for name in ("n_jobs", "memory", "progress")}
        return ExecutionContext(self.arguments["random_state"], **settings)

    @property
    def neighbor_runs(self) -> list[Run]:
        """The methods that count neighbours."""
        return [run for run in self.runs if isinstance(run.method, NeighborMethod)]

    def check_same(self, name: str, others: dict[str, Any]) -> None:
        """Raise where options of another evaluator, as `named` returns them, affect results."""
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
    metrics_k: Any,
    which: str | Sequence[str] | None,
    halvings: Any,
    settings: dict[str, Any],
) -> Wanted:
    """Check the arguments of an evaluator, which documents them."""
    runs = read_runs(methods, k, split, ties, count_self, settings["backend"])
    arguments = {
        "methods": listed_methods(methods),
        "k": read_ks(k),
        "split": read_split(split),
        "random_state": read_seed(random_state),
        "ties": ties,
        "count_self": bool(count_self),
    }
    metrics = read_metric_options(read_count("metrics_k", metrics_k), which, ties)
    halvings = read_count("halvings", halvings, at_least=0, at_most=10_000)
    Search(**settings)
    numbers = {
        name: None if value is None else int(value)  # that JSON knows
        for name, value in settings.items()
        if name in ("n_jobs", "memory")
    }
    progress = read_progress(settings["progress"])
    return Wanted(runs, arguments, metrics, halvings, {**settings, **numbers, "progress": progress})


@contextmanager
def own_names() -> Iterator[None]:
    """Name the evaluator's arguments in errors of metrics: `metrics_k` for k, else `which`."""
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


class Prepared:
    """A validated reference, its split, and a search that caches results within the reference.

    real: at least two samples, an array or `Sharded`.
    """

    def __init__(self, real: Any, wanted: Wanted) -> None:
        self.record = record_of(real)
        self.real: Any = real if isinstance(real, Sharded) else np.ascontiguousarray(plain(real))
        self.mark = mark_of(self.real)
        self._wanted = wanted
        self._parts: tuple[Points, Points] | None = None
        real, runs = self.real, wanted.neighbor_runs
        check_partitions(wanted.runs, real)
        fixed: list[Points] = [real]
        share = runs[0].split if runs else None  # all methods that count neighbours have one split
        if isinstance(share, float):
            # Real rows are drawn first, so they do not depend on the size of the generated set.
            part = split_share(len(real), len(real), share, wanted.context.seed)
            self._parts = Rows(real, part.real_train), Rows(real, part.real_test)
            fixed += self._parts
        training = fixed[1] if self._parts else fixed[0]
        for method, split in runs:
            if split != "bernoulli":  # whose halves have random sizes
                # inf: the size of the generated set is not known yet.
                name, k = method.key
                check_k(name, read_k(k, training), len(training), math.inf)
        with own_names():
            check_sizes(len(real), math.inf, wanted.metrics)
        check_available(wanted.settings["backend"], isinstance(real, Sharded), wanted.metrics)
        if wanted.halvings:
            check_halves(len(real), len(real), wanted.metrics)
        self._search = Remembering(fixed, **wanted.settings)
        self._known: ReferenceCache = {}  # results that depend on the reference alone

    def unchanged(self) -> Any:
        """Return the reference; raise ValueError if its checksum has changed."""
        if mark_of(self.real) != self.mark:
            raise WrongValue("real", "has changed since the evaluator was made; make a new one")
        return self.real

    # ---- cached radii, for checkpoints ---------------------------------------------------------

    def radii(self) -> dict[str, Floats]:
        """Return cached squared radii by "radii I K", I the number of the set within the search."""
        return {f"radii {i} {k}": d2 for (i, k), d2 in sorted(self._search.radii.copy().items())}

    def take(self, radii: Mapping[str, Any]) -> None:
        """Add squared radii that `radii` returned for the same reference to the cache.

        Raises
        ------
        TypeError, ValueError, IndexError
            Other names, sizes or values.
        """
        found = {}
        for name, d2 in radii.items():
            _, number, k = name.split()
            size = len(self._search.fixed[int(number)])
            if d2.shape != (size,) or d2.dtype != np.float64 or not (d2 >= 0).all():
                raise WrongValue(name, f"{size} numbers >= 0 expected")
            found[int(number), int(k)] = d2
        self._search.radii |= found

    # ---- evaluation of one set ------------------------------------------------------------------
    # labels: column names of the reference.

    def curves(self, fake: Any, labels: list[Any] | None = None) -> dict[tuple[str, Any], PRCurve]:
        fake, features = self._read(fake, labels, at_least=1)
        return self._curves(self._scored(fake), fake, features, labels)

    def metrics(self, fake: Any, labels: list[Any] | None = None) -> Metrics:
        return self._metrics(*self._read(fake, labels, at_least=2))

    def evaluate(self, fake: Any, labels: list[Any] | None = None) -> Evaluation:
        fake, features = self._read(fake, labels, at_least=2)
        with self._shown(len(fake)):
            scored, metrics = self._scored(fake), self._metrics(fake, features)
            halves = self._halves(fake)
        n = len(self.real)
        scores = {
            key: one.paired(n, self.mark) for key, one in scored.items() if isinstance(one, Scores)
        }
        curves = self._curves(scored, fake, features, labels)
        return Evaluation(curves, metrics, scores=scores, halves=halves)

    def _read(
        self, fake: Any, labels: list[Any] | None, *, at_least: int
    ) -> tuple[Any, dict[str, Any]]:
        """Return validated samples of the reference's width, and the provenance of the features."""
        real = self.unchanged()
        check_alike("real", self, "fake", fake)
        features = features_info(self, fake)
        return read_other("fake", fake, real, labels, at_least=at_least), features

    def _curves(
        self,
        scored: Mapping[Key, Scores | Histograms],
        fake: Any,
        features: dict[str, Any],
        labels: list[Any] | None,
    ) -> dict[Key, PRCurve]:
        curves = several_curves(scored, self.real, fake, self._wanted.context.seed, labels)
        return with_features(curves, features)

    def _metrics(self, fake: Any, features: dict[str, Any]) -> Metrics:
        wanted, search = self._wanted.metrics, self._search
        with own_names():
            found = measure(self.real, fake, wanted, search, self._known, features)[wanted.ks[0]]
        search.release()
        return found

    def _shown(self, m: int) -> AbstractContextManager[None]:
        """Return the progress context for the evaluation of a set of m samples."""
        wanted, n = self._wanted, len(self.real)
        of_metrics = expected_metrics(n, m, self.real.shape[1], wanted.metrics) * (
            1 + wanted.halvings / 2
        )
        work = expected_work(wanted.runs, n, m) + of_metrics
        progress: Progress = wanted.settings["progress"]
        return progress.work(work, "evaluation")

    def _scored(self, fake: Floats) -> dict[Key, Scores | Histograms]:
        wanted = self._wanted
        scores = all_scores(wanted.runs, self.real, fake, wanted.context, self._search, self._parts)
        self._search.release()
        return scores

    def _halves(self, fake: Floats) -> Halves | None:
        wanted = self._wanted
        if not wanted.halvings:
            return None
        search, seed = Search(**wanted.settings), wanted.context.seed
        return halve(
            self.real, fake, wanted.metrics, search, wanted.halvings, seed=seed, reference=self.mark
        )


def mark_of(real: Any) -> int:
    """Return a CRC-32 of the samples."""
    if isinstance(real, Sharded):  # tasks check each piece when they load it
        return real.checksum
    return zlib.crc32(np.ascontiguousarray(real).data.cast("B"))
