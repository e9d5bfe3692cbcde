"""Encodings: normal scores, indicators, parts of dates, levels; fitted without labels."""

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusals
from scipy.special import ndtri

import prfast
from prfast.methods import Noise
from prfast.tables.encoding import LEVELS, RARE, TEXT

NUMBERS = st.lists(
    st.sampled_from([0.0, 1.0, -1.0, 0.1, 1e300, -np.inf, np.inf, 5e-324]), min_size=2, max_size=9
)


def frame(**columns):
    return pd.DataFrame(columns)


@given(NUMBERS, NUMBERS)
def test_numbers_become_normal_scores_of_mean_ranks_in_both_sets(real, fake):
    cells = np.array(real + fake)
    if len(set(cells)) == 1:
        return
    ranks = np.array([(cells < x).sum() + ((cells == x).sum() + 1) / 2 for x in cells])
    expected = ndtri((ranks - 0.5) / len(cells)).astype(np.float32)
    encoded = prfast.encode(frame(x=real), frame(x=fake))
    np.testing.assert_allclose(np.concatenate(encoded.sets)[:, 0], expected, rtol=1e-6)


def test_missing_numbers_have_score_0_and_an_indicator():
    encoded = prfast.encode(frame(x=[1.0, np.nan, 2.0]), frame(x=[3.0, 4.0]))
    assert encoded.feature_names == ["x", "x missing"]
    assert encoded.real[1].tolist() == [0, 1]
    assert encoded.real[0, 1] == encoded.fake[1, 1] == 0
    assert encoded.noise == Noise(categories=[(1,)])


def test_each_level_has_an_indicator_and_a_missing_cell_is_a_level():
    real, fake = ["a", "b", None] * 5, ["a", "c"] * 5
    encoded = prfast.encode(frame(x=real), frame(x=fake))
    assert encoded.feature_names == ["x = a", "x = b", "x = c", "x missing"]
    assert encoded.real[:3].tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    assert encoded.fake[:2].tolist() == [[1, 0, 0, 0], [0, 0, 1, 0]]
    assert encoded.noise == Noise(categories=[(0, 1, 2, 3)])


def test_rare_levels_share_an_indicator():
    cells = ["a"] * 20 + ["b"] * RARE + ["c"] * (RARE - 1) + ["d"] * (RARE - 1)
    encoded = prfast.encode(frame(x=cells))
    assert encoded.feature_names == ["x = a", "x = b", "x = (other)"]
    assert encoded.real[-1].tolist() == encoded.real[-RARE].tolist() == [0, 0, 1]
    # A single rare level keeps its name.
    assert prfast.encode(frame(x=cells[: -RARE + 1])).feature_names == ["x = a", "x = b", "x = c"]


def test_many_levels_have_their_frequency_and_the_shape_of_their_text():
    rng = np.random.default_rng(0)
    codes = [f"{x:05d}" for x in rng.integers(0, 10**5, 400)]
    words = ["".join(rng.choice(list("abcdef"), 5)) for _ in range(400)]
    encoded = prfast.encode(frame(x=codes), frame(x=words))
    names = ["x: frequency", "x: shape 9", "x: shape a", *(f"x: text {i + 1}" for i in range(TEXT))]
    assert encoded.feature_names == names
    assert prfast.pr_curve(encoded.real, encoded.fake).area < 0.01
    alike = prfast.encode(frame(x=codes[:200]), frame(x=codes[200:]))
    assert prfast.pr_curve(alike.real, alike.fake).area > 0.9
    # The most frequent levels have indicators of their own beside it.
    cells = [f"level {i}" for i in reversed(range(LEVELS + 5)) for _ in range(RARE + i % 2)]
    names = prfast.encode(frame(x=cells)).feature_names
    assert len(names) == LEVELS + 1 + 2 + TEXT
    assert names[LEVELS + 1 : LEVELS + 3] == ["x: frequency", "x: length"]
    assert names[LEVELS] == "x = (other)"
    assert names[0] == "x = level 1"  # of equal counts, in the order of their text


