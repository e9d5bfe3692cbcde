"""The estimator `Auto`: a cross-fitted log-ratio of every sample; and its result, `AutoScores`.

Below an area of `ALIKE` the record of a curve has rows of samples: `missed`, real ones with the
highest log-ratios, and `least_real`, generated ones with the lowest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.numbers import EXCESS
from prfast.curve.summary import ALIKE
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.concurrency import one_blas_thread, resolve_threads
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import is_word, read_count
from prfast.methods.auto.calibration import (
    CLIP,
    CURVE_ESTIMATORS,
    CurveEstimates,
    estimate_curves,
)
from prfast.methods.auto.coordinates import ALL_AXES, AXES, BANDS, MAX_GRAM, STORED, Coordinates
from prfast.methods.auto.heavy import HeavyRows, heavy_rows
from prfast.methods.auto.regressions import held_out_sets
from prfast.methods.auto.sample import (
    MANY_COLUMNS,
    Executor,
    Flags,
    Folds,
    Sample,
    assign_folds,
    block_rows,
)
from prfast.methods.base import (
    ExecutionContext,
    FittedMethod,
    Scores,
    equivalent_pairs,
    sample_scores,
)
from prfast.samples.pair import Pair
from prfast.samples.repetition import Repetition
from prfast.samples.samples import read_samples

if TYPE_CHECKING:  # the library of bases is imported by the first fit
    from prfast.methods.auto.model import Model

_COLUMNS = 40  # of all bases
_MIN_ROWS = 1000  # samples of a fit
FOLDS = 10
FITTED = 20_000
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
    curve_estimator : "auto", "mean", "hull" or "smooth"
        How the curve is estimated from the scores, "auto" by default; see
        ``prfast.methods.auto.calibration``.

    Raises
    ------
    TypeError, ValueError
        Not integers, `folds` outside 2 to 100, fewer than 2 `fitted`, another `curve_estimator`.
    """

    name = "auto"
    split = None
    has_split = False
    has_folds = True
    takes_partitions = True
    takes_weights = True
    summary = "an ensemble of simple classifiers"
    _fitted: tuple[Model, Folds] | None = None
    weights: Mapping[str, float] | None = None
    """The share of each base in the scores of a fitted copy."""

    def __init__(
        self, *, folds: int = FOLDS, fitted: int = FITTED, curve_estimator: str = "auto"
    ) -> None:
        self.folds = read_count("folds", folds, at_least=2, at_most=100)
        self.fitted = read_count("fitted", fitted, at_least=2)
        if not is_word(curve_estimator, *CURVE_ESTIMATORS):
            known = ", ".join(map(repr, CURVE_ESTIMATORS))
            raise WrongValue("curve_estimator", f"one of {known} expected, got {curve_estimator!r}")
        self.curve_estimator = curve_estimator

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
        from prfast.methods.auto.model import fit_work

        original, number, limit = pair, self.folds, self.fitted
        if pair.noise is not None:
            number, limit = max(number // 2, 2), max(limit // _SMOOTHED_PART, 2)
            # The copies of a sample are the more alike the less noise they have.
            share = 1 if pair.noise.sigma >= _COARSE else _ALIKE_PART
            copies = min(max(limit // share // max(pair.sizes), 1), MAX_COPIES)
            pair = pair.stacked(copies)
        memory = context.memory, pair.width, number
        max_fitted = min(limit, max_rows(*memory) // 2)
        folds = assign_folds(pair, number, max_fitted, context.seed)
        work = fit_work(len(folds.unfitted), len(folds.fitted))
        real, fake = pair.points
        with context.progress.work(work, "auto", share=equivalent_pairs(len(folds))):
            if pair.real.is_partitioned:
                s, weights = real.score_auto(fake, folds, context.progress)
            else:
                sample = Sample.from_folds(folds, np.asarray(real), np.asarray(fake))
                coords = Coordinates(sample, stores_centered(*memory, len(folds.fitted)))
                with _executor(folds, context) as execute:
                    s, weights = _fit_and_score(coords, execute)
        n, fitted_real = len(real), int(folds.fitted_real.sum())
        provenance = self.record(
            original,
            "folds",
            pair.sizes,
            context.seed,
            folds=folds.folds,
            fitted=[fitted_real, len(folds.fitted) - fitted_real],
            weights=weights,
        )
        return AutoScores(
            s[:n],
            s[n:],
            real_rows=original.real.numbers,
            fake_rows=original.fake.numbers,
            provenance=provenance,
            folds=folds,
            equal=pair.repetition,
            curve_estimator=self.curve_estimator,
            pair=None if pair.is_plain else pair.without_points(),
            heavy=heavy_rows(pair, context.seed),
        )

    def fit_pair(self, pair: Pair, context: ExecutionContext) -> Self:
        """Return a copy that is fitted to samples of both sets, for `score`.

        It is fitted in folds like `scores`, as the meta-learner is fitted to the scores of bases
        that have not seen a sample.
        """
        from prfast.methods.auto.model import fit, fit_work

        memory = context.memory, pair.width, self.folds
        limit = min(self.fitted, max_rows(*memory) // 2)
        folds = assign_folds(pair, self.folds, limit, context.seed)
        sample = Sample.from_folds(folds, *map(np.asarray, pair.points))
        coords = Coordinates(sample, stores_centered(*memory, len(folds.fitted)))
        work = fit_work(0, len(folds.fitted))
        with (
            context.progress.work(work, "auto", share=equivalent_pairs(len(folds))),
            _executor(folds, context) as execute,
        ):
            fitted = fit(coords, execute)
        copy = type(self)(**self.get_params())
        copy._fitted = fitted.model, folds.of_new(0)
        copy.weights = fitted.weights
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
        model, folds = self._fitted
        if points.shape[1] != folds.width:
            raise WrongValue("points", f"{folds.width} features expected, got {points.shape[1]}")
        new = folds.of_new(len(points))
        return model.score_new(Sample.from_folds(new, points, points[:0]))


@contextmanager
def _executor(folds: Folds, context: ExecutionContext) -> Iterator[Executor]:
    """Yield the executor of a fit, with the threads that the memory allows."""
    from prfast.methods.auto.model import LIBRARY, thread_executor

    memory = context.memory, folds.width, folds.folds
    most = max_threads(*memory, len(folds.fitted), len(folds))
    threads = min(resolve_threads(context.n_jobs), most)
    with one_blas_thread(LIBRARY), thread_executor(threads, context.progress) as execute:
        yield execute


def _fit_and_score(coords: Coordinates, execute: Executor) -> tuple[Float64s, dict[str, float]]:
    """Return the scores of all rows, and the share of each base."""
    from prfast.methods.auto.model import UNFITTED, fit

    sample, fitted = coords.sample, fit(coords, execute)
    s = np.empty(len(sample))
    s[sample.fitted] = fitted.scores
    rest = sample.unfitted

    def score(fold_and_part: tuple[int, slice]) -> None:
        fold, part = fold_and_part
        s[rest[part]] = fitted.model.score(sample, rest[part], fold)

    execute(score, list(sample.parts(rest)), UNFITTED * len(rest) / len(sample.fitted))
    return s, fitted.weights


@dataclass(frozen=True, eq=False)
class AutoScores(Scores):
    """A log-ratio of every sample, by a fit without it; the real ones in `real`."""

    folds: Folds = field(kw_only=True)
    equal: Repetition = field(kw_only=True)
    curve_estimator: str = field(kw_only=True, default="auto")
    heavy: HeavyRows | None = field(kw_only=True, default=None)

    def __post_init__(self) -> None:
        if self.heavy is None:
            return
        # Fits do not reach far samples, and are without the rows that both sets repeat.
        far_real, far_fake = self._flags(self.heavy.far)
        real = np.where(far_real, CLIP, self.real)
        fake = np.where(far_fake, -CLIP, self.fake)
        if self.heavy.ratio is not None:  # only without copies of the samples
            of_real, of_fake = np.split(self.heavy.ratio, [self.equal.n_real])
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
        origin = self.provenance.added(**self._repetition(real, fake), **entries)
        estimates = self.estimates(real, fake)
        if self.pair is not None:
            scores = self._real_with_missed(real, fake), self.fake[fake]
            taken = self.pair.take(real, fake)
            origin = origin.added(**taken.cells_record(scores, estimates.cells))
        curve = estimates.named(self.curve_estimator, origin)
        if is_all and curve.area < ALIKE:
            curve = curve._changed(self._extreme_rows(curve))
        if not is_all:
            return curve._changed(work=None, scores=None)
        samples = sample_scores(*self._of_samples(), self.real_rows, self.fake_rows)
        return curve._changed(work=None, scores=samples)

    def _of_samples(self) -> tuple[Float64s, Float64s]:
        """Return the log-ratio of each sample, the mean over its copies with other noise."""
        n = self.equal.n_real
        m = len(self.equal.group) - n
        return self.real.reshape(-1, n).mean(axis=0), self.fake.reshape(-1, m).mean(axis=0)

    def estimates(self, real: Flags | slice = _ALL, fake: Flags | slice = _ALL) -> CurveEstimates:
        """Return the curves of all samples, or of some of each set."""
        group, n = self.folds.group_of(self.folds.fold), self.folds.n_real
        sizes = None if self.pair else (len(self.real[real]), len(self.fake[fake]))
        far = self._shares("far", real, fake)
        covered = self._covered_share(real, fake)
        real, fake = self._near(real, fake)
        x, y = self.real[real], self.fake[fake]
        groups = np.concatenate([group[:n][real], group[n:][fake]])
        is_real = np.arange(len(groups)) < len(x)
        own = None
        if self.pair is not None:
            own = self.pair.take(real, fake).scaled_weights()
        units = self._units(real, fake)
        estimates = estimate_curves(np.concatenate([x, y]), is_real, groups, units, own)
        # Real samples that repeated generated ones miss have no generated mass, as far ones.
        unlike = 1.0 - (1.0 - far[0]) * covered, far[1]
        return estimates.with_unlike(unlike, sizes) if any(unlike) else estimates

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
        assert self.heavy is not None
        far = self._flags(self.heavy.far)
        a, b = (
            np.arange(len(of_set))[rows][~of_set[rows]]
            for of_set, rows in zip(far, (real, fake), strict=True)
        )
        return a, b

    def _equal_of(self, real: Any, fake: Any) -> Repetition:
        """Return the equal rows of a selection, without copies of a set.

        Each heavy row that both sets repeat is by itself, a draw of a value as of a discrete
        distribution.
        """
        n, group = self.equal.n_real, self.equal.group
        if self.heavy is not None and self.heavy.ratio is not None:
            group = np.where(np.isnan(self.heavy.ratio), group, np.arange(len(group)))
        sizes = n, len(group) - n
        return self.equal._replace(group=group).of(
            *(
                rows if isinstance(rows, slice) or rows.dtype == bool else rows[rows < size]
                for rows, size in zip((real, fake), sizes, strict=True)
            )
        )

    def _heavy_flags(self, heavy: HeavyRows) -> dict[str, tuple[Flags, Flags]]:
        """Return flags of the heavy samples that are far, and of those that are single, but for
        samples whose neighbors are those of the other set alone."""
        (a, b), least = self._flags(heavy.single), np.log(EXCESS)
        single = a & (self.real < least), b & (self.fake > -least)
        return {"far": self._flags(heavy.far), "single": single}

    def _shares(self, name: str, real: Flags | slice, fake: Flags | slice) -> tuple[float, float]:
        """Return the shares of either set that have flags of this name; 0 without any."""
        if self.heavy is None:
            return 0.0, 0.0
        flags = self._heavy_flags(self.heavy)[name]
        weights = self.pair.masses if self.pair else [np.ones(len(x)) for x in flags]
        p, q = (
            float(w[rows][of_set[rows]].sum() / w[rows].sum())
            for w, of_set, rows in zip(weights, flags, (real, fake), strict=True)
        )
        return p, q

    def paired(self, reference: int) -> Scores:
        """Return the scores for comparisons with other models, with those of real samples that
        repeated generated ones miss."""
        real = self._real_with_missed(_ALL, _ALL)
        units = self._units(_ALL, _ALL)
        return Scores(real, self.fake, self.real_rows, reference, units, pair=self.pair)

    def _units(self, real: Flags | slice, fake: Flags | slice) -> tuple[int, int]:
        """Return the numbers of independent units among some samples of each set: all samples of a
        discrete distribution; otherwise equal rows count once."""
        if self.pair is not None:
            return self.pair.take(real, fake).effective_size
        equal = self._equal_of(real, fake)
        n, m = equal.n_real, len(equal.group) - equal.n_real
        return (n, m) if self.folds.discrete else equal.effective_size

    def _repetition(self, real: Flags | slice, fake: Flags | slice) -> dict[str, Any]:
        """Return the entries of `info` on equal rows among some samples of each set."""
        equal, units = self.equal.of(real, fake), self._units(real, fake)
        entries = equal.record()
        for name in ("far", "single"):
            if any(shares := self._shares(name, real, fake)):
                entries[name] = [round(share, 4) for share in shares]
        if units != (len(self.real[real]), len(self.fake[fake])):
            entries["effective_size"] = list(units)
        covered = self._covered_share(real, fake)
        return entries | ({"covered": round(covered, 4)} if covered < 1 else {})

    def _covered_share(self, real: Flags | slice, fake: Flags | slice) -> float:
        """Return the share of the real samples that the generated ones can cover: at least
        1/EXCESS, as fidelity, at λ = EXCESS, forgives such an excess and should not depend on
        repetition."""
        if self.folds.discrete:
            return 1.0
        near, _ = self._near(real, fake)
        rows = np.arange(len(self.fake))[fake]
        rows = rows[~self._repeated_junk()[rows]]
        covered = self._equal_of(near, rows).covered
        return 1.0 if covered >= _COVERED else max(covered, 1 / EXCESS)

    def _repeated_junk(self) -> Flags:
        """Return flags of generated samples, for all copies: rows that repeat and are unlike real
        ones, which they would not cover if they were distinct either; none that is heavy, as its
        score is a single observation, but those that are far."""
        n, group = self.equal.n_real, self.equal.group
        is_repeated = np.bincount(group[n:], minlength=len(group))[group] > 1
        if self.heavy is not None:
            is_repeated &= ~self.heavy.single
        junk: Flags = self._flags(is_repeated)[1] & (self.fake <= np.log(_LIKE_REAL))
        return junk

    def _real_with_missed(self, real: Flags | slice, fake: Flags | slice) -> Float64s:
        """Return the log-ratios of real samples, the largest one for those that repeated generated
        samples miss.

        These are spread evenly along the order of all, so that the remaining ones keep their
        distribution: α_λ becomes α_{ρλ}, which scales the recall and leaves the precision.
        """
        s = self.real[real]
        share = 1 - self._covered_share(real, fake)
        order = np.argsort(s, kind="stable")
        order = order[s[order] < CLIP]  # samples that are far count as missed already
        missed = round(share * len(order))
        if not missed:
            return s
        scores = s.copy()
        if self.pair is not None and "real" in self.pair.weighted:
            scores[order[_spread(self.pair.real.mass[real][order], share)]] = CLIP
            return scores
        places = (np.arange(missed) + 0.5) * (len(order) / missed)
        scores[order[places.astype(np.int64)]] = CLIP
        return scores

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


def max_rows(memory: int, width: int, folds: int) -> int:
    """Return the number of samples of both sets together that a fit by one thread has memory for;
    ValueError where it is below _MIN_ROWS.

    It is for one thread, so that no result depends on the number of threads.
    """
    fixed = _sums_bytes(width, folds) + _block_bytes(width)
    rows = (memory - fixed) // _row_bytes(width, stored=False)
    if _is_stored(rows, width):  # few enough to store their coordinates, which needs more
        rows = min((memory - fixed) // _row_bytes(width, stored=True), rows)
    if rows < _MIN_ROWS:
        least = fixed + _MIN_ROWS * _row_bytes(width, stored=_is_stored(_MIN_ROWS, width))
        raise WrongValue(
            "memory", f"at least {least} bytes expected for {width} features, got {memory}"
        )
    return rows


def max_threads(memory: int, width: int, folds: int, rows: int, scored: int) -> int:
    """Return the number of threads, at least one, with memory for a block beside `rows` samples
    that are fitted; scored: the number of all."""
    # What `max_rows` demands is twice what samples take.
    used = rows * _row_bytes(width, stored=_is_stored(rows, width)) // 2
    if stores_centered(memory, width, folds, rows):
        used += _centered_bytes(width, rows)
    left = memory - _sums_bytes(width, folds) - used
    of_fold = -(-scored // folds)  # rows, which a block has at most
    block = _block_bytes(width) * min(of_fold, block_rows(width)) // block_rows(width)
    return max(1, left // (block + rows * _tree_bytes(width)))


def stores_centered(memory: int, width: int, folds: int, rows: int) -> bool:
    """Return whether there is memory for the centered points of `rows` samples of many features."""
    fixed = _sums_bytes(width, folds) + _block_bytes(width)
    needed = fixed + rows * _row_bytes(width, stored=False) + _centered_bytes(width, rows)
    return width > ALL_AXES and needed <= memory


def _centered_bytes(width: int, rows: int) -> int:
    return 4 * width * rows


def _is_stored(rows: int, width: int) -> bool:
    """Return whether the coordinates of all fitted rows are stored."""
    return width <= ALL_AXES and rows * width <= STORED


def _sums_bytes(width: int, folds: int) -> int:
    """Return the bytes of the largest sums of ridge regression."""
    screened = 8 * folds * (6 * min(width, 100)) ** 2 if width > MANY_COLUMNS else 0
    if width > ALL_AXES:
        square = 4 * width**2 if width <= MAX_GRAM else 0
        return max(square * (held_out_sets(width, folds) + 3), screened)
    return max(8 * folds * (8 * min(width, 128)) ** 2 // 4, screened)


def _block_bytes(width: int) -> int:
    """Return the bytes of a block and its coordinates."""
    return block_rows(width) * 8 * (4 * width + 8 * min(width, ALL_AXES) + 1000)


def _row_bytes(width: int, *, stored: bool) -> int:
    """Return the bytes of a fitted sample; stored: whether its coordinates are."""
    axes = AXES + 3 + len(BANDS)  # with radii and energies
    return 8 * (axes + 7 * _COLUMNS + (7 * width if stored else 0)) + _tree_bytes(width)


def _tree_bytes(width: int) -> int:
    """Return the bytes of a sample while trees are fitted: columns and their bins."""
    return 9 * min(width, MANY_COLUMNS)
