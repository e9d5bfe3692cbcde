"""What a curve's `info` says of the samples behind its masses: how many were scored, and whether by
a scorer that had not seen them.

`scored_real`, `scored_fake`: how many real and generated samples the masses count.  Those of a
swapped curve name the sides of the original one, as `n_real` and `n_fake` do.  A mean or an
intersection is of curves, not of samples: it says the fewest that one of them stands for, which
makes no spread too small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s
from prfast.results.info import agreed

FEW = 200  # samples of either set, below which every number has a note
ROUGH = "numbers are rough, and small modes cannot be seen"
_SIZES = ("n_real", "n_fake")
_SCORED = ("scored_real", "scored_fake")
_OF_ONE = ("hull", "bound", "side", "confidence", "certified")


def read_sizes(info: Mapping[str, Any]) -> tuple[int, int] | None:
    """Two sizes, of the side of p and of that of q; None where they are not recorded."""
    n, m = (info.get(key) for key in _SCORED)
    for size in (n, m):
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            return None
    return (m, n) if info.get("swapped") is True else (n, m)  # type: ignore[return-value]


def few_samples(sizes: tuple[int, int] | None) -> list[str]:
    """Return the note on numbers of few real and generated samples: one sentence, or none.

    This is the one rule for all that prfast prints: curves, by the samples that were scored, and
    metrics, by all samples.
    """
    if sizes is None or min(sizes) >= FEW:
        return []
    return [
        f"Few samples, {sizes[0]} real and {sizes[1]} generated: with fewer than {FEW} of either "
        f"{ROUGH}."
    ]


def notes_of(info: Mapping[str, Any]) -> list[str]:
    """Return the note on few samples of a curve; a bound has none, as it counts them itself."""
    return [] if "side" in info else few_samples(read_sizes(info))


def are_counts(masses: Float64s, total: float, size: float) -> bool:
    """Return whether the masses of the cells are whole numbers with this sum."""
    return total == size and bool((masses == np.floor(masses)).all())


def fewest(infos: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the note on the curve of the fewest samples, by name where there are several."""
    known = {
        name: sizes
        for name, info in infos.items()
        if "side" not in info and (sizes := read_sizes(info)) is not None
    }
    if not known:
        return []
    name, sizes = min(known.items(), key=lambda item: min(item[1]))
    return [f"{name}: {text}" if len(infos) > 1 else text for text in few_samples(sizes)]


def joined(infos: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What a curve made of several says: what their records agree on, and the fewest scored.

    Counts of a hull are those of one curve, and so is what a bound proves: of two at 95 % both hold
    with less.  Where some are swapped and others not, the sizes of
    one are not those of the other's sides.
    """
    found = agreed(infos)
    for key in _OF_ONE:
        found.pop(key, None)
    for key in _SCORED:
        sizes = [info.get(key) for info in infos]
        found.pop(key, None)
        if all(isinstance(size, int) for size in sizes):
            found[key] = min(sizes)  # type: ignore[type-var]
    if len({info.get("swapped") is True for info in infos}) > 1:
        for key in (*_SIZES, *_SCORED):
            found.pop(key, None)
    return found


def proves_fixed(info: Mapping[str, Any]) -> bool:
    """Does nothing in the record deny that the scorer was fixed before it saw what it scored?

    True of a split; of a function that was given as it is (`fitted`: False); and of scores whose
    record says nothing of a split, as they came from the caller.  False without a split, and where
    folds share what they train on.
    """
    if info.get("folds") is not None:
        return False
    return "split" not in info or info["split"] is not None or info.get("fitted") is False