def test_rows_that_repeat_do_not_make_levels_frequent():
    rng = np.random.default_rng(0)
    names = ([f"user {x}" for x in rng.integers(0, 10**6, n)] for n in (600, 300))
    real, fake = (frame(c=cells, x=rng.normal(size=len(cells))) for cells in names)
    encoded = prfast.encode(real, pd.concat([fake] * 2, ignore_index=True))
    assert prfast.pr_curve(encoded.real, encoded.fake).fidelity > 0.9


def test_parts_of_dates_are_features_where_they_vary():
    days = pd.to_datetime(["2024-01-01", "2024-01-08", "2024-02-05"])  # Mondays
    assert prfast.encode(frame(x=days)).feature_names == ["x", "x: month"]
    hours = pd.to_datetime(["2024-01-08 10:00", "2024-01-14 09:00", None])  # Monday, Sunday
    encoded = prfast.encode(frame(x=hours))
    assert encoded.feature_names == ["x", "x: weekday", "x: time of day", "x missing"]
    assert (np.sign(encoded.real[:2, :3]) == [[-1, -1, 1], [1, 1, -1]]).all()
    assert encoded.real[2].tolist() == [0, 0, 0, 1]


def test_the_finest_unit_of_times_and_durations_is_a_feature_as_decimals_of_numbers_are():
    whole, fine = (pd.to_timedelta([2, x, 300], unit="s") for x in (60, 2.5))
    for cells in (whole, fine, pd.Timestamp("2024-01-01") + fine):
        encoded = prfast.encode(frame(x=cells), frame(x=cells))
        i = encoded.feature_names.index("x: unit")
        expected = [1, -1, -1] if cells is whole else [0, 1, -1]
        assert np.sign(encoded.real[:, i]).tolist() == expected
        assert i in encoded.noise.details
    hours = prfast.encode(frame(x=pd.to_timedelta([7200, 60, 300], unit="s")))
    unit = hours.real[:, hours.feature_names.index("x: unit")]
    assert np.sign(unit).tolist() == [-1, 1, 1]


def test_text_has_its_length_its_shape_and_the_rarest_of_its_frequent_words():
    cells = [f"{x}{i}@{y}.org" for i in range(60) for x, y in (("u", "a"), ("Vv", "b"))]
    encoded = prfast.encode(frame(x=cells))
    shapes, words = (
        [x.removeprefix(f"x: {part} ") for x in encoded.feature_names if f": {part} " in x]
        for part in ("shape", "word")
    )
    assert shapes == ["Aa9@a.a", "a9@a.a"]
    assert words == ["Vv", "a"]
    at = encoded.feature_names.index("x: length")
    assert (np.diff(np.unique(encoded.real[:, at])) > 0).sum() == 2
    assert encoded.real[0, at + 1 : at + 5].tolist() == [0, 1, 0, 1]


def test_columns_that_do_not_vary_are_left_out_and_said():
    encoded = prfast.encode(*[frame(x=[1, 2], one=[3, 3], none=[None, None])] * 2)
    assert encoded.feature_names == ["x"]
    texts = {row["column"]: row["encoding"] for row in encoded.rows()}
    assert texts["one"] == "left out: constant, 3"
    assert texts["none"] == "left out: all cells missing"
    assert "left out: constant, 3" in str(encoded)


def test_the_encoding_does_not_depend_on_which_set_a_row_is_in():
    rng = np.random.default_rng(0)
    rows = frame(
        n=rng.integers(0, 9, 40), c=rng.choice(["a", "b", None], 40), t=[f"{x}" for x in range(40)]
    )
    whole = prfast.encode(rows).real
    for split in (1, 20):
        parts = prfast.encode(rows[: split + 1], rows[split + 1 :])
        np.testing.assert_allclose(np.concatenate(parts.sets), whole, atol=1e-5)


test_columns_of_which_none_varies_are_refused = refusals("""
prfast.encode(frame(x=[1, 1]))
    ValueError: real: at least one column expected that varies
""")
