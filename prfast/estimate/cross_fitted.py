"""Curves of log-ratios that were cross-fitted: every sample scored by a fit without it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.cluster.sharded import Sharded
from prfast.curve import PRCurve
from prfast.estimate.paired import Scores
from prfast.estimate.record import how_made
from prfast.inputs.arrays import Floats
from prfast.scorers.auto.estimator import Auto, Scored
from prfast.scorers.methods import METHODS, recorded

KEY = ("auto", None)
"""Where several methods and k have their curves."""


class CrossFitted(NamedTuple):
    """Scores of all samples, the read-out that is wanted, and how they were made."""

    scored: Scored
    read_out: str
    info: dict[str, Any]
    real_rows: Any = slice(None)
    fake_rows: Any = slice(None)

    def curves(
        self, real: Any = slice(None), fake: Any = slice(None), **more: Any
    ) -> dict[tuple[str, Any], PRCurve]:
        """The curve of these samples, all by default; more: what its record says besides."""
        found = self.scored.read_out(real, fake)
        info = self.info | self.scored.repeats(real, fake) | more
        return {KEY: found.named(self.read_out, info)}

    def paired(self, n: int, reference: int) -> dict[tuple[str, Any], Scores]:
        """The scores, with the rows of the n real samples of a reference that they are of."""
        rows = np.arange(n)[self.real_rows]
        scored = self.scored
        return {KEY: Scores(scored.real, scored.fake, rows, reference, scored.units())}


def cross_fitted(scorer: Auto, real: Floats | Sharded, fake: Floats | Sharded) -> CrossFitted:
    """Of samples that have been read."""
    scored = scorer.scores(real, fake)
    sample = scored.sample
    fitted = int(sample.fitted_real.sum())
    settings = {name: getattr(scorer, name) for name in recorded(METHODS["auto"])}
    about = {
        "folds": sample.folds,
        "fitted": [fitted, len(sample.fitted) - fitted],
        "weights": scored.weights,
    }
    sizes = len(real), len(fake)
    info = how_made("auto", settings | about, "folds", real, fake, sizes, scorer.random_state)
    return CrossFitted(scored, scorer.read_out, info)
