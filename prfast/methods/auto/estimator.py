"""The estimator `Auto`: a cross-fitted log-ratio of every sample; and its result, `AutoScores`.

Below an area of `ALIKE` the record of a curve has rows of samples: `missed`, real ones with the
highest log-ratios, and `least_real`, generated ones with the lowest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.numbers import EXCESS
from prfast.curve.summary import ALIKE
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.concurrency import one_blas_thread, resolve_threads
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.options import is_word, read_count, read_list
from prfast.methods.auto.coordinates import ALL_AXES, LEADING, MAX_GRAM, is_stored
from prfast.methods.auto.folds import Executor, Flags, Folds, assign_folds, chunk_rows, read_rows
from prfast.methods.auto.large import LargeUnits, large_units
from prfast.methods.auto.readout import evidence_of, share_of, shrunk
from prfast.methods.auto.stack import CLIP
from prfast.methods.base import (
    ExecutionContext,
    FittedMethod,
    SampleScores,
    Scores,
    equivalent_pairs,
)
from prfast.samples.pair import Pair
from prfast.samples.repetition import Repetition
from prfast.samples.samples import read_samples

if TYPE_CHECKING:  # the library of bases is imported by the first fit
    from prfast.methods.auto.model import Model

CURVE_ESTIMATORS = ("auto", "hull")
FOLDS = 10
FITTED = 20_000
_LEAST_FITTED = 20  # of a set; fewer may be in a single group of folds, outside which is none
_MIN_ROWS = 1000  # samples of a fit
_SMOOTHED_PART = 5  # at a resolution above 0, `fitted` over this are fitted to
MAX_COPIES = 4  # of a sample, each with other noise
_COARSE = 0.5  # resolution from which on copies are so different that more of them help
_ALIKE_PART = 4  # below it, copies are made up to these samples over this
_COVERED = 0.99  # relative share of distinct generated rows, from which on no real one is missed
_LIKE_REAL = 0.25  # least density ratio of generated rows whose repetition leaves real ones missed
_EXTREME_ROWS = 5  # samples of each set that are named in `info`
_EXTREME_RATIO = 2.0  # their least density ratio, by the score: in their own set over the other one
_ALL = slice(None)


class Auto(FittedMethod):
    """The automatic estimator: a cross-fitted log-ratio by a stacked library of bases.

    Unless the real set is discrete (`Repetition.discrete`), equal rows are in one fold and fitted
    to once.  Where the generated set then has a smaller share ρ of distinct rows than the real set,
    it covers as much as ρ m distinct samples of m would: a share 1 − ρ of the real samples counts
    as missed, ρ at least 1/20, the excess that fidelity forgives.

    Parameters
    ----------
    folds : int
        Each sample is scored by a fit on the other folds, 10 by default; fewer where a set has
        fewer samples.  More folds come closer to the truth where samples are few for their
        dimension, at a cost that grows with them.
    fitted : int
        Samples of a set at most that bases are fitted to, at random, 20 000 by default; all are
        scored.  A curve records how many they were.  At a resolution above 0, where densities are
        smooth, a fifth of them are, in half as many folds.  Smaller sets are used up to 4 times,
        with other noise, until they have that many samples, from resolution 0.5 on, or a quarter of
        it; the copies of a sample are in one fold, and one unit of the bootstrap.
    curve_estimator : "auto" or "hull"
        The hull of the scores, shrunk towards equal distributions for want of evidence by default.
    bases : sequence of str and objects, optional
        Names of ``prfast.methods.auto.bases.LIBRARY``, and objects with ``fit`` (see
        ``prfast.methods.auto.crossfit``); by default the library.

    Raises
    ------
    TypeError, ValueError
        Not integers, `folds` outside 2 to 100, fewer than 20 `fitted`, another `curve_estimator`,
        `bases` that are neither names nor have ``fit``.
    """

    name = "auto"
    split = None
    has_split = False
    has_folds = True
    takes_partitions = True
    takes_weights = True
    summary = "an ensemble of simple classifiers"
    _fitted: Model | None = None
    weights: Mapping[str, float] | None = None
    """The share of each base in the scores of a fitted copy."""

    def __init__(
        self,
        *,
        folds: int = FOLDS,
        fitted: int = FITTED,
        curve_estimator: str = "auto",
        bases: Sequence[Any] | None = None,
    ) -> None:
        self.folds = read_count("folds", folds, at_least=2, at_most=100)
        self.fitted = read_count("fitted", fitted, at_least=_LEAST_FITTED)
        if not is_word(curve_estimator, *CURVE_ESTIMATORS):
            known = ", ".join(map(repr, CURVE_ESTIMATORS))
            raise WrongValue("curve_estimator", f"one of {known} expected, got {curve_estimator!r}")
        self.curve_estimator = curve_estimator
        self.bases = bases
        if bases is not None:
            self.library()

    def library(self) -> dict[str, Any]:
        """Return the bases by name."""
        from prfast.methods.auto.bases import LIBRARY

        if self.bases is None:
            return dict(LIBRARY)
        found: dict[str, Any] = {}
        for base in read_list("bases", self.bases, (str,)):
            if isinstance(base, str):
                if base not in LIBRARY:
                    known = ", ".join(map(repr, LIBRARY))
                    raise WrongValue("bases", f"names among {known} expected, got {base!r}")
                base = LIBRARY[base]
            elif isinstance(base, type) or not (hasattr(base, "fit") or hasattr(base, "fit_folds")):
                raise WrongType("bases", f"names and objects with fit expected, got {base!r}")
            name = getattr(base, "name", type(base).__name__)
            if name in found:
                raise WrongValue("bases", f"bases of different names expected, got {name!r} twice")
            found[name] = base
        return found

    def settings(self) -> dict[str, Any]:
        params = self.get_params()
        bases = params.pop("bases")
        return params if bases is None else {**params, "bases": list(self.library())}

    def scores(
        self, pair: Pair, split: float | str | None, context: ExecutionContext
    ) -> AutoScores:
        """Return the log-ratio of every sample of both sets.

        split: None, as there are folds.

        Where the `memory` of the context, bytes beside the inputs and 100 a sample, is too little,
        threads are fewer, and where one thread is too many, samples that are fitted.

        Raises
        ------
        ValueError
            A set has fewer than 2 samples, or the memory is too small for the fit.
        """
        from prfast.methods.auto.model import UNFITTED, WORK

        original, number, limit = pair, self.folds, self.fitted
        if pair.noise is not None:
            number, limit = max(number // 2, 2), max(limit // _SMOOTHED_PART, _LEAST_FITTED)
            # The copies of a sample are the more alike the less noise they have.
            share = 1 if pair.noise.sigma >= _COARSE else _ALIKE_PART
            copies = min(max(limit // share // max(pair.sizes), 1), MAX_COPIES)
            pair = pair.stacked(copies)
        folds, threads = self._divided(pair, number, limit, context)
        work = WORK + UNFITTED * len(folds.unfitted) / len(folds.fitted)
        with context.progress.work(work, "auto", share=equivalent_pairs(len(folds))):
            if pair.real.is_partitioned:
                real, fake = pair.points
                s, weights = real.score_auto(fake, folds, self.library(), context.progress)
            else:
                with _executor(threads, context) as execute:
                    s, weights = _fit_and_score(self.library(), pair, folds, execute)
        n, of_real = len(pair.real), int((folds.fitted < folds.n_real).sum())
        provenance = self.record(
            original,
            "folds",
            pair.sizes,
            context.seed,
            folds=folds.folds,
            fitted=[of_real, len(folds.fitted) - of_real],
            weights=weights,
        )
        return AutoScores(
            s[:n],
            s[n:],
            real_rows=original.real.numbers,
            fake_rows=original.fake.numbers,
            provenance=provenance,
            equal=pair.repetition,
            curve_estimator=self.curve_estimator,
            pair=None if pair.is_plain else pair.without_points(),
            large=large_units(pair, context.seed),
        )

    def _divided(
        self, pair: Pair, number: int, limit: int, context: ExecutionContext
    ) -> tuple[Folds, int]:
        """Return the folds, and the threads that the memory allows."""
        rows, _ = limits(context.memory, pair.width, number, 0)
        folds = assign_folds(pair, number, min(limit, rows // 2), context.seed)
        _, threads = limits(context.memory, pair.width, number, len(folds.fitted))
        return folds, threads

    def fit_pair(self, pair: Pair, context: ExecutionContext) -> Self:
        """Return a copy that is fitted to samples of both sets, for `score`.

        It is fitted in folds like `scores`, as the meta-learner is fitted to the scores of bases
        that have not seen a sample.
        """
        from prfast.methods.auto.model import WORK, fit

        folds, threads = self._divided(pair, self.folds, self.fitted, context)
        with (
            context.progress.work(WORK, "auto", share=equivalent_pairs(len(folds))),
            _executor(threads, context) as execute,
        ):
            real, fake = map(np.asarray, pair.points)
            fitted = fit(folds, real, fake, self.library(), execute)
        copy = type(self)(**self.get_params())
        copy._fitted, copy.weights = fitted.model, fitted.weights
        return copy

    def score(self, points: Floats) -> Float64s:
        """Return the log-ratio of each point by a fitted copy, shape (points,): the mean over the
        folds of those by the fits without a fold.  It depends on the other points by rounding only.

        Raises
        ------
        TypeError, ValueError
            Points that are no array of finite numbers with the features of the fit; the method is
            not fitted.
        """
        if self._fitted is None:
            raise WrongValue("method", "a fitted method expected: fit(real, fake).score(points)")
        points = read_samples("points", points)
        width = self._fitted.coordinates.width
        if points.shape[1] != width:
            raise WrongValue("points", f"{width} features expected, got {points.shape[1]}")
        return self._fitted.score_new(points)


@contextmanager
def _executor(threads: int, context: ExecutionContext) -> Iterator[Executor]:
    """Yield the executor of a fit."""
    from prfast.methods.auto.model import NUMPY, thread_executor

    threads = min(resolve_threads(context.n_jobs), threads)
    with one_blas_thread(NUMPY), thread_executor(threads, context.progress) as execute:
        yield execute


def _fit_and_score(
    bases: dict[str, Any], pair: Pair, folds: Folds, execute: Executor
) -> tuple[Float64s, dict[str, float]]:
    """Return the scores of all rows, and the share of each base."""
    from prfast.methods.auto.model import UNFITTED, fit

    real, fake = map(np.asarray, pair.points)
    fitted = fit(folds, real, fake, bases, execute)
    s = np.empty(len(folds))
    s[folds.fitted] = fitted.scores
    rest = folds.unfitted

    def score(fold_and_part: tuple[int, slice]) -> None:
        fold, part = fold_and_part
        s[rest[part]] = fitted.model.score(read_rows((real, fake), rest[part], 0), fold)

    execute(score, list(folds.parts(rest)), UNFITTED * len(rest) / len(folds.fitted))
    return s, fitted.weights


@dataclass(frozen=True, eq=False)
class AutoScores(Scores):
    """A log-ratio of every sample, by a fit without it; the real ones in `real`."""

    equal: Repetition = field(kw_only=True)
    curve_estimator: str = field(kw_only=True, default="auto")
    large: LargeUnits | None = field(kw_only=True, default=None)

    def __post_init__(self) -> None:
        if self.large is None:
            return
        # Fits do not reach far samples, and are without the rows that both sets repeat.
        far_real, far_fake = self._flags(self.large.far)
        real = np.where(far_real, CLIP, self.real)
        fake = np.where(far_fake, -CLIP, self.fake)
        if self.large.ratio is not None:  # only without copies of the samples
            of_real, of_fake = np.split(self.large.ratio, [self.equal.n_real])
            real = np.where(np.isnan(of_real), real, of_real)
            fake = np.where(np.isnan(of_fake), fake, of_fake)
        object.__setattr__(self, "real", real)
        object.__setattr__(self, "fake", fake)

    def curve(
        self, real: Flags | slice = _ALL, fake: Flags | slice = _ALL, **entries: Any
    ) -> PRCurve:
        """Return the curve of all samples, or of some of each set; entries: further ones of its
        `info`."""
        is_all = all(isinstance(rows, slice) and rows == _ALL for rows in (real, fake))
        far, covered = self._shares("far", real, fake), self._covered_share(real, fake)
        near = self._near(real, fake)
        x, y = self.real[near[0]], self.fake[near[1]]
        weights = None if self.pair is None else self.pair.take(*near).scaled_weights()
        if weights is None:
            hull = PRCurve.from_scores(x, y)
        else:
            w_real, w_fake = np.split(weights, [len(x)])
            hull = PRCurve.from_scores(x, y, w_real=w_real, w_fake=w_fake)
        evidence = evidence_of(x, y, weights, self._units(*near))
        share = share_of(evidence) if self.curve_estimator == "auto" else 1.0
        # Real samples that repeated generated ones miss have no generated mass, as far ones.
        unlike = 1.0 - (1.0 - far[0]) * covered, far[1]
        p, q = shrunk(hull, 1.0, unlike) if any(unlike) else hull.masses
        if self.pair is None:
            # The ends of cells are rounded, so that the counts sum to the sizes.
            sizes = len(self.real[real]), len(self.fake[fake])
            p, q = (
                np.diff(np.rint(size * np.cumsum(mass)), prepend=0).astype(int)
                for size, mass in zip(sizes, (p, q), strict=True)
            )
        counts = {"real": p.tolist(), "fake": q.tolist()}
        origin = self.provenance.added(
            **self._repetition(real, fake, far, covered),
            **entries,
            curve_estimator="hull",
            hull=counts,
            evidence=round(evidence, 1),
        )
        if self.pair is not None:
            scores = self._real_with_missed(real, covered), self.fake[fake]
            taken = self.pair.take(real, fake)
            origin = origin.added(**taken.cells_record(scores, (p, q)))
        if share < 1.0:
            origin = replace(origin, shrunk=round(share, 3))
        if share == 1.0 and not any(unlike):
            curve = PRCurve.mean([hull], info=origin)
        else:
            curve = PRCurve.from_masses(*shrunk(hull, share, unlike), info=origin)
        if not is_all:
            return curve._changed(work=None, scores=None)
        if curve.area < ALIKE:
            curve = curve._changed(self._extreme_rows(curve))
        samples = SampleScores(*self._of_samples(), self.real_rows, self.fake_rows)
        return curve._changed(work=None, scores=samples)

    def _of_samples(self) -> tuple[Float64s, Float64s]:
        """Return the log-ratio of each sample, the mean over its copies with other noise."""
        n = self.equal.n_real
        m = len(self.equal.group) - n
        return self.real.reshape(-1, n).mean(axis=0), self.fake.reshape(-1, m).mean(axis=0)

    def _flags(self, flags: Flags) -> tuple[Flags, Flags]:
        """Return flags of samples, real ones first, for all copies of either set."""
        n = self.equal.n_real
        real, fake = (
            np.tile(of_set, len(scores) // len(of_set))
            for of_set, scores in ((flags[:n], self.real), (flags[n:], self.fake))
        )
        return real, fake

    def _near(self, real: Flags | slice, fake: Flags | slice) -> tuple[Any, Any]:
        """Return a selection without the samples that are far from the other set, which are counted
        apart; all of it if none would be left."""
        if not 0 < max(self._shares("far", real, fake)) < 1:
            return real, fake
        assert self.large is not None
        far = self._flags(self.large.far)
        a, b = (
            np.arange(len(of_set))[rows][~of_set[rows]]
            for of_set, rows in zip(far, (real, fake), strict=True)
        )
        return a, b

    def _equal_of(self, real: Any, fake: Any) -> Repetition:
        """Return the equal rows of a selection, without copies of a set.

        Each row of a large unit that both sets repeat is by itself: a draw of a value, as of a
        discrete distribution.
        """
        n, group = self.equal.n_real, self.equal.group
        if self.large is not None and self.large.ratio is not None:
            group = np.where(np.isnan(self.large.ratio), group, np.arange(len(group)))
        sizes = n, len(group) - n
        return self.equal._replace(group=group).of(
            *(
                rows if isinstance(rows, slice) or rows.dtype == bool else rows[rows < size]
                for rows, size in zip((real, fake), sizes, strict=True)
            )
        )

    def _shares(self, name: str, real: Flags | slice, fake: Flags | slice) -> tuple[float, float]:
        """Return the shares of either set that are "far" or "single"; 0 without any.

        Samples whose neighbors are those of the other set alone are not single.
        """
        if self.large is None:
            return 0.0, 0.0
        flags = self._flags(getattr(self.large, name))
        if name == "single":
            least = np.log(EXCESS)
            flags = flags[0] & (self.real < least), flags[1] & (self.fake > -least)
        weights = self.pair.masses if self.pair else [np.ones(len(x)) for x in flags]
        p, q = (
            float(w[rows][of_set[rows]].sum() / w[rows].sum())
            for w, of_set, rows in zip(weights, flags, (real, fake), strict=True)
        )
        return p, q

    def paired(self, reference: int) -> Scores:
        """Return the scores for comparisons with other models, with those of real samples that
        repeated generated ones miss."""
        real = self._real_with_missed(_ALL, self._covered_share(_ALL, _ALL))
        units = self._units(_ALL, _ALL)
        return Scores(real, self.fake, self.real_rows, reference, units, pair=self.pair)

    def _units(self, real: Flags | slice, fake: Flags | slice) -> tuple[int, int]:
        """Return the numbers of independent units among some samples of each set: all samples of a
        discrete distribution; otherwise equal rows count once."""
        if self.pair is not None:
            return self.pair.take(real, fake).effective_size
        equal = self._equal_of(real, fake)
        n, m = equal.n_real, len(equal.group) - equal.n_real
        return (n, m) if self.equal.discrete else equal.effective_size

    def _repetition(
        self, real: Flags | slice, fake: Flags | slice, far: tuple[float, float], covered: float
    ) -> dict[str, Any]:
        """Return the entries of `info` on equal rows and large units among some samples."""
        equal, units = self.equal.of(real, fake), self._units(real, fake)
        entries = equal.record()
        for name, shares in (("far", far), ("single", self._shares("single", real, fake))):
            if any(shares):
                entries[name] = [round(share, 4) for share in shares]
        if units != (len(self.real[real]), len(self.fake[fake])):
            entries["effective_size"] = list(units)
        return entries | ({"covered": round(covered, 4)} if covered < 1 else {})

    def _covered_share(self, real: Flags | slice, fake: Flags | slice) -> float:
        """Return the share of the real samples that the generated ones can cover: at least
        1/EXCESS, as fidelity, at λ = EXCESS, forgives such an excess and should not depend on
        repetition.

        Rows that repeat and are unlike real ones would not cover any if they were distinct either;
        large units and far ones do not count among these.
        """
        if self.equal.discrete:
            return 1.0
        n, group = self.equal.n_real, self.equal.group
        is_repeated = np.bincount(group[n:], minlength=len(group))[group] > 1
        if self.large is not None:
            is_repeated &= ~self.large.single
        junk = self._flags(is_repeated)[1] & (self.fake <= np.log(_LIKE_REAL))
        rows = np.arange(len(self.fake))[fake]
        near, _ = self._near(real, fake)
        covered = self._equal_of(near, rows[~junk[rows]]).covered
        return 1.0 if covered >= _COVERED else max(covered, 1 / EXCESS)

    def _real_with_missed(self, real: Flags | slice, covered: float) -> Float64s:
        """Return the log-ratios of real samples, the largest one for those that repeated generated
        samples miss.

        These are spread evenly along the order of all, so that the remaining ones keep their
        distribution: α_λ becomes α_{ρλ}, which scales the recall and leaves the precision.
        """
        s = self.real[real].copy()
        order = np.argsort(s, kind="stable")
        order = order[s[order] < CLIP]  # samples that are far count as missed already
        if covered < 1.0 and len(order):
            if self.pair is not None and "real" in self.pair.weighted:
                weights = self.pair.real.mass[real][order]
                s[order[_spread(weights, 1.0 - covered)]] = CLIP
            else:
                ends = np.floor((1.0 - covered) * np.arange(1, len(order) + 1) + 0.5)
                s[order[np.diff(ends, prepend=0.0) > 0]] = CLIP
        return s

    def _extreme_rows(self, curve: PRCurve) -> dict[str, list[int]]:
        """Return the rows of the real samples that are missed most, and of the generated ones that
        are least like real ones."""
        # Where diversity or fidelity is nearly 1 they would be common samples, whose frequencies
        # differ a little.
        real, fake = self._of_samples()
        missed = _highest(real, self.real_rows) if curve.diversity < ALIKE else []
        least_real = _highest(-fake, self.fake_rows) if curve.fidelity < ALIKE else []
        rows = {"missed": missed, "least_real": least_real}
        return {name: indices for name, indices in rows.items() if indices}


def _spread(weights: Float64s, share: float) -> list[int]:
    """Return places whose weights, up to each place, sum to the share of all weights up to it, as
    nearly as whole samples allow."""
    places, due = [], 0.0
    for i, weight in enumerate(weights.tolist()):
        due += share * weight
        if due >= weight / 2:
            places.append(i)
            due -= weight
    return places


def _highest(ratio: Float64s, rows: Any) -> list[int]:
    """Return the rows of the highest log-ratios, the highest first; of equal log-ratios, mostly
    those of equal samples, the first row."""
    first = np.unique(-ratio, return_index=True)[1][:_EXTREME_ROWS]
    return [int(rows[i]) for i in first if ratio[i] >= np.log(_EXTREME_RATIO)]


# ---- memory --------------------------------------------------------------------------------------


def limits(memory: int, width: int, folds: int, fitted: int) -> tuple[int, int]:
    """Return the number of samples of both sets together that a fit by one thread has memory for,
    and the number of threads for which `fitted` samples leave memory, at least one.

    The first is for one thread, so that no result depends on the number of threads.

    Raises
    ------
    ValueError
        There is memory for fewer than _MIN_ROWS samples.
    """
    axes = width if width <= ALL_AXES else LEADING
    features = 8 * min(width, 128)
    sums = 8 * features**2 * (min(folds, 5) + 2) // 4
    if width > ALL_AXES:
        sums = max(sums, 4 * min(width, MAX_GRAM) ** 2 * (min(folds, 5) + 3))
    row = 8 * (3 * width + 4 * axes + features)
    fixed = sums + chunk_rows(width) * row

    def bytes_of(rows: int) -> int:
        """Return the bytes of so many samples: columns and their maps, axes, coordinates."""
        stored = 7 * width if is_stored(rows, width) else 0
        return 8 * (LEADING + 20 + 300 + stored)

    rows = (memory - fixed) // bytes_of(1 << 60)
    if is_stored(rows, width):
        rows = (memory - fixed) // bytes_of(1)
    if rows < _MIN_ROWS:
        least = fixed + _MIN_ROWS * bytes_of(_MIN_ROWS)
        raise WrongValue(
            "memory", f"at least {least} bytes expected for {width} features, got {memory}"
        )
    # What is demanded is twice what samples take.
    left = memory - sums - fitted * bytes_of(fitted) // 2
    return rows, max(1, left // (min(chunk_rows(width), max(fitted, 1)) * row))
