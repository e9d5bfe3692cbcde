"""What a curve's `info` says of the samples behind its masses: how many were scored, and whether by
a scorer that had not seen them.

`scored_real`, `scored_fake`: how many real and generated samples the masses count; `units`: how
many independent ones these are, where rows repeat and equal rows count once.  Those of a
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

_SIZES = ("n_real", "n_fake")
_SCORED = ("scored_real", "scored_fake")
_OF_ONE = ("hull", "bound", "side", "confidence", "certified")


def read_sizes(info: Mapping[str, Any]) -> tuple[int, int] | None:
    """Two sizes, of the side of p and of that of q; None where they are not recorded."""
    return _by_side(info, [info.get(key) for key in _SCORED])


def read_units(info: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the numbers of independent units among the scored samples, sides as `read_sizes`:
    fewer where equal rows count once."""
    return _by_side(info, info.get("units")) or read_sizes(info)


def read_distinct(info: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the numbers of distinct rows of the real and of the generated samples."""
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
    """Return whether the masses of the cells are whole numbers with this sum."""
    return total == size and bool((masses == np.floor(masses)).all())


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
    """Does nothing in the record deny that the scorer was fixed before it saw what it scored?

    True of a split; of a function that was given as it is (`fitted`: False); and of scores whose
    record says nothing of a split, as they came from the caller.  False without a split, and where
    folds share what they train on.
    """
    if info.get("folds") is not None:
        return False
    return "split" not in info or info["split"] is not None or info.get("fitted") is False
