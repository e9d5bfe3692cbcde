"""The estimator `Auto`: a cross-fitted log-ratio of every sample; and its result, `Scored`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from prfast.curve.curve import EXCESS
from prfast.distributed.sharded import Sharded
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.copies import EqualRows, equal_rows
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import MEMORY, Shown, read_count, read_progress
from prfast.kernels.blas import one_blas_thread
from prfast.kernels.threads import resolve_threads
from prfast.methods.auto.coordinates import Coordinates
from prfast.methods.auto.model import fit
from prfast.methods.auto.pieces import (
    check_room,
    equal_in_pieces,
    most_rows,
    most_threads,
    score_pieces,
)
from prfast.methods.auto.read_out import CLIP, READ_OUTS, ReadOut, read_out
from prfast.methods.auto.sample import Flags, Folds, Sample, folds_of, holding
from prfast.methods.auto.workers import REST, Run, expected, workers
from prfast.results.info import version

FOLDS = 10
FITTED = 20_000
_COVERED = 0.99  # relative share of distinct generated rows, from which on no real one is missed
_PAIRS = 20_000  # per sample; 13 000 to 80 000 were measured


@dataclass(frozen=True)
class Scored:
    """A log-ratio of every sample, by a fit without it."""

    sample: Folds
    log_ratio: Float64s
    """(real + generated samples,), the real ones first."""
    weights: dict[str, float]
    """The share of each base in the log-ratios, by the spread of its contribution."""
    equal: EqualRows

    @property
    def real(self) -> Float64s:
        return self.log_ratio[: self.sample.n_real]

    @property
    def fake(self) -> Float64s:
        return self.log_ratio[self.sample.n_real :]

    def units(
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
        some, units = self.equal.of(real, fake), self.units(real, fake)
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
        return read_out(np.concatenate([x, y]), of_real, groups, self.units(real, fake))


class Auto:
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
        See `prfast.methods.auto.read_out`.
    memory : int
        Bytes beside the inputs and 100 a sample; where they are too few, threads are fewer, and
        where one thread is too many, samples that are fitted.
    progress : bool or None
        A bar; see `prfast.neighbors.Search`.
    random_state : int
        Seed of folds, landmarks, references, the share that is fitted.
    n_jobs : int or None
        Threads, at most the usable cores, which None takes.  The result does not depend on it.
    """

    def __init__(
        self,
        *,
        folds: int = FOLDS,
        fitted: int = FITTED,
        read_out: str = "auto",
        memory: int = MEMORY,
        progress: Shown = None,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.folds = read_count("folds", folds, at_least=2, at_most=100)
        self.fitted = read_count("fitted", fitted, at_least=2)
        if not isinstance(read_out, str) or read_out not in READ_OUTS:
            known = ", ".join(map(repr, READ_OUTS))
            raise WrongValue("read_out", f"one of {known} expected, got {read_out!r}")
        self.read_out = read_out
        self.memory = read_count("memory", memory)
        self.progress = read_progress(progress)
        self.random_state = random_state
        self.n_jobs = n_jobs

    @property
    def scikit_learn(self) -> str:
        """The version of scikit-learn, on which bases depend."""
        return version("scikit-learn")

    def scores(self, real: Floats | Sharded, fake: Floats | Sharded) -> Scored:
        """Return the log-ratio of every sample of both sets, which are checked already.

        ValueError where a set has fewer than 2 samples, or `memory` is too small for the fit.
        """
        for name, one in (("real", real), ("fake", fake)):
            if len(one) < 2:
                raise WrongValue(name, f"at least 2 samples expected for folds, got {len(one)}")
        room = self.memory, real.shape[1], self.folds
        most = min(self.fitted, most_rows(*room) // 2)
        deal = partial(folds_of, real, fake, self.folds, most, self.random_state)
        if isinstance(real, Sharded) and isinstance(fake, Sharded):
            check_room(real, fake, deal())
            equal = equal_in_pieces(real, fake)
        else:
            equal = equal_rows(np.asarray(real), np.asarray(fake))
        folds = deal(equal)
        work = expected(len(folds.rest), len(folds.fitted))
        with self.progress.work(work, "auto", share=expected_pairs(len(folds))):
            if isinstance(real, Sharded) and isinstance(fake, Sharded):
                s, weights = score_pieces(real, fake, folds, self.progress)
            else:
                threads = min(resolve_threads(self.n_jobs), most_threads(*room, len(folds.fitted)))
                with one_blas_thread(), workers(threads, self.progress) as run:
                    s, weights = _scores(holding(folds, np.asarray(real), np.asarray(fake)), run)
        return Scored(folds, s, weights, equal)


def expected_pairs(samples: int) -> int:
    """Return the number of pairs for which neighbour methods take as long, for a common bar."""
    return _PAIRS * samples


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
