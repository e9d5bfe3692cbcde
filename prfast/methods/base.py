"""Method, the base class of all methods; Scores and Histograms, what they return; splits.

    Method ── scores(real, fake, split, context) ──► Scores or Histograms ── curve() ──► PRCurve

A method holds its options only, so that threads may share it; `ExecutionContext` holds the settings
of a call.  `FittedMethod` splits the samples, fits to one part and scores the other.

A split is None, all samples train and are scored; the share in (0, 1) of the samples that train; or
a name of `SPLITS`.
"""

from __future__ import annotations

import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from prfast.curve import PRCurve, Provenance
from prfast.curve.provenance import Sizes
from prfast.inputs.arrays import Float64s, Floats, read_vector
from prfast.inputs.concurrency import read_jobs, resolve_threads
from prfast.inputs.errors import WrongValue
from prfast.inputs.noise import SmoothedPair
from prfast.inputs.options import (
    MEMORY,
    Progress,
    read_count,
    read_progress,
    read_seed,
    read_share,
)
from prfast.inputs.samples import Cells, Design, Samples, stream
from prfast.results.info import version

Key = tuple[str, Any]
"""(name, k) of a method; k is None for a method without one."""


@dataclass(frozen=True)
class ExecutionContext:
    """Settings of a call that are no options of a method; results depend on the seed alone."""

    seed: int = 0
    """Seed of everything random."""
    n_jobs: int | None = None
    """Threads or processes; None is the method's own default."""
    memory: int = MEMORY
    """Bytes beside the inputs."""
    progress: Progress = field(default_factory=Progress)
    """The progress bar."""
    smoothed: SmoothedPair | None = None
    """Both sets at a resolution above 0; None at resolution 0."""
    design: Design | None = None
    """Weights and groups of the samples; None where they are independent and of equal weight."""
    cells: Cells | None = None
    """The tables that the samples are an encoding of; None where they are none."""


DEFAULTS = ExecutionContext()


def read_context(
    random_state: Any = 0, n_jobs: Any = None, memory: Any = MEMORY, progress: Any = None
) -> ExecutionContext:
    """Return the settings of a call from the arguments of these names."""
    return ExecutionContext(
        read_seed(random_state),
        read_jobs(n_jobs),
        read_count("memory", memory),
        read_progress(progress),
    )


class Method(ABC):
    """A method that turns samples into a curve.

    The constructor of each method takes its options by keyword and checks them.  Two methods are
    equal if they are of one class and have the same options.
    """

    name: str
    """The string that stands for the method with its default options."""
    split: float | str | None = None
    """The split that the method uses by default."""
    has_split: bool = True
    """Whether the method can use another split."""
    has_folds: bool = False
    """Whether samples are scored by cross-fitting."""
    takes_partitions: bool = False
    """Whether the method takes samples in partitions."""
    takes_weights: bool = False
    """Whether the method takes samples with weights."""
    summary: str = ""
    blind: str = ""
    """What the method cannot detect, however many samples there are; empty if none is known."""

    @classmethod
    def option_names(cls) -> list[str]:
        """Return the names of the options."""
        return list(inspect.signature(cls).parameters)

    def get_params(self) -> dict[str, Any]:
        """Return {name: value} of the options."""
        return {name: getattr(self, name) for name in self.option_names()}

    @property
    def key(self) -> Key:
        """(name, k): the key of the method's curve among those of several methods."""
        return self.name, None

    @abstractmethod
    def scores(
        self, real: Any, fake: Any, split: float | str | None, context: ExecutionContext
    ) -> Scores | Histograms:
        """Return scores of both sets, or their histograms, for samples that have been checked.

        split: a share, "bernoulli" or None, which `read_split` has checked.
        """

    def settings(self) -> dict[str, Any]:
        """Return what the record of a curve has on the method: by default its options."""
        return self.get_params()

    def record(
        self,
        real: Samples,
        fake: Samples,
        split: float | str | None,
        scored: Sizes,
        seed: int,
        **settings: Any,
    ) -> Provenance:
        """Return the provenance of a curve; scored: how many real and generated samples were
        scored; settings: those that replace or follow the method's own."""
        origin = Provenance(
            method=self.name,
            n_real=len(real),
            n_fake=len(fake),
            scored_real=scored[0],
            scored_fake=scored[1],
            n_features=real.shape[1],
            random_state=seed,
            version=version(),
        )
        return origin.added(**{**self.settings(), **settings, "split": split})

    def _lock_target(self) -> AbstractContextManager[Any]:
        """Return a context in which no other thread fits the same object of a caller."""
        return nullcontext()

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


