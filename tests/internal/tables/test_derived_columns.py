"""Columns that others determine: an identity that generated rows break is seen, and named."""

import numpy as np
import pandas as pd
import pytest

import prfast
from prfast.estimate.attribution import differences, frames_of
from prfast.samples.pair import Pair

IDENTITIES = {
    "product": ["total", "price", "quantity"],
    "cents": ["total", "price", "quantity"],
    "zeros": ["total", "price", "quantity"],
    "ratio": ["a", "b", "c", "total"],
    "sum": ["a", "b", "total"],
    "chain": ["total", "tax"],
}


def table(kind, n, rng, broken=0.0, off=0.05):
    """Return rows with an identity; broken: the share of rows in which it is off."""
    wrong = np.where(rng.random(n) < 0.5, 1 + off, 1 - off)
    wrong[rng.random(n) >= broken] = 1
    quantity, price = rng.integers(kind != "zeros", 10, n), 10 * np.exp(rng.normal(size=n))
    a, b, c = rng.gamma(2, size=(3, n))
    if kind == "product" or kind == "zeros":
        cells = {"price": price, "quantity": quantity, "total": price * quantity * wrong}
    elif kind == "cents":
        price = price.round(2)
        total = (price * quantity * wrong).round(2)
        cells = {"price": price, "quantity": quantity, "total": total}
    elif kind == "ratio":
        cells = {"a": a, "b": b, "c": c, "total": a * b / c * wrong}
    elif kind == "sum":
        cells = {"a": a, "b": b, "total": (a + b) * wrong}
    else:  # the identities of quantity and tax hold
        sold = quantity * price
        cells = {"price": price, "quantity": quantity, "sold": sold, "tax": 0.2 * sold}
        cells["total"] = 1.2 * sold * wrong
    noise = {"age": rng.integers(18, 80, n), "score": rng.normal(size=n)}
    return pd.DataFrame(cells | noise)


@pytest.mark.filterwarnings("ignore::prfast.Contradiction")
@pytest.mark.parametrize("kind", IDENTITIES)
def test_a_broken_identity_is_an_area_of_0_in_arrays_and_tables_and_named(kind):
    rng = np.random.default_rng(0)
    real, fake = table(kind, 600, rng), table(kind, 600, rng, broken=1.0)
    assert prfast.pr_curve(real, fake).area < 0.1 + 0.05 * (kind == "zeros")
    compared = prfast.compare_tables(real, fake)["generated"]
    assert compared.curve.area < 0.1 + 0.05 * (kind == "zeros")
    for columns in (compared.columns, prfast.explain(real, fake).columns):
        assert columns[0].columns[0] in IDENTITIES[kind]
        assert columns[0].value > 0.8
        assert "not what" in columns[0].words
        clear = {name for column in columns if column.is_clear for name in column.columns}
        assert clear <= {*IDENTITIES[kind]}
    words = "totals that are not the sum or product of other columns"
    assert words in " ".join(compared.profile.sentences())


@pytest.mark.parametrize(("kind", "words"), [("sum", "as a sum"), ("product", "or ratio")])
def test_a_relation_that_sums_and_products_describe_is_named_as_the_one_that_holds(kind, words):
    rng = np.random.default_rng(1)
    tables = []
    for off in (np.zeros(1200), rng.uniform(-0.1, 0.1, 1200)):
        a = np.exp(rng.normal(2, 0.5, 1200))
        b = rng.poisson(3, 1200) + 1 if kind == "product" else np.exp(rng.normal(2, 0.5, 1200))
        total = a * b if kind == "product" else a + b
        tables.append(pd.DataFrame({"a": a, "b": b, "total": total * (1 + off)}))
    first = prfast.explain(*tables).columns[0]
    assert first.columns == ("total",)
    assert first.words.endswith(words)


@pytest.mark.parametrize("broken", [0.0, 1.0])
def test_missing_cells_neither_hide_a_broken_total_nor_show_one_that_is_not(broken):
    rng = np.random.default_rng(0)
    real, fake = table("sum", 800, rng), table("sum", 800, rng, broken)
    for rows in (real, fake):
        rows.loc[rng.random(800) < 0.25, "a"] = np.nan
        for i in range(6):  # few rows have all cells
            rows[f"question {i}"] = np.where(rng.random(800) < 0.4, np.nan, rng.normal(size=800))
    compared = prfast.compare_tables(real, fake, resolutions=None)["generated"]
    named = [column.columns for column in compared.columns if column.is_clear]
    if broken:  # rows with a missing cell may be as in real tables
        assert 0.1 < compared.curve.fidelity < 0.45
        assert named == [("total",)]
    else:
        assert compared.curve.area > 0.95
        assert not named


@pytest.mark.parametrize("kind", IDENTITIES)
def test_identities_that_hold_in_both_sets_are_no_difference(kind):
    named = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        real, fake = table(kind, 300, rng), table(kind, 300, rng)
        frames = frames_of(real.to_numpy(), fake.to_numpy(), None)
        columns = differences(*frames, Pair.read(real, fake), 0)
        named += any(column.is_clear for column in columns)
    assert named <= 1
    encoded = prfast.encode(real, fake)
    assert prfast.pr_curve(real, fake).area > 0.9
    assert prfast.pr_curve(encoded.real, encoded.fake).area > 0.9
