"""Sentences about the samples of a result: how many, how they repeat, and on what they depend."""

from __future__ import annotations

from collections.abc import Sequence

from prfast.results.values import shortened
from prfast.samples.codes import shared_codes
from prfast.samples.noise import CATEGORY, SCALES
from prfast.samples.pair import Pair
from prfast.samples.record import SamplesRecord
from prfast.samples.repetition import COPIED, DISTINCT

_BLOCK = 4  # strides in a block of dependent rows
_ENOUGH = 20  # blocks of a set
_NAMES = ("real", "generated")
FEW = 200  # samples of either set, below which every number has a note
ROUGH = "numbers are rough, and small modes cannot be detected"


def number_notes(record: SamplesRecord) -> list[str]:
    """Return the notes on effective sizes of weights and groups, and on few samples."""
    scored, units = record.scored, record.units
    if scored is None or units is None:
        return []
    # Scores at a resolution are those of copies of the samples.
    sizes = tuple(min(n, limit or n) for n, limit in zip(scored, record.sizes, strict=True))
    notes = []
    if not record.is_plain:
        merged = record.merged or (None, None)
        parts = (
            f"{unit} of {size} {name}" + (f" (distinct, of {number})" if number else "")
            for unit, size, name, number in zip(units, sizes, _NAMES, merged, strict=True)
        )
        text = f"Effective sample size {' and '.join(parts)}"
        if record.groups is not None:
            text += "; {} real and {} generated groups".format(*record.groups)
        notes.append(f"{text}.")
        if record.groups is not None:
            notes += _single_note(*(x == y for x, y in zip(record.groups, sizes, strict=True)))
    if min(units) < FEW:
        kind = "samples" if units == sizes else "independent samples"
        notes.append(
            f"Few {kind}, {units[0]} real and {units[1]} generated: with fewer than {FEW} of "
            f"either {ROUGH}."
        )
    return notes


def large_notes(record: SamplesRecord) -> list[str]:
    large = ["of large weight"] * bool(record.weighted) + ["of large groups"] * bool(record.groups)
    kind = f"single samples {' or '.join(large)}" if large else "rows that repeat most"
    notes = []
    sets = zip(_NAMES, _NAMES[::-1], record.far, record.single, strict=True)
    for name, unlike, far, single in sets:
        if far > 0:
            notes.append(
                f"{far:.1%} of the {name} set are {kind}, farther out than the {unlike} samples "
                "are from each other, and count as unlike them."
            )
        if single > 0:
            doubt = "look real" if name == "generated" else "are among the generated"
            notes.append(
                f"{single:.1%} of the {name} set are {kind}: whether they {doubt} is judged by "
                "single observations, and ± includes that they do not."
            )
    return notes


def row_notes(record: SamplesRecord, *, takes_weights: bool = True) -> list[str]:
    """Return the notes on repeated rows, for methods with weights their cure, on copies, rows that
    depend on neighbors, and codes."""
    sizes, notes = record.sizes, list[str]()
    for name, distinct, size in zip(_NAMES, record.distinct or (), sizes, strict=False):
        if size is not None:
            covers = record.covered is not None and name == "generated" and not record.swapped
            note = repeated_note(distinct, size, name, covers=covers)
            if note and takes_weights and not record.discrete and record.groups is None:
                note[0] += " If repeats are weights, as in a Markov chain or by oversampling, set "
                note[0] += 'the option repeats of the curve to "weights"'
                if covers and record.diversities:
                    without, weighted = record.diversities
                    note[0] += f": diversity up to about {weighted:.2f}, and not {without:.2f}"
                note[0] += "."
            notes += note
    if record.copied is not None and sizes[1] is not None:
        draws = 1.0 if record.discrete else 0.0
        if record.distinct and sizes[0] and not record.merged:
            draws *= 2 - 2 * record.distinct[0] / sizes[0]
        notes += copied_note(record.copied, sizes[1], draws)
    least, strides = min(sizes[0] or 0, sizes[1] or 0), record.strides or (1, 1)
    codes, blocks = record.codes or 0, record.merged is None and not record.has_copies
    return notes + _cures(strides, least, codes, record.n_features or 0, blocks=blocks)


