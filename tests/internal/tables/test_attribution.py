"""Attribution: the damaged column or pair comes first, equal tables show none, words name it."""

import itertools

import numpy as np
import pandas as pd
import pytest

from bench.tables.attribution import DAMAGES, UNCHANGED, table
from prfast.estimate.attribution import differences
from prfast.estimate.column_shares import _adjustments
from prfast.inputs.frames import read_frames
from prfast.samples.pair import Pair


def between(real, fake, seed=0):
    frames = read_frames({"real": real, "fake": fake})
    cells = Pair.read(*(frame.matrix() for frame in frames.values()))
    return differences(frames["real"], frames["fake"], cells, seed)


COLUMNS = list(table(2, np.random.default_rng(0)))
CASES = [case for case in itertools.product(DAMAGES, COLUMNS) if case not in UNCHANGED]


@pytest.mark.parametrize(("damage", "column"), CASES)
def test_the_damaged_column_is_named_first(damage, column):
    rng = np.random.default_rng(CASES.index((damage, column)))
    real, fake = table(3000, rng), table(3000, rng)
    first = between(real, DAMAGES[damage](fake, column, rng))[0]
    assert first.is_clear
    assert column in first.columns
    assert len(first.columns) == 1 + (damage == "shuffled")


def test_a_shift_of_few_rows_is_named_and_equal_tables_show_nothing():
    """Half a standard deviation of 200 rows, by ranks; also where cells are missing, or all."""
    named = clear = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        real, fake = (table(200, rng).assign(none=np.nan) for _ in range(2))
        moved = between(real, fake.assign(weight=fake["weight"] + 0.5))
        named += {x.columns for x in moved if x.is_clear} == {("weight",)}
        clear += any(x.is_clear for x in between(real, fake))
    assert named >= 16
    assert clear <= 1


def test_the_total_variation_of_a_column_and_of_a_dependence():
    """.2 of one level moved to another; two columns that are the same in one set, independent in
    the other: half of the mass of the four pairs of levels."""
    rng = np.random.default_rng(0)
    n = 4000
    real, fake = rng.choice(["a", "b"], (2, n))
    moved = np.where(rng.random(n) < 0.4, "a", fake)
    (difference,) = between(pd.DataFrame({"x": real}), pd.DataFrame({"x": moved}))
    assert difference.value == pytest.approx(0.2, abs=0.03)
    assert np.sqrt(2 / n) < difference.half_width < 4 * np.sqrt(2 / n)
    same = pd.DataFrame({"x": real, "y": real})
    independent = pd.DataFrame({"x": fake, "y": rng.choice(["a", "b"], n)})
    pair, *columns = between(same, independent)
    assert pair.columns == ("x", "y")
    assert pair.value == pytest.approx(0.5, abs=0.03)
    assert not any(difference.is_clear for difference in columns)


def test_a_pair_is_adjusted_to_the_shares_of_its_columns():
    rng = np.random.default_rng(0)
    n = 4000
    x = rng.random((2, n)) < np.array([[0.3], [0.6]])
    y = rng.random((2, n)) < np.where(x, 0.8, 0.4)
    y[1] = rng.random(n) < 0.5
    real, fake = (
        pd.DataFrame({"x": a, "y": b}) for a, b in zip(x, rng.random((2, n)) < 0.5, strict=True)
    )
    first, *later = between(real, fake)
    assert first.columns == ("x",)
    assert not any(difference.is_clear for difference in later)
    counts = [rng.integers(0, 50, (1, 3, 4)).astype(float) for _ in range(2)]
    real, fake = (x * how for x, how in zip(counts, _adjustments(*counts), strict=True))
    for axis in (1, 2):
        shares = [points.sum(axis=axis) / points.sum() for points in (real, fake)]
        np.testing.assert_allclose(*shares, rtol=1e-2)


