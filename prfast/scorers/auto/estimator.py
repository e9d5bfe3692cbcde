"""The estimator: folds, coordinates, bases, level 2, a log-ratio for every sample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prfast.cluster.sharded import Sharded
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import MEMORY, read_count
from prfast.inputs.progress import Shown, read_progress
from prfast.kernels.blas import one_blas_thread
from prfast.kernels.threads import resolve_threads
from prfast.results.version import version
from prfast.scorers.auto.coordinates import Coordinates
from prfast.scorers.auto.folds import Flags, Folds
from prfast.scorers.auto.memory import most_rows, most_threads
from prfast.scorers.auto.model import fit
from prfast.scorers.auto.pieces import score_pieces
from prfast.scorers.auto.read_out import READ_OUTS, ReadOut, read_out
from prfast.scorers.auto.sample import Sample, folds_of, holding
from prfast.scorers.auto.stack import group_of
from prfast.scorers.auto.workers import REST, Run, expected, workers

FOLDS = 10
FITTED = 20_000
_PAIRS = 20_000  # a sample; 13 000 to 80 000 were measured


@dataclass(frozen=True)
class Scored:
    """A log-ratio of every sample, by a fit that has not seen it."""

    sample: Folds
    log_ratio: Float64s
    """The real ones first."""
    weights: dict[str, float]
    """The share of each base in them: how far it moves them, of all together."""

    @property
    def real(self) -> Float64s:
        return self.log_ratio[: self.sample.n_real]

    @property
    def fake(self) -> Float64s:
        return self.log_ratio[self.sample.n_real :]

    def read_out(
        self, real: Flags | slice = slice(None), fake: Flags | slice = slice(None)
    ) -> ReadOut:
        """The curves of all samples, or of some of either set."""
        group = group_of(self.sample.fold, self.sample.folds)
        n = self.sample.n_real
        x, y = self.real[real], self.fake[fake]
        groups = np.concatenate([group[:n][real], group[n:][fake]])
        return read_out(np.concatenate([x, y]), np.arange(len(groups)) < len(x), groups)


class Auto:
    """A cross-fitted log-ratio: a library of bases, stacked, and read out as a curve.

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
        See `prfast.scorers.auto.read_out`.
    memory : int
        Bytes beside the inputs and 100 a sample; where they are too few, threads are fewer, and
        where one thread is too many, samples that are fitted.
    progress : bool or None
        A bar; see `prfast.balls.Search`.
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
        """Its version, on which bases depend."""
        return version("scikit-learn")

    def scores(self, real: Floats | Sharded, fake: Floats | Sharded) -> Scored:
        """Of every sample of both sets, which have been read."""
        for name, one in (("real", real), ("fake", fake)):
            if len(one) < 2:
                raise WrongValue(name, f"at least 2 samples expected for folds, got {len(one)}")
        room = self.memory, real.shape[1], self.folds
        most = min(self.fitted, most_rows(*room) // 2)
        folds = folds_of(real, fake, self.folds, most, self.random_state)
        work = expected(len(folds.rest), len(folds.fitted))
        with self.progress.work(work, "auto", share=expected_pairs(len(folds))):
            if isinstance(real, Sharded) and isinstance(fake, Sharded):
                return Scored(folds, *score_pieces(real, fake, folds, self.progress))
            threads = min(resolve_threads(self.n_jobs), most_threads(*room, len(folds.fitted)))
            with one_blas_thread(), workers(threads, self.progress) as run:
                return _scored(holding(folds, np.asarray(real), np.asarray(fake)), run)


def expected_pairs(samples: int) -> int:
    """So many pairs of neighbour methods take as long, about: for a bar over both."""
    return _PAIRS * samples


def _scored(sample: Sample, run: Run) -> Scored:
    """Fit to some rows; then score the others, which no fit has seen."""
    found = fit(Coordinates(sample), run)
    s = np.empty(len(sample))
    s[sample.fitted] = found.scores
    rest = sample.rest

    def score(fold_and_part: tuple[int, slice]) -> None:
        fold, part = fold_and_part
        s[rest[part]] = found.model.score(sample, rest[part], fold)

    run(score, list(sample.parts(rest)), REST * len(rest) / len(sample.fitted))
    return Scored(sample, s, found.weights)
