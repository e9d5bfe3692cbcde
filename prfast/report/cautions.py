"""Cautions of a report, and the escaped text and tables of its page.

Cautions are on contradictions, numbers of samples, methods, splits, copies, and metrics that order
models otherwise than the curves do.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import permutations
from typing import Any, NamedTuple

from prfast.comparison.differences import CurveDifferences, Difference
from prfast.curve import PRCurve
from prfast.curve.notes import notes_of_several
from prfast.curve.summary import f_1_8, f_8, row_of
from prfast.estimate.guard import contradictions
from prfast.results.values import escaped, shortened

COPIES = 0.2  # authenticity below which there is a caution; that of equal laws is 1/3 or more
OPPOSED = {"recall": f_8, "precision": f_1_8}  # metrics, and the numbers that should order alike
_UNKNOWN = 0.05  # least difference of a metric without known error that contradicts a curve
_WIDE = 6  # columns of numbers with ± that fit on paper


# ---- escaped text --------------------------------------------------------------------------------


def formula(text: str) -> str:
    """Return a formula as HTML, with the subscripts of r_k, r_{k′}, R_X and Π_x, but not of names
    such as p_k."""
    return re.sub(r"\b([rRΠ])_(?:\{([\w′]+)\}|(\w)\b)", r"\1<sub>\2\3</sub>", escaped(text))


def breakable(name: str) -> str:
    """Return a name as HTML that may be broken after separators."""
    return "<wbr>".join(escaped(part) for part in re.split(r"(?<=[/\\_.:-])(?=.)", name))


def as_json(data: Any) -> str:
    """Return JSON in which no tag can end or begin."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def as_program(source: str) -> str:
    """Return JavaScript that cannot end its script element."""
    return source.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def asset(name: str) -> str:
    """Return the text of a file beside this one."""
    return files("prfast.report").joinpath(name).read_text(encoding="utf-8")


def without_folders(names: Sequence[str]) -> tuple[list[str], str]:
    """Return names of files without their common folders, and these folders."""
    start = len(_common(names))
    cut = max(names[0].rfind(slash, 0, start) for slash in "/\\") + 1 if len(names) > 1 else 0
    if any(len(name) <= cut for name in names):
        cut = 0
    return [name[cut:] for name in names], names[0][:cut]


def _common(names: Sequence[str]) -> str:
    """Return the longest common prefix."""
    low, high = min(names), max(names)
    same = (i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b)
    return low[: next(same, min(len(low), len(high)))]


# ---- sortable tables -----------------------------------------------------------------------------


class Column(NamedTuple):
    """A column of a table of models."""

    title: str
    values: Sequence[float]
    half_widths: Sequence[float] | None = None
    """Half widths of 95 % intervals, shown after the values; NaN where unknown."""
    falling: bool = True
    """Whether larger values are better, and come first when the column is sorted."""
    digits: str = ".4f"


def table(caption: str, names: Sequence[str], columns: Sequence[Column]) -> str:
    """Return an HTML table with a row for each model."""
    heads = [_head("model", False)] + [_head(c.title, c.falling) for c in columns]
    rows = []
    for i, name in enumerate(names):
        cells = [f'<th scope="row" data-key="{escaped(name)}">{breakable(name)}</th>']
        rows.append(f"<tr>{''.join([*cells, *(_cell(column, i) for column in columns)])}</tr>")
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escaped(caption)}">'
        f'<table class="sortable"><caption>{escaped(caption)}</caption>'
        f"<thead><tr>{''.join(heads)}</tr></thead>\n<tbody>\n{chr(10).join(rows)}\n</tbody>"
        "</table></div>\n"
    )


def tables(caption: str, names: Sequence[str], columns: Sequence[Column]) -> str:
    """Return the columns as several tables, none of which is too wide for paper."""
    parts = [columns[i : i + _WIDE] for i in range(0, len(columns), _WIDE)]
    titles = [caption, *[f"{caption}, continued"] * (len(parts) - 1)]
    return "".join(table(title, names, part) for title, part in zip(titles, parts, strict=False))


def _cell(column: Column, i: int) -> str:
    value = column.values[i]
    text = "–" if math.isnan(value) else f"{value:{column.digits}}"
    half = math.nan if column.half_widths is None else column.half_widths[i]
    if not math.isnan(half):
        text += f' <span class="spread">± {half:{column.digits}}</span>'
    key = "" if math.isnan(value) else repr(float(value))
    return f'<td data-key="{key}">{text}</td>'


def _head(title: str, falling: bool) -> str:
    first = "descending" if falling else "ascending"
    return (
        f'<th scope="col" aria-sort="none" data-first="{first}">'
        f'<button type="button">{escaped(title)}</button></th>'
    )


