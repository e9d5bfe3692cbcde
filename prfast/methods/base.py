"""Method, the base class of all methods; Scores and Histograms, what they return; splits.

    Method ── scores(pair, split, context) ──► Scores or Histograms ── curve() ──► PRCurve

A split is None, all samples train and are scored; the share that trains; or a name of `SPLITS`.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np

from prfast.curve import PRCurve, Provenance
from prfast.curve.masses import of_scores
from prfast.curve.numbers import CurveNumbers
from prfast.inputs.arrays import Flags, Floats, Ints, read_vector
from prfast.inputs.concurrency import read_jobs, resolve_threads
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import MEMORY, Progress, read_count, read_progress, read_seed
from prfast.results.info import version
from prfast.samples.pair import Pair
from prfast.samples.partitioned import refuse_partitions
from prfast.samples.record import Sizes, cells_record

Key = tuple[str, Any]  # (name, k) of a method; k is None for a method without one


@dataclass(frozen=True)
class ExecutionContext:
    """Settings of a call that are no options of a method; results depend on the seed alone."""

    seed: int = 0
    n_jobs: int | None = None  # threads or processes; None is the method's own default
    memory: int = MEMORY  # bytes beside the inputs
    progress: Progress = field(default_factory=Progress)


DEFAULTS = ExecutionContext()
# Pairs for which neighbor methods take as long as others for a sample, for a common bar: 13 000 to
# 80 000 were measured.
WORK_OF_SAMPLE = 20_000


def read_context(
    random_state: Any = 0, n_jobs: Any = None, memory: Any = MEMORY, progress: Any = None
) -> ExecutionContext:
    seed, jobs = read_seed(random_state), read_jobs(n_jobs)
    return ExecutionContext(seed, jobs, read_count("memory", memory), read_progress(progress))


class Method(ABC):
    """A method that turns samples into a curve.

    The constructor of each method takes its options by keyword and checks them.  Two methods are
    equal if they are of one class and have the same options.
    Example: ``isinstance(prfast.methods.KNN(k=5), prfast.methods.Method)``.  See also `Scorer`.
    """

    name: str  # of the method with its default options
    k: Any = None  # number of neighbors; None for a method without one
    split: float | str | None = None  # the default
    has_split: bool = True  # whether another split is possible
    has_folds: bool = False  # whether samples are scored by cross-fitting
    takes_partitions: bool = False
    takes_weights: bool = False
    summary: str = ""
    blind: str = ""  # what the method cannot detect, however many samples there are

    @classmethod
    def option_names(cls) -> list[str]:
        """Return the names of the options."""
        return list(inspect.signature(cls).parameters)

    def get_params(self) -> dict[str, Any]:
        """Return {name: value} of the options."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    settings = get_params  # what the record of a curve has on the method

    @property
    def key(self) -> Key:
        """The key of the method's curve among those of several methods."""
        return self.name, self.k

    @abstractmethod
    def scores(
        self, pair: Pair, split: float | str | None, context: ExecutionContext
    ) -> Scores | Histograms:
        """Return scores of both sets, or their histograms; split: that of a `Run`."""

    def record(
        self, pair: Pair, split: float | str | None, scored: Sizes, seed: int, **settings: Any
    ) -> Provenance:
        """Return the provenance of a curve; scored: how many samples of each set were; settings:
        those that replace or follow the method's own."""
        origin = Provenance(
            method=self.name,
            n_real=len(pair.real),
            n_fake=len(pair.fake),
            scored_real=scored[0],
            scored_fake=scored[1],
            n_features=pair.width,
            random_state=seed,
            version=version(),
        )
        return origin.added(**{**self.settings(), **settings, "split": split})

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self.get_params() == other.get_params()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        options = ", ".join(
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value is not defaults[name].default and value != defaults[name].default
        )
        return f"{type(self).__name__}({options})"


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of both sets by one method; larger where a sample is more like real ones."""

    real: Floats
    fake: Floats
    real_rows: Ints  # of all real samples, that are scored
    reference: int | None = None  # checksum of all real samples; None where it is not known
    effective_size: Sizes | None = None  # numbers of independent units; None where not counted
    fake_rows: Any = None  # None where only models are compared
    provenance: Provenance = field(default_factory=Provenance)  # the record of their curve
    pair: Pair | None = None  # without rows; None where it is plain

    def curve(
        self,
        real: Flags | slice = slice(None),
        fake: Flags | slice = slice(None),
        **entries: Any,
    ) -> PRCurve:
        """Return the curve of all samples or of some of each set; entries: further `info`."""
        origin = self.provenance.added(**entries)
        if self.effective_size is not None:
            origin = replace(origin, effective_size=self.effective_size)
        is_all = isinstance(real, slice) and isinstance(fake, slice)
        samples = SampleScores(self.real, self.fake, self.real_rows, self.fake_rows)
        beside = samples if is_all else None
        values = self.real[real], self.fake[fake]
        if self.pair is not None:
            return weighted_curve(values, self.pair.take(real, fake), origin, beside)
        origin = replace(origin, scored_real=len(values[0]), scored_fake=len(values[1]))
        return PRCurve._from_pooled(*of_scores(values), origin, scores=beside)

    def paired(self, reference: int) -> Scores:
        """Return the scores for comparisons with other models; reference: as the field."""
        return replace(self, reference=reference)

    def shares_real(self, other: Scores) -> bool:
        """Return whether the real samples are the same."""
        is_same = self.reference is not None and self.reference == other.reference
        return is_same and np.array_equal(self.real_rows, other.real_rows)


def weighted_curve(
    values: tuple[Floats, Floats], pair: Pair, origin: Provenance, scores: Any = None
) -> PRCurve:
    """Return the curve of the scores `values` of a pair; scores: the attribute of the curve."""
    cells = of_scores(values, pair.masses)
    entries = cells_record(pair, values, CurveNumbers(*cells).masses)
    return PRCurve._from_pooled(*cells, origin.added(**entries), scores=scores)


class SampleScores(NamedTuple):
    """Scores of samples, larger where a sample is more like real ones."""

    real: Floats
    fake: Floats
    real_rows: Ints  # the row of each scored sample among all of its set
    fake_rows: Ints

    def extremes(self, count: int = 10) -> list[dict[str, Any]]:
        """Return a record for each of the most extreme samples, with `set`, "generated" or "real",
        its `row` and its `score`.  First are the generated ones that are least like real ones, then
        the real ones that are generated least.

        count: how many of each set, 10 by default; equal scores are in the order of their rows.
        """
        count = read_count("count", count)
        records = []
        for name, scores, rows, sign in (
            ("generated", self.fake, self.fake_rows, 1),
            ("real", self.real, self.real_rows, -1),
        ):
            for i in np.argsort(sign * scores, kind="stable")[:count]:
                records.append({"set": name, "row": int(rows[i]), "score": float(scores[i])})
        return records


@dataclass(frozen=True, eq=False)
class Histograms:
    """The curves of the runs of a partition; it has no scores."""

    curves: Sequence[PRCurve]
    provenance: Provenance

    def curve(self, **entries: Any) -> PRCurve:
        """Return the mean of the curves of the runs."""
        return PRCurve.mean(self.curves, info=self.provenance.added(**entries))


class FittedMethod(Method):
    """A method whose scorer is fitted to samples and scores points."""

    split: float | str | None = 0.5

    def fit(self, real: Any, fake: Any, context: ExecutionContext | None = None) -> Self:
        """Return a fitted copy; context: settings of the call, optional."""
        refuse_partitions("real", real)
        return self.fit_pair(Pair.read(real, fake), context or DEFAULTS)

    @abstractmethod
    def fit_pair(self, pair: Pair, context: ExecutionContext) -> Self:
        """Return a copy of the method that is fitted to samples."""

    @abstractmethod
    def score(self, points: Floats) -> Any:
        """Return the scores of points by a fitted copy, (points,)."""

    def scores(self, pair: Pair, split: float | str | None, context: ExecutionContext) -> Scores:
        train, test = pair.split(split, context.seed)
        with self._lock_target():
            fitted = self.fit_pair(train, context)
            real, fake = (read_scores(fitted.score(x), len(x)) for x in test.points)
        return Scores(
            real,
            fake,
            real_rows=test.real.rows,
            fake_rows=test.fake.rows,
            provenance=fitted.record(pair, split, (real.size, fake.size), context.seed),
            pair=None if pair.is_plain else test.without_points(),
        )

    def _lock_target(self) -> AbstractContextManager[Any]:
        """Return a context in which no other thread fits the same object of a caller."""
        return nullcontext()


def run_seeds(
    function: Any, arguments: Sequence[Any], runs: int, label: str, context: ExecutionContext
) -> list[Any]:
    """Return function(*arguments, seed) of each run, by `n_jobs` processes; None is one."""
    from joblib import Parallel, delayed

    seeds = np.random.SeedSequence(context.seed).generate_state(runs)
    calls = [delayed(function)(*arguments, int(seed)) for seed in seeds]
    processes = resolve_threads(1 if context.n_jobs is None else context.n_jobs, runs)
    results = []
    with context.progress.work(runs, label):
        for result in Parallel(n_jobs=processes, return_as="generator")(calls):
            results.append(result)
            context.progress.advance()
    return results


def read_scores(scores: Any, points: int) -> Floats:
    vector = read_vector("method: scores", scores, finite=False)
    if vector.size != points:
        text = f"one score a point expected, got {vector.size} for {points} points"
        raise WrongValue("method", text)
    return vector
