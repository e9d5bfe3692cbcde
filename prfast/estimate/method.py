"""The curve of one method: cross-fitted, a mean of histograms, or the sweep of its scores."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.distributed.sharded import Sharded
from prfast.estimate.check import checked
from prfast.estimate.cross_fitted import CrossFitted, cross_fitted
from prfast.estimate.intervals import Scores
from prfast.estimate.scores import Scored, how_made, score_samples
from prfast.inputs.arrays import Floats
from prfast.inputs.concurrency import lock
from prfast.inputs.errors import WrongValue
from prfast.methods.auto.estimator import Auto
from prfast.methods.base import Chosen, Partition
from prfast.methods.neighbors import NEIGHBOR_METHODS, NeighborScorer

Key = tuple[str, Any]


class MethodScored(NamedTuple):
    """Scores of both sets by one method, and the `info` of their curve."""

    name: str
    scored: Scored
    info: dict[str, Any]
    work: dict[str, int] | None

    def curves(self) -> dict[Key, PRCurve]:
        """Return the curve by its key, as the classes of several methods do."""
        curve = PRCurve.from_scores(self.scored.real, self.scored.fake, info=self.info)
        return {(self.name, None): curve._worked(self.work)}

    def paired(self, n: int, reference: int) -> dict[Key, Scores]:
        """Return the scores with their rows of the n real samples, of which `reference` is the
        checksum."""
        rows = np.arange(n)[self.scored.real_rows]
        return {(self.name, None): Scores(self.scored.real, self.scored.fake, rows, reference)}


class Partitioned(NamedTuple):
    """Curve of a partition, a mean of histograms, where samples have no scores."""

    name: str
    curve: PRCurve

    def curves(self) -> dict[Key, PRCurve]:
        return {(self.name, None): self.curve}

    def paired(self, n: int, reference: int) -> dict[Key, Scores]:
        return {}


def run_curves(masses: Iterable[tuple[Any, Any]]) -> list[PRCurve]:
    """Return the curve of each run of a partition, from the masses of its cells."""
    return [PRCurve.from_masses(p, q) for p, q in masses]


def mean_curve(masses: Iterable[tuple[Any, Any]], info: dict[str, Any]) -> PRCurve:
    """Return the curve of a partition, the mean of its runs."""
    return PRCurve.mean(run_curves(masses), info=info)


def check_split(chosen: Chosen, split: float | str | None) -> None:
    """Raise WrongValue if the method does not use a split, and this is not None."""
    if isinstance(chosen.scorer, Partition | Auto) and split is not None:
        has = ", which has folds" if isinstance(chosen.scorer, Auto) else ""
        raise WrongValue("split", f"None expected for method {chosen.name!r}{has}, got {split!r}")


def check_pieces(chosen: Chosen, real: Any) -> None:
    """Raise WrongValue if samples are in partitions, and the method does not accept these."""
    if isinstance(real, Sharded) and not isinstance(chosen.scorer, Auto | NeighborScorer):
        known = ", ".join(map(repr, ("auto", *NEIGHBOR_METHODS)))
        raise WrongValue(
            "method", f"one of {known} expected for samples in pieces, got {chosen.name!r}"
        )


def method_scores(
    chosen: Chosen, real: Floats, fake: Floats, split: float | str | None, seed: int
) -> MethodScored | Partitioned | CrossFitted:
    """Return the scores or the partition of a method, for samples that have been read."""
    check_split(chosen, split)
    name, scorer, settings, _ = chosen
    if isinstance(scorer, Auto):
        return cross_fitted(scorer, real, fake)

    def info(scored: tuple[int, int]) -> dict[str, Any]:
        # Called after the fit, which sets k.
        values = {key: getattr(scorer, key) for key in settings}
        return how_made(name, values, split, real, fake, scored, seed)

    if isinstance(scorer, Partition):
        with lock(scorer):
            curve = mean_curve(scorer.masses(real, fake), info((len(real), len(fake))))
        return Partitioned(name, curve)
    counted = scorer if isinstance(scorer, NeighborScorer) else None
    before = counted.work if counted else {}
    scored = score_samples(scorer, real, fake, split, seed)
    work = None if counted is None else {n: w - before[n] for n, w in counted.work.items()}
    return MethodScored(name, scored, info((scored.real.size, scored.fake.size)), work)


def method_curve(
    chosen: Chosen,
    real: Floats,
    fake: Floats,
    split: float | str | None,
    seed: int,
    labels: list[Any] | None = None,
) -> PRCurve:
    """Return what `pr_curve` returns, for samples that have been read; labels: names of their
    columns."""
    scored = method_scores(chosen, real, fake, split, seed)
    if isinstance(scored, CrossFitted):
        scored = scored.with_names(labels)
    (curve,) = scored.curves().values()
    return checked({chosen.name: curve}, real, fake, seed)[chosen.name]