# ---- cautions ------------------------------------------------------------------------------------


def alerts(models: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Return the names of models whose curves contradict each other or the metrics, with sentences
    on this."""
    results = []
    for name, model in models.items():
        is_curve = isinstance(model, PRCurve)
        curves = {"its method": model} if is_curve else model.curves
        lines = contradictions(curves, None if is_curve else model.metrics)
        if lines:
            results.append((name, lines))
    return results


def cautions(names: Sequence[str], curves: Sequence[PRCurve]) -> list[str]:
    """Return cautions on the samples, methods and splits of curves."""
    lines = []
    reals, fakes = _sizes(curves, "n_real"), _sizes(curves, "n_fake")
    sizes = reals + fakes
    lines += notes_of_several(dict(zip(names, (curve.info for curve in curves), strict=True)))
    if len(fakes) == len(names) and max(fakes) > 1.05 * min(fakes):
        models = shortened([f"{name} ({size})" for name, size in zip(names, fakes, strict=True)])
        lines.append(
            f"The models have different numbers of samples: {models}. Estimates move with that "
            "number; compare equal ones before a small difference is believed."
        )
    if reals and fakes and max(sizes) > 2 * min(sizes):
        lines.append(
            "The largest set has more than twice the samples of the smallest: the metrics of "
            "nearest neighbours depend on both sizes, and are best compared at equal ones."
        )
    made_by = [{key: curve.info.get(key) for key in ("method", "k", "split")} for curve in curves]
    if any(how != made_by[0] for how in made_by):
        lines.append(
            "The curves were not estimated in one way (method, k or split differ): their "
            "differences are not those of the models alone."
        )
    methods = {str(how["method"]) for how in made_by if how["method"] is not None}
    if "kmeans" in methods:
        lines.append(
            "Cells of k-means hide differences inside a cell; the curve can lie on either side "
            "of the true one."
        )
    if any(
        "split" in curve.info
        and curve.info["split"] is None
        and curve.info.get("fitted") is not False
        and curve.info.get("folds") is None
        and how["method"] != "kmeans"
        for curve, how in zip(curves, made_by, strict=True)
    ):
        lines.append(
            "Without a split a scorer that was fitted to the samples scores these same samples: "
            "the curve can fall below the true one."
        )
    if any(curve.info.get("split") is not None for curve in curves):
        lines.append(
            "A scorer on held-out samples gives a curve above the true one, up to sampling: what "
            "it misses may be missing still."
        )
    return lines


def of_metrics(
    names: Sequence[str],
    differences: CurveDifferences,
    metrics: Mapping[str, Column],
    of_halves: Mapping[str, Sequence[Difference]],
) -> list[str]:
    """Return cautions on metrics that indicate copies, or order models otherwise than the curves.

    of_halves: the differences of each metric whose errors are known.
    """
    lines = []
    if "authenticity" in metrics:
        for name, value in zip(names, metrics["authenticity"].values, strict=True):
            if value < COPIES:
                lines.append(
                    f"{name} has authenticity {value:.2f}: most of its samples are copies of real "
                    "ones, or nearer to one than that is to any other real one. A model that is "
                    "too narrow has such samples as well."
                )
    for key, number in OPPOSED.items():
        pairs = (
            _opposite(differences, number, metrics[key], of_halves.get(key))
            if key in metrics
            else []
        )
        if pairs:
            title = row_of(number).title
            i, j = pairs[0]
            more = "" if len(pairs) < 2 else f" So it is of {len(pairs)} pairs of models."
            lines.append(
                f"The metric {key} is higher for {names[i]} than for {names[j]}, {title} of the "
                f"curves is lower: the two order these models in opposite ways. What is said "
                f"here follows {title}.{more}"
            )
    return lines


def _opposite(
    differences: CurveDifferences,
    number: Any,
    metric: Column,
    of_halves: Sequence[Difference] | None,
) -> list[tuple[int, int]]:
    """Return the models i, j of which i has the clearly larger metric, and the clearly smaller
    number of the curve."""
    clear = {(pair.model, pair.other) for pair in of_halves or () if pair.clear}

    def exceeds(i: int, j: int) -> bool:
        excess = metric.values[i] - metric.values[j]
        if of_halves is None:
            return excess > _UNKNOWN
        pair = differences.names[i], differences.names[j]
        return excess > 0 and (pair in clear or pair[::-1] in clear)

    return [
        (i, j)
        for i, j in permutations(range(len(metric.values)), 2)
        if exceeds(i, j) and differences.falls_short(number, i, j)
    ]


def _sizes(curves: Sequence[PRCurve], key: str) -> list[int]:
    sizes = (curve.info.get(key) for curve in curves)
    return [size for size in sizes if isinstance(size, int)]
