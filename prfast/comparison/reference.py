"""A reference with its cached search, against which sets are evaluated; options of an evaluator."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from prfast.comparison.results import Evaluation
from prfast.curve import PRCurve
from prfast.distributed.reading import read_other
from prfast.distributed.sharded import Sharded
from prfast.estimate.cross_fitted import CrossFitted
from prfast.estimate.methods import (
    AnyScored,
    Methods,
    all_scores,
    check_for_pieces,
    expected_work,
    several_curves,
)
from prfast.estimate.scores import split_share, with_features
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import ArgumentError, WrongValue
from prfast.inputs.features import check_alike, features_info, plain, record_of
from prfast.inputs.options import Progress, read_progress
from prfast.methods.neighbors import check_k, read_k
from prfast.neighbors import Points, Remembering, Rows, Search
from prfast.scalars.measure import check_available, check_halves, check_sizes, halve, measure
from prfast.scalars.measure import expected_work as expected_metrics
from prfast.scalars.result import Metrics
from prfast.scalars.table import NAMES, K, MetricOptions, ReferenceCache, needed_rows

# Names of the neighbour ranks of metrics other than k, as error messages have them.
_RANKS = {row.rank.option for row in needed_rows(NAMES).values() if row.rank is not K}
# Options that do not affect results.
_OF_ONE_PROCESS = ("n_jobs", "memory", "progress")


class EvaluatorOptions(NamedTuple):
    """Checked options of an evaluator."""

    methods: Methods
    metrics: MetricOptions
    halvings: int
    search: dict[str, Any]
    """Options of the neighbour search: backend, n_jobs, memory, progress."""

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that construct an equal evaluator."""
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
            **self.search,
            "progress": self.search["progress"].shown,
        }

    def by_name(self) -> dict[str, Any]:
        """Return the arguments for JSON and text: methods by their names, also objects."""
        return self.arguments() | {"methods": self.methods.names}

    def that_matter(self) -> dict[str, Any]:
        """Return those of `by_name` that affect results."""
        return {name: x for name, x in self.by_name().items() if name not in _OF_ONE_PROCESS}

    def check_same(self, argument: str, others: Mapping[str, Any]) -> None:
        """Raise WrongValue unless the options that affect results equal `others`."""
        for name, value in self.that_matter().items():
            if others.get(name) != value:
                raise WrongValue(argument, f"{name}={value!r} expected, got {others.get(name)!r}")


def read_search(backend: str, n_jobs: Any, memory: Any, progress: Any) -> dict[str, Any]:
    """Check the options of the neighbour search, and return them as Python numbers for JSON."""
    Search(backend, n_jobs, memory, progress)
    return {
        "backend": backend,
        "n_jobs": None if n_jobs is None else int(n_jobs),
        "memory": int(memory),
        "progress": read_progress(progress),
    }


