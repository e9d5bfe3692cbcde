"""Sentences about what differs: a test of two samples, columns and pairs of columns."""

from __future__ import annotations

from collections.abc import Sequence

from prfast.estimate.attribution import ColumnDifference, quoted
from prfast.estimate.explain import Explanation
from prfast.estimate.two_sample import TwoSampleTest

REST = 0.1  # of the total variation that no column shows, from which on a sentence says so
_NAMED = 3  # differences in a sentence


def sentences_of_test(test: TwoSampleTest) -> list[str]:
    """Return what the test says, in words."""
    p, bound = f"p {test.p_text}", test.total_variation
    if not test.rejects:
        return [
            f"No proof of a difference: {p}, above the level of {test.level:g}. That is no "
            "proof of equality: a smaller difference needs more samples."
        ]
    least = f"; with confidence {1 - test.level:g} the total variation is at least {bound:.3f}"
    low = bound - test.repeated.value if test.repeated else bound
    columns = sentences_of_columns(test.attribution, low, f"at least {bound:.2f}")
    first = f"The distributions differ: {p}{least if bound > 0 else ''}."
    if test.repeated:
        first = f"{first} {test.repeated.words}"
    return [first, *test.differences, *(columns if test.attribution else [])]


def sentences_of_explanation(explanation: Explanation) -> list[str]:
    """Return what the test says, in words, and what the columns without a clear difference
    do."""
    lines = explanation.test.sentences()
    if explanation.columns:
        rest = "none remains." if explanation.rest is None else explanation.rest.sentences()[0]
        lines.append(f"Without these columns: {rest}")
    elif (
        explanation.test.rejects
        and not explanation.test.repeated
        and not any(one.startswith("No single column") for one in lines)
    ):
        lines.append("No column or pair differs clearly by itself, with so many samples.")
    return lines


def sentences_of_columns(
    several: Sequence[ColumnDifference], low: float, variation: str
) -> list[str]:
    """Return what the columns show, in words.

    low, variation: the least total variation of both sets, and how it is printed.
    """
    clear = [one for one in several if one.is_clear]
    if not clear:
        first = f"; the surest, {several[0].label}, may differ by chance" if several else ""
        text = (
            f"No single column or pair shows it by itself, of the values that are looked at{first}."
        )
        return [text] if low > REST else []
    colon = "" if isinstance(clear[0].columns[0], str) else ":"  # "column 1 0.2" would not be read
    texts = [f"{one.label}{colon} {one.value:.2f}{_words(one)}" for one in clear[:_NAMED]]
    more = len(clear) - len(texts)
    lines = [f"Differs most in {'; '.join(texts)}{f'; and {more} more' if more > 0 else ''}."]
    if low > max(one.value for one in clear) + REST:
        lines.append(f"The total variation is {variation}: more than any one of them shows.")
    return lines


def _words(one: ColumnDifference) -> str:
    along = f"along with {quoted([one.along], one.columns)}" if one.along else ""
    words = [text for text in (along, one.words) if text]
    return f" ({'; '.join(words)})" if words else ""
