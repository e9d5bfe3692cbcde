"""Parts of cells, compared beside the values by encodings and attribution.  They are decimals of
numbers; units of dates and durations, month, weekday and time; of text length, shape, rarest word.

The parts of a column are a column themselves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from prfast.inputs.decimals import decimals_of
from prfast.inputs.frames import CATEGORY, DATE, DURATION, NUMBER, Column

SCALE = "scale"  # kind of a column whose levels have an order

_UNITS = {"days": 86_400_000_000, "hours": 3_600_000_000, "minutes": 60_000_000}  # microseconds
_UNITS |= {"seconds": 1_000_000} | {f"seconds of {k} decimals": 10 ** (6 - k) for k in range(1, 7)}
_SIGNS = 12  # of a shape in full
_WORDS = 16  # that are compared
_FREQUENT = 0.02  # share of the texts that have a frequent word
_WORD = re.compile(r"(?<![^\W_])(?:[^\W\d_]+|\d+(?![^\W_]))")  # letters, or digits, that begin one


class Part(NamedTuple):
    """A part of the cells of a column."""

    name: str
    of: Callable[[Column], Column]  # returns the parts of the cells of a column
    prefix: str = ""  # what comes before its values in a sentence
    is_detail: bool = False  # whether it is a detail, such as the number of decimals


def parts_of(column: Column) -> list[Part]:
    """Return the parts of the cells of a column; those of text are fitted to its levels."""
    if column.kind == CATEGORY:
        word = partial(_of_texts, partial(_rarest, _frequent_words(column.levels)))
        return [
            Part("length", _length, "length "),
            Part("shape", partial(_of_texts, shape_of), "text of the form "),
            Part("word", word, "text with "),
        ]
    return _PARTS.get(column.kind or "", [])


def _length(column: Column) -> Column:
    return column.as_numbers(NUMBER, [len(level) for level in column.levels])


def _of_texts(part: Callable[[str], str], column: Column) -> Column:
    """Return a category, the part of the text of each level."""
    return column.renamed_levels([part(level) for level in column.levels])


@cache
def _kind_of_character(sign: str) -> str:
    letter = "A" if sign.isupper() else "a" if sign.isalpha() else sign
    return "9" if sign.isdigit() else letter


def shape_of(text: str) -> str:
    """Return a text with A, a and 9 for runs of capitals, small letters and digits.  A long text
    gets the different signs, in the order of the first of each, and the last sign."""
    signs = re.sub(r"([Aa9])\1+", r"\1", "".join(map(_kind_of_character, text)))
    return signs if len(signs) <= _SIGNS else f"{''.join(dict.fromkeys(signs))} … {signs[-1]}"


def _frequent_words(texts: Sequence[str]) -> dict[str, int]:
    """Return the most frequent words, and in how many texts each is."""
    counts = Counter(word for text in texts for word in {*_WORD.findall(text)})
    ordered = sorted(counts, key=lambda word: (-counts[word], word))[:_WORDS]
    return {word: counts[word] for word in ordered if counts[word] > _FREQUENT * len(texts)}


def _rarest(counts: dict[str, int], text: str) -> str:
    """Return the rarest of the words in a text that have a count."""
    words = counts.keys() & _WORD.findall(text)
    return min(words, key=lambda word: (counts[word], word), default="other words")


_MONTH, _WEEKDAY, _TIME = "month", "weekday", "time of day"
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def _part_of_date(part: str, column: Column) -> Column:
    """Return the month, the weekday or the time of day of dates in microseconds since 1970."""
    times = column.values[~column.missing]
    days = np.floor(times / _UNITS["days"])
    if part == _MONTH:
        months = days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
        kind, parts, levels = NUMBER, months % 12 + 1, []
    elif part == _WEEKDAY:
        # 1970 began on a Thursday; Monday is 0.
        kind, parts, levels = SCALE, (days + 3) % 7, WEEKDAYS
    else:
        kind, parts, levels = DURATION, times - days * _UNITS["days"], []
    values = column.values.copy()
    values[~column.missing] = parts
    return column._replace(kind=kind, values=values, levels=levels)


def _unit(column: Column) -> Column:
    """Return the finest unit of dates or durations, the coarsest that divides each."""
    finest = len(_UNITS) - 1
    units = np.full(len(column.values), finest)
    for i, size in reversed([*enumerate(_UNITS.values())]):
        units[column.values % size == 0] = i
    levels = [f"whole {unit}" for unit in [*_UNITS][:4]] + [*_UNITS][4:]
    if column.kind == DATE:
        levels[0] = "dates at midnight"
    values = np.where(column.missing, np.nan, units)
    return column._replace(kind=SCALE, values=values, levels=levels)


def _decimals(column: Column) -> Column:
    return column._replace(values=decimals_of(column.values).astype(np.float64))


_FINEST_UNIT = Part("unit", _unit, is_detail=True)
_PARTS = {
    NUMBER: [Part("decimals", _decimals, is_detail=True)],
    DATE: [
        _FINEST_UNIT,
        Part(_MONTH, partial(_part_of_date, _MONTH), "month "),
        Part(_WEEKDAY, partial(_part_of_date, _WEEKDAY)),
        Part(_TIME, partial(_part_of_date, _TIME), "time of day "),
    ],
    DURATION: [_FINEST_UNIT],
}
