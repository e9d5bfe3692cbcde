"""The estimator `Auto`: a cross-fitted log-ratio of every sample; and its result, `AutoScores`.

The record of a curve has the columns that separate the sets by themselves, `columns`, and, below an
area of `ALIKE`, rows of samples: `missed`, real ones with the highest log-ratios, and `least_real`,
generated ones with the lowest.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from prfast.curve import PRCurve
from prfast.curve.curve import EXCESS
from prfast.curve.provenance import read_provenance
from prfast.inputs.arrays import Float64s
from prfast.inputs.copies import EqualRows, equal_rows
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_count
from prfast.inputs.samples import Samples, SampleSet
from prfast.inputs.tables import named
from prfast.kernels.threads import one_blas_thread, resolve_threads
from prfast.methods.auto.columns import telling_columns
from prfast.methods.auto.coordinates import Coordinates
from prfast.methods.auto.memory import most_rows, most_threads
from prfast.methods.auto.model import ALIKE, fit
from prfast.methods.auto.read_out import CLIP, READ_OUTS, ReadOut, read_out
from prfast.methods.auto.sample import Flags, Folds, Sample, folds_of, holding
from prfast.methods.auto.workers import REST, Run, expected, workers
from prfast.methods.base import DEFAULTS, ExecutionContext, Method, Scores
from prfast.results.info import version

FOLDS = 10
FITTED = 20_000
_COVERED = 0.99  # relative share of distinct generated rows, from which on no real one is missed
ROWS = 5  # samples of each set that are named in `info`
TIMES = 2.0  # least density ratio of these, by the score: in their own set over the other one
_PAIRS = 20_000  # per sample; 13 000 to 80 000 were measured


@dataclass(frozen=True, eq=False)
class AutoScores(Scores):
    """A log-ratio of every sample, by a fit without it; the real ones in `real`."""

    sample: Folds = field(kw_only=True)
    equal: EqualRows = field(kw_only=True)
    estimator: str = field(kw_only=True, default="auto")
    """The option `read_out` of the method: how the curve is estimated from the scores."""

    def units_of(
        self, real: Flags | slice = slice(None), fake: Flags | slice = slice(None)
    ) -> tuple[int, int]:
        """Return the numbers of independent units among some samples of each set: all samples of a
        discrete distribution; otherwise equal rows count once."""
        some = self.equal.of(real, fake)
        n = some.n_real
        return (n, len(some.group) - n) if self.sample.discrete else some.units

    def covered_real(
        self, real: Flags | slice = slice(None), fake: Flags | slice = slice(None)
    ) -> Float64s:
        """Return the log-ratios of some real samples, with the largest log-ratio for those that
        repeated generated samples miss (`_with_missed`)."""
        return _with_missed(self.real[real], self._covered(real, fake))

    def _covered(self, real: Flags | slice, fake: Flags | slice) -> float:
        """Return the share of the real samples that the generated ones can cover: at least
        1/EXCESS, as fidelity, at λ = EXCESS, forgives such an excess and should not depend on
        repetition."""
        covered = 1.0 if self.sample.discrete else self.equal.of(real, fake).covered
        return 1.0 if covered >= _COVERED else max(covered, 1 / EXCESS)

    def repeats(
        self, real: Flags | slice = slice(None), fake: Flags | slice = slice(None)
    ) -> dict[str, Any]:
        """Return the entries of `info` on equal rows among some samples of each set."""
        some, units = self.equal.of(real, fake), self.units_of(real, fake)
        covered = self._covered(real, fake)
        entries = some.record()
        if units != (some.n_real, len(some.group) - some.n_real):
            entries["units"] = list(units)
        return entries | ({"covered": round(covered, 4)} if covered < 1 else {})

    def read_out(
        self, real: Flags | slice = slice(None), fake: Flags | slice = slice(None)
    ) -> ReadOut:
        """Return the curves of all samples, or of some of each set."""
        group = self.sample.group_of(self.sample.fold)
        n = self.sample.n_real
        x, y = self.covered_real(real, fake), self.fake[fake]
        groups = np.concatenate([group[:n][real], group[n:][fake]])
        of_real = np.arange(len(groups)) < len(x)
        return read_out(np.concatenate([x, y]), of_real, groups, self.units_of(real, fake))

    def curve(
        self, real: Flags | slice = slice(None), fake: Flags | slice = slice(None), **entries: Any
    ) -> PRCurve:
        """Return the curve of all samples, or of some of each set; entries: further ones of its
        `info`."""
        info = {**self.provenance.record, **self.repeats(real, fake), **entries}
        if not _all(real, fake):  # the columns are those that separate all samples
            info.pop("columns", None)
        curve = self.read_out(real, fake).named(self.estimator, info)
        if _all(real, fake) and curve.area < ALIKE:
            curve = curve.with_info(**self._extremes(curve))
        return curve

    def _extremes(self, curve: PRCurve) -> dict[str, list[int]]:
        """Return the rows of the real samples that are missed most, and of the generated ones that
        are least like real ones."""
        # Where diversity or fidelity is nearly 1 they would be common samples, whose frequencies
        # differ a little.
        missed = _highest(self.real) if curve.diversity < ALIKE else []
        least_real = _highest(-self.fake) if curve.fidelity < ALIKE else []
        rows = {"missed": missed, "least_real": least_real}
        return {name: indices for name, indices in rows.items() if indices}

    def with_column_names(self, labels: list[Any] | None) -> AutoScores:
        """Return the same with the names of the columns in the record, if all columns have one."""
        names, record = named(labels), self.provenance.record
        columns = self.provenance.columns
        if not columns or names is None or len(names) != self.provenance.n_features:
            return self
        columns = [{"column": c["column"], "name": names[c["column"]], **c} for c in columns]
        return replace(self, provenance=read_provenance({**record, "columns": columns}))

    def paired(self, n: int, reference: int) -> Scores:
        """Return the scores for comparisons with other models, with those of real samples that
        repeated generated ones miss."""
        rows = np.arange(n)[self.real_rows]
        return Scores(self.covered_real(), self.fake, rows, reference, self.units_of())


class Auto(Method):
    """The automatic estimator: a cross-fitted log-ratio by a stacked library of bases.

    Unless the real set is discrete (`EqualRows.discrete`), equal rows are in one fold and fitted to
    once.  Where the generated set then has a smaller share ρ of distinct rows than the real one, it
    covers as much as ρ m distinct samples of m would: a share 1 − ρ of the real samples is counted
    as missed, ρ at least 1/20, the excess that fidelity forgives.

    Parameters
    ----------
    folds : int
        Each sample is scored by a fit on the other folds, 10 by default; fewer where a set has
        fewer samples.  More folds come closer to the truth where samples are few for their
        dimension, at a cost that grows with them.
    fitted : int
        Samples of a set at most that bases are fitted to, at random, 20 000 by default; all are
        scored.  A curve records how many they were.
    read_out : "auto", "mean", "hull" or "smooth"
        How the curve is estimated from the scores, "auto" by default; see
        ``prfast.methods.auto.read_out``.

    Raises
    ------
    TypeError, ValueError
        Not integers, `folds` outside 2 to 100, fewer than 2 `fitted`, another `read_out`.
    """

    name = "auto"
    has_split = False
    takes_partitions = True
    summary = "a cross-fitted library of bases, stacked; needs no choices"

    def __init__(self, *, folds: int = FOLDS, fitted: int = FITTED, read_out: str = "auto") -> None:
        self.folds = read_count("folds", folds, at_least=2, at_most=100)
        self.fitted = read_count("fitted", fitted, at_least=2)
        if not isinstance(read_out, str) or read_out not in READ_OUTS:
            known = ", ".join(map(repr, READ_OUTS))
            raise WrongValue("read_out", f"one of {known} expected, got {read_out!r}")
        self.read_out = read_out

    def settings(self) -> dict[str, Any]:
        return self.get_params() | {"scikit_learn": version("scikit-learn")}

    def scores(
        self,
        real: Samples,
        fake: Samples,
        split: float | str | None = None,
        context: ExecutionContext | None = None,
    ) -> AutoScores:
        """Return the scores of `cross_fit`, whose record has the columns that separate the sets.

        split: None by default, as there are folds.  context: settings of the call, optional.
        """
        context = context or DEFAULTS
        scores = self.cross_fit(real, fake, context)
        columns = telling_columns(real, fake, context.seed)
        if not columns:
            return scores
        record = {**scores.provenance.record, "columns": columns}
        return replace(scores, provenance=read_provenance(record))

    def cross_fit(
        self,
        real: Samples,
        fake: Samples,
        context: ExecutionContext | None = None,
    ) -> AutoScores:
        """Return the log-ratio of every sample of both sets, which are checked already.

        context: settings of the call, optional; where its `memory`, bytes beside the inputs and 100
        a sample, is too little, threads are fewer, and where one thread is too many, samples that
        are fitted.

        Raises
        ------
        ValueError
            A set has fewer than 2 samples, or the memory is too small for the fit.
        """
        context = context or DEFAULTS
        for name, one in (("real", real), ("fake", fake)):
            if len(one) < 2:
                raise WrongValue(name, f"at least 2 samples expected for folds, got {len(one)}")
        room = context.memory, real.shape[1], self.folds
        most = min(self.fitted, most_rows(*room) // 2)
        deal = partial(folds_of, real, fake, self.folds, most, context.seed)
        if isinstance(real, SampleSet):
            real.check_auto(fake, deal())  # before rows are loaded
        equal = equal_rows(real, fake)
        folds = deal(equal)
        work = expected(len(folds.rest), len(folds.fitted))
        with context.progress.work(work, "auto", share=expected_pairs(len(folds))):
            if isinstance(real, SampleSet):
                s, weights = real.score_auto(fake, folds, context.progress)
            else:
                threads = resolve_threads(context.n_jobs)
                threads = min(threads, most_threads(*room, len(folds.fitted)))
                with one_blas_thread(), workers(threads, context.progress) as run:
                    s, weights = _scores(holding(folds, np.asarray(real), np.asarray(fake)), run)
        fitted_real = int(folds.fitted_real.sum())
        fits = {
            "folds": folds.folds,
            "fitted": [fitted_real, len(folds.fitted) - fitted_real],
            "weights": weights,
        }
        made = self.record(real, fake, "folds", (len(real), len(fake)), context.seed, **fits)
        n = len(real)
        return AutoScores(
            s[:n], s[n:], provenance=made, sample=folds, equal=equal, estimator=self.read_out
        )


def expected_pairs(samples: int) -> int:
    """Return the number of pairs for which neighbor methods take as long, for a common bar."""
    return _PAIRS * samples


def _all(*rows: Any) -> bool:
    return all(isinstance(index, slice) and index == slice(None) for index in rows)


def _highest(ratio: Float64s) -> list[int]:
    """Return the rows of the highest log-ratios, the highest first; of equal log-ratios, mostly
    those of equal samples, the first row."""
    _, first = np.unique(-ratio, return_index=True)
    return [int(row) for row in first[:ROWS] if ratio[row] >= np.log(TIMES)]


def _with_missed(s: Float64s, covered: float) -> Float64s:
    """Return the log-ratios of real samples of which the generated ones cover only a share ρ.

    The others get the largest log-ratio.  They are spread evenly along the order of all, so that
    the remaining ones keep their distribution: α_λ becomes α_{ρλ}, which scales the recall and
    leaves the precision.
    """
    missed = round((1 - covered) * len(s))
    if not missed:
        return s
    places = (np.arange(missed) + 0.5) * (len(s) / missed)
    scores = s.copy()
    scores[np.argsort(s, kind="stable")[places.astype(np.int64)]] = CLIP
    return scores


def _scores(sample: Sample, run: Run) -> tuple[Float64s, dict[str, float]]:
    """Return the scores of all rows, and the share of each base."""
    fitted = fit(Coordinates(sample), run)
    s = np.empty(len(sample))
    s[sample.fitted] = fitted.scores
    rest = sample.rest

    def score(fold_and_part: tuple[int, slice]) -> None:
        fold, part = fold_and_part
        s[rest[part]] = fitted.model.score(sample, rest[part], fold)

    run(score, list(sample.parts(rest)), REST * len(rest) / len(sample.fitted))
    return s, fitted.weights
