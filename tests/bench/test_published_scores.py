"""Published scores equal slow twins written from their definitions, and the packages themselves."""

import itertools
from fractions import Fraction

import numpy as np
import oracles
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bench.tables.published import SCORES, published_scores
from bench.tables.row_distances import nearest_distances, random_rows
from prfast.inputs.frames import read_frames

NAMES = [*SCORES]
CELLS = {
    "number": st.sampled_from([None, -1.0, 0.0, 0.5, 1.0, 1.0, 3.0, 3e5]),
    "constant": st.just(2.0),
    "category": st.sampled_from([None, "a", "b", "b", "c"]),
    "level": st.just("a"),
}


@st.composite
def tables(draw, sets=2, least=2, kinds=(*CELLS,)):
    """Frames with the same columns: ties, constants, missing cells, one level."""
    chosen = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3))
    frames = []
    for _ in range(sets):
        rows = draw(st.integers(least, 8))
        cells = [draw(st.lists(CELLS[kind], min_size=rows, max_size=rows)) for kind in chosen]
        types = [float if kind in ("number", "constant") else object for kind in chosen]
        frames.append(
            pd.DataFrame(
                {
                    i: pd.Series(x, dtype=t)
                    for i, (x, t) in enumerate(zip(cells, types, strict=True))
                }
            )
        )
    # A column without any cells has no kind, and one of strings needs a string in some set.
    for i, kind in enumerate(chosen):
        if kind in ("number", "category") and all(frame[i].isna().all() for frame in frames):
            frames[0].loc[0, i] = 0.0 if kind == "number" else "a"
    return frames


def is_number(frame, column):
    return frame[column].dtype == float


def known(frame, column):
    return frame[column].dropna().tolist()


def mean(scores):
    scores = [score for score in scores if not np.isnan(score)]
    return float(np.mean(scores)) if scores else np.nan


def check(scores, expected):
    for name, value in expected.items():
        assert scores[name] == pytest.approx(value, abs=1e-12, nan_ok=True), name


# ---- twins ---------------------------------------------------------------------------------------


def column_shape(real, fake, column):
    a, b = known(real, column), known(fake, column)
    if not (a and b):
        return np.nan
    if is_number(real, column):
        gaps = [
            abs(Fraction(sum(x <= t for x in a), len(a)) - Fraction(sum(x <= t for x in b), len(b)))
            for t in {*a, *b}
        ]
        return float(1 - max(gaps))
    counts = {x: a.count(x) or 1e-6 for x in {*a, *b}}
    total = sum(counts.values())
    return 1 - sum(abs(count / total - b.count(x) / len(b)) for x, count in counts.items()) / 2


def correlation(frame, i, j):
    rows = frame[[i, j]].dropna().to_numpy()
    if len(rows) < 2 or min(len(set(x)) for x in rows.T) < 2:
        return np.nan
    return np.corrcoef(rows.T)[0, 1]


def discrete(frame, column):
    """Return the levels, or how many edges are at or below a cell; all are for a missing cell."""
    if not is_number(frame, column):
        return [None if pd.isna(x) else x for x in frame[column]]
    cells = known(frame, column) or [0.0, 1.0]
    low, high = min(cells), max(cells)
    edges = np.linspace(low, high, 11) if low < high else np.linspace(low - 0.5, low + 0.5, 11)
    return [11 if pd.isna(x) else sum(edges <= x) for x in frame[column]]


def two_way(frame, i, j):
    pairs = [*zip(discrete(frame, i), discrete(frame, j), strict=True)]
    return {pair: pairs.count(pair) / len(pairs) for pair in pairs}


def pair_trend(real, fake, i, j):
    if is_number(real, i) and is_number(real, j):
        r_real, r_fake = correlation(real, i, j), correlation(fake, i, j)
        assume(not abs(abs(r_real) - 0.5) < 1e-9)  # which side is a matter of rounding
        return 1 - abs(r_real - r_fake) / 2 if abs(r_real) > 0.5 else np.nan
    p, q = two_way(real, i, j), two_way(fake, i, j)
    rows, columns = ({pair[side] for pair in p} for side in (0, 1))
    if min(len(rows), len(columns)) < 2:
        return np.nan
    chi_square = 0
    for a, b in itertools.product(rows, columns):
        expected = sum(x for pair, x in p.items() if pair[0] == a)
        expected *= sum(x for pair, x in p.items() if pair[1] == b)
        chi_square += (p.get((a, b), 0) - expected) ** 2 / expected
    association = (chi_square / (min(len(rows), len(columns)) - 1)) ** 0.5
    assume(abs(association - 0.3) > 1e-9)
    if association < 0.3:
        return np.nan
    return 1 - sum(abs(p.get(x, 0) - q.get(x, 0)) for x in {*p, *q}) / 2


