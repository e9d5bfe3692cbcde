"""compare_tables: from data frames to a table with sentences, a plot, a report and JSON."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from helpers import few_draws, unwrapped  # noqa: F401
from refusals import refusals

import prfast
from bench.tables.attribution import missing, table
from prfast.estimate.attribution import REST
from prfast.methods import KNN
from prfast.tables import TableEvaluation
from prfast.tables.comparison import HELD_OUT

RNG = np.random.default_rng(0)
REAL, OTHER, HELD = (table(n, RNG) for n in (500, 400, 250))
MODELS = {"other": OTHER, "missing": missing(OTHER, "price", RNG), "copies": REAL[:300]}


@pytest.fixture(scope="module")
def quick():
    """Return a comparison with curves of neighbors, which take no time."""
    return prfast.compare_tables(REAL, MODELS, HELD, method=KNN(k=5), resolutions=[0, 0.8])


def test_each_model_has_what_the_functions_return(quick):
    assert list(quick) == [HELD_OUT, *MODELS]
    for name, rows in {HELD_OUT: HELD, **MODELS}.items():
        evaluation = quick[name]
        encoded = prfast.encode(REAL, rows)
        assert isinstance(evaluation, TableEvaluation)
        assert evaluation.encoding == encoded.record()
        assert evaluation.curve.area == prfast.pr_curve(encoded.real, encoded.fake, KNN(k=5)).area
        pair = encoded.real, encoded.fake
        profile = prfast.profile(*pair, [0, 0.8], KNN(k=5), noise=encoded.noise)
        assert evaluation.profile.summary() == profile.summary()
        assert evaluation.metrics == {}
        if name != HELD_OUT:
            sets = prfast.encode(REAL, HELD, rows).coarse_sets
            assert evaluation.copies.p_value == prfast.copies(*sets).p_value
    assert quick[HELD_OUT].copies is None


def test_a_column_that_names_rows_is_the_first_note():
    named = [people(60, seed).assign(row=range(60 * seed, 60 * seed + 60)) for seed in range(3)]
    real, model, held_out = (rows.drop(columns="name") for rows in named)
    options = {"method": KNN(k=5), "resolutions": None}
    notes = prfast.compare_tables(real, model, held_out, **options).notes
    assert notes()[0].startswith("'row' differs in every real row: leave out (drop)")


def repeated(rows, share=1 / 6, **cells):
    """Return rows of which the first is this share, with other cells."""
    rows, first = rows.copy(), range(round(share * len(rows)))
    for name in rows.columns:
        rows.loc[first, name] = cells.get(name, rows.loc[0, name])
    return rows


def people(n, seed):
    rng = np.random.default_rng(seed)
    columns = {"age": rng.integers(18, 80, n), "job": rng.choice(["a", "b", "c"], n)}
    columns |= {"income": rng.lognormal(8, 1, n), "days": rng.standard_cauchy(n)}
    return pd.DataFrame(columns | {"name": [f"user {x}" for x in rng.integers(0, 10**9, n)]})


@pytest.mark.parametrize(
    ("cells", "drop"),
    [({"age": 140}, []), ({"job": "z"}, ["name"]), ({"income": np.nan}, []), ({"age": -30}, [])],
)
def test_a_row_that_repeats_with_a_cell_beyond_all_real_ones_is_named(cells, drop):
    """Its share is within the interval where its distance to real rows is no outlier."""
    real, fake = people(600, 0), repeated(people(600, 1), **cells)
    evaluation = prfast.compare_tables(real, fake, drop=drop, resolutions=None)["generated"]
    for number in ("fidelity", "area"):
        interval = evaluation.curve.interval(number)
        assert interval.low <= 5 / 6 <= interval.high
    (name, cell), text = *cells.items(), " ".join(evaluation.sentences())
    assert f"Unlike any real row: {name!r} {'missing' if cell != cell else repr(cell)}" in text
    assert "No clear difference" not in text
    mirror = prfast.compare_tables(fake, real, drop=drop, resolutions=None)["generated"]
    diversity = mirror.curve.interval("diversity")
    assert diversity.low - 0.02 <= 5 / 6 <= diversity.high


def collapsed():
    """Return tables beside tables whose column v is one value far from the real ones."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"v": rng.normal(size=200), "g": rng.choice([*"abc"], 200)})
    dates = table.assign(v=pd.date_range("2020-01-01", periods=200))
    texts = table.assign(v=rng.choice(["oak", "elm", "ash", "fir"], 200))
    sizes = pd.DataFrame({"v": rng.normal(50, 5, 200)})
    numbers = pd.DataFrame({"v": np.arange(200)})
    return {
        "missing": (table, table.assign(v=np.nan), "'v' missing"),
        "no date": (dates, dates.assign(v=pd.NaT), "'v' missing"),
        "no text": (texts, texts.assign(v=None), "'v' 1.00 (missing"),
        "far": (sizes, sizes.assign(v=1e6), "'v' 1000000"),
        "first": (numbers, numbers.assign(v=0), "'v'"),
        "new level": (table, table.assign(v=1.5, g="new"), "'g' 'new'"),
    }


