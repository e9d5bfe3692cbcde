"""The library of bases with boosted trees, and the fitted model, which scores points of any sample.

A base is fitted on the coordinates, for each fold on the others, and scores a block of a fold with
one or several columns, each larger where more like real.  It is None where it does not apply to the
data.  Boosted trees are not in BASES, as they are fitted last, and only where a trial shows that
they add to the scores of all others.

Costly bases are fitted to all of many samples only where a trial shows that they add something:
where each set has _LEAST_PARTS * _SHARE samples or more, they are fitted to _SHARE of each first.
There the score of the other bases is stacked with the columns of each costly one.  A base is fitted
to all where this lowers the loss of held-out samples by more than _ERRORS standard errors, or by
more than _ERRORS_OF_HEAVY where its part in the scores of all together is _HEAVY or more: with more
samples it may add then.  One whose part is _MAIN or more is fitted in any case; one whose part is
below _LIGHT is not fitted, as others stand for it.

A fit runs its phases through an `Executor`, which maps a function over arguments.  Neither the
number of threads nor the order in which they finish changes a result.

Trees detect differences that are aligned with single columns: thresholds, combinations of a few
columns among many, codes.  They are fitted only where a trial shows a gain.  Trees are fitted on
one half of at most TRIAL samples of each set; on the other half, a logistic regression on the score
of the other bases and that of the trees must have a lower loss than one on the first alone, by more
than _MIN_GAIN per sample and _ERRORS standard errors, with both halves in turn.  A trial that
succeeds by chance costs time, but changes next to nothing.

The trial also determines the number of trees: half as many again as the first of _ROUNDS whose gain
is within _NO_GAIN of the largest, since all samples support more trees than a half.  It ends early
where the gain is below _MIN_GAIN or a standard error, and grows by less than the factor _GROWTH.
Trees whose slope is negative in both halves gain nothing, as the meta-learner has no such slopes.

Beyond MANY_COLUMNS, trees use the screened ones (`sample.Screening`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from itertools import chain, pairwise
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from prfast.curve.summary import ALIKE
from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.concurrency import one_openmp_thread, thread_pool
from prfast.inputs.options import Progress, stream
from prfast.kernels import trees as boosting
from prfast.methods.auto.calibration import (
    MappedColumn,
    Stack,
    expit,
    fit_stack,
    map_columns,
    softplus,
)
from prfast.methods.auto.coordinates import Block, Coordinates, Frame
from prfast.methods.auto.counts import duplicates, neighbors, ranges, values
from prfast.methods.auto.densities import gaussians, mixtures, ranks
from prfast.methods.auto.regressions import (
    additive,
    kernel,
    linear,
    ppca_linear,
    products,
    quadratic,
    radial,
)
from prfast.methods.auto.sample import (
    MANY_COLUMNS,
    PARTS,
    Executor,
    Flags,
    Ints,
    Sample,
    block_rows,
)

# The time of each phase of a fit, measured for 4000 samples of 16 features and 12 000 of 64; the
# phases before the trial of trees sum to 100.  The progress bar advances by these shares.  Those
# after the trial are needed only where it succeeds; otherwise `skip_phases` advances the bar.
PHASES = {
    "coordinates": 5,
    "bases": 45,
    "trial of bases": 10,
    "columns": 20,
    "stack": 20,
    "trial": 35,
    "trees": 20,
    "trees' column": 1,
    "second stack": 20,
}
LIBRARY = "numpy"  # that bases use, for `one_blas_thread`
UNFITTED = 25  # scores of rows that are not fitted to, as many as the fitted ones

_MIN_SHARE = 0.1  # of the score, below which a base is not named
_MAX_NAMED = 3  # bases that are named


class Base(Protocol):
    """A fitted base."""

    def score(self, block: Block) -> Float64s:
        """Return the columns of a block, (rows, columns)."""


class BaseEntry(NamedTuple):
    """A base of the library."""

    fit: Callable[[Coordinates], Base | None]
    difference: str
    """What differs where the base has a large share in the score."""
    of_exact_values: bool = False
    """Whether it detects exact values or ends of ranges, which samples with noise do not have."""
    is_costly: bool = False
    """Whether a trial on a share of many samples precedes the fit to all."""


BASES = {
    "linear": BaseEntry(linear, "the means differ"),
    "ppca_linear": BaseEntry(ppca_linear, "the means differ, a little in many features"),
    "quadratic": BaseEntry(
        quadratic, "spread, correlations or, of many features, fine detail differ"
    ),
    "radial": BaseEntry(radial, "the distances from the center differ"),
    "additive": BaseEntry(additive, "the shapes of single features differ", is_costly=True),
    "products": BaseEntry(
        products, "two or three features depend on each other in another way", is_costly=True
    ),
    "kernel": BaseEntry(kernel, "the shape of the cloud differs, in no simple way", is_costly=True),
    "gaussians": BaseEntry(gaussians, "the covariances differ as a whole"),
    "mixtures": BaseEntry(
        mixtures, "clusters have other weights, or other places and spreads", is_costly=True
    ),
    "neighbors": BaseEntry(
        neighbors, "samples crowd in other places or lie too close to others", is_costly=True
    ),
    "duplicates": BaseEntry(duplicates, "the same rows come more or less often", True),
    "ranges": BaseEntry(ranges, "one set reaches beyond the other in single features", True),
    "ranks": BaseEntry(
        ranks, "the distributions of single features, or their correlations, differ"
    ),
    "values": BaseEntry(
        values, "single features have other exact values: zeros, whole numbers or rounding", True
    ),
}
_TREES = "thresholds and combinations of a few features differ"


def explain_bases(weights: Mapping[str, float], area: float) -> str:
    """Return a sentence on the bases that separate the two sets and the differences that they
    detect, the largest share first.

    weights: the share of each base in the score, >= 0, with any sum.
    """
    total = sum(weights.values())
    if not total > 0 or area >= ALIKE:
        return "No base separates the two sets."
    shares = {name: weight / total for name, weight in weights.items()}
    order = sorted(shares, key=lambda name: -shares[name])
    named = [name for name in order if shares[name] >= _MIN_SHARE][:_MAX_NAMED] or order[:1]
    differences = {"trees": _TREES} | {name: base.difference for name, base in BASES.items()}
    parts = [
        f"{name} ({shares[name]:.0%}): {differences.get(name, 'another base')}" for name in named
    ]
    return f"{'Mostly' if shares[order[0]] >= 0.5 else 'By several bases:'} {'; '.join(parts)}."


# ---- execution -----------------------------------------------------------------------------------


serial_executor = Executor(Progress(False))


@contextmanager
def thread_executor(threads: int, progress: Progress) -> Iterator[Executor]:
    """Yield an executor with so many threads.

    A single thread is the caller's own, for which OpenMP is limited already; like a new thread it
    answers floating-point errors in NumPy's default way.
    """
    with (
        np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"),
        thread_pool(threads, one_openmp_thread) if threads > 1 else nullcontext() as pool,
    ):
        yield Executor(progress, pool)


def skip_phases(execute: Executor, *phases: str) -> None:
    """Advance the bar past phases that this fit does not need."""
    execute.progress.advance(sum(PHASES[phase] for phase in phases))


def fit_work(unfitted: int, fitted: int) -> float:
    """Return the work of a fit and of the scores of the other rows, in units of PHASES."""
    return sum(PHASES.values()) + UNFITTED * unfitted / fitted


# ---- the fit -----------------------------------------------------------------------------------


class Model(NamedTuple):
    """All that is fitted, and can be pickled."""

    frame: Frame
    bases: list[Base]
    stack: Stack

    def score(self, sample: Sample, rows: Ints, fold: int) -> Float64s:
        """Return the scores of rows of a fold, by the fits without it."""
        block = Block(self.frame, sample, rows, fold)
        columns = np.hstack([base.score(block) for base in self.bases])
        return self.stack.score(columns, fold)

    def score_new(self, sample: Sample) -> Float64s:
        """Return the scores of rows that are in no fold (`Folds.of_new`): the means of those by the
        fits without each fold."""
        scores = np.zeros(len(sample))
        rows = np.arange(len(sample))
        for part in blocks(len(rows), block_rows(sample.width)):
            block = Block(self.frame, sample, rows[part], 0)  # coordinates are the same for all
            for fold in range(sample.folds):
                block.fold, block.part = fold, np.full(len(block), fold % PARTS, np.int8)
                columns = np.hstack([base.score(block) for base in self.bases])
                scores[part] += self.stack.score(columns, fold)
        return scores / sample.folds


class Fit(NamedTuple):
    """A model, and the cross-fitted scores of the rows that it is fitted to."""

    model: Model
    scores: Float64s
    """The scores of the fitted rows, in their order."""
    weights: dict[str, float]
    """The share of each base in the scores."""


def fit(coords: Coordinates, execute: Executor) -> Fit:
    """Return the fit to the fitted rows of a sample, the only ones that are read.

    As in scikit-learn's stacking, bases are cross-fitted, their columns on the folds that they were
    not fitted to are the features of the meta-learner, which is cross-fitted in turn.
    """
    sample = coords.sample

    # 1. Coordinates, without labels.
    coords.prepare(execute, 0.5 * PHASES["coordinates"])
    is_tried = _has_trial(sample)

    def compute_shared(block: Block) -> None:
        """Compute the coordinates that most bases share, before several threads need them."""
        block.radial  # noqa: B018
        if not is_tried:  # otherwise it may not be needed
            block.single  # noqa: B018

    execute(compute_shared, coords.computed_blocks, 0.5 * PHASES["coordinates"])

    # 2. Bases, each for every fold on the others, and 3. columns of the fitted rows, each row by
    # the fits without its fold.  Costly bases come last where they have a trial.
    names = [name for name in BASES if not (sample.smoothed and BASES[name].of_exact_values)]
    parts = list(sample.parts(sample.fitted))
    bases: dict[str, Base] = {}
    columns: dict[str, Float64s] = {}

    def add(some: list[str], share: float) -> None:
        # From the last, as one thread would be left with ranks, the longest.
        last_first = some[::-1]
        fits = execute(lambda name: BASES[name].fit(coords), last_first, share * PHASES["bases"])
        applied = {name: b for name, b in zip(some, fits[::-1], strict=True) if b is not None}

        def score(fold_and_part: tuple[int, slice]) -> list[Float64s]:
            block = coords.fitted_block(*fold_and_part)
            return [base.score(block) for base in applied.values()]

        of_parts = zip(*execute(score, parts, share * PHASES["columns"]), strict=True)
        columns.update(zip(applied, map(np.concatenate, of_parts), strict=True))
        bases.update(applied)

    costly = [name for name in names if BASES[name].is_costly]
    if is_tried:
        add([name for name in names if name not in costly], 0.5)
        names = _bases_that_add(coords, np.hstack([*columns.values()]), costly, execute)
        add(names, 0.5)
    else:
        skip_phases(execute, "trial of bases")
        add(names, 1.0)
    widths = [column.shape[1] for column in columns.values()]
    features = np.hstack([*columns.values()])
    columns.clear()  # as large as the features

    # 4. Meta-learner.
    mapped = map_columns(sample, features, execute, 0.5 * PHASES["stack"])
    stack, scores = fit_stack(sample, mapped, execute, 0.5 * PHASES["stack"])

    # 5. Trees, where they improve these scores, and the meta-learner once more.
    boosted = trees(coords, scores, execute)
    if boosted is None:
        skip_phases(execute, "trees", "trees' column", "second stack")
    else:
        bases["trees"] = boosted
        odds = execute(
            lambda fold_and_part: boosted.score(coords.fitted_block(*fold_and_part)),
            parts,
            PHASES["trees' column"],
        )
        mapped += map_columns(sample, np.concatenate(odds), execute)
        widths.append(1)
        stack, scores = fit_stack(sample, mapped, execute, PHASES["second stack"], stack)

    weights = _base_weights(stack, list(bases), widths)
    return Fit(Model(coords.frame(), list(bases.values()), stack), scores, weights)


def _base_weights(stack: Stack, names: list[str], widths: list[int]) -> dict[str, float]:
    """Return the share of each base in the contributions to the scores; 0 where all are 0."""
    shares = np.add.reduceat(stack.contributions, np.cumsum([0, *widths[:-1]]))
    total = float(shares.sum())
    return {
        name: float(np.round(share / total, 4)) if total > 0 else 0.0
        for name, share in zip(names, shares, strict=True)
    }


# ---- the trial of costly bases -------------------------------------------------------------------

_ERRORS = 1.5  # standard errors of a gain, above which it is none by chance
_SHARE = 2000  # samples of a set
_LEAST_PARTS = 4  # of this size in a set, below which costly bases have no trial
_HEAVY, _ERRORS_OF_HEAVY = 0.2, 0.5  # share in the scores, and the standard errors that suffice
_MAIN = 0.6  # share in the scores for which none is needed
_LIGHT = 0.02  # share in the scores, below which a base is not fitted


def _has_trial(sample: Sample) -> bool:
    n = int(sample.fitted_real.sum())
    return min(n, len(sample.fitted) - n) >= _LEAST_PARTS * _SHARE


def _bases_that_add(
    coords: Coordinates, others: Float64s, names: list[str], execute: Executor
) -> list[str]:
    """Return the bases that improve held-out scores, or have a large part in them, where all are
    fitted to a share of the rows.

    others: the columns of the other bases of all fitted rows.
    """
    share, places = _share_of(coords)
    sample, real = share.sample, share.sample.fitted_real
    weight, sign = share.weight, np.where(real, -1.0, 1.0)

    def losses(scores: Float64s) -> Float64s:
        return weight * softplus(sign * scores)

    def columns(name: str) -> list[MappedColumn]:
        base = BASES[name].fit(share)
        if base is None:
            return []
        scores = np.concatenate([base.score(block) for _, block in share.fitted_blocks()])
        return map_columns(sample, scores, serial_executor)

    before = fit_stack(sample, map_columns(sample, others[places], execute), execute)[1]
    first = map_columns(sample, before[:, None], execute)
    tried = execute(columns, names, PHASES["trial of bases"])
    of_names = {name: mapped for name, mapped in zip(names, tried, strict=True) if mapped}
    joint, _ = fit_stack(sample, [*first, *chain(*of_names.values())], execute)
    widths = [1, *map(len, of_names.values())]
    parts = _base_weights(joint, ["others", *of_names], widths)
    alone = losses(fit_stack(sample, first, execute)[1])

    def adds(name: str) -> bool:
        if parts[name] < _LIGHT:  # others stand for it
            return False
        if parts[name] >= _MAIN:
            return True
        mapped = [*first, *of_names[name]]
        gain = alone - losses(fit_stack(sample, mapped, serial_executor)[1])
        error = gain.std() / np.sqrt(len(gain))
        return bool(gain.mean() > (_ERRORS_OF_HEAVY if parts[name] >= _HEAVY else _ERRORS) * error)

    useful = execute(adds, list(of_names), 0)
    return [name for name, is_useful in zip(of_names, useful, strict=True) if is_useful]


def _share_of(coords: Coordinates) -> tuple[Coordinates, Ints]:
    """Return coordinates with _SHARE random samples of each set to fit to, each group of folds as
    one, and their places, by fold."""
    sample = coords.sample
    shuffled = stream(sample.seed, "share").permutation(len(sample.fitted))
    real = sample.fitted_real[shuffled]
    places = np.sort(np.concatenate([shuffled[real][:_SHARE], shuffled[~real][:_SHARE]]))
    places = places[np.argsort(sample.group_of(sample.fitted_fold[places]), kind="stable")]
    return coords.of_share(places), places


# ---- boosted trees -------------------------------------------------------------------------------

TRIAL = 4000  # samples of a set
_MIN_SAMPLES = 100  # of a set, below which trees are not tried
_MIN_GAIN = 0.0005  # nats per sample
_NO_GAIN = _MIN_GAIN / 2  # up to which fewer trees are as good
_GROWTH = 1.25  # of the gain by more trees, from which on still more are tried
_ROUNDS = (12, 25, 50, 100)  # trees of a trial
_MORE = 1.5
# Of both sets: below few, a trial has fewer trees, which are smaller, and columns fewer bins; from
# many on, trees are larger.  Between, trees are fitted for each fold, otherwise for groups of them.
_FEW_ROWS, _MANY_ROWS = 500, 6000
_LEAVES_OF_FEW, _LEAVES, _LEAVES_OF_MANY = 8, 16, 31
_LEAST = 20  # samples of a leaf
_RATE, _PENALTY = 0.1, 1.0  # of the step of a tree, and of the square of a leaf
_BINS, _BINS_PER_ROW = 10_000, 2  # of all columns together
_LEAST_BINS, _MOST_BINS = 64, 256  # of a column; a trial has the least, few rows a quarter
_EDGE_ROWS = 4000  # that the edges are quantiles of


class Boosted(NamedTuple):
    """Boosted trees on columns in bins (`prfast.kernels.trees`)."""

    edges: Float64s
    """The edges of the bins of each column."""
    start: float
    """The log-odds before the first tree."""
    splits: NDArray[np.uint32]
    values: Float64s

    def odds(self, points: Float64s) -> Float64s:
        """Return the log-odds of points, which have only the columns that the trees use."""
        odds = np.full(len(points), self.start)
        bins = boosting.binned(np.ascontiguousarray(points), self.edges)
        boosting.add_trees(self.splits, self.values, bins, odds)
        return odds


class Trees(NamedTuple):
    """One column, the log-odds of the trees that were fitted without the fold."""

    columns: Ints | None
    """(folds, columns); None for all columns."""
    boosted: list[Boosted]
    """One for each fold, or for each group of folds."""

    def score(self, block: Block) -> Float64s:
        x = block.points if self.columns is None else block.columns(self.columns[block.fold])
        return self.boosted[block.fold % len(self.boosted)].odds(x)[:, None]


def trees(coords: Coordinates, scores: Float64s, execute: Executor) -> Trees | None:
    """Return trees for each fold; None where the trial shows no gain over the scores of the fitted
    rows."""
    sample = coords.sample
    columns, used = None, np.arange(sample.width)
    halves = np.array([used, used])
    if sample.width > MANY_COLUMNS:
        columns, halves = coords.screening.without_each(sample.folds), coords.screening.of_halves()
        used = np.unique(np.vstack([columns, halves]))
    edges = _edges(sample, used)
    tried = np.unique(halves)
    rounds = _best_rounds(
        sample, scores, tried, edges[used.searchsorted(tried)], tried.searchsorted(halves), execute
    )
    if not rounds:
        return None
    in_groups = not _FEW_ROWS <= len(scores) < _MANY_ROWS
    group = sample.group_of(sample.fitted_fold) if in_groups else sample.fitted_fold
    leaves = _LEAVES_OF_MANY if len(scores) >= _MANY_ROWS else _leaves(len(scores))
    parts = [sample.fitted[part] for _, part in sample.parts(sample.fitted)]
    bins = np.concatenate(execute(lambda rows: _bins(sample, rows, used, edges), parts))

    def grow(own: int) -> Boosted:
        places = np.flatnonzero(group != own)
        if columns is None:
            of_places = edges, bins[places]
        else:
            chosen = used.searchsorted(columns[own])
            of_places = edges[chosen], bins[np.ix_(places, chosen)]
        return _boost(sample, places, *of_places, int(_MORE * rounds), leaves)

    groups = range(sample.groups if in_groups else sample.folds)
    return Trees(columns, execute(grow, groups, PHASES["trees"]))


def _leaves(rows: int) -> int:
    return _LEAVES if rows >= _FEW_ROWS else _LEAVES_OF_FEW


def _edges(sample: Sample, columns: Ints) -> Float64s:
    """Return the edges of the bins of these columns, which need no labels."""
    some = sample.fitted[sample.subsample_distinct("edges", _EDGE_ROWS)]
    ascending = np.sort(np.ascontiguousarray(sample.columns(some, columns).T))
    per_column = min(_BINS, _BINS_PER_ROW * len(sample.fitted)) // len(columns)
    most = _LEAST_BINS if len(sample.fitted) >= _FEW_ROWS else _LEAST_BINS // 4
    while most < _MOST_BINS and 2 * most <= per_column:
        most *= 2
    return boosting.edges(ascending, most - 1)


def _bins(sample: Sample, rows: Ints, columns: Ints, edges: Float64s) -> NDArray[np.uint8]:
    return boosting.binned(np.ascontiguousarray(sample.columns(rows, columns)), edges)


def _best_rounds(
    sample: Sample,
    scores: Float64s,
    columns: Ints,
    edges: Float64s,
    of_halves: Ints,
    execute: Executor,
) -> int:
    """Return the number of trees that improves the scores of held-out halves most; 0 where none
    does.

    of_halves: the places in `columns` of those of each half.
    """
    shuffled = stream(sample.seed, "trees").permutation(len(sample.fitted))
    real = sample.fitted_real[shuffled]
    if min(real.sum(), (~real).sum()) < _MIN_SAMPLES:
        skip_phases(execute, "trial")
        return 0
    trial, most, leaves = TRIAL, _ROUNDS[-1], _leaves(len(shuffled))
    if sample.smoothed:  # a profile has several trials, and noise leaves little for more trees
        trial, most = TRIAL // 2, _ROUNDS[1]
    if len(shuffled) < _FEW_ROWS:
        most = _ROUNDS[1]
    places = np.concatenate([shuffled[real][:trial], shuffled[~real][:trial]])
    half_of = sample.group_of(sample.fitted_fold[places]) % 2
    # Bins are joined, as a trial has few samples.
    joined = (np.isfinite(edges).sum(axis=1) // _LEAST_BINS + 1).astype(np.uint8)
    binned = _bins(sample, sample.fitted[places], columns, edges) // joined

    def stages(half: int) -> Iterator[tuple[Float64s, float]]:
        """Yield the gain of each held-out sample by the trees of each of _ROUNDS, and their
        slope."""
        outside, own_columns = half_of != half, of_halves[half]
        training, held_out = places[outside], places[~outside]
        bins, others = (binned[np.ix_(some, own_columns)] for some in (outside, ~outside))
        of_others = sample.fitted_real[held_out], sample.weights(sample.fitted[held_out])
        x = np.column_stack([np.ones(len(held_out)), scores[held_out]])
        without, _ = _logistic_losses(x, *of_others)
        own, odds = (np.full(len(some), _start(sample, training)) for some in (training, held_out))
        for start, end in pairwise((0, *_ROUNDS)):
            boosted = _boost(sample, training, edges, bins, end - start, leaves, own)
            for some, at in ((bins, own), (others, odds)):
                boosting.add_trees(boosted.splits, boosted.values, some, at)
            losses, slope = _logistic_losses(np.column_stack([x, odds]), *of_others)
            yield without - losses, slope

    halves, share = [stages(half) for half in range(2)], PHASES["trial"] / len(_ROUNDS)
    gains: list[Float64s] = []
    rounds, goes_on = 0, True
    for tried in _ROUNDS:
        if tried > most or not goes_on:
            break
        own_gains, slopes = zip(*execute(next, halves, share), strict=True)
        # Trees with a negative slope undo what other bases overstate.
        gains.append(np.hstack(own_gains) * (max(slopes) > 0.0))
        means = np.array([gain.mean() for gain in gains])
        best = int(means.argmax())
        error = gains[best].std() / np.sqrt(len(places))
        is_gain = means[best] > max(_MIN_GAIN, _ERRORS * error)
        rounds = _ROUNDS[int(np.argmax(means > means[best] - _NO_GAIN))] if is_gain else 0
        grows = means[-1] > _GROWTH * (means[-2] if len(means) > 1 else 0.0)
        goes_on = bool(grows or means[best] > max(_MIN_GAIN, error))
    execute.progress.advance(share * (len(_ROUNDS) - len(gains)))
    return rounds


def _logistic_losses(x: Float64s, real: Flags, weight: Float64s) -> tuple[Float64s, float]:
    """Return the loss of each sample under the logistic regression on a few columns, and the slope
    of the last one."""
    sign = np.where(real, -1.0, 1.0)
    beta, best = np.zeros(x.shape[1]), np.inf
    step: Any = np.zeros(x.shape[1])
    accepted = weight
    for _ in range(30):
        losses = weight * softplus(sign * (x @ (beta + step)))
        loss = losses.sum() + 0.005 * float(((beta + step) ** 2).sum())
        if loss > best:
            step /= 2
            continue
        beta, is_done, best, accepted = beta + step, best - loss < 1e-8 * loss, loss, losses
        if is_done:
            break
        eta = expit(x @ beta)
        hessian = (x * (weight * eta * (1.0 - eta))[:, None]).T @ x
        hessian.flat[:: len(hessian) + 1] += 0.01
        step = np.linalg.solve(hessian, x.T @ (weight * (real - eta)) - 0.01 * beta)
    return accepted, float(beta[-1])


def _boost(
    sample: Sample,
    places: Ints,
    edges: Float64s,
    bins: NDArray[np.uint8],
    trees: int,
    leaves: int,
    odds: Float64s | None = None,
) -> Boosted:
    """Return trees fitted to fitted rows at places in `fitted`, whose bins these are.

    odds: the log-odds of these rows by earlier trees; by default those of the sets.
    """
    # Weights that balance the sets would change the odds by little but a constant, which the
    # meta-learner removes.
    start = _start(sample, places)
    labels, weight = (
        sample.fitted_real[places].view(np.uint8),
        sample.weight_of(sample.fitted[places]),
    )
    before = start if odds is None else odds
    grown = boosting.boost(bins, labels, trees, leaves, _LEAST, _RATE, _PENALTY, before, weight)
    return Boosted(edges, start, *grown)


def _start(sample: Sample, places: Ints) -> float:
    """Return the log-odds of a sample to be real among fitted rows at places in `fitted`."""
    real, weight = sample.fitted_real[places], sample.weight_of(sample.fitted[places])
    of_real, of_all = real.sum(), len(real)
    if weight is not None:
        of_real, of_all = weight[real].sum(), weight.sum()
    return float(np.log(of_real / (of_all - of_real)))