def row_distance(row, nearby, reference):
    total = 0.0
    for column, a, b in zip(reference.columns, row, nearby, strict=True):
        cells = known(reference, column)
        if pd.isna(a) or pd.isna(b):
            total += pd.isna(a) != pd.isna(b)
        elif not is_number(reference, column) or max(cells) == min(cells):
            total += a != b
        else:
            total += min(1.0, abs(a - b) / (max(cells) - min(cells)))
    return total


def nearest(frame, reference):
    rows, refs = ([*x.itertuples(index=False)] for x in (frame, reference))
    return np.array([min(row_distance(row, ref, reference) for ref in refs) for row in rows])


def support(real, fake):
    """Alpha precision, beta recall and authenticity of rows scaled by the real ones."""
    low, high = real.min(axis=0), real.max(axis=0)
    real, fake = ((points - low) / np.where(high > low, high - low, 1) for points in (real, fake))
    within, between = oracles.kth_within(real, 1), oracles.squared_distances(real, fake)
    authentic = np.mean(within[between.argmin(axis=1)] < between.min(axis=1))
    return [*oracles.supports(real, fake), authentic]


# ---- equal to the twins --------------------------------------------------------------------------


@settings(deadline=None)
@given(tables())
def test_columns_and_pairs_equal_their_definitions(frames):
    real, fake = frames
    scores = published_scores(real, fake, which=NAMES[:2])
    pairs = itertools.combinations(real.columns, 2)
    expected = {
        "column_shapes": mean([column_shape(real, fake, column) for column in real.columns]),
        "column_pair_trends": mean([pair_trend(real, fake, *pair) for pair in pairs]),
    }
    check(scores, expected)


@settings(deadline=None)
@given(tables(sets=3))
def test_distances_equal_their_definition(frames):
    real, fake, held_out = frames
    scores = published_scores(real, fake, held_out, ["dcr_share", "dcr_overfitting"])
    to_real, to_held_out = nearest(fake, real), nearest(fake, held_out)
    read = read_frames({"real": real, "fake": fake, "held_out": held_out})
    distances = nearest_distances(read["fake"].columns, read["real"].columns)
    np.testing.assert_allclose(distances, to_real, atol=1e-12)
    share = np.mean(to_real < to_held_out)
    check(scores, {"dcr_share": share, "dcr_overfitting": min(1, 2 * (1 - share))})


@pytest.mark.parametrize("seed", range(4))
def test_support_scores_equal_their_definition(seed):
    rng = np.random.default_rng(seed)
    real, fake = rng.normal(size=(2, 40, 3)) * [1, 20, 300]
    real[:, 2] = 7.0 if seed == 1 else real[:, 2]
    fake[:5] = real[:5]
    scores = published_scores(*frames_of(real, fake), which=NAMES[7:])
    check(scores, dict(zip(NAMES[7:], support(real, fake), strict=True)))


def frames_of(*arrays):
    return [pd.DataFrame(x, columns=[f"x{i}" for i in range(x.shape[1])]) for x in arrays]


def test_categories_and_missing_numbers_have_places_in_the_support_scores():
    rng = np.random.default_rng(0)
    real, fake = (
        pd.DataFrame({"x": rng.normal(size=30), "c": rng.choice(["m", "a", "z"], 30)})
        for _ in range(2)
    )
    real.loc[3, "x"] = np.nan
    fake.loc[4, "c"] = None
    arrays = [
        np.column_stack(
            [
                points["x"].fillna(real["x"].mean()),
                points["c"].map({"a": 0, "m": 1, "z": 2}).fillna(3),
            ]
        )
        for points in (real, fake)
    ]
    scores = published_scores(real, fake, which=NAMES[7:])
    check(scores, dict(zip(NAMES[7:], support(*arrays), strict=True)))


