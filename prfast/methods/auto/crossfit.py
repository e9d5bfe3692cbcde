"""Cross-fitting: every row is scored by a fit without its fold.

A base has a `name`, a `difference` in words and

    fit(view, y, w) → scorer      or      fit_folds(data) → scorer

with `scorer.score(view)`, the columns of a view, each larger where more like real ones.  The first
form knows nothing of folds: it is fitted anew without each group of folds, or without each fold
where its `by_fold` is true, to at most `rows` rows.  The second leaves out folds itself, such as by
subtracting the sums of a fold.  A fit that returns None does not apply to the data.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.methods.auto.coordinates import Data, View


class Crossed(NamedTuple):
    """The scorers of all groups of folds, or of all folds."""

    scorers: list[Any]

    def score(self, view: View) -> Float64s:
        """Return the columns by the fit without the fold of the view."""
        columns = self.scorers[view.fold % len(self.scorers)].score(view)
        return np.asarray(columns, np.float64).reshape(len(view), -1)


def cross_fit(base: Any, data: Data) -> tuple[Any, Float64s] | None:
    """Return the scorer of a base, and the columns of all rows by the fits without their folds."""
    if hasattr(base, "fit_folds"):
        scorer = base.fit_folds(data)
        if scorer is None:
            return None
    else:
        of_row = data.fold if getattr(base, "by_fold", False) else data.group
        scorers = []
        for left_out in range(int(of_row.max()) + 1):
            places = np.flatnonzero(of_row != left_out)
            places = data.labelled("rows", getattr(base, "rows", len(places)), places)
            fitted = base.fit(data.view(places), data.y[places], data.balanced(places))
            if fitted is None:
                return None
            scorers.append(fitted)
        scorer = Crossed(scorers)
    return scorer, np.concatenate([scorer.score(view) for _, view in data.blocks()])
