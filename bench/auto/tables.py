"""Tables of the draws: families × methods with the best marked, figures, exceptions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean, stdev
from typing import Any, NamedTuple

from bench.auto.estimates import ORACLE, ORACLE_ESTIMATES
from bench.results import Figure

JUDGED = "auto"
TARGET = 0.965  # of the mean IoU
ALLOWED = 0.02  # below the best of the others
AREA = 0.01  # of samples that have nothing in common, and of what the same ones lack
IMAGES_APART = ("images-noise", "images-factorized", "images-shuffled")


Row = Mapping[str, Any]  # of a draw and a method


class Cell(NamedTuple):
    """Means over the draws; IoU and its standard error, area / true area − 1 where it is known."""

    iou: float | None
    error: float | None
    bias: float | None
    area: float


Table = dict[str, dict[str, Cell]]  # by family, then by method


def summarize(rows: Sequence[Row]) -> Table:
    by: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        by.setdefault((row["family"], row["method"]), []).append(row)
    table: Table = {}
    for (family, method), own in by.items():
        table.setdefault(family, {})[method] = _cell(own)
    return table


def _cell(rows: Sequence[Row]) -> Cell:
    area = fmean(row["area"] for row in rows)
    if rows[0]["iou"] is None:
        return Cell(None, None, None, area)
    ious = [row["iou"] for row in rows]
    error = stdev(ious) / math.sqrt(len(ious)) if len(ious) > 1 else None
    bias = fmean(row["area"] / row["true_area"] - 1 for row in rows)
    return Cell(fmean(ious), error, bias, area)


def estimators(methods: Sequence[str]) -> list[str]:
    """Return those that see samples alone: not the exact ratio."""
    return [name for name in methods if name not in (ORACLE, *ORACLE_ESTIMATES)]


def rivals(methods: Sequence[str]) -> list[str]:
    """Return the estimators that the judged method is compared with."""
    return [name for name in estimators(methods) if name != JUDGED]


def lead(cells: Mapping[str, Cell]) -> float | None:
    """IoU of the judged method minus that of the best of the others; None without both."""
    own = cells[JUDGED].iou if JUDGED in cells else None
    best = best_of(cells, rivals(list(cells)))
    return None if own is None or best is None else own - (cells[best].iou or 0.0)


def best_of(cells: Mapping[str, Cell], methods: Sequence[str]) -> str | None:
    known = [name for name in methods if name in cells and cells[name].iou is not None]
    return max(known, key=lambda name: cells[name].iou or 0.0, default=None)


# ---- shown -------------------------------------------------------------------------------------


def lines(table: Table, methods: Sequence[str]) -> list[tuple[str, ...]]:
    """Return a head and a line a family: IoU ± standard error (bias), the best of what is no
    oracle with a star; the verdict on the judged method."""
    last = [f"{JUDGED} − best", f"{JUDGED} >= {TARGET}"] if JUDGED in methods else []
    results = [("family", *methods, *last)]
    for family, cells in table.items():
        best = best_of(cells, estimators(methods))
        cells_of_row = [_shown(cells.get(name), star=name == best) for name in methods]
        if last:
            cells_of_row += _verdict(cells)
        results.append((family, *cells_of_row))
    return results


def _shown(cell: Cell | None, *, star: bool) -> str:
    if cell is None:
        return "-"
    if cell.iou is None:
        return f"area {cell.area:.3f}"
    error = "" if cell.error is None else f" ± {cell.error:.3f}"
    return f"{'*' if star else ''}{cell.iou:.3f}{error} ({cell.bias:+.3f})"


def _verdict(cells: Mapping[str, Cell]) -> list[str]:
    own, ahead = cells.get(JUDGED), lead(cells)
    if own is None or own.iou is None:
        return ["", ""]
    return ["" if ahead is None else f"{ahead:+.3f}", "yes" if own.iou >= TARGET else "no"]


# ---- judged ------------------------------------------------------------------------------------


def figures(table: Table, methods: Sequence[str]) -> list[Figure]:
    """Mean IoU over the families that all methods have; how far the judged one is behind at most;
    what must become of areas."""
    results = []
    common = [
        cells for cells in table.values() if all(_has_iou(cells, name) for name in rivals(methods))
    ]
    for name in methods:
        own = [cells[name].iou or 0.0 for cells in common if _has_iou(cells, name)]
        if own:
            target = {"at_least": TARGET} if name == JUDGED else {}
            results.append(Figure(f"{name}: mean IoU, {len(own)} families", fmean(own), **target))
    leads = [ahead for cells in table.values() if (ahead := lead(cells)) is not None]
    if leads:
        results.append(Figure(f"{JUDGED} − best other, least", min(leads), at_least=-ALLOWED))
        results.append(Figure(f"{JUDGED} − best other, mean", fmean(leads)))
    for name in methods:
        results += _image_figures(table, name)
    return results


def group_figures(table: Table, groups: Mapping[str, str], methods: Sequence[str]) -> list[Figure]:
    """Mean IoU of each group of families, the least of all, and in how many the method is the best
    estimator or within ALLOWED of it."""
    results = []
    for name in methods:
        own = {f: cells[name].iou or 0.0 for f, cells in table.items() if _has_iou(cells, name)}
        for group in dict.fromkeys(groups[family] for family in own):
            of = [iou for family, iou in own.items() if groups[family] == group]
            results.append(Figure(f"{name}, {group}: mean IoU", fmean(of)))
        if own:
            results.append(Figure(f"{name}: least IoU", min(own.values())))
        if name in estimators(methods):
            best = {f: best_of(table[f], estimators(methods)) or name for f in own}
            near = sum(own[f] >= (table[f][best[f]].iou or 0.0) - ALLOWED for f in own)
            results.append(Figure(f"{name}: families within {ALLOWED:g} of the best", near))
    return results


def _has_iou(cells: Mapping[str, Cell], method: str) -> bool:
    return method in cells and cells[method].iou is not None


def _image_figures(table: Table, method: str) -> list[Figure]:
    """Areas of a method on images; the targets are the judged one's."""
    areas = {family: cells[method].area for family, cells in table.items() if method in cells}
    own = method == JUDGED
    results = []
    nothing = [areas[name] for name in IMAGES_APART if name in areas]
    if nothing:
        target = {"at_most": AREA} if own else {}
        results.append(
            Figure(f"{method}: area of noise, factorized, shuffled", max(nothing), **target)
        )
    if "images-held-out" in areas:
        target = {"at_least": 1 - AREA} if own else {}
        results.append(Figure(f"{method}: area of held-out", areas["images-held-out"], **target))
    noisy = [areas[name] for name in areas if name.startswith("images-plus-")]
    if len(noisy) > 1:
        rise = max(after - before for before, after in pairwise(noisy))
        target = {"at_most": 0.0} if own else {}
        results.append(Figure(f"{method}: largest rise of area with noise", rise, **target))
    return results


def exceptions(table: Table) -> str:
    """Families where the judged method is too far below the best of the others, by name."""
    behind = {
        family: ahead for family, cells in table.items() if (ahead := lead(cells)) is not None
    }
    if not behind:
        return f"{JUDGED}: not among the methods"
    named = [f"{family} ({ahead:+.3f})" for family, ahead in behind.items() if ahead < -ALLOWED]
    return f"{JUDGED} more than {ALLOWED:g} below the best: {', '.join(named) or 'nowhere'}"