def detection(features, is_real, model):
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold

    scores = []
    for train, test in StratifiedKFold(3, shuffle=True, random_state=5).split(features, is_real):
        ranks = model.fit(features[train], is_real[train]).predict_proba(features[test])[:, 1]
        scores.append(1 - (2 * max(0.5, roc_auc_score(is_real[test], ranks)) - 1))
    return np.mean(scores)


@pytest.mark.parametrize("seed", range(3))
def test_detection_equals_its_definition(seed):
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import RobustScaler

    real, fake, _ = mixed(90, seed)
    fake.loc[::3, ["job", "member"]] = None
    pooled = pd.concat([real, fake], ignore_index=True)
    is_real = np.repeat([1, 0], [len(real), len(fake)])
    days = pooled["day"].astype("datetime64[us]").astype("int64").where(pooled["day"].notna())
    numbers = pd.DataFrame({"age": pooled["age"], "income": pooled["income"], "day": days})
    filled = numbers.fillna(numbers[: len(real)].mean())
    member = pooled["member"].map({True: 1.0, False: 0.0}).astype(float)
    filled["member"] = member.fillna(member[: len(real)].mode()[0])
    levels = [pooled["job"] == level for level in sorted(real["job"].dropna().unique())]
    features = np.column_stack([filled, *levels, pooled["job"].isna()]).astype(float)
    logistic = make_pipeline(RobustScaler(), LogisticRegression())
    codes = pooled["job"].map({"a": 0, "b": 1, "c": 2})
    native = np.column_stack([numbers, member, codes])
    trees = HistGradientBoostingClassifier(
        categorical_features=[False] * 3 + [True] * 2, random_state=5
    )
    scores = published_scores(real, fake, which=NAMES[2:4], seed=5)
    assert scores["logistic_detection"] == pytest.approx(
        detection(features, is_real, logistic), abs=1e-6
    )
    assert scores["boosted_trees"] == pytest.approx(detection(native, is_real, trees), abs=1e-12)


# ---- equal to the packages -----------------------------------------------------------------------

SDTYPES = {
    "age": "numerical",
    "income": "numerical",
    "day": "datetime",
    "member": "boolean",
    "job": "categorical",
}


def mixed(rows, seed):
    """Real, generated and held-out tables with every kind of column and missing cells."""
    rng = np.random.default_rng(seed)
    result = []
    for count in (rows, rows + 7, rows - 5):
        age = rng.integers(18, 80, count)
        frame = pd.DataFrame(
            {
                "age": age,
                "income": np.round(100 * age + rng.normal(0, 1000, count), 1),
                "day": pd.Timestamp("2024-01-01")
                + pd.to_timedelta(rng.integers(0, 10**7, count), "s"),
                "member": rng.random(count) < age / 100,
                "job": np.where(age < 40, "a", np.where(age < 60, "b", "c")).astype(object),
            }
        )
        frame.loc[rng.random(count) < 0.1, "income"] = np.nan
        frame.loc[rng.random(count) < 0.1, "day"] = pd.NaT
        frame.loc[rng.random(count) < 0.1, "job"] = None
        frame["member"] = frame["member"].astype(object)
        frame.loc[rng.random(count) < 0.2, "member"] = None
        result.append(frame)
    result[1].loc[:9] = result[0].loc[:9].to_numpy()
    result[1].loc[3, "age"] = 150
    result[1] = result[1].astype(result[0].dtypes)
    return result


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.filterwarnings("ignore")
def test_equal_to_sdmetrics(seed):
    pytest.importorskip("sdmetrics")
    from sdmetrics.reports.single_table import QualityReport
    from sdmetrics.single_table import (
        DCRBaselineProtection,
        DCROverfittingProtection,
        LogisticDetection,
    )

    real, fake, held_out = mixed(80, seed)
    metadata = {"columns": {name: {"sdtype": kind} for name, kind in SDTYPES.items()}}
    report = QualityReport()
    report.generate(real, fake, metadata, verbose=False)
    shapes, trends = report.get_properties()["Score"]
    overfitting = DCROverfittingProtection.compute_breakdown(real, fake, held_out, metadata, None)
    # LogisticDetection drops columns that are declared boolean.
    named = {"columns": metadata["columns"] | {"member": {"sdtype": "categorical"}}}
    np.random.seed(seed)  # noqa: NPY002 (the generator that SDMetrics draws from)
    logistic = LogisticDetection.compute(real.copy(), fake.copy(), named)
    np.random.seed(seed)  # noqa: NPY002 (the generator that SDMetrics draws from)
    DCRBaselineProtection._seed = seed
    expected = {
        "column_shapes": shapes,
        "column_pair_trends": trends,
        "logistic_detection": logistic,
        "dcr_share": overfitting["synthetic_data_percentages"]["closer_to_training"],
        "dcr_overfitting": overfitting["score"],
        "dcr_baseline": DCRBaselineProtection.compute(real, fake, metadata, None),
    }
    check(published_scores(real, fake, held_out, [*expected], seed=seed), expected)