def _cures(strides: Sequence[int], size: int, codes: int, width: int, *, blocks: bool) -> list[str]:
    """Return the notes on rows that depend on neighbors, and on codes, with the cures.

    size: rows of the smaller set; blocks: whether groups may be passed and no equal rows join them.
    """
    notes = []
    if (stride := max(strides)) > 1:
        names = " and ".join(x for x, lag in zip(_NAMES, strides, strict=True) if lag > 1)
        least = size // _ENOUGH
        cure = "So few rows are independent that independent series are needed"
        cure += ", each with a group of its own" if blocks else ""
        if stride <= least:
            real, fake = (
                f"np.arange(len({name})){f' // {min(_BLOCK * lag, least)}' * (lag > 1)}"
                for lag, name in zip(strides, ("real", "fake"), strict=True)
            )
            cure = f"Take rows at least {stride} apart, such as [::{stride}]"
            if blocks:
                cure += f", or pass blocks as groups, in Python groups=({real}, -1 - {fake})"
        notes.append(
            f"Neighboring {names} rows are alike, as in sliding windows, frames and chains: ± and "
            f"p-values count too many as independent. {cure}. If rows are only sorted by class, "
            "shuffle them."
        )
    if codes:
        notes.append(
            f"Columns share {codes} whole numbers without an order, as tokens: differences of "
            "codes may be missed, and the numbers too high. Make each code a column, in Python "
            "encoded = prfast.encode(pandas.DataFrame(real), pandas.DataFrame(fake), "
            f"categories=range({width})), then encoded.real and encoded.fake."
        )
    return notes


def repeated_note(distinct: int, size: int, name: str, *, covers: bool = False) -> list[str]:
    """Return the note on repeated rows of a set, if they are more than a share COPIED.

    covers: whether the diversity is that of the distinct samples alone, as with "auto".
    """
    if size - distinct <= COPIED * size:
        return []
    be, cover = ("is", "sample covers") if distinct == 1 else ("are", "samples cover")
    counts = f": diversity counts what {distinct} {cover}" if covers else ""
    return [f"Only {distinct} of the {size} {name} samples {be} distinct{counts}."]


def copied_note(copied: int, size: int, draws: float) -> list[str]:
    """Return the note on generated samples that equal a real one, if more than a share COPIED do.

    draws: share of real samples that equal another one as draws, as many as new samples would.
    """
    if copied <= COPIED * size:
        return []
    meaning = (
        "; as real samples repeat as well, these need not be copies, unless values are continuous."
        if copied <= 2 * draws * size
        else ": the numbers cannot tell copying from skill; compare with real samples that were "
        "not used for training."
    )
    return [f"{copied} of {size} generated samples equal a real one, to the last bit{meaning}"]


def copies_caution(models: Sequence[str]) -> list[str]:
    """Return the caution on differences of models whose samples equal real ones, if any."""
    if not models:
        return []
    return [
        f"Samples of {shortened(models)} equal real ones: their differences cannot tell copying "
        "from skill, and do not count, also where they are clear."
    ]


def dependence_notes(pair: Pair) -> list[str]:
    """Return the cautions of a test on samples that may depend on each other, and on codes."""
    equal, (n, m), notes = pair.repetition, pair.sizes, list[str]()
    real, fake = map(len, equal.counts)
    if pair.is_grouped:
        notes = _single_note(pair.real.labels is None, pair.fake.labels is None)
    elif equal.copied and not equal.discrete:
        notes = [
            f"{equal.copied} of {m} generated samples equal a real one. If they are copies, the "
            "sets are not independent: test against real samples that they were not made from. "
            "Values that are equal by chance are no problem; do not leave them out."
        ]
    elif (real < DISTINCT * n or fake < DISTINCT * m) and not equal.discrete:
        notes = [
            f"Rows repeat: {real} of {n} real and {fake} of {m} generated ones are distinct. If "
            "they are copies and no independent samples, the p-value is too small, and the bound "
            "of the total variation does not hold: pass groups, set the option repeats to "
            '"weights", or keep one of each.'
        ]
    codes, blocks = shared_codes(pair.real.points), not any(x.merged for x in pair.sets)
    blocks &= equal.discrete or (real + fake == n + m and not equal.copied)
    return _cures(pair.strides, min(n, m), codes, pair.width, blocks=blocks) + notes


def _single_note(real: bool, fake: bool) -> list[str]:
    """Return a caution where the samples of one set alone are groups by themselves."""
    if real == fake:
        return []
    single, grouped = _NAMES if real else _NAMES[::-1]
    return [
        f"The {grouped} samples are in groups and each {single} one is by itself: if {single} "
        "samples depend on each other as well, give their groups."
    ]


def units_text(record: SamplesRecord) -> str:
    noise = record.noise or {}
    scale = noise.get("scale", "")
    text = SCALES.get(scale, "") if isinstance(scale, str) else "given scales"
    if "categories" in noise:
        text += f"; categories are replaced with probability 1 − exp(−(σ/{CATEGORY:g})²)"
    return text