def test_independent_columns_show_no_pair_however_far_they_move():
    """Weights towards one of two sets whose ranges hardly meet would show one."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        real, fake = (pd.DataFrame(rng.normal(size=(1500, 4)), columns=list("abcd")) for _ in "12")
        moved = between(real, fake.assign(a=fake["a"] + 2, b=fake["b"] + 1))
        assert {x.columns for x in moved if x.is_clear} == {("a",), ("b",)}


def test_rows_that_repeat_are_no_more_evidence():
    clear = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        repeated = pd.concat([table(200, rng)] * 10, ignore_index=True)
        clear += any(x.is_clear for x in between(table(2000, rng), repeated))
    assert clear <= 1


def test_rare_levels_that_real_rows_lack_are_named():
    rng = np.random.default_rng(0)
    real, fake = (pd.Series(rng.choice(["x", "y"], 1000)) for _ in range(2))
    for n, spelling, rare in ((200, "u{}", 200), (50, "w{}", 0)):
        misspelt = fake.where(np.arange(1000) >= n, [spelling.format(i % 40) for i in range(1000)])
        spelt = real.where(np.arange(1000) >= rare, [f"v{i % 40}" for i in range(1000)])
        (found,) = between(pd.DataFrame({"x": spelt}), pd.DataFrame({"x": misspelt}))
        assert found.is_clear
        assert found.value == pytest.approx(n / 1000, abs=0.02)
        assert "real rows lack" in found.words or n > 50
    codes = [[f"{x:06d}" for x in rng.integers(0, 10**6, 1000)] for _ in range(2)]
    (equal,) = between(*(pd.DataFrame({"x": code}) for code in codes))
    assert not equal.is_clear
    (cut,) = between(pd.DataFrame({"x": codes[0]}), pd.DataFrame({"x": [x[1:] for x in codes[1]]}))
    assert cut.value > 0.9


DAYS = pd.date_range("2020-01-01", periods=1000)
SOME = [1.0] * 450 + [2.0] * 450 + [None] * 100
LINE = np.linspace(1, 2, 1000)
RNG = np.random.default_rng(0)
NUMBERS = RNG.integers(10**5, 10**6, (2, 1000))
CODES = [pd.Series([f"c{x}" for x in numbers]) for numbers in NUMBERS]
TREES = RNG.choice(["oak", "elm", "ash", "fir", "yew", "bay"], (2, 1000))
NAMES = [pd.Series(words) + " " + codes for words, codes in zip(TREES, CODES, strict=True)]
MOMENTS = pd.Series(np.datetime64("2024-01-01", "ms") + RNG.integers(0, 8 * 10**9, 1000))
WORDS = {
    "missing": ([1.0, 2.0] * 500, SOME, "missing in 0 % of the"),
    "decimals": (range(1000), np.arange(1000) + 0.25, "whole numbers in 100 % of the real and 0 %"),
    "an exact value": ([0.0] * 300 + [*np.linspace(1, 2, 700)], LINE, "0 in 30 %"),
    "a threshold": (LINE - 1, LINE - 0.7, "below 0.5002 in 50 % of the real and 20 %"),
    "a time of the day": (
        DAYS,
        DAYS + pd.Timedelta("10:30:00"),
        "dates at midnight in 100 % of the real and 0 % of the generated",
    ),
    "a digit more": (CODES[0], CODES[1] + "7", "rare text such as 'c"),
    "capitals": (NAMES[0], NAMES[1].str.upper(), "rare text such as '"),
    "seconds": (MOMENTS.dt.floor("s"), MOMENTS, "seconds of 3 decimals in 0 % of"),
}


@pytest.mark.parametrize(("real", "fake", "words"), WORDS.values(), ids=WORDS)
def test_words_name_what_differs(real, fake, words):
    y = np.random.default_rng(0).normal(size=(2, 1000))
    first, *_ = between(*(pd.DataFrame({"x": x, "y": y[i]}) for i, x in enumerate((real, fake))))
    assert first.is_clear
    assert first.words.startswith(words)


@pytest.mark.parametrize(
    "cells", [[np.inf, -np.inf, 1e300, 0.0] * 30, [5e-324, 0.0, -0.0, 1.0] * 30]
)
def test_extreme_numbers_are_cells_like_others(cells):
    rows = pd.DataFrame({"x": cells, "y": [1.0, 2.0] * 60})
    assert not any(x.is_clear for x in between(rows, rows))
