"""Notes on the samples of a curve: few samples, repeated rows, copies.

They are the same wherever a curve is shown.
"""

from __future__ import annotations

from collections.abc import Mapping

from prfast.curve.provenance import Provenance, Sizes

FEW = 200  # samples of either set, below which every number has a note
ROUGH = "numbers are rough, and small modes cannot be seen"
SHARE = 0.01  # share of equal rows, above which there is a note


def notes_of(made: Provenance) -> list[str]:
    """Return the notes on a curve, a sentence each; a bound has none, as it accounts for the number
    of samples itself."""
    return [*_few_samples(made), *_equal_rows(made)]


def notes_of_several(curves: Mapping[str, Provenance]) -> list[str]:
    """Return the notes on the curve with the fewest samples, and those on equal rows of all curves.

    Notes name their curves; one on equal rows that all curves share appears once, without names.
    """
    notes = _fewest_samples(curves)
    of_each = {name: _equal_rows(made) for name, made in curves.items()}
    for text in dict.fromkeys(text for notes in of_each.values() for text in notes):
        names = [name for name, notes in of_each.items() if text in notes]
        notes += [text] if len(names) == len(curves) else [f"{name}: {text}" for name in names]
    return notes


def few_note(sizes: Sizes | None, units: Sizes | None = None) -> list[str]:
    """Return the note on few samples: one sentence, or none from FEW samples of each set on.

    This is the common rule for curves, with the numbers of scored samples, and for metrics, with
    those of all samples.  Where rows repeat, the independent units count.
    """
    if sizes is None or min(units or sizes) >= FEW:
        return []
    if units in (None, sizes):
        sentence = f"Few samples, {sizes[0]} real and {sizes[1]} generated"
    else:
        sentence = (
            f"Few independent samples, {units[0]} of {sizes[0]} real and {units[1]} of {sizes[1]} "
            "generated, as rows repeat"
        )
    return [f"{sentence}: with fewer than {FEW} of either {ROUGH}."]


def repeated_note(distinct: int, size: int, name: str, *, covers: bool = False) -> list[str]:
    """Return the note on repeated rows: one sentence, or none up to a SHARE of them.

    name: "real" or "generated"; covers: whether the recall is that of the distinct samples alone,
    as with "auto".
    """
    if size - distinct <= SHARE * size:
        return []
    be, cover = ("is", "sample covers") if distinct == 1 else ("are", "samples cover")
    counts = f": recall counts what {distinct} {cover}" if covers else ""
    return [f"Only {distinct} of the {size} {name} samples {be} distinct{counts}."]


def copied_note(
    copied: int, size: int, name: str = "generated", discrete: bool = False
) -> list[str]:
    """Return the note on generated samples that equal a real one: one sentence, or none up to a
    SHARE of them.

    name: the set of the copies; discrete: whether many real samples equal each other.
    """
    if copied <= SHARE * size:
        return []
    other = "real" if name == "generated" else "generated"
    sentence = f"{copied} of {size} {name} samples equal a {other} one, to the last bit"
    if discrete:
        return [
            f"{sentence}; as real samples repeat as well, these need not be copies, unless values "
            "are continuous."
        ]
    return [
        f"{sentence}: the numbers cannot tell copying from skill; compare with real samples that "
        "were not used for training."
    ]


def copies(made: Provenance) -> Sizes | None:
    """Return the number of generated samples that equal a real one and the number of all, where
    they may be copies and `copied_note` reports them; otherwise None."""
    copied, size = made.copied, made.sizes[1]
    if copied is None or size is None or copied <= SHARE * size or made.discrete:
        return None
    return copied, size


def _few_samples(made: Provenance) -> list[str]:
    return [] if made.side else few_note(made.scored, made.units)


def _fewest_samples(curves: Mapping[str, Provenance]) -> list[str]:
    """Return the note on the curve with the fewest samples, named where there are several."""
    known = {name: made.units for name, made in curves.items() if made.units and not made.side}
    if not known:
        return []
    name = min(known, key=lambda one: min(known[one]))
    return [f"{name}: {text}" if len(curves) > 1 else text for text in _few_samples(curves[name])]


def _equal_rows(made: Provenance) -> list[str]:
    if made.side:
        return []
    names = ("generated", "real") if made.swapped else ("real", "generated")
    notes = []
    for name, few, size in zip(names, made.distinct or (), made.sizes, strict=False):
        if size is not None:
            notes += repeated_note(few, size, name, covers=made.covered and name == "generated")
    if made.copied is not None and made.sizes[1] is not None:
        notes += copied_note(made.copied, made.sizes[1], names[1], made.discrete)
    return notes
