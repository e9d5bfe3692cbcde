"""Scores of tables as other packages define them: SDMetrics 0.32 and synthcity 0.2.12, and boosted
trees in the convention of arXiv:2603.23016.

docs/tables.md has the definition of each, and measured cases where it misleads.  The
three distances of rows (dcr) are sums over columns: |difference| / range of the reference column,
at most 1, for numbers and dates; 1 for different categories, and where one of two cells is missing.
The last three scores are synthcity's ``naive`` ones: Euclidean distances of columns scaled to
[0, 1] by the real table, a category being its place among the sorted levels of both tables, and a
missing number the real mean.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from bench.tables.row_distances import nearest_distances, random_rows, scaled, support_scores
from prfast.inputs.frames import CATEGORY, Column, Float64s, Frame, Ints, read_frames

CORRELATION, ASSOCIATION = 0.5, 0.3  # a pair of columns counts above these, in the real table
FOLDS = 3
NEW_LEVEL = 1e-6  # real count of a level that occurs in the generated table only
BINNED_LEVELS = 254  # of the boosted trees, which have 255 bins of a category, one of them pooled
_DECIMALS = 14


def published_scores(
    real: Any,
    fake: Any,
    held_out: Any = None,
    which: Iterable[str] | None = None,
    *,
    categories: Iterable[Any] = (),
    drop: Iterable[Any] = (),
    seed: int = 0,
) -> dict[str, float]:
    """Return scores of data frames by name, NaN where a score is not defined.

    which: by default all that the tables allow: two need `held_out`, and authenticity tables of
    one size.  categories, drop: columns, as for `prfast.encode`.  seed: of folds, trees and random
    rows; ``logistic_detection`` is that of SDMetrics after ``np.random.seed(seed)``.
    """
    sets = {"real": real, "fake": fake} | ({} if held_out is None else {"held_out": held_out})
    tables = _Tables(read_frames(sets, categories=categories, drop=drop), seed)
    left_out = set(NEED_HELD_OUT) if held_out is None else set()
    if tables.real.rows != tables.fake.rows:
        left_out.add("authenticity")
    names = [name for name in SCORES if name not in left_out] if which is None else which
    return {name: float(SCORES[name](tables)) for name in names}


class _Tables:
    """The columns of the sets, without those that have no cells, and what several scores need."""

    def __init__(self, frames: dict[str, Frame], seed: int) -> None:
        self.seed = seed
        frames = {
            name: frame._replace(
                columns=[column for column in frame.columns if column.kind is not None]
            )
            for name, frame in frames.items()
        }
        self.real, self.fake = frames["real"], frames["fake"]
        self.held_out = frames.get("held_out", self.real)

    @property
    def columns(self) -> Iterator[tuple[Column, Column]]:
        """Each column of the real and of the generated table."""
        return zip(self.real.columns, self.fake.columns, strict=True)

    @cached_property
    def distances(self) -> Float64s:
        """Distances of generated rows from the nearest real ones."""
        return nearest_distances(self.fake.columns, self.real.columns)

    @cached_property
    def closer_to_real(self) -> float:
        held_out_distances = nearest_distances(self.fake.columns, self.held_out.columns)
        return float(np.mean(self.distances < held_out_distances))

    @cached_property
    def support(self) -> tuple[float, float, float]:
        """Alpha precision, beta recall and authenticity, which share their distances."""
        return support_scores(*scaled(self.columns))


# ---- SDMetrics: columns and pairs of columns -----------------------------------------------------


def _column_shapes(tables: _Tables) -> float:
    with np.errstate(over="ignore"):
        return _mean([_column_shape(*pair) for pair in tables.columns])


def _column_shape(real: Column, fake: Column) -> float:
    a, b = real.values[~real.missing], fake.values[~fake.missing]
    if not (len(a) and len(b)):
        return np.nan
    if real.kind == CATEGORY:
        counts = [
            np.bincount(cells_sorted.astype(np.int64), minlength=len(real.levels))
            for cells_sorted in (a, b)
        ]
        real_counts = np.where((counts[0] == 0) & (counts[1] > 0), NEW_LEVEL, counts[0])
        return float(1 - np.abs(real_counts / real_counts.sum() - counts[1] / len(b)).sum() / 2)
    a, b = (np.sort(np.round(points, _DECIMALS)) for points in (a, b))
    cells = np.concatenate([a, b])
    shares = [
        np.searchsorted(cells_sorted, cells, side="right") / len(cells_sorted)
        for cells_sorted in (a, b)
    ]
    return float(1 - np.abs(shares[0] - shares[1]).max())


def _column_pair_trends(tables: _Tables) -> float:
    # The bins of each table are between its own extremes, as in SDMetrics.
    codes = [tuple(map(_codes, pair)) for pair in tables.columns]
    columns = [*tables.columns]

    def score(pair: tuple[int, int]) -> float:
        first, second = ([columns[i][table] for i in pair] for table in (0, 1))
        if CATEGORY in (first[0].kind, first[1].kind):
            return _contingency([codes[i][0] for i in pair], [codes[i][1] for i in pair])
        return _correlations(first, second)

    pairs = itertools.combinations(range(len(columns)), 2)
    with warnings.catch_warnings(action="ignore"):
        return _mean([*map(score, pairs)])


def _codes(column: Column) -> Ints:
    """Return the level or the bin of each cell; missing numbers share the bin of the maximum."""
    if column.kind == CATEGORY:
        return np.where(column.missing, len(column.levels), column.values).astype(np.int64)
    edges = np.histogram_bin_edges(column.values[~column.missing])
    return np.digitize(column.values, edges)


def _contingency(real: Sequence[Ints], fake: Sequence[Ints]) -> float:
    """Return 1 − the total variation distance of two-way tables; NaN below Cramér's threshold."""
    width = 1 + max(int(real[1].max()), int(fake[1].max()))
    first, second = (a * width + b for a, b in (real, fake))
    cells, places = np.unique(np.concatenate([first, second]), return_inverse=True)
    p = np.bincount(places[: len(first)], minlength=len(cells)) / len(first)
    q = np.bincount(places[len(first) :], minlength=len(cells)) / len(second)
    rows, columns = (np.bincount(codes) / len(first) for codes in real)
    smaller = min(np.count_nonzero(rows), np.count_nonzero(columns)) - 1
    positive = p > 0
    expected = rows[cells[positive] // width] * columns[cells[positive] % width]
    chi_square = np.sum((p[positive] ** 2) / expected) - 1  # divided by the number of rows
    if smaller < 1 or not np.sqrt(max(0.0, chi_square) / smaller) > ASSOCIATION:
        return np.nan
    return float(1 - np.abs(p - q).sum() / 2)


def _correlations(real: Sequence[Column], fake: Sequence[Column]) -> float:
    real_correlation, fake_correlation = _correlation(*real), _correlation(*fake)
    return (
        1 - abs(real_correlation - fake_correlation) / 2
        if abs(real_correlation) > CORRELATION
        else np.nan
    )


def _correlation(a: Column, b: Column) -> float:
    from scipy.stats import pearsonr

    present = ~(a.missing | b.missing)
    x, y = a.values[present], b.values[present]
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.nan
    return float(pearsonr(x, y)[0])


def _mean(scores: Sequence[float]) -> float:
    """Return the mean of the scores that are defined."""
    present = [score for score in scores if not np.isnan(score)]
    return float(np.mean(present)) if present else np.nan


# ---- classifiers ---------------------------------------------------------------------------------


def _logistic_detection(tables: _Tables) -> float:
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import RobustScaler

    model = make_pipeline(SimpleImputer(), RobustScaler(), LogisticRegression())
    with warnings.catch_warnings():  # 100 iterations, as in SDMetrics
        warnings.filterwarnings("ignore", "lbfgs failed to converge")
        return _detection(tables, _logistic_features(tables), model)


def _logistic_features(tables: _Tables) -> Float64s:
    """Return all rows as SDMetrics encodes them: by the real table, numbers before categories."""
    ordered, indicators = [], []
    for real, fake in tables.columns:
        values = np.concatenate([real.values, fake.values])
        present = real.values[~real.missing]
        if real.kind != CATEGORY:
            filling = present.mean() if len(present) else np.nan
            ordered.append(np.where(np.isnan(values), filling, values))
        elif real.source in ("Boolean", "Object") and {*real.levels} <= {"False", "True"}:
            truth = np.array([float(level == "True") for level in real.levels] + [np.nan])
            cells = truth[np.where(np.isnan(values), -1, values).astype(np.int64)]
            often = float(np.nanmean(cells[: len(real.values)]) > 0.5) if len(present) else np.nan
            ordered.append(np.where(np.isnan(cells), often, cells))
        else:
            levels = sorted({*present.astype(np.int64)}, key=lambda i: real.levels[i])
            indicators += [values == level for level in levels]
            indicators += [np.isnan(values)] if real.missing.any() else []
    return np.column_stack([*ordered, *indicators]).astype(np.float64)


def _boosted_trees(tables: _Tables) -> float:
    from sklearn.ensemble import HistGradientBoostingClassifier

    features = []
    for real, fake in tables.columns:
        values = np.concatenate([real.values, fake.values])
        if real.kind == CATEGORY and len(real.levels) > BINNED_LEVELS:
            present = ~np.isnan(values)
            counts = np.bincount(values[present].astype(np.int64), minlength=len(real.levels))
            places = np.empty(len(counts))
            # Equal counts by their text, not by the order of the rows.
            places[np.lexsort((np.array(real.levels), -counts))] = np.arange(len(counts))
            values[present] = np.minimum(places[values[present].astype(np.int64)], BINNED_LEVELS)
        features.append(values)
    is_category = [real.kind == CATEGORY for real in tables.real.columns]
    model = HistGradientBoostingClassifier(
        categorical_features=is_category, random_state=tables.seed
    )
    return _detection(tables, np.column_stack(features), model)


def _detection(tables: _Tables, features: Float64s, model: Any) -> float:
    """Return the mean of 2 − 2 max(AUC, ½) over stratified folds."""
    from sklearn.base import clone
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold

    is_real = np.repeat([1, 0], [tables.real.rows, tables.fake.rows])
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=tables.seed)

    def score(fold: tuple[Ints, Ints]) -> float:
        train, test = fold
        fitted = clone(model).fit(features[train], is_real[train])
        auc = roc_auc_score(is_real[test], fitted.predict_proba(features[test])[:, 1])
        return float(2 - 2 * max(auc, 0.5))

    return float(np.mean([*map(score, folds.split(features, is_real))]))


def _dcr_baseline(tables: _Tables) -> float:
    random = random_rows(tables.real.columns, tables.fake.rows, tables.seed)
    baseline = np.median(nearest_distances(random, tables.real.columns))
    return float(min(1.0, np.median(tables.distances) / baseline)) if baseline > 0 else np.nan


# ---- the scores ----------------------------------------------------------------------------------

SCORES: dict[str, Callable[[_Tables], float]] = {
    "column_shapes": _column_shapes,
    "column_pair_trends": _column_pair_trends,
    "logistic_detection": _logistic_detection,
    "boosted_trees": _boosted_trees,
    "dcr_share": lambda tables: tables.closer_to_real,
    "dcr_overfitting": lambda tables: min(1.0, 2 * (1 - tables.closer_to_real)),
    "dcr_baseline": _dcr_baseline,
    "alpha_precision": lambda tables: tables.support[0],
    "beta_recall": lambda tables: tables.support[1],
    "authenticity": lambda tables: tables.support[2],
}
NEED_HELD_OUT = ("dcr_share", "dcr_overfitting")
