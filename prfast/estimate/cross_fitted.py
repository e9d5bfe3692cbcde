"""Curves of log-ratios that were cross-fitted: every sample scored by a fit without it.

Records name the columns that tell the sets apart by themselves, `columns`, and, below an area of
`ALIKE`, rows of samples: `missed`, real ones with the highest log-ratios, and `least_real`,
generated ones with the lowest.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.cluster.sharded import Sharded
from prfast.curve import PRCurve
from prfast.estimate.columns import telling_columns
from prfast.estimate.intervals import Scores
from prfast.estimate.scores import how_made
from prfast.inputs.arrays import Float64s, Floats
from prfast.inputs.tables import named
from prfast.scorers.auto.estimator import Auto, Scored
from prfast.scorers.auto.model import ALIKE
from prfast.scorers.methods import METHODS, recorded

KEY = ("auto", None)
"""Where several methods and k have their curves."""

ROWS = 5  # samples of each set that a record names,
TIMES = 2.0  # which are so many times as frequent in their own set, by the score


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
        about = self.info | self.scored.repeats(real, fake) | more
        if not _all(real, fake):  # of all samples
            about.pop("columns", None)
        curve = found.named(self.read_out, about)
        if _all(real, fake) and curve.area < ALIKE:
            curve = curve.with_info(**self._extremes(curve))
        return {KEY: curve}

    def _extremes(self, curve: PRCurve) -> dict[str, list[int]]:
        """Return the rows of the real samples that are missed most, where diversity is not full,
        and of the generated ones that are least like real ones, where fidelity is not: elsewhere
        they are common samples that come a little too seldom or too often."""
        missed = _highest(self.scored.real) if curve.diversity < ALIKE else []
        least_real = _highest(-self.scored.fake) if curve.fidelity < ALIKE else []
        rows = {"missed": missed, "least_real": least_real}
        return {name: one for name, one in rows.items() if one}

    def with_names(self, labels: list[Any] | None) -> CrossFitted:
        """Return the same with the names of the columns in its record, where all have one."""
        columns, names = self.info.get("columns"), named(labels)
        if not columns or names is None or len(names) != self.info["n_features"]:
            return self
        told = [{"column": one["column"], "name": names[one["column"]]} | one for one in columns]
        return self._replace(info=self.info | {"columns": told})

    def paired(self, n: int, reference: int) -> dict[tuple[str, Any], Scores]:
        """The scores, with the rows of the n real samples of a reference that they are of."""
        rows = np.arange(n)[self.real_rows]
        scored = self.scored
        return {KEY: Scores(scored.covered_real(), scored.fake, rows, reference, scored.units())}


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
    columns = telling_columns(real, fake, scorer.random_state)
    return CrossFitted(scored, scorer.read_out, info | ({"columns": columns} if columns else {}))


def _all(*rows: Any) -> bool:
    return all(isinstance(one, slice) and one == slice(None) for one in rows)


def _highest(ratio: Float64s) -> list[int]:
    """Return the rows of the highest log-ratios, the highest first, of equal ones the first row: as
    a rule they are of equal samples."""
    _, first = np.unique(-ratio, return_index=True)
    return [int(row) for row in first[:ROWS] if ratio[row] >= np.log(TIMES)]
