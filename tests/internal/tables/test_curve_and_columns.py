"""A column or pair that differs by v leaves an overlap of at most 1 − v."""

import numpy as np
import pandas as pd
import pytest

import prfast

DAY = 86_400_000


def text(rng, n):
    return [f"c{x:05d}" for x in rng.integers(0, 10**5, n)]


def names(rng, n):
    words = np.array(["oak", "elm", "ash", "fir", "yew", "bay"])
    first, last = words[rng.integers(0, 6, (2, n))]
    return [f"{a} {b} {c}" for a, b, c in zip(first, last, text(rng, n), strict=True)]


def mails(rng, n):
    return [f"u{x}@a.org" for x in rng.integers(0, 10**6, n)]


def prices(rng, n):
    return [f"{x:.2f} kr" for x in rng.uniform(1, 99_999, n)]


def times(rng, n):
    return np.datetime64("2024-01-01", "ms") + rng.integers(0, 90 * DAY, n)


def spans(rng, n):
    return rng.integers(0, 3 * DAY, n).astype("m8[ms]")


def whole(unit):
    def rounded(cells):
        return pd.Series(
            cells.to_numpy().astype(f"{cells.dtype.kind}8[{unit}]").astype(cells.dtype)
        )

    return rounded


RNG = np.random.default_rng(0)
NUMBERS = [RNG.integers(10**5, 10**6, 400).tolist() for _ in "12"]
CODES = [pd.Series([f"c{x}" for x in numbers]) for numbers in NUMBERS]
PRICES = [pd.Series([f"{x} kr" for x in numbers]) for numbers in NUMBERS]
NAMES, MAILS = ([make(RNG, 400) for _ in "12"] for make in (names, mails))
MOMENTS, LENGTHS = ([pd.Series(make(RNG, 1000)) for _ in "12"] for make in (times, spans))
FORMS = {
    "codes that are a digit longer": (CODES[0], CODES[1] + "7", "rare text such as 'c"),
    "an euro in front": (PRICES[0], "€" + PRICES[1], "rare text such as '"),
    "a space at the end": (NAMES[0], [f"{x} " for x in NAMES[1]], "rare text such as '"),
    "capitals": (NAMES[0], [x.upper() for x in NAMES[1]], "rare text such as '"),
    "another address": (
        MAILS[0],
        [x.replace("a.org", "b.com") for x in MAILS[1]],
        "text with 'a' in 100 % of the real and 0 %",
    ),
    "times in seconds": (whole("s")(MOMENTS[0]), MOMENTS[1], "whole seconds in 9"),
    "durations in hours": (
        whole("h")(LENGTHS[0]),
        whole("m")(LENGTHS[1]),
        "whole minutes in 0 % of the real and 9",
    ),
}


@pytest.mark.parametrize(("real", "fake", "words"), FORMS.values(), ids=FORMS)
def test_cells_of_another_form_are_unlike_and_their_column_is_named(real, fake, words):
    rng = np.random.default_rng(1)
    sets = [pd.DataFrame({"x": rng.normal(size=len(c)), "cell": c}) for c in (real, fake)]
    (result,) = prfast.compare_tables(*sets, resolutions=None).values()
    first = result.columns[0]
    assert result.curve.interval("overlap").low <= 1 - first.value + first.half_width
    assert result.curve.area < 0.1
    assert first.columns == ("cell",)
    assert first.is_clear
    assert first.words.startswith(words)