@pytest.mark.parametrize("case", collapsed())
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_a_column_of_one_value_has_a_curve_of_area_0_and_is_named(case):
    real, fake, words = collapsed()[case]
    result = prfast.compare_tables(real, fake)["generated"]
    assert result.curve.area < 0.03
    assert result.profile.summary()["coarse_area"].value < 0.1
    assert ("v",) in [column.columns for column in result.columns if column.value > 0.98]
    if case != "first":
        assert words in " ".join(result.sentences())


@pytest.mark.parametrize("seed", range(3))
def test_a_row_that_both_sets_repeat_alike_is_no_difference(seed):
    rng = np.random.default_rng(seed)
    frames = []
    for _ in range(2):
        cells = rng.normal(size=(1000, 4))
        cells[rng.random(1000) < 0.05] = 0
        frames.append(pd.DataFrame(cells, columns=list("abcd")))
    evaluation = prfast.compare_tables(*frames, resolutions=[0, 0.8])["generated"]
    text = " ".join(evaluation.sentences())
    assert "occurs" not in text
    assert "No clear difference" in text


def test_auto_says_what_differs_and_in_which_rows():
    fake = OTHER.assign(price=OTHER["price"] + 0.001)
    evaluation = prfast.compare_tables(REAL, fake, resolutions=[0, 0.1])["generated"]
    assert evaluation.curve.area < 0.01
    assert evaluation.profile.summary()["coarse_area"].value > 0.95
    first = evaluation.columns[0]
    assert first.columns == ("price",)
    assert "decimals" in first.words
    assert f"Differs most in 'price' {first.value:.2f} ({first.words})" in evaluation.sentences()[1]
    worst, *_ = evaluation.generated_rows(3)
    scores = evaluation.scores["auto", None]
    assert worst["log_ratio"] == min(scores.fake) == scores.fake[worst["row"]]
    assert worst["cells"]["price"] == fake["price"].iloc[worst["row"]]
    missed, *_ = evaluation.missed_rows(1)
    assert missed["log_ratio"] == max(scores.real)
    assert missed["cells"]["points"] == REAL["points"].iloc[missed["row"]]


def test_rows_that_are_missed_are_ranked_where_generated_rows_repeat():
    """Their scores in the curve are raised, for a recall that counts what repeated rows cover."""
    repeated = pd.concat([OTHER[:30]] * 10, ignore_index=True)
    evaluation = prfast.compare_tables(REAL, repeated, resolutions=None)["generated"]
    log_ratios = [x["log_ratio"] for x in evaluation.missed_rows(5)]
    assert log_ratios == sorted(evaluation.curve.scores.real, reverse=True)[:5]
    assert len(set(log_ratios)) == 5


