"""Generated tables of the bench: columns without missing cells and back, what is counted."""

import numpy as np
import pandas as pd
import pytest

from bench.tables import generators, make, scorers


@pytest.fixture
def parts():
    rng = np.random.default_rng(0)
    n = 60
    frame = pd.DataFrame(
        {
            "price": np.round(rng.lognormal(3, 1, n), 2),
            "age": rng.integers(18, 90, n),
            "income": np.where(rng.random(n) < 0.3, np.nan, rng.integers(0, 5000, n)),
            "town": rng.choice(["a", "b", "c"], n).astype(object),
            "flag": rng.random(n) < 0.5,
            "time": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 9999, n), "h"),
        }
    )
    frame.loc[3, "town"] = None
    half = n // 2
    held_out = frame.iloc[half:].reset_index(drop=True)
    return {"train": frame.iloc[:half], "held-out": held_out, "validation": held_out}


def test_columns_come_back(parts):
    columns = make.Columns(parts)
    complete = columns.complete(parts["train"])
    assert not complete.isna().any().any()
    assert set(columns.flags) == {"income"}
    assert columns.kinds["time"] == "date"
    back = columns.restore(complete)
    pd.testing.assert_frame_equal(back, parts["train"], check_dtype=False)
    assert back["age"].dtype.kind == "i"


def test_generated_numbers_have_decimals_and_range_of_the_training_column(parts):
    columns = make.Columns(parts)
    complete = columns.complete(parts["train"])
    made = columns.restore(complete.assign(price=complete["price"] * np.pi))
    price = parts["train"]["price"]
    assert made["price"].max() == price.max()
    np.testing.assert_array_equal(made["price"], made["price"].round(2))


@pytest.mark.parametrize("name", ["shuffled", "noise", "copies", "20 % copies"])
def test_simple_generators_keep_columns(parts, name):
    made = make.GENERATORS[name](parts, make.Columns(parts), 0, 1)
    assert [*made] == [*parts["train"]]
    assert len(made) == len(parts["train"])
    if name == "shuffled":
        for column in made:
            counts = made[column].value_counts().sort_index()
            pd.testing.assert_series_equal(
                counts, parts["held-out"][column].value_counts().sort_index()
            )


def test_a_larger_number_counts_from_the_margin_on():
    def scored(shuffled, copula):
        values = {"shuffled": {"area": shuffled}, "copula": {"area": copula}}
        return {"prfast": scorers.Scored(values, {}, 1.0, None, None)}

    results = {"a": scored(0.5, 0.4), "b": scored(0.5, 0.495), "c": scored(0.1, 0.4)}
    head, line = generators._summary(results)
    asked = head.index("shuffled above copula")
    assert (line[0], line[asked]) == ("prfast: area", "1 of 3, 1 equal")
