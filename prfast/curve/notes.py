"""Notes on the samples of a curve, and the entries of `info` on which they depend.

    n_real, n_fake            the numbers of samples of both sets
    scored_real, scored_fake  the numbers of samples that the masses count
    units                     the numbers of independent ones among these: where rows repeat, equal
                              rows count once
    distinct                  [distinct real rows, distinct generated rows], where rows repeat
    copied                    the number of generated rows that equal a real one

The notes report few samples, repeated rows and copies; they are the same wherever a curve is shown.
The entries of a swapped curve name the sides of the original one.  A mean or an intersection
consists of curves, not of samples; it records the fewest samples of any of them, so that no
standard error is too small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.results.info import agreed

_SIZES = ("n_real", "n_fake")
_SCORED = ("scored_real", "scored_fake")
_OF_ONE = ("hull", "bound", "side", "confidence", "certified")


def read_sizes(info: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the numbers of scored samples, of the side of p and of that of q; None where they are
    not recorded."""
    return _by_side(info, [info.get(key) for key in _SCORED])


def read_units(info: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the numbers of independent units among the scored samples, sides as in `read_sizes`:
    fewer where equal rows count once."""
    return _by_side(info, info.get("units")) or read_sizes(info)


def read_distinct(info: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the numbers of distinct real and generated rows; None where they are not recorded."""
    return _read_pair(info.get("distinct"))


def _by_side(info: Mapping[str, Any], sizes: Any) -> tuple[int, int] | None:
    found = _read_pair(sizes)
    return found[::-1] if found and info.get("swapped") is True else found


def _read_pair(sizes: Any) -> tuple[int, int] | None:
    if not isinstance(sizes, list) or len(sizes) != 2:
        return None
    for size in sizes:
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            return None
    return sizes[0], sizes[1]


def are_counts(masses: Float64s, total: float, size: float) -> bool:
    """Return whether the masses are whole numbers whose sum, total, is the number of samples."""
    return total == size and bool((masses == np.floor(masses)).all())


def joined(infos: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the `info` of a mean or an intersection: the entries on which all curves agree, with
    the fewest scored samples.

    The counts of a hull and the confidence of a bound are left out, as they hold for one curve: two
    bounds at 95 % hold jointly with a lower probability.  Where only some curves are swapped, the
    sizes are left out too, as they belong to different sides.
    """
    found = agreed(infos)
    for key in _OF_ONE:
        found.pop(key, None)
    for key in _SCORED:
        sizes = [info.get(key) for info in infos]
        found.pop(key, None)
        if all(isinstance(size, int) for size in sizes):
            found[key] = min(sizes)  # type: ignore[type-var]
    if any("units" in info for info in infos):
        units = [info.get("units", [info.get(key) for key in _SCORED]) for info in infos]
        found.pop("units", None)
        if all(_read_pair(one) for one in units):
            found["units"] = [min(of_set) for of_set in zip(*units, strict=True)]
    if len({info.get("swapped") is True for info in infos}) > 1:
        for key in (*_SIZES, *_SCORED, "units", "distinct"):
            found.pop(key, None)
    return found


def proves_fixed(info: Mapping[str, Any]) -> bool:
    """Return whether the record is compatible with a scorer fixed independently of the samples.

    True with a split; for a function that needs no fit (`fitted`: False); and where nothing is
    recorded on a split, as the scores came from the caller.  False without a split, and for folds
    that share training samples.
    """
    if info.get("folds") is not None:
        return False
    return "split" not in info or info["split"] is not None or info.get("fitted") is False


FEW = 200  # samples of either set, below which every number has a note
ROUGH = "numbers are rough, and small modes cannot be seen"
SHARE = 0.01  # share of equal rows, above which there is a note


def notes_of(info: Mapping[str, Any]) -> list[str]:
    """Return the notes on a curve, a sentence each; a bound has none, as it accounts for the number
    of samples itself."""
    return [*_few_samples(info), *_equal_rows(info)]


def notes_of_several(infos: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the notes on the curve with the fewest samples, and those on equal rows of all curves.

    Notes name their curves; one on equal rows that all curves share appears once, without names.
    """
    notes = _fewest_samples(infos)
    of_each = {name: _equal_rows(info) for name, info in infos.items()}
    for text in dict.fromkeys(text for notes in of_each.values() for text in notes):
        names = [name for name, notes in of_each.items() if text in notes]
        notes += [text] if len(names) == len(infos) else [f"{name}: {text}" for name in names]
    return notes


def few_note(sizes: tuple[int, int] | None, units: tuple[int, int] | None = None) -> list[str]:
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


def copies(info: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the number of generated samples that equal a real one and the number of all, where
    they may be copies and `copied_note` reports them; otherwise None."""
    (_, m), copied = _sizes(info), info.get("copied")
    if not isinstance(copied, int) or m is None or copied <= SHARE * m or "discrete" in info:
        return None
    return copied, m


def _few_samples(info: Mapping[str, Any]) -> list[str]:
    return [] if "side" in info else few_note(read_sizes(info), read_units(info))


def _fewest_samples(infos: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the note on the curve with the fewest samples, named where there are several."""
    known = {
        name: units
        for name, info in infos.items()
        if "side" not in info and (units := read_units(info)) is not None
    }
    if not known:
        return []
    name = min(known, key=lambda one: min(known[one]))
    return [f"{name}: {text}" if len(infos) > 1 else text for text in _few_samples(infos[name])]


def _equal_rows(info: Mapping[str, Any]) -> list[str]:
    if "side" in info:
        return []
    names = ("generated", "real") if info.get("swapped") is True else ("real", "generated")
    sizes, distinct, copied = _sizes(info), info.get("distinct"), info.get("copied")
    notes = []
    if isinstance(distinct, list):
        for name, few, size in zip(names, distinct, sizes, strict=True):
            if size is not None:
                covers = "covered" in info and name == "generated"
                notes += repeated_note(few, size, name, covers=covers)
    if isinstance(copied, int) and sizes[1] is not None:
        notes += copied_note(copied, sizes[1], names[1], "discrete" in info)
    return notes


def _sizes(info: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """Return the numbers of real and generated samples; for a class, those of the class."""
    kind = "class" if "class" in info else "n"
    n, m = (info.get(f"{kind}_{one}") for one in ("real", "fake"))
    return n, m
