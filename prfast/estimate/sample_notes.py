"""Sentences on samples, by their record or a pair: few, weighted, grouped, repeated, copied ones.

Sentences name the sets as they are now, where they were exchanged after the result was computed.
"""

from __future__ import annotations

from collections.abc import Sequence

from prfast.samples.pair import Pair
from prfast.samples.record import SamplesRecord
from prfast.samples.repetition import COPIED, DISTINCT

_BLOCK = 4  # strides in a block of dependent rows
_ENOUGH = 20  # blocks of a set
FEW = 200  # samples of either set, below which every number has a note
AS_WEIGHTS = (
    "If repeats are weights, as in a Markov chain or by oversampling, use prfast.pr_curve(…, "
    'repeats="weights").'
)
ROUGH = "numbers are rough, and small modes cannot be seen"


def number_notes(record: SamplesRecord) -> list[str]:
    """Return the notes on the number of independent samples: the effective sizes of weights and
    groups, and few samples."""
    scored, units = record.scored, record.units
    if scored is None or units is None:
        return []
    # Scores at a resolution are those of copies of the samples.
    numbers = record.sizes[::-1] if record.swapped else record.sizes
    sizes = tuple(min(n, limit or n) for n, limit in zip(scored, numbers, strict=True))
    notes = []
    real, fake = _sides(record)
    if not record.is_plain:
        merged = record.merged or (None, None)
        merged = merged[::-1] if record.swapped else merged
        parts = (
            f"{unit} of {size} {side}" + (f" (distinct, of {number})" if number else "")
            for unit, size, side, number in zip(units, sizes, (real, fake), merged, strict=True)
        )
        text = f"Effective sample size {' and '.join(parts)}"
        if record.groups is not None:
            n, m = record.groups[::-1] if record.swapped else record.groups
            text += f"; {n} {real} and {m} {fake} groups"
        notes.append(f"{text}.")
        if record.groups is not None:
            notes += _single_note(n == sizes[0], m == sizes[1], (real, fake))
    if min(units) < FEW:
        kind = "samples" if units == sizes else "independent samples"
        notes.append(
            f"Few {kind}, {units[0]} real and {units[1]} generated: with fewer than {FEW} of "
            f"either {ROUGH}."
        )
    return notes


def large_notes(record: SamplesRecord) -> list[str]:
    """Return the notes on samples that are a large share of a set, a sentence for each set."""
    sides = _sides(record)
    large = ["of large weight"] * bool(record.weighted) + ["of large groups"] * bool(record.groups)
    kind = f"single samples {' or '.join(large)}" if large else "rows that repeat"
    notes = []
    for name, other, far, single in zip(sides, sides[::-1], record.far, record.single, strict=True):
        if far > 0:
            notes.append(
                f"{far:.1%} of the {name} set are {kind}, farther out than the {other} samples are "
                "from each other, and count as unlike them."
            )
        if single > 0:
            doubt = "look real" if name == "generated" else "are among the generated"
            notes.append(
                f"{single:.1%} of the {name} set are {kind}: whether they {doubt} is judged by "
                "single observations, and ± includes that they do not."
            )
    return notes


def row_notes(record: SamplesRecord) -> list[str]:
    """Return the notes on repeated rows of each set, on copies, on rows that depend on their
    neighbors, and on codes."""
    names, sizes, notes = _sides(record), record.sizes, list[str]()
    for name, distinct, size in zip(names, record.distinct or (), sizes, strict=False):
        if size is not None:
            covers = record.covered is not None and name == "generated"
            note = repeated_note(distinct, size, name, covers=covers)
            fixed = record.discrete or record.groups is not None
            notes += note if fixed else [f"{text} {AS_WEIGHTS}" for text in note]
    if record.copied is not None and sizes[1] is not None:
        notes += copied_note(record.copied, sizes[1], names[1], discrete=record.discrete)
    if record.strides is not None:
        turn, least = -1 if record.swapped else 1, min(sizes[0] or 0, sizes[1] or 0)
        notes += dependent_notes(record.strides[::turn], least, blocks=record.merged is None)
    return notes + code_notes(record.codes or 0, record.n_features or 0)


