"""A reference with what depends on it alone, and what one set gets against it."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple

import numpy as np

from prfast.balls import Points, Remembering, Rows, Search
from prfast.cluster.reading import read_other
from prfast.cluster.sharded import Sharded
from prfast.comparison.models import Evaluation
from prfast.curve import PRCurve
from prfast.estimate.cross_fitted import CrossFitted
from prfast.estimate.methods import (
    AnyScored,
    Methods,
    all_scores,
    check_for_pieces,
    expected_work,
    read_methods,
    several_curves,
)
from prfast.estimate.scores import split_share, with_features
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.features import check_alike, features_info, plain, record_of
from prfast.inputs.options import Progress, read_count, read_progress
from prfast.scalars.estimate import Known, MetricOptions
from prfast.scalars.measure import Halves, check_halves, halve, measure
from prfast.scalars.measure import expected_work as expected_metrics
from prfast.scalars.result import Metrics, check_asked, check_sizes, read_metric_options
from prfast.scalars.table import NAMES, K, needed_rows
from prfast.scorers.neighbors import check_k, read_k

# What an evaluator is asked for: its options, checked, as they are recorded and compared.


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


class Prepared:
    """A reference that has been read, its halves, and a search that remembers what it finds of
    them.

    real: at least two samples, an array or in pieces.
    """

    def __init__(self, real: Any, wanted: Wanted) -> None:
        self.record = record_of(real)
        self.real: Any = real if isinstance(real, Sharded) else np.ascontiguousarray(plain(real))
        self.mark = mark_of(self.real)
        self._wanted = wanted
        self._parts: tuple[Points, Points] | None = None
        real, curves = self.real, wanted.methods.curves
        check_for_pieces(wanted.methods, real)
        fixed: list[Points] = [real]
        if curves.split is not None and curves.methods:
            # The real rows are drawn first, so they do not depend on the other set's size.
            part = split_share(len(real), len(real), curves.split, curves.seed)
            self._parts = Rows(real, part.real_train), Rows(real, part.real_test)
            fixed += self._parts
        training = fixed[1] if self._parts else fixed[0]
        for k in curves.ks:
            for method in curves.methods:
                # The other set may have any size.
                check_k(method, read_k(k, training), len(training), math.inf)
        with own_names():
            check_sizes(len(real), math.inf, wanted.metrics)
        check_asked(wanted.settings["backend"], isinstance(real, Sharded), wanted.metrics)
        if wanted.halvings:
            check_halves(len(real), len(real), wanted.metrics)
        self._search = Remembering(fixed, **wanted.settings)
        self._known: Known = {}  # of the reference, what metrics of both sets as wholes need

    def unchanged(self) -> Any:
        """The reference; ValueError if it is no longer what it was."""
        if mark_of(self.real) != self.mark:
            raise WrongValue("real", "has changed since the evaluator was made; make a new one")
        return self.real

    # ---- what was found of it, for one who prepares the same ----------------------------------

    def radii(self) -> dict[str, Floats]:
        """D of neighbours inside a set that is kept, by names with its number and k."""
        return {f"radii {i} {k}": d2 for (i, k), d2 in sorted(self._search.radii.copy().items())}

    def take(self, radii: Mapping[str, Any]) -> None:
        """What `radii` gave of the same reference.

        Raises
        ------
        TypeError, ValueError, IndexError
            Something else.
        """
        found = {}
        for name, d2 in radii.items():
            _, number, k = name.split()
            size = len(self._search.fixed[int(number)])
            if d2.shape != (size,) or d2.dtype != np.float64 or not (d2 >= 0).all():
                raise WrongValue(name, f"{size} numbers >= 0 expected")
            found[int(number), int(k)] = d2
        self._search.radii |= found

    # ---- one set --------------------------------------------------------------------------------
    # labels: those of the reference's columns.

    def curves(self, fake: Any, labels: list[Any] | None = None) -> dict[tuple[str, Any], PRCurve]:
        fake, features = self._read(fake, labels, at_least=1)
        return self._curves(self._scored(fake, labels), fake, features)

    def metrics(self, fake: Any, labels: list[Any] | None = None) -> Metrics:
        return self._metrics(*self._read(fake, labels, at_least=2))

    def evaluate(self, fake: Any, labels: list[Any] | None = None) -> Evaluation:
        fake, features = self._read(fake, labels, at_least=2)
        with self._shown(len(fake)):
            scored, metrics = self._scored(fake, labels), self._metrics(fake, features)
            halves = self._halves(fake)
        n = len(self.real)
        scores = {key: kept for one in scored for key, kept in one.paired(n, self.mark).items()}
        curves = self._curves(scored, fake, features)
        return Evaluation(curves, metrics, scores=scores, halves=halves)

    def _read(
        self, fake: Any, labels: list[Any] | None, *, at_least: int
    ) -> tuple[Any, dict[str, Any]]:
        """Return samples as wide as the reference, and what both are features of."""
        real = self.unchanged()
        check_alike("real", self, "fake", fake)
        features = features_info(self, fake)
        return read_other("fake", fake, real, labels, at_least=at_least), features

    def _curves(
        self, scored: list[AnyScored], fake: Any, features: dict[str, Any]
    ) -> dict[tuple[str, Any], PRCurve]:
        curves = several_curves(scored, self.real, fake, self._wanted.methods.curves.seed)
        return with_features(curves, features)

    def _metrics(self, fake: Any, features: dict[str, Any]) -> Metrics:
        wanted, search = self._wanted.metrics, self._search
        with own_names():
            found: Metrics = measure(self.real, fake, wanted, search, self._known, features)
        search.release()
        return found

    def _shown(self, m: int) -> AbstractContextManager[None]:
        """The work of one set of so many samples."""
        wanted, n = self._wanted, len(self.real)
        of_metrics = expected_metrics(n, m, self.real.shape[1], wanted.metrics) * (
            1 + wanted.halvings / 2
        )
        work = expected_work(wanted.methods, n, m) + of_metrics
        progress: Progress = wanted.settings["progress"]
        return progress.work(work, "evaluation")

    def _scored(self, fake: Floats, labels: list[Any] | None) -> list[AnyScored]:
        names = ("n_jobs", "memory", "progress")
        settings = {name: self._wanted.settings[name] for name in names}
        found = all_scores(
            self.real, fake, self._wanted.methods, self._search, settings, self._parts
        )
        self._search.release()
        return [one.with_names(labels) if isinstance(one, CrossFitted) else one for one in found]

    def _halves(self, fake: Floats) -> Halves | None:
        wanted = self._wanted
        if not wanted.halvings:
            return None
        search, seed = Search(**wanted.settings), wanted.methods.curves.seed
        return halve(
            self.real, fake, wanted.metrics, search, wanted.halvings, seed=seed, reference=self.mark
        )


def mark_of(real: Any) -> int:
    """A checksum, quick beside the distances."""
    if isinstance(real, Sharded):  # whoever loads a piece sees whether it is what it was
        return real.checksum
    return zlib.crc32(np.ascontiguousarray(real).data.cast("B"))
