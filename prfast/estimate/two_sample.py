"""Test of whether both sets are samples of one distribution, by scores of held-out samples.

    samples in stages ── fit to all earlier stages, score the next ──► p-values ──► one p-value

The samples of both sets are divided at random into stages (`STAGES`).  If the distributions are
equal, all assignments of the labels to the samples of a stage are equally likely, given the data of
its fit.  So the p-value p_k of a permutation test of the scores satisfies P(p_k <= u | earlier
stages) <= u for every u.

Theorem.  For fixed weights with Σ w_k² = 1 the p-value of all stages, 1 − Φ(Σ w_k Φ⁻¹(1 − p_k)), is
valid: P(p <= u) <= u, for any numbers of samples, any method and any distributions.  Proof: given
the earlier stages, Φ⁻¹(1 − p_k) is stochastically no larger than a standard normal variable.
Induction from the last stage on shows that the sum is no larger than that of independent ones.

A fit to few samples may reverse its scores, and a p-value near 1 would outweigh all other stages.
So a p-value above 1/2 of several stages is replaced by a uniform number from 1/2 to 1.  The theorem
holds for it, as P(p <= 1/2) <= 1/2.  A stage whose samples all have one score takes a number from 0
to 1, if another stage has scores that differ.

The statistic of a stage is the mean of tanh(s / 2) over the real minus that over the generated
samples, for log-ratios s: (p − q) / (p + q), the direction in which the loss of a classifier falls
fastest.  Other scores are compared by their ranks (Mann and Whitney).  A fit to half of the samples
misses a part of a mean.  So "auto" with fewer than `MANY` samples has a second term of half the
weight.  It is the energy distance (Székely and Rizzo) in normal scores of the ranks of each
feature.  No fit precedes the first stage: it has the second term alone.

Independent draws of a group, and of weighted samples, are tested (`Pair.draws`).  If weights are
multiples of a density ratio that is bounded by the largest one, the theorem holds for them.  The
bound is the largest weight; this lets in one sample too many.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.estimate.attribution import Attribution, ColumnDifference, column_rows, frames_of
from prfast.estimate.diagnostics import half_precision
from prfast.estimate.notes import MOST_NAMED, explain_bases
from prfast.inputs.arrays import Ints
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import MEMORY, ProgressOption, RandomState, read_share, stream
from prfast.inputs.tables import named
from prfast.methods.auto.estimator import Auto
from prfast.methods.base import ExecutionContext, FittedMethod, read_context, read_scores
from prfast.methods.neighbors import NeighborMethod
from prfast.methods.table import Run, check_runs, read_run
from prfast.neighbors import in_range
from prfast.results.values import Display, Result
from prfast.samples.notes import dependence_notes
from prfast.samples.pair import SETS, Pair
from prfast.samples.partitioned import refuse_partitions
from prfast.scalars import permutations

STAGES = (0.3, 0.6, 1.0)  # shares of the samples at which stages end
MANY = 4000  # samples of each set that are enough for two stages
TWO_STAGES = (0.5, 1.0)  # the same for many
_LEAST = 10  # units of each set that are tested
LEAST = 0.0005  # lower bound of the total variation that is printed

Rows = tuple[Ints, Ints]  # of the real and of the generated set


class Stage(NamedTuple):
    """Samples that were scored by a fit to those of all earlier stages."""

    trained: tuple[int, int]
    """Numbers of real and of generated samples that were fitted to."""
    tested: tuple[int, int]
    """Numbers of real and of generated samples, one of each group, that were scored."""
    p_value: float
    """The share of permutations of the labels with as large a statistic, or a uniform number."""
    permutations: int = permutations.PERMUTATIONS
    """The number of permutations of the labels."""

    @property
    def weight(self) -> float:
        """The weight of its normal score, √(trained · tested), each by the smaller set; at least
        a quarter of the tested samples counts as trained."""
        tested = min(self.tested)
        return float(np.sqrt(max(min(self.trained), tested / 4) * tested))


@dataclass(eq=False, repr=False)
class TwoSampleTest(Result):
    """Result of `prfast.two_sample_test`; prints the p-value, a bound and what differs."""

    stages: list[Stage]
    """Numbers of samples and p-value of each stage."""
    level: float
    """The level of the test."""
    curve: PRCurve
    """The precision-recall curve of the samples of the last stage."""
    differences: list[str]
    """Sentences on the bases that separate the sets."""
    caution: str = field(init=False, default="")
    """Sentences on samples that depend on each other or are rounded, or ""."""
    found: Attribution = field(init=False, default_factory=Attribution)
    """What columns and rows show, if the test rejects."""

    @property
    def attribution(self) -> list[ColumnDifference]:
        """The differences of each column, and of pairs of columns, of all samples, the largest
        clear ones first, if the test rejects."""
        return self.found.columns

    @property
    def statistic(self) -> float:
        """The weighted sum of the normal scores of the p-values of the stages; standard normal, or
        smaller, if the distributions are equal."""
        from scipy.special import ndtri  # here, to keep `import prfast` quick

        weights = np.array([stage.weight for stage in self.stages])
        scores = -ndtri([stage.p_value for stage in self.stages])
        return float(weights @ scores / np.sqrt(weights @ weights))

    @property
    def p_value(self) -> float:
        """The p-value of the hypothesis that both distributions are equal."""
        from scipy.special import ndtr

        return float(ndtr(-self.statistic))

    @property
    def p_text(self) -> str:
        """The p-value as it is printed, "= 0.03", or "<= 5e-05" at the least p of a stage."""
        least = any(stage.p_value <= 1 / stage.permutations for stage in self.stages)
        return f"{'<=' if least else '='} {self.p_value:.2g}"

    @property
    def rejects(self) -> bool:
        """Whether the p-value is at most the level."""
        return self.p_value <= self.level

    @property
    def upper(self) -> PRCurve:
        """A bound above the true curve, at all λ together with confidence 1 − level, of the last
        stage (`prfast.PRCurve.upper`, "joint")."""
        return self.curve.upper(1.0 - self.level, bound="joint")

    @property
    def total_variation(self) -> float:
        """A lower bound of the total variation with confidence 1 − level, that of `upper`."""
        return self.upper.total_variation

    def sentences(self) -> list[str]:
        """Return the result in words."""
        if not self.rejects:
            return [
                f"No proof of a difference: p {self.p_text}, above the level of {self.level:g}. "
                "That is no proof of equality: a smaller difference needs more samples."
            ]
        bound, row = self.total_variation, self.found.row
        size = f"{bound:.3f}" if bound >= LEAST else "0: how far they differ is not known"
        start = "Unless the caution explains it, the" if self.caution else "The"
        text = (
            f"{start} distributions differ: p {self.p_text}; with confidence {1 - self.level:g} "
            f"the total variation is at least {size}."
        )
        lines = [f"{text} {row.words}" if row else text, *self.differences]
        if self.attribution:
            lines += self.found.sentences(bound, f"at least {bound:.2f}")
        return lines

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each stage: the numbers of samples, `p_value` and `weight`."""
        names = ("trained_real", "trained_fake", "tested_real", "tested_fake", "p_value", "weight")
        rows = [(*x.trained, *x.tested, x.p_value, x.weight) for x in self.stages]
        return [dict(zip(names, row, strict=True)) for row in rows]

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON: the numbers by name, `stages` as `rows`
        returns them, `differences`, ``attribution``, `caution`, and `info`, that of `curve`."""
        return {
            "p_value": self.p_value,
            # p = 1 has the statistic −∞, not a number of JSON.
            "statistic": self.statistic if math.isfinite(self.statistic) else None,
            "level": self.level,
            "rejects": self.rejects,
            "total_variation": self.total_variation,
            "stages": self.rows(),
            "differences": self.differences,
            "attribution": column_rows(self.attribution),
            "caution": self.caution,
            "info": dict(self.curve.info),
        }

    def _display(self) -> Display:
        n, m = np.sum([stage.tested for stage in self.stages], axis=0)
        bound = self.total_variation if self.rejects else 0.0
        origin = self.curve.provenance
        tested = f"{n} of {origin.n_real} real, {m} of {origin.n_fake} generated samples"
        return Display(
            "Two-sample test",
            [
                ["p-value", self.p_text.removeprefix("= ")],
                ["total variation, at least", f"{bound:.3f}" if bound >= LEAST else "0"],
                ["tested", tested],
            ],
            notes=self.sentences(),
            cautions=[self.caution] if self.caution else [],
            summary=f"Method {origin.method}.",
        )

    def __repr__(self) -> str:
        return f"TwoSampleTest(p={self.p_value:.3g}, total_variation>={self.total_variation:.3f})"


def two_sample_test(
    real: Any,
    fake: Any,
    method: Any = "auto",
    k: int | str | None = None,
    *,
    level: float = 0.05,
    w_real: Any = None,
    w_fake: Any = None,
    groups: tuple[Any, Any] | None = None,
    repeats: str = "missing",
    random_state: RandomState = 0,
    n_jobs: int | None = None,
    memory: int = MEMORY,
    progress: ProgressOption = None,
    **options: Any,
) -> TwoSampleTest:
    """Test whether real and generated samples have the same distribution.

    See also `explain` and `pr_curve`.

    >>> real, fake = prfast.reference.GaussianShift(1.0, dim=8).sample(500)
    >>> print(prfast.two_sample_test(real, fake))

    Parameters
    ----------
    real, fake : array, shapes (n, d) and (m, d)
        Independent samples of both distributions, or independent `groups` of them, at least 10
        each.  Copies of a sample are no independent samples.
    method : str, method, scikit-learn classifier, scorer or function
        See `prfast.pr_curve`, "auto" by default, but not "kmeans": it has no scores.  A function
        must not depend on these samples, and scores all of them.
    k, **options
        Options of a method that is a name.
    level : float
        Share of equal sets that may be rejected, in (0, 0.5], 0.05 by default; 1 − level is the
        confidence of the bounds.
    w_real, w_fake : array, shapes (n,) and (m,), or None
        Weights of the samples, as for `prfast.pr_curve`.  Fits use all samples with their weights;
        of the samples to test, those drawn with the probability w / max w are tested.  A few
        weights that are far larger than the others leave few.  None (default): equal weights.
    groups : two arrays, shapes (n,) and (m,), or None
        Labels of samples that depend on each other, see `prfast.pr_curve`.  One sample of each
        label is tested, and all are in one part of the fit.  None (default): none depend.
    repeats, random_state, n_jobs, memory, progress
        See `prfast.pr_curve`.

    Returns
    -------
    TwoSampleTest
        `p_value` and `rejects`; `total_variation`, a lower bound, and `upper`, a bound above the
        true curve at all λ; `differences`, what separates the sets.

    Raises
    ------
    TypeError, ValueError
        See `prfast.pr_curve`; too few samples, groups or draws by weight; a method without scores.

    Notes
    -----
    The p-value is valid for any numbers of samples, methods and distributions, by the theorem in
    ``prfast.estimate.two_sample``.  It depends on the seed; the smallest one of several seeds is
    not valid.
    """
    pair = Pair.read(real, fake, w_real=w_real, w_fake=w_fake, groups=groups, repeats=repeats)
    context = read_context(random_state, n_jobs, memory, progress)
    run = read_run(method, "auto", k, options)
    check_runs([run], pair, "method")
    return test_of(pair, run, context, level)


def test_of(pair: Pair, run: Run, context: ExecutionContext, level: float) -> TwoSampleTest:
    level = read_share("level", level)
    if level > 0.5:
        text = "the share of equal sets that may be rejected, such as 0.05, expected"
        raise WrongValue("level", f"{text}, got {level:g}")
    refuse_partitions("real", pair.real.source)
    method, (real, fake), seed = run.method, pair.points, context.seed
    if not isinstance(method, FittedMethod):
        raise WrongValue("method", f"one that scores samples expected, got {method.name!r}")
    for name, samples in zip(SETS, pair.sets, strict=True):
        if (number := samples.group_count) < _LEAST:
            what = "groups" if pair.is_grouped else "samples"
            raise WrongValue(name, f"at least {_LEAST} {what} expected, got {number}")
    drawn = pair.draws(seed, "draws of a test")
    for name, rows in zip(SETS, drawn, strict=True):
        if len(rows) < _LEAST:
            text = f"weights that leave at least {_LEAST} samples to test expected, each with the"
            text += " probability w / max w (of groups, of their sums)"
            raise WrongValue(pair.weights_argument(name), f"{text}, got {len(rows)}")
    is_auto = isinstance(method, Auto)
    if isinstance(method, NeighborMethod):  # whose squares of distances may overflow
        real, fake = in_range(real, fake)
    scored = pair.with_points(real, fake)
    is_fixed = method.split is None and not method.has_folds
    are_few = min(samples.group_count for samples in pair.sets) < MANY
    with_distances = is_auto and are_few
    ends = (1.0,) if is_fixed else STAGES if are_few else TWO_STAGES
    parts = _stages(pair, drawn, ends, seed)[0 if is_fixed or with_distances else 1 :]
    p_values, sizes, are_constant = [], [], []
    with context.progress.work(len(parts), "two-sample test"):
        for number, (trained, tested) in enumerate(parts):
            if with_distances:  # of all pairs, in memory
                few = scored.take(*tested).sample(MANY, seed, f"distances {number}")
                tested = tested[0][few[0]], tested[1][few[1]]
            x, y = real[tested[0]], fake[tested[1]]
            scores = np.zeros(len(x)), np.zeros(len(y))
            if is_fixed or len(trained[0]):
                with method._lock_target():
                    fitted = method.fit_pair(scored.take(*trained).alone(), context)
                    real_scores = read_scores(fitted.score(x), len(x))
                    scores = real_scores, read_scores(fitted.score(y), len(y))
            stage_seed = int(stream(seed, f"stage {number}").integers(2**63))
            if with_distances:
                p, is_constant = permutations.p_value_with_distances((x, y), scores, stage_seed)
            else:
                p = permutations.p_value(*scores, is_auto, stage_seed)
                is_constant = len(np.unique(np.concatenate(scores))) == 1
            p_values.append(p)
            are_constant.append(is_constant)
            sizes.append(((len(trained[0]), len(trained[1])), (len(x), len(y))))
            context.progress.advance()
    if len(p_values) > 1 and not all(are_constant):
        uniform = stream(seed, "stages without evidence").random(len(p_values))
        for i, u in enumerate(uniform.tolist()):
            if are_constant[i]:
                p_values[i] = u
            elif p_values[i] > 0.5:
                p_values[i] = 0.5 + 0.5 * u
    count = permutations.WITH_DISTANCES if with_distances else permutations.PERMUTATIONS
    stages = [Stage(*size, p, count) for size, p in zip(sizes, p_values, strict=True)]
    settings = {"folds": None} if is_auto else {}  # of the fits, not of the scores
    split = None if is_fixed else "stages"
    origin = fitted.record(pair, split, stages[-1].tested, seed, **settings)
    weights = fitted.weights if isinstance(fitted, Auto) else None
    words = [] if weights is None else [explain_bases(weights)]
    test = TwoSampleTest(stages, level, PRCurve.from_scores(*scores, info=origin), words)
    cautions = [*dependence_notes(pair), half_precision(pair)]
    if test.rejects:
        cells = pair.take(*drawn).rows_alone()
        if pair.width <= MOST_NAMED:  # those of an embedding mean nothing by themselves
            frames = frames_of(*cells.points, named(pair.names))
            test.found = Attribution.of(*frames, cells, seed, rows=pair.is_plain)
    test.caution = " ".join(filter(None, cautions))
    return test


def _stages(pair: Pair, drawn: Rows, ends: Sequence[float], seed: int) -> list[tuple[Rows, Rows]]:
    """Return, for each stage, all samples of earlier groups, and its own that are drawn."""
    # Groups that are drawn, and all other ones, are spread over the stages by themselves.
    stage = [np.empty(size, np.int64) for size in pair.sizes]
    are_drawn = [np.isin(x, x[rows]) for x, rows in zip(pair.groups, drawn, strict=True)]
    for purpose, chosen in (("stages", are_drawn), ("other stages", [~x for x in are_drawn])):
        selection = pair.take(*chosen)
        parts = selection.partition(ends, seed, purpose, equal_apart=True)
        for numbers, rows, part in zip(stage, chosen, parts, strict=True):
            numbers[rows] = part
    stages = []
    for number in range(len(ends)):
        x, y = (np.flatnonzero(numbers < number) for numbers in stage)
        real, fake = (rows[of[rows] == number] for of, rows in zip(stage, drawn, strict=True))
        stages.append(((x, y), (real, fake)))
    return stages