def test_values_that_differ_in_their_last_digits_are_a_caution():
    """Values that repeat, moved by 1e-9."""
    x = RNG.choice(np.sqrt(np.arange(2, 14)), (2, 300))
    real, fake = (pd.DataFrame({"x": cells, "y": RNG.normal(size=300)}) for cells in x)
    with pytest.warns(prfast.Contradiction, match="by details such as exact values") as seen:
        evaluation = prfast.compare_tables(real, fake + 1e-9, resolutions=None)["generated"]
    assert seen[0].filename == __file__
    assert evaluation.cautions() == [str(seen[0].message)]
    assert "prfast.explain" not in evaluation.curve.explain()  # columns of the encoding


def test_a_difference_that_no_column_or_pair_shows_is_not_attributed():
    tripled = pd.DataFrame(np.sign(RNG.normal(size=(900, 3))), columns=list("abc"))
    fake = tripled.assign(c=tripled["a"] * tripled["b"])  # any two columns are independent
    evaluation = prfast.compare_tables(tripled, fake, resolutions=None)["generated"]
    assert evaluation.curve.total_variation > REST
    (sentence,) = evaluation.sentences()
    assert sentence.startswith("No single column or pair shows it by itself")
    assert "'" not in sentence  # names no column, as none is clear


def test_it_prints_a_line_a_model(quick):
    _, *lines = unwrapped(str(quick)).splitlines()
    assert [line.split("  ")[0] for line in lines[:4]] == list(quick)
    assert quick._repr_html_().count("<tr>") == 1 + len(quick)
    with pytest.raises(KeyError, match="one of held-out rows, other, missing, copies expected"):
        quick["another"]


def test_frames_json_and_pickle(quick):
    frame = quick.to_frame()
    assert frame.loc["copies", "nearest_training"] == 1
    assert frame.loc["copies", "DCR"] == frame.loc["copies", "NNDR"] == 0
    assert len(quick.column_rows()) == 4 * (8 + 28)
    values = json.loads(json.dumps(quick.to_dict()))
    assert values["models"]["copies"]["copies"]["values"]["share"] == 1
    assert str(pickle.loads(pickle.dumps(quick))) == str(quick)
    assert len(prfast.record(quick)["tables"]) == 4
    assert quick.differences(numbers="area")  # on the same real rows


test_wrong_arguments = refusals("""
prfast.compare_tables(REAL, {})
    TypeError: models: a mapping of names to tables expected, got an empty one
prfast.compare_tables(REAL, {HELD_OUT: OTHER}, HELD)
    ValueError: models: names other than 'held-out rows' expected
prfast.compare_tables(REAL, {"a": OTHER[["size"]]})
    ValueError: real and models['a']: the same columns expected
prfast.compare_tables(REAL, {"a": OTHER}, HELD[:9])
    ValueError: held_out: at least 10 rows expected, got 9
prfast.compare_tables(REAL, [OTHER])
    TypeError: models: a mapping of names to tables expected, got a list
""")


def test_held_out_rows_of_another_source_are_no_proof_of_copies():
    rng = np.random.default_rng(0)
    real, fake, later = (
        pd.DataFrame({"day": rng.uniform(*days, 300), "x": rng.normal(size=300)})
        for days in ((0, 300), (0, 300), (300, 400))
    )
    compared = prfast.compare_tables(real, {"m": fake}, later, resolutions=None)
    assert compared["m"].copies.p_value < 0.01
    start = "The held-out rows themselves differ"
    assert any(text.startswith(start) for text in compared["m"].sentences())
    assert "no proof of copies" in str(compared)
    same = prfast.compare_tables(real, {"m": fake}, real.sample(frac=0.5), resolutions=None)["m"]
    assert not any(text.startswith(start) for text in same.sentences())


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("cells", [[np.inf], [-np.inf], [np.inf, -np.inf], [np.inf] * 60])
def test_infinite_cells_are_compared_without_a_warning(cells):
    rng = np.random.default_rng(0)
    real, fake, held_out = (
        pd.DataFrame(rng.normal(size=(60, 2)), columns=["a", "b"]) for _ in range(3)
    )
    for points in (real, fake):
        points.loc[range(len(cells)), "a"] = cells
    result = prfast.compare_tables(real, fake, held_out, method=KNN(k=5))
    assert np.isfinite(result["generated"].columns[0].value)
    assert str(result)