def dependent_notes(strides: Sequence[int], size: int, *, blocks: bool) -> list[str]:
    """Return the note on rows that depend on their neighbors, with the cure.

    size: the number of rows of the smaller set; blocks: whether groups may be passed.
    """
    if max(strides) == 1:
        return []
    names = " and ".join(
        name for name, stride in zip(("real", "generated"), strides, strict=True) if stride > 1
    )
    stride, least = max(strides), size // _ENOUGH
    cure = "So few rows are independent that independent series are needed"
    cure += ", each a label of groups=" if blocks else ""
    if stride <= least:
        real, fake = (
            f"np.arange(len({name})){f' // {min(_BLOCK * lag, least)}' * (lag > 1)}"
            for lag, name in zip(strides, ("real", "fake"), strict=True)
        )
        cure = f"Take rows at least {stride} apart, such as [::{stride}]"
        cure += f", or pass blocks, groups=({real}, -1 - {fake})" if blocks else ""
    return [
        f"Neighboring {names} rows are alike, as in sliding windows, frames and chains: ± and "
        f"p-values count too many as independent. {cure}. If rows are only sorted by class, "
        "shuffle them."
    ]


def code_notes(codes: int, width: int) -> list[str]:
    """Return the note on whole numbers that are codes in several columns, with the cure."""
    if not codes:
        return []
    return [
        f"Columns share {codes} whole numbers without an order, as tokens: differences of codes "
        "may be missed. Make each code a column: encoded = prfast.encode(pandas.DataFrame(real), "
        f"pandas.DataFrame(fake), categories=range({width})), then encoded.real and encoded.fake."
    ]


def repeated_note(distinct: int, size: int, name: str, *, covers: bool = False) -> list[str]:
    """Return the note on repeated rows: one sentence, or none up to a share COPIED of them.

    name: "real" or "generated"; covers: whether the recall is that of the distinct samples alone,
    as with "auto".
    """
    if size - distinct <= COPIED * size:
        return []
    be, cover = ("is", "sample covers") if distinct == 1 else ("are", "samples cover")
    counts = f": recall counts what {distinct} {cover}" if covers else ""
    return [f"Only {distinct} of the {size} {name} samples {be} distinct{counts}."]


def copied_note(copied: int, size: int, name: str = "generated", *, discrete: bool) -> list[str]:
    """Return the note on samples of the set `name` that equal one of the other set: one sentence,
    or none up to a share COPIED of them; discrete: whether many real samples equal each other."""
    if copied <= COPIED * size:
        return []
    other = "real" if name == "generated" else "generated"
    meaning = (
        "; as real samples repeat as well, these need not be copies, unless values are continuous."
        if discrete
        else ": the numbers cannot tell copying from skill; compare with real samples that were "
        "not used for training."
    )
    return [f"{copied} of {size} {name} samples equal a {other} one, to the last bit{meaning}"]


def dependence_notes(pair: Pair) -> list[str]:
    """Return the cautions of a test on samples that may depend on each other: those of a set
    without groups beside one with groups, rows that depend on their neighbors, and rows that repeat
    where those of a continuous distribution do not."""
    notes = dependent_notes(
        pair.strides, min(pair.sizes), blocks=not any(samples.merged for samples in pair.sets)
    )
    if pair.is_grouped:
        return notes + _single_note(pair.real.labels is None, pair.fake.labels is None)
    equal, (n, m) = pair.repetition, pair.sizes
    if equal.discrete:
        return notes
    if equal.copied:
        return [
            *notes,
            f"{equal.copied} of {m} generated samples equal a real one. If they are copies, the "
            "sets are not independent: test against real samples that they were not made from. "
            "Values that are equal by chance are no problem; do not leave them out.",
        ]
    real, fake = map(len, equal.counts)
    if real >= DISTINCT * n and fake >= DISTINCT * m:
        return notes
    return [
        *notes,
        f"Rows repeat: {real} of {n} real and {fake} of {m} generated ones are distinct. If they "
        "are copies and no independent samples, the p-value is too small: pass groups=, "
        'repeats="weights", or one of each.',
    ]


def _single_note(
    real: bool, fake: bool, sides: tuple[str, str] = ("real", "generated")
) -> list[str]:
    """Return a caution where one set alone is in groups; real, fake: whether the samples of a set
    are groups by themselves."""
    if real == fake:
        return []
    single, grouped = sides if real else sides[::-1]
    return [
        f"The {grouped} samples are in groups and each {single} one is by itself: if {single} "
        "samples depend on each other as well, give their groups."
    ]


def _sides(record: SamplesRecord) -> tuple[str, str]:
    """Return the original names of the sets that are real and generated now."""
    return ("generated", "real") if record.swapped else ("real", "generated")
