"""Curves of cross-fitted log-ratios: every sample is scored by a fit without it.

`info` has the columns that separate the sets by themselves, `columns`, and, below an area of
`ALIKE`, rows of samples: `missed`, real ones with the highest log-ratios, and `least_real`,
generated ones with the lowest.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.curve import PRCurve
from prfast.estimate.columns import telling_columns
from prfast.estimate.intervals import Scores
from prfast.estimate.scores import how_made
from prfast.inputs.arrays import Float64s
from prfast.inputs.samples import Samples
from prfast.inputs.tables import named
from prfast.methods.auto.estimator import Auto, Scored
from prfast.methods.auto.model import ALIKE
from prfast.methods.base import METHODS, recorded

KEY = ("auto", None)
"""Key of the curve among those of several methods and k."""

ROWS = 5  # samples of each set that are named in `info`
TIMES = 2.0  # least density ratio of these, by the score: in their own set over the other one


class CrossFitted(NamedTuple):
    """Scores of all samples, the option `read_out`, and the `info` of their curve."""

    scored: Scored
    read_out: str
    info: dict[str, Any]
    real_rows: Any = slice(None)
    fake_rows: Any = slice(None)

    def curves(
        self, real: Any = slice(None), fake: Any = slice(None), **more: Any
    ) -> dict[tuple[str, Any], PRCurve]:
        """Return the curve of the samples of these indices, by default of all; more: further
        entries of `info`."""
        info = self.info | self.scored.repeats(real, fake) | more
        if not _all(real, fake):  # the columns are those that separate all samples
            info.pop("columns", None)
        curve = self.scored.read_out(real, fake).named(self.read_out, info)
        if _all(real, fake) and curve.area < ALIKE:
            curve = curve.with_info(**self._extremes(curve))
        return {KEY: curve}

    def _extremes(self, curve: PRCurve) -> dict[str, list[int]]:
        """Return the rows of the real samples that are missed most, and of the generated ones that
        are least like real ones."""
        # Where diversity or fidelity is nearly 1 they would be common samples, whose frequencies
        # differ a little.
        missed = _highest(self.scored.real) if curve.diversity < ALIKE else []
        least_real = _highest(-self.scored.fake) if curve.fidelity < ALIKE else []
        rows = {"missed": missed, "least_real": least_real}
        return {name: indices for name, indices in rows.items() if indices}

    def with_names(self, labels: list[Any] | None) -> CrossFitted:
        """Return the same with the names of the columns in `info`, if all columns have one."""
        columns, names = self.info.get("columns"), named(labels)
        if not columns or names is None or len(names) != self.info["n_features"]:
            return self
        columns = [{"column": c["column"], "name": names[c["column"]]} | c for c in columns]
        return self._replace(info=self.info | {"columns": columns})

    def paired(self, n: int, reference: int) -> dict[tuple[str, Any], Scores]:
        """Return the scores with their rows of the n real samples, of which `reference` is the
        checksum."""
        rows = np.arange(n)[self.real_rows]
        scored = self.scored
        return {KEY: Scores(scored.covered_real(), scored.fake, rows, reference, scored.units())}


def cross_fitted(scorer: Auto, real: Samples, fake: Samples) -> CrossFitted:
    """Return the scores of "auto", for samples that have been read."""
    scored = scorer.scores(real, fake)
    sample = scored.sample
    fitted_real = int(sample.fitted_real.sum())
    settings = {name: getattr(scorer, name) for name in recorded(METHODS["auto"])}
    fits = {
        "folds": sample.folds,
        "fitted": [fitted_real, len(sample.fitted) - fitted_real],
        "weights": scored.weights,
    }
    sizes = len(real), len(fake)
    info = how_made("auto", settings | fits, "folds", real, fake, sizes, scorer.random_state)
    columns = telling_columns(real, fake, scorer.random_state)
    return CrossFitted(scored, scorer.read_out, info | ({"columns": columns} if columns else {}))


def _all(*rows: Any) -> bool:
    return all(isinstance(index, slice) and index == slice(None) for index in rows)


def _highest(ratio: Float64s) -> list[int]:
    """Return the rows of the highest log-ratios, the highest first; of equal log-ratios, mostly
    those of equal samples, the first row."""
    _, first = np.unique(-ratio, return_index=True)
    return [int(row) for row in first[:ROWS] if ratio[row] >= np.log(TIMES)]