# ---- behaviour -----------------------------------------------------------------------------------


def test_scores_of_known_cases():
    real, _, held_out = mixed(300, 0)
    copy = published_scores(real, real, held_out)
    assert copy["column_shapes"] == copy["column_pair_trends"] == copy["boosted_trees"] == 1
    assert (copy["dcr_share"], copy["dcr_overfitting"], copy["dcr_baseline"]) == (1, 0, 0)
    rng = np.random.default_rng(1)
    shuffled = real.apply(lambda column: column.to_numpy()[rng.permutation(len(column))])
    scores = published_scores(real, shuffled, which=NAMES[:4])
    assert scores["column_shapes"] == 1
    assert scores["logistic_detection"] > 0.95
    assert scores["boosted_trees"] < 0.6


def test_scores_that_the_tables_do_not_allow_are_left_out():
    real, fake, _ = mixed(30, 0)
    assert [*published_scores(real, fake)] == [*NAMES[:4], *NAMES[6:9]]


@pytest.mark.parametrize(("share", "counts"), [(0.31, True), (0.29, False)])
def test_pairs_count_above_the_thresholds(share, counts):
    """Two fair coins that agree with probability (1 + V) / 2 have Cramér's V."""
    agree = round(1000 * (1 + share) / 2)
    pairs = ["aa", "bb"] * (agree // 2) + ["ab", "ba"] * ((1000 - agree) // 2)
    coins = pd.DataFrame([[*pair] for pair in pairs], columns=["x", "y"])
    assert published_scores(coins, coins, which=NAMES[1:2])[NAMES[1]] == pytest.approx(
        1.0 if counts else np.nan, nan_ok=True
    )
    x = np.tile([1.0, -1.0, 0.0, 0.0], 50)
    y = np.tile([0.0, 0.0, 1.0, -1.0], 50)
    slope = share + 0.2
    numbers = pd.DataFrame({"x": x, "y": slope * x + np.sqrt(1 - slope**2) * y})
    score = published_scores(numbers, numbers, which=NAMES[1:2])[NAMES[1]]
    assert np.isnan(score) != counts


def test_random_rows_have_the_cells_of_the_real_columns():
    real = mixed(400, 0)[0].assign(die=np.tile([1, 2, 3, 4], 100))
    columns = read_frames({"real": real, "fake": real})["real"].columns
    for column, random in zip(columns, random_rows(columns, len(real), seed=0), strict=True):
        assert np.nanmin(column.values) <= np.nanmin(random.values)
        assert np.nanmax(column.values) >= np.nanmax(random.values)
        assert abs(random.missing.mean() - column.missing.mean()) < 0.1
        if column.name in ("die", "job", "member"):
            cells = column.values[~column.missing]
            assert {*random.values[~random.missing]} == {*cells}
        if column.name == "die":
            assert abs(random.values.mean() - 2.5) < 0.2


def test_many_levels_share_the_last_bin_of_the_trees():
    rng = np.random.default_rng(0)
    names = np.array([f"level {i}" for i in range(400)])
    real, fake = (pd.DataFrame({"c": names[rng.integers(0, 400, 1500)]}) for _ in range(2))
    assert published_scores(real, fake, which=["boosted_trees"])["boosted_trees"] > 0.8


def test_columns_without_any_cells_do_not_count():
    sets = mixed(40, 0)
    more = [frame.assign(empty=np.nan) for frame in sets]
    assert published_scores(*more) == published_scores(*sets)
