"""Tables of the draws: families × methods with the best marked, figures, exceptions."""

from collections.abc import Mapping, Sequence
from typing import Any

from bench.auto.estimates import ORACLE
from bench.report import Figure

JUDGED = "auto"
TARGET = 0.965  # of the mean IoU
ALLOWED = 0.02  # below the best of the others


class Table:
    """Means over the draws as data frames, a row a family and a column a method: `iou`, its
    standard error, area / true area − 1."""

    def __init__(self, rows: Sequence[Mapping[str, Any]], methods: Sequence[str]) -> None:
        import pandas as pd

        draws = pd.DataFrame(rows)
        draws["bias"] = draws["area"] / draws["true_area"] - 1
        numbers = draws.groupby(["family", "method"], sort=False)[["iou", "bias"]]
        means, errors = (
            frame.unstack().reindex(draws["family"].unique())
            for frame in (numbers.mean(), numbers.sem())
        )
        self.methods = [name for name in methods if name in means["iou"]]
        self.iou, self.bias = means["iou"][self.methods], means["bias"]
        self.error = errors["iou"]
        estimators = [name for name in self.methods if name != ORACLE]
        rivals = [name for name in estimators if name != JUDGED]
        self.best = self.iou[estimators].max(axis=1)
        self.lead = pd.Series(dtype=float)
        if JUDGED in self.methods and rivals:
            self.lead = self.iou[JUDGED] - self.iou[rivals].max(axis=1)

    def lines(self) -> list[tuple[str, ...]]:
        """Return a head and a line a family: IoU ± standard error (bias), the best of what is no
        oracle with a star; how far the judged method is ahead."""
        results = [("family", *self.methods, f"{JUDGED} − best other")]
        for family in self.iou.index:
            ahead = f"{self.lead[family]:+.3f}" if family in self.lead else ""
            results.append((family, *(self._cell(family, name) for name in self.methods), ahead))
        return results

    def _cell(self, family: str, method: str) -> str:
        iou, error = self.iou.loc[family, method], self.error.loc[family, method]
        if iou != iou:  # the oracle of images
            return ""
        star = "*" if method != ORACLE and iou == self.best[family] else ""
        between = "" if error != error else f" ± {error:.3f}"  # NaN of one draw
        return f"{star}{iou:.3f}{between} ({self.bias.loc[family, method]:+.3f})"

    def figures(self, groups: Mapping[str, str]) -> list[Figure]:
        """Return mean and least IoU of each method, over all families and of each group, and how
        far the judged method is behind at most."""
        results = []
        if len(self.lead):
            results = [
                Figure(f"{JUDGED} − best other, least", self.lead.min(), at_least=-ALLOWED),
                Figure(f"{JUDGED} − best other, mean", self.lead.mean()),
            ]
        for name in self.methods:
            iou = self.iou[name].dropna()
            target = TARGET if name == JUDGED else None
            mean = Figure(f"{name}: mean IoU, {len(iou)} families", iou.mean(), at_least=target)
            results += [mean, Figure(f"{name}: least IoU", iou.min())]
            group_means = iou.groupby(groups, sort=False).mean()
            results += [Figure(f"{name}, {g}: mean IoU", x) for g, x in group_means.items()]
            near = int((iou >= self.best[iou.index] - ALLOWED).sum())
            results.append(Figure(f"{name}: families within {ALLOWED:g} of the best", near))
        return results

    def exceptions(self) -> str:
        """Families where the judged method is too far below the best of the others, by name."""
        behind = self.lead[self.lead < -ALLOWED]
        named = ", ".join(f"{family} ({ahead:+.3f})" for family, ahead in behind.items())
        return f"{JUDGED} more than {ALLOWED:g} below the best: {named or 'nowhere'}"