def equivalent_pairs(samples: int) -> int:
    """Return the number of pairs for which neighbor methods take as long as others for so many
    samples, for a common bar: 13 000 to 80 000 a sample were measured."""
    return 20_000 * samples


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of both sets by one method; larger where a sample is more like real ones."""

    real: Floats
    fake: Floats
    real_rows: Any = field(default_factory=lambda: slice(None))
    """Rows of all real samples that the real scores are of."""
    reference: int | None = None
    """Checksum of all real samples; None where it is not known."""
    effective_size: Sizes | None = None
    """Numbers of independent real and generated units, fewer where rows repeat."""
    fake_rows: Any = field(default_factory=lambda: slice(None))
    """Rows of all generated samples that the generated scores are of."""
    provenance: Provenance = field(default_factory=Provenance)
    """How the scores were made; the record of their curve."""
    work: Mapping[str, int] | None = None
    """Counts of how the neighbor search decided its pairs; None where there was none."""
    design: Design | None = None
    """Weights and groups of the scored samples; None as in `ExecutionContext`."""

    def curve(
        self,
        real: NDArray[np.bool_] | slice = slice(None),
        fake: NDArray[np.bool_] | slice = slice(None),
        **entries: Any,
    ) -> PRCurve:
        """Return the curve of all samples or of some of each set; entries: further ones of its
        `info`."""
        origin = self.provenance.added(**entries)
        if self.design is None:
            info = None if origin == Provenance() else origin
            curve = PRCurve.from_scores(self.real[real], self.fake[fake], info=info)
        else:
            design = self.design.of(real, fake)
            curve = weighted_curve(self.real[real], self.fake[fake], design, origin)
        if self.effective_size is not None:
            curve = curve._added(effective_size=self.effective_size)
        is_all = isinstance(real, slice) and isinstance(fake, slice)
        rows = self.real_rows, self.fake_rows
        return curve._made_of(
            self.work, sample_scores(self.real, self.fake, *rows) if is_all else None
        )

    def paired(self, n: int, reference: int) -> Scores:
        """Return the scores for comparisons with other models: with row numbers of the n real
        samples, of which `reference` is the checksum."""
        return replace(self, real_rows=np.arange(n)[self.real_rows], reference=reference)

    def shares_real(self, other: Scores) -> bool:
        """Return whether the real samples are the same."""
        known = self.reference is not None and self.reference == other.reference
        return known and np.array_equal(self.real_rows, other.real_rows)


def weighted_curve(real: Floats, fake: Floats, design: Design, origin: Provenance) -> PRCurve:
    """Return the curve of scores of samples with weights and groups."""
    w_real, w_fake = design.weights
    curve = PRCurve.from_scores(real, fake, w_real=w_real, w_fake=w_fake, info=origin)
    return curve._added(**design.record((real, fake), curve.masses))


class SampleScores(NamedTuple):
    """Scores of samples, larger where a sample is more like real ones."""

    real: Floats
    fake: Floats
    real_rows: NDArray[np.int64]
    """The row of each scored real sample among all of them."""
    fake_rows: NDArray[np.int64]
    """The same of the generated ones."""

    def extremes(self, count: int = 10) -> list[dict[str, Any]]:
        """Return a record for each of the most extreme samples, with `set`, "generated" or "real",
        its `row` and its `score`: first the generated ones that are least like real ones, then the
        real ones that are generated least.

        count: how many of each set, 10 by default; equal scores are in the order of their rows.
        """
        count = read_count("count", count)
        records = []
        for name, scores, rows, sign in (
            ("generated", self.fake, self.fake_rows, 1),
            ("real", self.real, self.real_rows, -1),
        ):
            order = np.argsort(sign * scores, kind="stable")[:count]
            records += [
                {"set": name, "row": int(rows[i]), "score": float(scores[i])} for i in order
            ]
        return records


def sample_scores(
    real: Floats, fake: Floats, real_rows: Any = None, fake_rows: Any = None
) -> SampleScores:
    """Return scores with the numbers of their rows; None and a slice are all rows."""
    rows = (
        np.arange(len(one)) if of_set is None or isinstance(of_set, slice) else of_set
        for one, of_set in ((real, real_rows), (fake, fake_rows))
    )
    return SampleScores(real, fake, *rows)


@dataclass(frozen=True, eq=False)
class Histograms:
    """Masses (p, q) of both sets on the cells of each run of a partition, which has no scores."""

    masses: list[tuple[Any, Any]]
    provenance: Provenance
    curves: Sequence[PRCurve] = ()
    """The curves of the runs; by default those of the masses."""

    def curve(self, **entries: Any) -> PRCurve:
        """Return the mean of the curves of the runs."""
        curves = self.curves or run_curves(self.masses)
        return PRCurve.mean(curves, info=self.provenance.added(**entries))


def run_curves(masses: Iterable[tuple[Any, Any]]) -> list[PRCurve]:
    """Return the curve of each run of a partition, from the masses of its cells."""
    return [PRCurve.from_masses(p, q) for p, q in masses]


class FittedMethod(Method):
    """A method whose scorer is fitted to arrays: `fit` returns a copy that has `score`."""

    split: float | str | None = 0.5

    @abstractmethod
    def fit(self, real: Floats, fake: Floats, context: ExecutionContext | None = None) -> Self:
        """Return a fitted copy of the method; context: settings of the call, optional."""

    @abstractmethod
    def score(self, points: Floats) -> Any:
        """Return the scores of points by a fitted copy, (points,)."""

    def scores(
        self, real: Floats, fake: Floats, split: float | str | None, context: ExecutionContext
    ) -> Scores:
        rows: tuple[Any, Any] = slice(None), slice(None)
        train = test = (real, fake)
        design = context.design
        if split is not None:
            part = draw_split(len(real), len(fake), split, context.seed, design)
            train = real[part.real_train], fake[part.fake_train]
            rows = part.real_test, part.fake_test
            if design is not None:
                context = replace(context, design=design.of(part.real_train, part.fake_train))
                design = design.of(*rows)
            test = real[rows[0]], fake[rows[1]]
        with self._lock_target():
            fitted = self.fit(*train, context)
            of_real, of_fake = (read_scores(fitted.score(points), len(points)) for points in test)
        provenance = fitted.record(real, fake, split, (of_real.size, of_fake.size), context.seed)
        return Scores(
            of_real,
            of_fake,
            real_rows=rows[0],
            fake_rows=rows[1],
            provenance=provenance,
            design=design,
        )


class PartitionMethod(Method):
    """A method that gives histograms of both sets on the cells of a partition."""

    has_split = False

    @abstractmethod
    def masses(
        self, real: Floats, fake: Floats, context: ExecutionContext | None = None
    ) -> list[tuple[Float64s, Float64s]]:
        """Return the masses of both sets in the cells, one pair per run; context: settings of the
        call, optional."""

    def scores(
        self, real: Floats, fake: Floats, split: float | str | None, context: ExecutionContext
    ) -> Histograms:
        with self._lock_target():
            masses = list(self.masses(real, fake, context))  # may be a generator
        sizes = len(real), len(fake)
        return Histograms(masses, self.record(real, fake, None, sizes, context.seed))


def run_in_processes(calls: Sequence[Any], label: str, context: ExecutionContext) -> list[Any]:
    """Return the results of `joblib.delayed` calls in their order, with a progress bar.

    `context.n_jobs` processes, at most one per usable core; None is one.
    """
    from joblib import Parallel

    processes = resolve_threads(1 if context.n_jobs is None else context.n_jobs, len(calls))
    results = []
    with context.progress.work(len(calls), label):
        for result in Parallel(n_jobs=processes, return_as="generator")(calls):
            results.append(result)
            context.progress.advance()
    return results


def read_scores(scores: Any, points: int) -> Floats:
    """Return checked scores of so many points."""
    vector = read_vector("method: scores", scores, finite=False)
    if vector.size != points:
        raise WrongValue(
            "method", f"one score a point expected, got {vector.size} for {points} points"
        )
    return vector


class Split(NamedTuple):
    """Row numbers of the training and the evaluation samples of both sets."""

    real_train: NDArray[np.int64]
    real_test: NDArray[np.int64]
    fake_train: NDArray[np.int64]
    fake_test: NDArray[np.int64]


def read_split(split: Any) -> float | str | None:
    """Return the argument `split`: None, a name or a share as a Python float."""
    if split is None:
        return None
    if not isinstance(split, str):
        return read_share("split", split)
    if split != "auto" and split not in SPLITS:
        known = ", ".join(map(repr, ("auto", *SPLITS)))
        raise WrongValue("split", f"{known}, a share in (0, 1) or None expected, got {split!r}")
    return split


def draw_split(
    n: int, m: int, split: float | str, seed: int, design: Design | None = None
) -> Split:
    """Return the rows of n real and m generated samples that train, and those that are scored; the
    samples of a group are in one part."""
    if design is not None and design.grouped:
        of_real, of_fake = design.group_numbers
        sizes = int(of_real.max()) + 1, int(of_fake.max()) + 1
        groups = draw_split(*sizes, split, seed)
        labels = of_real, of_real, of_fake, of_fake
        parts = zip(labels, groups, strict=True)
        return Split(*(np.flatnonzero(np.isin(label, part)) for label, part in parts))
    if isinstance(split, str):
        return SPLITS[split](n, m, seed)
    return split_share(n, m, split, seed)


def train_size(size: int, share: float) -> int:
    """Return ⌊share · size⌋."""
    return math.floor(share * size * (1 + 1e-12))  # 29 for 0.29 × 100, which is 28.999… in float64


def split_share(n: int, m: int, share: float, seed: int) -> Split:
    """Return a random split in which ⌊share · n⌋ real and ⌊share · m⌋ generated samples train."""
    share = read_share("split", share)
    rng = stream(seed, "split")
    parts = []
    for name, size in (("real", n), ("fake", m)):
        train = train_size(size, share)
        if not 0 < train < size:
            raise WrongValue(
                name,
                f"too few samples to split at {share}: {size} would leave "
                f"{train} to train and {size - train} to evaluate",
            )
        order = rng.permutation(size)
        parts += [np.sort(order[:train]), np.sort(order[train:])]
    return Split(*parts)


def split_bernoulli(n: int, m: int, seed: int) -> Split:
    """Return the split of Algorithm 1 (2019 paper): a fair coin per pair (x_i, y_i) sends one of
    the two to training and the other to evaluation.

    Where n ≠ m, the samples without a partner have a fair coin each.  Coins that leave one of the
    four parts empty are tossed again.
    """
    for name, size in (("real", n), ("fake", m)):
        if size < 2:
            raise WrongValue(name, f"at least 2 samples expected for a split, got {size}")
    rng = stream(seed, "split")
    while True:
        coin = rng.random(max(n, m)) < 0.5
        real, fake = coin[:n], ~coin[:m]
        if real.any() and fake.any() and not real.all() and not fake.all():
            return Split(
                np.flatnonzero(real),
                np.flatnonzero(~real),
                np.flatnonzero(fake),
                np.flatnonzero(~fake),
            )


# Splits by name: functions of n, m and the seed.
SPLITS: dict[str, Callable[[int, int, int], Split]] = {"bernoulli": split_bernoulli}
