"""Columns that separate the sets by themselves: the values whose shares differ most.

For a column and a set of values A, |P(A) − Q(A)| is at most the total variation.  Three kinds of A
are tried in each column:

    value  one exact value, the one whose shares differ most
    side   the values on one side of the threshold where the distribution functions differ most
    range  all values outside the range of the other set

A is chosen on one half of the rows and its shares are estimated on the other half, so that their
difference is a lower bound of the total variation, up to the noise of the shares.  It is chosen by
the difference minus ERRORS standard errors: those of rare values are small, and the largest of many
noisy differences would hide them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, Floats, blocks
from prfast.inputs.options import stream
from prfast.samples.partitioned import Points, take_rows
from prfast.samples.repetition import Repetition

MOST = 4000  # rows of each set that are used
REPORTED = 3  # columns, at most
LEAST = 0.05  # difference of the shares, below which a column is not reported,
ERRORS = 4.0  # nor below this multiple of its standard error,
_LEAST_OF_CLEAR, _CLEAR_ERRORS = 0.01, 5.0  # unless it exceeds both of these
KINDS = ("value", "side", "range")
# The first kind of set whose difference reaches this share of the largest one is chosen.
_PREFERRED = np.array([0.75, 0.9, 1.0, 1.0])
_NUMBERS = 1 << 18  # numbers in the columns that are sorted together

Flags = NDArray[np.bool_]


class _Chosen(NamedTuple):
    """The set of values of each column: the interval [low, high], or its complement for a range."""

    kind: NDArray[np.int64]
    """The place in KINDS."""
    low: Floats
    high: Floats
    bound: Float64s
    """The difference of its shares in the choosing half, minus ERRORS standard errors."""


class _Half(NamedTuple):
    """Rows of both sets, and the equivalent numbers of independent rows."""

    real: Floats
    fake: Floats
    sizes: tuple[float, float]


def separating_columns(real: Points, fake: Points, equal: Repetition, seed: int) -> list[Any]:
    """Return the columns that separate the sets best by themselves, the best first.

    equal: the equal rows of both sets.

    Each is a dict: `column`, its number; `kind`: "value", "side" or "range"; `what`, the values in
    words: "value 0", "above 3.2", "up to 3.2" or "outside the range" of the other set; `real` and
    `fake`, the shares of samples with such values; `alike`, the number of columns that differ in
    the same way.
    """
    rng = stream(seed, "columns")
    rows = [_subsample(len(points), rng) for points in (real, fake)]
    halves = _halves(take_rows(real, rows[0]), take_rows(fake, rows[1]), equal.of(*rows), rng)
    if halves is None:
        return []
    choosing, measuring = halves
    step = max(1, _NUMBERS // (len(choosing.real) + len(choosing.fake)))
    parts = [
        (chosen, *_shares(measuring, columns, chosen.low, chosen.high))
        for columns in blocks(real.shape[1], step)
        for chosen in [_choose(choosing, columns)]
    ]
    kind, low, high, bound = map(np.concatenate, zip(*(one for one, *_ in parts), strict=True))
    p, q = (np.concatenate([part[i] for part in parts]) for i in (1, 2))
    clear = _is_clear(np.abs(p - q), _error(p, q, measuring.sizes))
    best = np.argsort(-bound, kind="stable")[:REPORTED]  # few, as each may be clear by chance
    reported = []
    for column in best[clear[best]]:
        one = _Chosen(*(x[[column]] for x in (kind, low, high, bound)))
        alike = clear & (kind == kind[column])
        if KINDS[kind[column]] == "value":
            alike &= low == low[column]
        described = _describe(one, int(column), choosing, measuring)
        reported.append({"column": int(column), **described, "alike": int(alike.sum())})
    return reported


def is_exact(column: Mapping[str, Any]) -> bool:
    """Return whether a reported column differs in one exact value, or in its range."""
    return column["kind"] in ("value", "range")


def best_column_sentence(columns: Sequence[Mapping[str, Any]], width: int) -> str:
    """Return a sentence with a trailing space on the best of the reported columns and the number of
    columns that differ in the same way; empty where none is reported."""
    if not columns:
        return ""
    best = columns[0]
    of_all = f", as in {best['alike']} of {width} columns" if best["alike"] > 1 else ""
    return f"It shows most in column {_label(best)}: {_in_both(best)}{of_all}. "


def sentences(columns: Sequence[Mapping[str, Any]], width: int, variation: float) -> list[str]:
    """Return a sentence on each reported column; of those that differ in the same way, only on the
    best.

    variation: the total variation of the curve.
    """
    ways, texts = set(), []
    for one in columns:
        way = one["what"] if one["kind"] == "value" else one["kind"]
        if way in ways:
            continue
        ways.add(way)
        difference = abs(one["real"] - one["fake"])
        missed = ", which misses this" if difference > variation + LEAST else ""
        more = one["alike"] - 1
        others = (
            f"; {more} more of {width} columns {'differs' if more == 1 else 'differ'} in this way"
        )
        texts.append(
            f"Column {_label(one)} alone shows a total variation of about {difference:.2f} "
            f"({variation:.2f} by the curve{missed}): {_in_both(one)}"
            f"{others if one['alike'] > 1 else ''}."
        )
    return texts


def _label(column: Mapping[str, Any]) -> str:
    return repr(column["name"]) if "name" in column else str(column["column"])


def _in_both(column: Mapping[str, Any]) -> str:
    real, fake = column["real"], column["fake"]
    if column["kind"] == "range":
        some, other = ("generated", "real") if fake >= real else ("real", "generated")
        share = _percent(max(real, fake))
        return f"values outside the range of the {other} samples in {share} of the {some} ones"
    values = column["what"] if column["kind"] == "value" else f"values {column['what']}"
    return f"{values} in {_percent(real)} of the real and {_percent(fake)} of the generated samples"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.01 or share == 0 else f"{100 * share:.2g} %"


def _subsample(n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    return np.arange(n) if n <= MOST else np.sort(rng.choice(n, MOST, replace=False))


def _halves(
    real: Floats, fake: Floats, equal: Repetition, rng: np.random.Generator
) -> tuple[_Half, _Half] | None:
    """Return random halves of both sets; None where one would be empty.

    Equal rows are in one half, unless the real set is discrete, as copies of a sample are no
    further evidence.
    """
    n, units = len(real), np.arange(len(equal.group))
    if not equal.discrete:
        _, numbers, place = np.unique(equal.group, return_index=True, return_inverse=True)
        units = numbers[place]
    first = (rng.random(int(units.max()) + 1) < 0.5)[units]
    halves = []
    for half in (first, ~first):
        rows = half[:n], half[n:]
        if not all(one.any() for one in rows):
            return None
        sizes = _independent(units[:n][rows[0]]), _independent(units[n:][rows[1]])
        halves.append(_Half(real[rows[0]], fake[rows[1]], sizes))
    return halves[0], halves[1]


def _independent(units: NDArray[Any]) -> float:
    """Return the number of independent rows for the same variance of a share (Kish)."""
    counts = np.unique(units, return_counts=True)[1].astype(np.float64)
    return float(counts.sum() ** 2 / (counts**2).sum())


def _choose(half: _Half, columns: slice) -> _Chosen:
    """Return the set of values of each column whose shares differ most in this half."""
    x, y = half.real[:, columns], half.fake[:, columns]
    # Each column in one piece, which is sorted in half of the time.
    points = np.concatenate([x.T, y.T], axis=1)
    order = np.argsort(points, axis=1)
    values = np.take_along_axis(points, order, axis=1).T
    signed = np.where(order < len(x), 1.0 / len(x), -1.0 / len(y))
    below = np.cumsum(signed, axis=1).T  # P(z <= value) − Q(z <= value) at the last of equal values
    last = np.ones(values.T.shape, np.bool_).T
    np.not_equal(values[1:], values[:-1], out=last[:-1])
    ends = [
        _best_value(values, below, last),
        _best_side(values, below, last),
        *(_outside(one, other) for one, other in ((x, y), (y, x))),
    ]
    lows, highs, differences = map(np.stack, zip(*ends, strict=True))
    shares = [_shares(half, columns, *interval) for interval in zip(lows, highs, strict=True)]
    bounds = differences - ERRORS * np.stack([_error(*both, half.sizes) for both in shares])
    forgiven = (1.0 - _PREFERRED)[:, None] * differences.max(axis=0)
    enough = bounds >= bounds.max(axis=0) - forgiven
    pick = enough.argmax(axis=0), np.arange(values.shape[1])
    return _Chosen(np.minimum(pick[0], 2), lows[pick], highs[pick], bounds[pick])


def _best_value(values: Floats, below: Float64s, last: Flags) -> tuple[Floats, Floats, Float64s]:
    """Return the exact value whose shares differ most, or 0 where that is almost as good."""
    columns = np.arange(values.shape[1])
    chosen, difference = values[0].copy(), np.zeros(values.shape[1])
    repeating = np.flatnonzero(~last.all(axis=0))  # columns in which values repeat
    if repeating.size:
        v, s, ends = values[:, repeating], below[:, repeating], last[:, repeating]
        place = np.where(ends, np.arange(len(v))[:, None], -1)
        before = np.vstack([np.full(repeating.size, -1), np.maximum.accumulate(place, axis=0)[:-1]])
        earlier = np.where(before >= 0, np.take_along_axis(s, np.maximum(before, 0), axis=0), 0.0)
        share = np.abs(np.where(ends, s - earlier, 0.0))
        zero = np.where(v == 0, share, 0.0)
        at_zero = zero.max(axis=0) >= _PREFERRED[0] * share.max(axis=0)
        at = np.where(at_zero, zero.argmax(axis=0), share.argmax(axis=0)), columns[: repeating.size]
        chosen[repeating], difference[repeating] = v[at], share[at]
    return chosen, chosen, difference


def _best_side(values: Floats, below: Float64s, last: Flags) -> tuple[Floats, Floats, Float64s]:
    """Return the half line up to the threshold where the distribution functions differ most."""
    apart = np.where(last, np.abs(below), 0.0)
    at = apart.argmax(axis=0), np.arange(values.shape[1])
    return np.full_like(values[at], -np.inf), values[at], apart[at]


def _outside(known: Floats, other: Floats) -> tuple[Floats, Floats, Float64s]:
    """Return the range of one set, and the share of the other set outside it."""
    low, high = known.min(axis=0), known.max(axis=0)
    return low, high, ((other < low) | (other > high)).mean(axis=0)


def _shares(half: _Half, columns: slice, low: Floats, high: Floats) -> tuple[Float64s, Float64s]:
    """Return the shares of both sets in the interval of each column."""
    shares = [
        ((one[:, columns] >= low) & (one[:, columns] <= high)).mean(axis=0)
        for one in (half.real, half.fake)
    ]
    return shares[0], shares[1]


def _error(p: Float64s, q: Float64s, sizes: tuple[float, float]) -> Float64s:
    """Return the standard error of p − q where both sets have the same share."""
    n, m = sizes
    share = (n * p + m * q) / (n + m)
    error: Float64s = np.sqrt(share * (1.0 - share) * (1.0 / n + 1.0 / m))
    return error


def _is_clear(difference: Float64s, error: Float64s) -> Flags:
    """Return whether a difference of shares is large, or small and significant."""
    large = difference >= np.maximum(LEAST, ERRORS * error)
    well_known = difference >= np.maximum(_LEAST_OF_CLEAR, _CLEAR_ERRORS * error)
    return large | well_known


def _describe(one: _Chosen, column: int, choosing: _Half, measuring: _Half) -> dict[str, Any]:
    """Return the set of a column in words, and its shares."""
    columns = slice(column, column + 1)
    kind = KINDS[one.kind[0]]
    if kind == "side":
        values = np.concatenate([choosing.real[:, column], choosing.fake[:, column]])
        above = values[values > one.high[0]]
        one = one._replace(high=_short(one.high[0], above.min() if above.size else np.inf))
    p, q = (float(share[0]) for share in _shares(measuring, columns, one.low, one.high))
    what = f"value {_printed(one.high[0])}"
    if kind == "range":
        what, p, q = "outside the range", 1.0 - p, 1.0 - q
    elif kind == "side":
        what = f"up to {_printed(one.high[0])}"
        if p + q > 1.0:  # report the side with fewer samples
            what, p, q = f"above {_printed(one.high[0])}", 1.0 - p, 1.0 - q
    return {"kind": kind, "what": what, "real": round(p, 4), "fake": round(q, 4)}


def _short(low: Any, high: Any) -> Floats:
    """Return the number with the fewest digits in [low, high), or low."""
    if np.isfinite(high):
        middle = float(low) + (float(high) - float(low)) / 2
        for digits in range(1, 17):
            number = low.dtype.type(f"{middle:.{digits}g}")
            if low <= number < high:
                return np.array([number])
    return np.array([low])


def _printed(number: Any) -> str:
    return str(number + 0.0).removesuffix(".0")
