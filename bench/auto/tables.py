"""Tables of the draws: families × methods with the best marked, figures, exceptions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bench.auto.estimates import ORACLE
from bench.results import Figure

JUDGED = "auto"
TARGET = 0.965  # of the mean IoU
ALLOWED = 0.02  # below the best of the others
AREA = 0.01  # of samples that have nothing in common, and of what the same ones lack
IMAGES_APART = ("images-noise", "images-factorized", "images-shuffled")


def estimators(methods: Sequence[str]) -> list[str]:
    """Return those that see samples alone: not the exact ratio."""
    return [name for name in methods if name != ORACLE]


class Table:
    """Means over the draws as data frames, a row a family and a column a method: `iou`, its
    standard error, area / true area − 1, and the area.  `iou` has the families whose curve is
    known."""

    def __init__(self, rows: Sequence[Mapping[str, Any]], methods: Sequence[str]) -> None:
        import pandas as pd

        draws = pd.DataFrame(rows).astype({"iou": float, "true_area": float})
        draws["bias"] = draws["area"] / draws["true_area"] - 1
        numbers = draws.groupby(["family", "method"], sort=False)[["iou", "area", "bias"]]
        means, errors = (
            frame.unstack().reindex(draws["family"].unique())
            for frame in (numbers.mean(), numbers.sem())
        )
        self.methods = [name for name in methods if name in means["area"]]
        self.area, self.bias = means["area"][self.methods], means["bias"]
        self.error = errors["iou"]
        self.iou = means["iou"][self.methods].dropna(how="all")
        self.best = self.iou[estimators(self.methods)].max(axis=1)
        rivals = [name for name in estimators(self.methods) if name != JUDGED]
        self.common = self.iou[rivals].notna().all(axis=1)
        self.lead = pd.Series(dtype=float)
        if JUDGED in self.methods and rivals:
            self.lead = (self.iou[JUDGED] - self.iou[rivals].max(axis=1)).dropna()

    def lines(self) -> list[tuple[str, ...]]:
        """Return a head and a line a family: IoU ± standard error (bias), the best of what is no
        oracle with a star; how far the judged method is ahead."""
        results = [("family", *self.methods, f"{JUDGED} − best other")]
        for family in self.area.index:
            ahead = f"{self.lead[family]:+.3f}" if family in self.lead else ""
            results.append((family, *(self._cell(family, name) for name in self.methods), ahead))
        return results

    def _cell(self, family: str, method: str) -> str:
        if family not in self.iou.index:
            return f"area {self.area.loc[family, method]:.3f}"
        iou, error = self.iou.loc[family, method], self.error.loc[family, method]
        star = "*" if iou == self.best[family] and estimators([method]) else ""
        between = "" if error != error else f" ± {error:.3f}"  # NaN of one draw
        return f"{star}{iou:.3f}{between} ({self.bias.loc[family, method]:+.3f})"

    def figures(self, groups: Mapping[str, str]) -> list[Figure]:
        """Return mean IoU over the families that all methods have, of each group, and the least;
        how far the judged method is behind at most; what must become of areas of images."""
        results = []
        if len(self.lead):
            results = [
                Figure(f"{JUDGED} − best other, least", self.lead.min(), at_least=-ALLOWED),
                Figure(f"{JUDGED} − best other, mean", self.lead.mean()),
            ]
        for name in self.methods:
            own = self.iou[name].dropna()
            if len(own):
                mean, target = own[self.common].mean(), TARGET if name == JUDGED else None
                count = int(self.common[own.index].sum())
                results.append(Figure(f"{name}: mean IoU, {count} families", mean, at_least=target))
                results.append(Figure(f"{name}: least IoU", own.min()))
                of_groups = own.groupby(groups, sort=False).mean()
                results += [Figure(f"{name}, {g}: mean IoU", x) for g, x in of_groups.items()]
                near = int((own >= self.best[own.index] - ALLOWED).sum())
                results.append(Figure(f"{name}: families within {ALLOWED:g} of the best", near))
            results += self._image_figures(name)
        return results

    def _image_figures(self, method: str) -> list[Figure]:
        """Areas of a method on images; the targets are the judged one's."""
        area, own = self.area[method].dropna(), method == JUDGED
        results = []
        nothing = area[area.index.isin(IMAGES_APART)]
        if len(nothing):
            label = f"{method}: area of noise, factorized, shuffled"
            results.append(Figure(label, nothing.max(), at_most=AREA if own else None))
        if "images-held-out" in area:
            least = 1 - AREA if own else None
            label = f"{method}: area of held-out"
            results.append(Figure(label, area["images-held-out"], at_least=least))
        rise = area[area.index.str.startswith("images-plus-")].diff().dropna()
        if len(rise):
            label = f"{method}: largest rise of area with noise"
            results.append(Figure(label, rise.max(), at_most=0.0 if own else None))
        return results

    def exceptions(self) -> str:
        """Families where the judged method is too far below the best of the others, by name."""
        behind = self.lead[self.lead < -ALLOWED]
        named = ", ".join(f"{family} ({ahead:+.3f})" for family, ahead in behind.items())
        return f"{JUDGED} more than {ALLOWED:g} below the best: {named or 'nowhere'}"
