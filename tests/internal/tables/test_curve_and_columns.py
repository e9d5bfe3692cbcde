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


TEXT_CHANGES = [
    lambda cells: cells.str.replace(r"(\d)", r"\g<1>0", n=1, regex=True),
    lambda cells: "€" + cells,
    lambda cells: cells + " ",
    lambda cells: cells.str.upper(),
    lambda cells: cells.str.replace("a.org", "b.com"),
    lambda cells: cells.str.replace(r"(\d)(\d{3})\b", r"\1,\2", regex=True),
    lambda cells: cells.str.replace("oak", "ivy"),
]
TIME_CHANGES = [whole(unit) for unit in "smhD"]
ANY_CHANGES = [
    lambda cells: cells,
    lambda cells: cells.mask(np.arange(len(cells)) % 5 == 0),
    lambda cells: cells.mask(cells == cells, cells[0]),
    lambda cells: cells.mask(cells == cells),
]
COLUMNS = {text: TEXT_CHANGES, names: TEXT_CHANGES, mails: TEXT_CHANGES, prices: TEXT_CHANGES}
COLUMNS |= {times: TIME_CHANGES, spans: TIME_CHANGES}


def pair(draw):
    """Return two tables: a number, texts, times, durations and a constant, one to three of them
    changed in all or in a part of the generated rows; cells of a column missing in both."""
    rng = np.random.default_rng([7, draw])
    sizes = rng.integers(100, 800, 2)
    tables = []
    kinds = rng.choice(len(COLUMNS), rng.integers(1, 4), replace=False)
    gaps = rng.random() / 2
    for n in sizes.tolist():
        columns = {make.__name__: pd.Series(make(rng, n)) for make in COLUMNS}
        table = pd.DataFrame({"x": rng.normal(size=n), "same": 1} | columns)
        keep = [[*COLUMNS][i].__name__ for i in kinds]
        table = table[["x", "same", *keep]]
        table[keep[0]] = table[keep[0]].mask(rng.random(n) < gaps)
        tables.append(table)
    real, fake = tables
    for i in kinds[: rng.integers(1, 4)]:
        make = [*COLUMNS][i]
        changes = COLUMNS[make] + ANY_CHANGES
        changed = changes[rng.integers(len(changes))](fake[make.__name__])
        rows = rng.random(len(fake)) < rng.choice([0.1, 0.3, 1.0, 1.0])
        fake[make.__name__] = fake[make.__name__].where(~rows, changed)
    return real, fake


RNG = np.random.default_rng(0)
NUMBERS = [RNG.integers(10**5, 10**6, 400).tolist() for _ in "12"]
CODES = [pd.Series([f"c{x}" for x in numbers]) for numbers in NUMBERS]
PRICES = [pd.Series([f"{x} kr" for x in numbers]) for numbers in NUMBERS]
NAMES, MAILS = ([make(RNG, 400) for _ in "12"] for make in (names, mails))
MOMENTS, LENGTHS = ([pd.Series(make(RNG, 1000)) for _ in "12"] for make in (times, spans))
FORMS = {
    "codes that are a digit longer": (CODES[0], CODES[1] + "7", "rare text such as 'c"),
    "an euro in front": (PRICES[0], "€" + PRICES[1], "rare text such as '"),
    "a comma for thousands": (
        PRICES[0],
        PRICES[1].str.replace(r"(\d{3}) ", r",\1 ", regex=True),
        "rare text such as '",
    ),
    "a space at the end": (NAMES[0], [f"{x} " for x in NAMES[1]], "rare text such as '"),
    "capitals": (NAMES[0], [x.upper() for x in NAMES[1]], "rare text such as '"),
    "another address": (
        MAILS[0],
        [x.replace("a.org", "b.com") for x in MAILS[1]],
        "text with 'a' in 100 % of the real and 0 %",
    ),
    "times in seconds": (
        whole("s")(MOMENTS[0]),
        MOMENTS[1],
        "whole seconds in 9",
    ),
    "times in minutes": (
        whole("m")(MOMENTS[0]),
        whole("s")(MOMENTS[1]),
        "whole seconds in 0 % of the real and 9",
    ),
    "times in hours": (
        whole("h")(MOMENTS[0]),
        whole("m")(MOMENTS[1]),
        "whole minutes in 0 % of the real and 9",
    ),
    "durations in seconds": (
        whole("s")(LENGTHS[0]),
        LENGTHS[1],
        "whole seconds in 9",
    ),
    "durations in minutes": (
        whole("m")(LENGTHS[0]),
        whole("s")(LENGTHS[1]),
        "whole seconds in 0 % of the real and 9",
    ),
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