class PreparedReference:
    """A validated reference, its split, and a search that caches results within the reference.

    real: at least two samples, an array or `Sharded`.
    """

    def __init__(self, real: Any, options: EvaluatorOptions) -> None:
        self.record = record_of(real)
        self.real: Any = real if isinstance(real, Sharded) else np.ascontiguousarray(plain(real))
        self.checksum = checksum_of(self.real)
        self._options = options
        self._parts: tuple[Points, Points] | None = None
        real, curves = self.real, options.methods.curves
        check_for_pieces(options.methods, real)
        fixed: list[Points] = [real]
        if curves.split is not None and curves.methods:
            # Real rows are drawn first, so they do not depend on the size of the generated set.
            part = split_share(len(real), len(real), curves.split, curves.seed)
            self._parts = Rows(real, part.real_train), Rows(real, part.real_test)
            fixed += self._parts
        training = fixed[1] if self._parts else fixed[0]
        for k in curves.ks:
            for method in curves.methods:
                # inf: the size of the generated set is not known yet.
                check_k(method, read_k(k, training), len(training), math.inf)
        with _argument_names():
            check_sizes(len(real), math.inf, options.metrics)
        check_available(options.search["backend"], isinstance(real, Sharded), options.metrics)
        if options.halvings:
            check_halves(len(real), len(real), options.metrics)
        self._search = Remembering(fixed, **options.search)
        self._cache: ReferenceCache = {}

    @property
    def radii(self) -> dict[tuple[int, int], Floats]:
        """Cached squared radii, {(number of the set in the search, k): radii}, for pickles."""
        return dict(self._search.radii)

    @radii.setter
    def radii(self, radii: Mapping[tuple[int, int], Floats]) -> None:
        self._search.radii |= radii

    def unchanged(self) -> Any:
        """Return the reference; raise WrongValue if its checksum has changed."""
        if checksum_of(self.real) != self.checksum:
            raise WrongValue("real", "has changed since the evaluator was made; make a new one")
        return self.real

    # ---- evaluation of one set; labels: column names of the reference ----------------------------

    def curves(self, fake: Any, labels: list[Any] | None) -> dict[tuple[str, Any], PRCurve]:
        fake, features = self._read(fake, labels, at_least=1)
        return self._curves(self._scores(fake, labels), fake, features)

    def metrics(self, fake: Any, labels: list[Any] | None) -> Metrics:
        return self._metrics(*self._read(fake, labels, at_least=2))

    def evaluate(self, fake: Any, labels: list[Any] | None) -> Evaluation:
        fake, features = self._read(fake, labels, at_least=2)
        options, n = self._options, len(self.real)
        halves = None
        progress: Progress = options.search["progress"]
        with progress.work(self._expected_work(len(fake)), "evaluation"):
            scored, metrics = self._scores(fake, labels), self._metrics(fake, features)
            if options.halvings:
                halves = halve(
                    self.real,
                    fake,
                    options.metrics,
                    Search(**options.search),
                    options.halvings,
                    seed=options.methods.curves.seed,
                    reference=self.checksum,
                )
        scores = {key: one for each in scored for key, one in each.paired(n, self.checksum).items()}
        curves = self._curves(scored, fake, features)
        return Evaluation(curves, metrics, scores=scores, halves=halves)

    def _read(
        self, fake: Any, labels: list[Any] | None, *, at_least: int
    ) -> tuple[Any, dict[str, Any]]:
        """Return validated samples of the reference's width, and the provenance of the features."""
        real = self.unchanged()
        check_alike("real", self, "fake", fake)
        features = features_info(self, fake)
        return read_other("fake", fake, real, labels, at_least=at_least), features

    def _expected_work(self, m: int) -> float:
        """Return the work for m generated samples, in pairs of samples; for the progress bar."""
        options, (n, d) = self._options, self.real.shape
        of_metrics = expected_metrics(n, m, d, options.metrics) * (1 + options.halvings / 2)
        return expected_work(options.methods, n, m) + of_metrics

    def _scores(self, fake: Floats, labels: list[Any] | None) -> list[AnyScored]:
        methods, search = self._options.methods, self._options.search
        settings = {name: search[name] for name in _OF_ONE_PROCESS}
        scored = all_scores(self.real, fake, methods, self._search, settings, self._parts)
        self._search.release()
        return [one.with_names(labels) if isinstance(one, CrossFitted) else one for one in scored]

    def _curves(
        self, scored: list[AnyScored], fake: Any, features: dict[str, Any]
    ) -> dict[tuple[str, Any], PRCurve]:
        curves = several_curves(scored, self.real, fake, self._options.methods.curves.seed)
        return with_features(curves, features)

    def _metrics(self, fake: Any, features: dict[str, Any]) -> Metrics:
        options = self._options.metrics
        with _argument_names():
            by_k = measure(self.real, fake, options, self._search, self._cache, features)
        self._search.release()
        return by_k[options.ks[0]]


def checksum_of(real: Any) -> int:
    """Return a CRC-32 of the samples."""
    if isinstance(real, Sharded):  # tasks check each piece when they load it
        return real.checksum
    return zlib.crc32(np.ascontiguousarray(real).data.cast("B"))


@contextmanager
def _argument_names() -> Iterator[None]:
    """Name the evaluator's arguments in errors of metrics: `metrics_k` for k, else `which`."""
    try:
        yield
    except ArgumentError as error:
        if error.argument in _RANKS:
            raise WrongValue(
                "which",
                "metrics for which there are enough samples expected; one has "
                f"{error.argument}: {error.text}",
            ) from None
        raise (error.renamed("metrics_k") if error.argument == "k" else error) from None
