"""Scores of tables as other packages define them: SDMetrics, synthcity and boosted trees.

Each has a row in `_SCORES`, the function that computes it from the columns that `read_frames`
returns, and in `FOOLED_BY`.  Definitions: SDMetrics 0.32 and synthcity 0.2.12;
docs/tables-published.md has the source of each and measured cases where it misleads.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from prfast.inputs.concurrency import (
    bounded_map,
    one_blas_thread,
    one_openmp_thread,
    resolve_threads,
    thread_pool,
    warning_filter,
)
from prfast.inputs.errors import WrongType, WrongValue, closest, kind_of
from prfast.inputs.frames import CATEGORY, Column, Float64s, Frame, Ints, read_frames
from prfast.inputs.options import RandomState, read_list, read_seed
from prfast.results.values import Values, as_text
from prfast.tables.row_distances import nearest_distances, random_rows, scaled, support_scores

CORRELATION, ASSOCIATION = 0.5, 0.3  # a pair of columns counts above these, in the real table
FOLDS = 3
NEW_LEVEL = 1e-6  # real count of a level that occurs in the generated table only
BINNED_LEVELS = 254  # of the boosted trees, which have 255 bins of a category, one of them pooled
_DECIMALS = 14


class PublishedScores(Values[float]):
    """Mapping of names to scores, in the order of ``which``; prints with what fools each.

    ``info``: numbers of rows and columns, the seed, and scores that were left out and why.
    """

    def text(self, name: str) -> str:
        """Return a score with four decimals."""
        return as_text(self[name], ".4f")

    def notes(self) -> list[str]:
        """Return for each score what it does not detect, and what was left out."""
        left_out = [
            f"{name} left out: {why}" for name, why in self.info.get("left_out", {}).items()
        ]
        return [f"{name}: {FOOLED_BY[name]}" for name in self] + left_out


def published_scores(
    real: Any,
    fake: Any,
    held_out: Any = None,
    which: str | Sequence[str] | None = None,
    *,
    categories: Iterable[Any] = (),
    drop: Iterable[Any] = (),
    random_state: RandomState = 0,
    n_jobs: int | None = None,
) -> PublishedScores:
    """Return the usual scores of a generated table, equal to those of SDMetrics and synthcity.

    All are in [0, 1], and 1 is the best value of all but ``dcr_share`` and ``authenticity``.  They
    are here to be compared with published numbers; each prints with what fools it.

        column_shapes       mean over columns of 1 − the Kolmogorov–Smirnov distance (numbers,
                            dates) or 1 − the total variation distance (categories)
        column_pair_trends  mean over pairs of columns of 1 − |difference of correlations| / 2 (two
                            numbers) or 1 − the total variation distance of the two-way table (a
                            number in 10 bins); of pairs whose real correlation exceeds 0.5, or
                            whose Cramér's V exceeds 0.3
        logistic_detection  mean over 3 folds of 2 − 2 max(AUC, 0.5) of a logistic regression that
                            tells real from generated rows
        boosted_trees       the same of gradient-boosted trees, with native categories and missing
                            cells
        dcr_share           share of generated rows that are closer to a row of `real`, the training
                            rows, than to any of `held_out`; 0.5 for independent rows and tables of
                            one size
        dcr_overfitting     min(1, 2 (1 − dcr_share))
        dcr_baseline        median distance of a generated row from the nearest real row, divided by
                            that of random rows, at most 1
        alpha_precision     1 − the mean distance of the share of generated rows in a ball that has
                            the share α of the real rows from α, scaled to [0, 1]
        beta_recall         the same for real rows with a generated row nearer than the nearest
                            real one, and balls around the generated mean
        authenticity        share of real rows whose nearest generated row is farther than the
                            nearest real row of the real row that has the index of that generated
                            row, as synthcity computes it; for tables of one size only

    The three distances of rows (dcr) are sums over columns: |difference| / range of the reference
    column, at most 1, for numbers and dates; 1 for different categories, and where one of two cells
    is missing.  The last three scores are synthcity's ``naive`` ones, without its neural network:
    Euclidean distances of columns scaled to [0, 1] by the real table, a category being its place
    among the sorted levels of both tables, and a missing number the real mean.

    Parameters
    ----------
    real, fake : data frames of n and m rows
        The real table, on which the generator was trained, and the generated one.
    held_out : data frame, optional
        Real rows that the generator has not seen; ``dcr_share`` and ``dcr_overfitting`` need it.
    which : str or sequence of str, optional
        Names of scores, or "all".  By default the first four, whose time is about linear in the
        rows; the time of the last six is proportional to the product of the numbers of rows.
    categories : names
        Columns whose numbers are codes of categories; none by default.
    drop : names
        Columns to leave out, such as keys; none by default.
    random_state : int, Generator or None
        Seed of folds, trees and random rows, 0 by default.  With an integer, ``logistic_detection``
        is that of SDMetrics after ``np.random.seed`` with the same integer.
    n_jobs : int, optional
        Threads, as for `prfast.metrics`; results do not depend on it.

    Returns
    -------
    PublishedScores
        A mapping of names to floats; NaN where a score is not defined, such as
        ``column_pair_trends`` of a table in which no pair is correlated.

    Raises
    ------
    TypeError, ValueError
        Tables that `prfast.encode` refuses; infinite numbers; a score that is unknown, or
        that is named and needs `held_out` or tables of one size.

    References
    ----------
    SDMetrics 0.32, QualityReport, LogisticDetection, DCROverfittingProtection and
    DCRBaselineProtection; synthcity 0.2.12, AlphaPrecision, after Alaa et al., "How Faithful is
    your Synthetic Data?", ICML 2022; C2ST with boosted trees in the convention of
    arXiv:2603.23016.

    Examples
    --------
    ::

        print(prfast.tables.published_scores(real, fake, held_out))
    """
    names = _read_which(which, held_out is not None)
    seed, threads = read_seed(random_state), resolve_threads(n_jobs)
    sets = {"real": real, "fake": fake} | ({} if held_out is None else {"held_out": held_out})
    tables = _Tables(read_frames(sets, categories=categories, drop=drop), seed, threads)
    values, left_out = {}, {}
    for name in names:
        if name == "authenticity" and tables.real.rows != tables.fake.rows:
            why = f"as many generated as real rows expected, got {tables.fake.rows} and "
            why += str(tables.real.rows)
            if which != "all":
                raise WrongValue("fake", f"{why}, which authenticity needs")
            left_out[name] = why
        else:
            values[name] = float(_SCORES[name](tables))
    info = {
        "real_rows": tables.real.rows,
        "fake_rows": tables.fake.rows,
        "held_out_rows": None if held_out is None else tables.held_out.rows,
        "columns": len(tables.real.columns),
        "random_state": seed,
    }
    return PublishedScores(values, info | ({"left_out": left_out} if left_out else {}))


def _read_which(which: Any, has_held_out: bool) -> list[str]:
    if which is None or (isinstance(which, str) and which == "all"):
        return [
            name
            for name in _SCORES
            if name in LINEAR or (which == "all" and (has_held_out or name not in NEED_HELD_OUT))
        ]
    names = read_list("which", which, (str,))
    for name in names:
        if not isinstance(name, str):
            raise WrongType("which", f"names of scores expected, got {kind_of(name)}")
        if name not in _SCORES:
            known = f"'all' or names of {', '.join(_SCORES)} expected, got {name!r}"
            raise WrongValue("which", known + closest(name, _SCORES))
        if name in NEED_HELD_OUT and not has_held_out:
            raise WrongValue("held_out", f"a table expected, which {name} needs, got None")
    return names


class _Tables:
    """The columns of the sets, without those that have no cells, and what several scores need."""

    def __init__(self, frames: dict[str, Frame], seed: int, threads: int) -> None:
        self.seed, self.threads = seed, threads
        for name, frame in frames.items():
            for column in frame.columns:
                if np.isinf(column.values).any():
                    argument = f"{name}[{column.name!r}]"
                    raise WrongValue(argument, "finite or missing numbers expected, got ∞")
        frames = {
            name: frame._replace(columns=[one for one in frame.columns if one.kind is not None])
            for name, frame in frames.items()
        }
        self.real, self.fake = frames["real"], frames["fake"]
        if not self.real.columns:
            raise WrongValue("real", "at least one column with cells expected, got none")
        self.held_out = frames.get("held_out", self.real)

    @property
    def columns(self) -> Iterator[tuple[Column, Column]]:
        """Each column of the real and of the generated table."""
        return zip(self.real.columns, self.fake.columns, strict=True)

    @cached_property
    def distances(self) -> Float64s:
        """Distances of generated rows from the nearest real ones."""
        return nearest_distances(self.fake.columns, self.real.columns, self.threads)

    @cached_property
    def closer_to_real(self) -> float:
        others = nearest_distances(self.fake.columns, self.held_out.columns, self.threads)
        return float(np.mean(self.distances < others))

    @cached_property
    def support(self) -> tuple[float, float, float]:
        """Alpha precision, beta recall and authenticity, which share their distances."""
        return support_scores(*scaled(self.columns), self.threads)


# ---- SDMetrics: columns and pairs of columns -----------------------------------------------------


def _column_shapes(tables: _Tables) -> float:
    with np.errstate(over="ignore"):
        return _mean([_column_shape(*pair) for pair in tables.columns])


def _column_shape(real: Column, fake: Column) -> float:
    a, b = real.values[~real.missing], fake.values[~fake.missing]
    if not (len(a) and len(b)):
        return np.nan
    if real.kind == CATEGORY:
        counts = [np.bincount(one.astype(np.int64), minlength=len(real.levels)) for one in (a, b)]
        of_real = np.where((counts[0] == 0) & (counts[1] > 0), NEW_LEVEL, counts[0])
        return float(1 - np.abs(of_real / of_real.sum() - counts[1] / len(b)).sum() / 2)
    a, b = (np.sort(np.round(one, _DECIMALS)) for one in (a, b))
    cells = np.concatenate([a, b])
    shares = [np.searchsorted(one, cells, side="right") / len(one) for one in (a, b)]
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
    with thread_pool(tables.threads) as pool, warning_filter("ignore"):
        return _mean([*bounded_map(pool, score, pairs)])


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
    rows, columns = (np.bincount(one) / len(first) for one in real)
    smaller = min(np.count_nonzero(rows), np.count_nonzero(columns)) - 1
    known = p > 0
    expected = rows[cells[known] // width] * columns[cells[known] % width]
    chi_square = np.sum((p[known] ** 2) / expected) - 1  # divided by the number of rows
    if smaller < 1 or not np.sqrt(max(0.0, chi_square) / smaller) > ASSOCIATION:
        return np.nan
    return float(1 - np.abs(p - q).sum() / 2)


def _correlations(real: Sequence[Column], fake: Sequence[Column]) -> float:
    of_real, of_fake = _correlation(*real), _correlation(*fake)
    return 1 - abs(of_real - of_fake) / 2 if abs(of_real) > CORRELATION else np.nan


def _correlation(a: Column, b: Column) -> float:
    from scipy.stats import pearsonr

    known = ~(a.missing | b.missing)
    x, y = a.values[known], b.values[known]
    if len(x) < 2 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return np.nan
    return float(pearsonr(x, y)[0])


def _mean(scores: Sequence[float]) -> float:
    """Return the mean of the scores that are defined."""
    known = [one for one in scores if not np.isnan(one)]
    return float(np.mean(known)) if known else np.nan


# ---- classifiers ---------------------------------------------------------------------------------


def _logistic_detection(tables: _Tables) -> float:
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import RobustScaler

    model = make_pipeline(SimpleImputer(), RobustScaler(), LogisticRegression())
    with warning_filter("ignore", "lbfgs failed to converge"):  # 100 iterations, as in SDMetrics
        return _detection(tables, _logistic_features(tables), model)


def _logistic_features(tables: _Tables) -> Float64s:
    """Return all rows as SDMetrics encodes them: by the real table, numbers before categories."""
    ordered, indicators = [], []
    for real, fake in tables.columns:
        values = np.concatenate([real.values, fake.values])
        known = real.values[~real.missing]
        if real.kind != CATEGORY:
            filling = known.mean() if len(known) else np.nan
            ordered.append(np.where(np.isnan(values), filling, values))
        elif real.source in ("Boolean", "Object") and {*real.levels} <= {"False", "True"}:
            truth = np.array([float(level == "True") for level in real.levels] + [np.nan])
            cells = truth[np.where(np.isnan(values), -1, values).astype(np.int64)]
            often = float(np.nanmean(cells[: len(real.values)]) > 0.5) if len(known) else np.nan
            ordered.append(np.where(np.isnan(cells), often, cells))
        else:
            levels = sorted({*known.astype(np.int64)}, key=lambda i: real.levels[i])
            indicators += [values == level for level in levels]
            indicators += [np.isnan(values)] if real.missing.any() else []
    return np.column_stack([*ordered, *indicators]).astype(np.float64)


def _boosted_trees(tables: _Tables) -> float:
    from sklearn.ensemble import HistGradientBoostingClassifier

    features = []
    for real, fake in tables.columns:
        values = np.concatenate([real.values, fake.values])
        if real.kind == CATEGORY and len(real.levels) > BINNED_LEVELS:
            known = ~np.isnan(values)
            counts = np.bincount(values[known].astype(np.int64), minlength=len(real.levels))
            places = np.empty(len(counts))
            # Equal counts by their text, not by the order of the rows.
            places[np.lexsort((np.array(real.levels), -counts))] = np.arange(len(counts))
            values[known] = np.minimum(places[values[known].astype(np.int64)], BINNED_LEVELS)
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
    smaller = min(tables.real.rows, tables.fake.rows)
    if smaller < FOLDS:
        name = "real" if tables.real.rows == smaller else "fake"
        raise WrongValue(name, f"at least {FOLDS} rows expected for {FOLDS} folds, got {smaller}")
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=tables.seed)

    def score(fold: tuple[Ints, Ints]) -> float:
        train, test = fold
        fitted = clone(model).fit(features[train], is_real[train])
        auc = roc_auc_score(is_real[test], fitted.predict_proba(features[test])[:, 1])
        return float(2 - 2 * max(auc, 0.5))

    with one_blas_thread(), thread_pool(min(FOLDS, tables.threads), one_openmp_thread) as pool:
        return float(np.mean([*bounded_map(pool, score, folds.split(features, is_real))]))


def _dcr_baseline(tables: _Tables) -> float:
    random = random_rows(tables.real.columns, tables.fake.rows, tables.seed)
    baseline = np.median(nearest_distances(random, tables.real.columns, tables.threads))
    return float(min(1.0, np.median(tables.distances) / baseline)) if baseline > 0 else np.nan


# ---- the scores ----------------------------------------------------------------------------------

_SCORES: dict[str, Callable[[_Tables], float]] = {
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
LINEAR = ("column_shapes", "column_pair_trends", "logistic_detection", "boosted_trees")
NEED_HELD_OUT = ("dcr_share", "dcr_overfitting")

FOOLED_BY = {
    "column_shapes": "1 for columns shuffled independently; missing cells do not count",
    "column_pair_trends": "pairs without linear correlation and constant fake numbers do not count",
    "logistic_detection": "1 for columns shuffled independently: compares means and frequencies",
    "boosted_trees": "1 for copies of training rows; rows that repeat each other lower it",
    "dcr_share": "hardly moves for a few copies; depends on the number of held-out rows",
    "dcr_overfitting": "1 for noise, for shuffled columns and for a few copies of training rows",
    "dcr_baseline": "rises as the fit gets worse: low for new real rows, about 1 for noise",
    "alpha_precision": "only distances from the mean count: high for shuffled or constant columns",
    "beta_recall": "about 0.5, not 1, for new real rows; 1 for a copy of the real table",
    "authenticity": "about 0.5 for new real rows; higher for worse tables, such as noise",
}
