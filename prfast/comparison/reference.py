"""The reference of an evaluator with its cached search; batches of samples."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from prfast.comparison.results import Evaluation
from prfast.estimate.diagnostics import curves_of_scores
from prfast.estimate.profiles import Profile, estimates_at
from prfast.inputs.arrays import Floats
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue
from prfast.inputs.tables import first_labels, labels_of, match_columns, opened
from prfast.methods.base import ExecutionContext, Histograms, Key, Scores
from prfast.methods.neighbors import NeighborMethod, check_k, read_k
from prfast.methods.table import Run, all_scores, check_runs, expected_work
from prfast.neighbors import CachedSearch, NeighborSearch, Points, Rows
from prfast.samples.features import check_alike, plain, record_of, with_record
from prfast.samples.ladder import Ladder
from prfast.samples.pair import Pair
from prfast.samples.samples import Samples, checksum_of, read_samples
from prfast.scalars.api import for_weights
from prfast.scalars.halves import check_halves, halve
from prfast.scalars.measure import Metrics, SharesOfK, check_available, check_sizes, measure
from prfast.scalars.measure import expected_work as expected_metrics
from prfast.scalars.options import MetricOptions, ReferenceCache


class EvaluatorOptions(NamedTuple):
    """Checked options of an evaluator."""

    arguments: dict[str, Any]  # that construct an equal evaluator, but those of the reference
    runs: list[Run]
    metrics: MetricOptions
    ladder: Ladder  # of profiles
    context: ExecutionContext


class PreparedReference:
    """A reference of at least two samples, its split, and a search that caches results in it."""

    def __init__(self, real: Samples, options: EvaluatorOptions) -> None:
        if not real.is_partitioned and real.selection is None:
            real = replace(real, source=np.ascontiguousarray(real.source))
        real = real.with_repeats(options.arguments["repeats"])
        self.samples, self._options = real, options
        arguments, context = options.arguments, options.context
        self._check(Pair.read(real, Samples(real.source)))
        self.checksum = self._checksum()
        self._parts: tuple[Points, Points] | None = None
        points = real.points
        fixed: list[Points] = [points]
        runs = [run for run in options.runs if isinstance(run.method, NeighborMethod)]
        share = runs[0].split if runs else None  # all methods that count neighbors have one split
        if isinstance(share, float):
            # Real rows are drawn first, so they do not depend on the size of the generated set.
            part = Pair(real, real).split_rows(share, context.seed)
            self._parts = Rows(points, part.real_train), Rows(points, part.real_test)
            fixed += self._parts
        training = fixed[1] if self._parts else fixed[0]
        for method, split in runs:
            if split != "bernoulli":  # whose halves have random sizes
                name, k = method.key
                check_k(name, read_k(k, training), len(training), math.inf)  # of any generated set
        with metric_argument_names():
            check_sizes(len(real), math.inf, options.metrics)
        backend = arguments["backend"]
        check_available(backend, points, options.metrics)
        if arguments["halvings"]:
            check_halves(len(real), len(real), options.metrics)
        self._settings: dict[str, Any] = {"backend": backend, "n_jobs": context.n_jobs}
        self._settings |= {"memory": context.memory, "progress": context.progress}
        self._search = CachedSearch(fixed, **self._settings)
        self.radii = self._search.radii
        """Cached squared radii, {(number of the set in the search, k): radii}, for pickles."""
        self._ladder = options.ladder.fitted(Pair(real, real), context.seed)
        self._cache: ReferenceCache = {}

    def _checksum(self) -> int:
        value = checksum_of(self.samples.source)
        for numbers in (self.samples.selection, self.samples.weights, self.samples.labels):
            if numbers is not None:
                value = zlib.crc32(np.ascontiguousarray(numbers).tobytes(), value)
        return value

    def _check(self, pair: Pair) -> MetricOptions:
        """Raise WrongValue for samples that a method does not take; return the metrics' options."""
        options = self._options.metrics
        self._options.ladder.check(pair.real)
        check_runs(self._options.runs, pair)
        if not pair.weighted:
            return options
        return for_weights(options, self._options.arguments["which"] is None, pair)

    def unchanged(self) -> Samples:
        """Return the reference; raise WrongValue if its checksum has changed."""
        if self._checksum() != self.checksum:
            raise WrongValue(
                "real", "has changed since the evaluator was constructed; construct a new one"
            )
        return self.samples

    def read(self, fake: Any, w_fake: Any, groups: Any, names: list[Any] | None = None) -> Pair:
        """Return the reference and at least two generated samples, whose columns are matched to
        these names or those of the reference."""
        real = self.unchanged()
        like = replace(real, names=names or real.names)
        samples = Samples.read("fake", fake, like=like, at_least=2)
        samples = samples.weighted_by("fake", w_fake, groups)
        pair = Pair.read(real, samples.with_repeats(self._options.arguments["repeats"]))
        self._check(pair)
        return pair

    def scores(self, pair: Pair) -> dict[Key, Scores | Histograms]:
        runs, context = self._options.runs, self._options.context
        return all_scores(runs, pair, context, self._search, self._parts)

    def metrics(self, pair: Pair, shares: SharesOfK | None = None) -> Metrics:
        options = self._check(pair)
        with metric_argument_names():
            by_k = measure(pair, options, self._search, self._cache, shares=shares)
        return by_k[options.ks[0]]

    def evaluate(self, pair: Pair) -> Evaluation:
        runs, context = self._options.runs, self._options.context
        halvings, ladder = self._options.arguments["halvings"], self._ladder
        # The work of the bar, in pairs of samples.
        work = expected_metrics(*pair.sizes, self._options.metrics)
        work = expected_work(runs, *pair.sizes) + work * (1 + halvings / 2)
        work += expected_work(runs[:1], *pair.sizes) * len(ladder.sigmas)
        halves = shares = profile = None
        with context.progress.work(work, "evaluation"):
            scored = self.scores(pair)
            if halvings:
                options, search = self._check(pair), NeighborSearch(**self._settings)
                with metric_argument_names():
                    check_sizes(*pair.sizes, options)
                how: dict[str, Any] = {"seed": context.seed, "reference": self.checksum}
                halves, shares = halve(pair, options, search, halvings, **how, cache=self._cache)
            metrics = self.metrics(pair, shares)
        curves = curves_of_scores(scored, pair, context)
        if ladder.sigmas:
            full = next(iter(curves.values()))
            profile = Profile(estimates_at(runs[0], pair, ladder, context, full))
        with_cells = {key: x for key, x in scored.items() if isinstance(x, Scores)}
        scores = {key: x.paired(self.checksum) for key, x in with_cells.items()}
        return Evaluation(curves, metrics, scores=scores, halves=halves, profile=profile)


@contextmanager
def metric_argument_names() -> Iterator[None]:
    """Name in errors `metrics_k` for the k of metrics, `which` for ranks that follow from it."""
    try:
        yield
    except ArgumentError as error:
        if error.argument.startswith(("cover_k", "p_k")):
            text = f"metrics for which there are enough samples expected; {error}"
            raise WrongValue("which", text) from None
        raise (error.renamed("metrics_k") if error.argument == "k" else error) from None


@dataclass(eq=False)
class Batches:
    """Batches of one dtype and width, in order; threads may share them, as they do not change."""

    name: str  # of the argument, for errors
    arrays: list[Floats] = field(default_factory=list)
    record: Mapping[str, Any] | None = None  # the first one; later batches have an equal or none
    names: list[Any] | None = None  # column names of the first batch that was a table

    def __len__(self) -> int:
        return sum(map(len, self.arrays))

    def read(self, batch: Any, width: int | None = None) -> Floats:
        """Return a batch after checks against those before, and against the width of real samples;
        it may be empty."""
        samples = read_samples(self.name, batch, at_least=0, width=width)
        check_alike("batches before", self, self.name, batch)
        if self.arrays:
            before, first = "as in the batches before expected, got", self.arrays[0]
            if samples.shape[1] != first.shape[1]:
                text = f"{first.shape[1]} features {before} {samples.shape[1]}"
                raise WrongValue(self.name, text)
            if len(samples) and samples.dtype != first.dtype:
                raise WrongType(self.name, f"{first.dtype} {before} {samples.dtype}")
        return with_record(samples, record_of(batch))

    def followed_by(self, batch: Any, real: Samples) -> Batches:
        """Return these batches, then a copy of one that is compared with real samples."""
        batch = opened(self.name, batch)
        for names, before in ((real.names, "real"), (self.names, "batches before")):
            batch = match_columns(self.name, batch, names, before)
        read = self.read(batch, real.width)
        record = record_of(read)
        check_alike("real", real, self.name, read)
        if not len(read):
            return self
        arrays = [*self.arrays, with_record(np.array(read), record)]
        names = first_labels(self.names, labels_of(batch))
        return Batches(self.name, arrays, record if self.record is None else self.record, names)

    def whole(self) -> Floats:
        """Return all samples, at least one, in one array."""
        if len(self.arrays) > 1:
            rows = np.concatenate([*map(plain, self.arrays)])
            have_records = all(record_of(array) is not None for array in self.arrays)
            self.arrays = [with_record(rows, self.record if have_records else None)]
        return self.arrays[0]
