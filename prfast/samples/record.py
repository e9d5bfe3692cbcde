"""What the record of a result has on its samples: the entries of a `Pair`, and SamplesRecord."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from prfast.samples.features import RECORD_KEYS, versions
from prfast.samples.pair import SETS, Pair
from prfast.samples.partition import cells_by_mass
from prfast.samples.repetition import COPIED

Sizes = tuple[int, int]
Shares = tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class SamplesRecord:
    """Attributes of the real and the generated samples; None, False or empty where not recorded.

    They name the sets of the original result.  If these were exchanged (`swapped`), the properties
    `scored`, `units` and `cell_units` follow the masses p and q, in this order.
    """

    n_real: int | None = None
    """Number of real samples."""
    n_fake: int | None = None
    """Number of generated samples."""
    scored_real: int | None = None
    """Number of real samples that the masses count."""
    scored_fake: int | None = None
    """Number of generated samples that the masses count."""
    n_features: int | None = None
    distinct: Sizes | None = None
    """Numbers of distinct real and generated rows, where rows repeat."""
    copied: int | None = None
    """Number of generated rows that equal a real one."""
    discrete: bool = False
    """Whether many real samples equal each other, as those of a discrete distribution."""
    far: Shares = (0.0, 0.0)
    """Shares of real and of generated samples in equal rows, groups or samples of large weight
    that are far from the other set and count as unlike it."""
    single: Shares = (0.0, 0.0)
    """The same shares where they are not far, and each is judged by a single observation."""
    effective_size: Sizes | None = None
    """Numbers of independent real and generated samples among the scored ones: equal rows count
    once; of weights and groups, the effective sizes."""
    covered: float | None = None
    """The share that distinct generated samples can cover, where the recall is theirs alone."""
    diversities: Shares | None = None
    """The diversity where repeated rows are missing, and where they are weights."""
    class_real: int | None = None
    """Number of real samples of the class, for the curve of one."""
    class_fake: int | None = None
    weighted: Sequence[str] = ()
    """The sets whose samples have different weights."""
    merged: tuple[int | None, int | None] | None = None
    """Numbers of rows whose equal ones were merged into weighted samples; None without."""
    strides: Sizes | None = None
    """Distances at which the rows of each set do not depend on each other by their order, where
    one is above 1."""
    codes: int | None = None
    """Number of whole numbers that are codes in several columns."""
    groups: Sizes | None = None
    """Numbers of groups of real and of generated samples that depend on each other."""
    effective_cell_sizes: Mapping[str, Sequence[float]] | None = None
    """Effective numbers of samples {"real": …, "fake": …} on the cells of the hull; None where
    samples are independent and of equal weight."""
    resolution: float | None = None
    """Standard deviation of the noise that smoothed both sets, in units of `noise`."""
    noise: Mapping[str, Any] | None = None
    """Options of `prfast.methods.Noise`, at a resolution above 0."""
    features: Mapping[str, Any] | None = None
    """Record of the feature extraction."""
    swapped: bool = False
    """Whether real and generated were exchanged after the result was computed."""

    @property
    def sizes(self) -> tuple[int | None, int | None]:
        """Numbers of real and generated samples; of a class, those of the class."""
        if self.class_real is not None:
            return self.class_real, self.class_fake
        return self.n_real, self.n_fake

    @property
    def copies(self) -> Sizes | None:
        """Numbers of generated samples that equal a real one and of all, if that may be copying."""
        size = self.sizes[1]
        if self.copied is None or size is None or self.copied <= COPIED * size or self.discrete:
            return None
        return self.copied, size

    @property
    def scored(self) -> Sizes | None:
        """Numbers of samples that the masses p and q count; None for weights."""
        return self._of_masses((self.scored_real, self.scored_fake))

    @property
    def units(self) -> Sizes | None:
        """Numbers of independent samples among these."""
        return self._of_masses(self.effective_size) or self.scored

    @property
    def cell_units(self) -> tuple[Sequence[float], Sequence[float]] | None:
        """`effective_cell_sizes` of the masses p and q, in their order."""
        if self.effective_cell_sizes is None:
            return None
        real, fake = self.effective_cell_sizes["real"], self.effective_cell_sizes["fake"]
        return (fake[::-1], real[::-1]) if self.swapped else (real, fake)

    @property
    def is_plain(self) -> bool:
        """Whether samples are independent and of equal weight."""
        return not (self.weighted or self.groups)

    @property
    def has_copies(self) -> bool:
        """Whether rows repeat, in a set or from set to set, that are no draws of a value."""
        return not self.discrete and (self.distinct is not None or self.copied is not None)

    @property
    def smoothing(self) -> str:
        """Words for the noise of both sets, such as " at resolution 0.2"; "" without noise."""
        return f" at resolution {self.resolution:g}" if self.resolution else ""

    @property
    def has_fitted_noise(self) -> bool:
        """Whether the units of the noise, or its categories, come from the real samples."""
        noise = self.noise or {}
        return isinstance(noise.get("scale"), str) or "categories" in noise

    def _of_masses(self, sizes: tuple[int | None, int | None] | None) -> Sizes | None:
        if sizes is None or sizes[0] is None or sizes[1] is None:
            return None
        return (sizes[1], sizes[0]) if self.swapped else (sizes[0], sizes[1])


def fewest_scored(records: Sequence[SamplesRecord]) -> dict[str, Any]:
    """Return the fewest scored samples of several results: no standard error is too small.

    None where a result has none.  If a part of the results were exchanged, an empty record.
    """
    if len({record.swapped for record in records}) > 1:
        names = "n_real n_fake scored_real scored_fake distinct far single effective_size groups"
        empty = SamplesRecord()
        return {name: getattr(empty, name) for name in (*names.split(), "merged", "strides")}
    scored = [(record.scored_real, record.scored_fake) for record in records]
    each = zip(records, scored, strict=True)
    effective = [record.effective_size or sizes for record, sizes in each]
    fewest = [
        tuple(None if None in numbers else min(numbers) for numbers in zip(*sizes, strict=True))
        for sizes in (scored, effective)
    ]
    entries: dict[str, Any] = dict(zip(("scored_real", "scored_fake"), fewest[0], strict=True))
    if any(record.effective_size for record in records):
        entries["effective_size"] = None if None in fewest[1] else fewest[1]
    return entries


# ---- entries of a pair ---------------------------------------------------------------------------


def space_record(pair: Pair) -> dict[str, Any]:
    """Return the entries of `info` on the features and the resolution.

    `features`, where sets have records: the keys of RECORD_KEYS, the versions, and as `recorded`
    the sets that have a record.
    """
    entries = {} if pair.noise is None else pair.noise.record()
    records = zip(SETS, (samples.record for samples in pair.sets), strict=True)
    recorded = {name: record for name, record in records if record is not None}
    if recorded:
        first = next(iter(recorded.values()))
        features: dict[str, Any] = {key: first[key] for key in RECORD_KEYS if key in first}
        features |= {"versions": versions(recorded), "recorded": list(recorded)}
        entries["features"] = features
    return entries


def sizes_record(pair: Pair) -> dict[str, Any]:
    """Return the entries of `info` on the effective sizes of weighted or grouped samples."""
    if pair.is_plain:
        return {}
    entries: dict[str, Any] = {"effective_size": list(pair.effective_size)}
    if any(samples.merged for samples in pair.sets):
        entries["merged"] = [samples.merged for samples in pair.sets]
    if pair.weighted:
        entries["weighted"] = pair.weighted
    if pair.is_grouped:
        entries["groups"] = [samples.group_count for samples in pair.sets]
    return entries


def cells_record(pair: Pair, scores: tuple[Any, Any], masses: Any) -> dict[str, Any]:
    """Return the entries of `info` for samples with these scores, in cells of these masses.

    A cell with the samples i has the effective number (Σ w_i)² / Σ w_i W_u(i): draws of so many
    equal samples have the variance of its mass, or more where a unit is in several cells.
    """
    if pair.is_plain:
        return {}
    effective = {}
    for name, s, w, u, mass in zip(SETS, scores, pair.masses, pair.units, masses, strict=True):
        cell = cells_by_mass(s, w, mass)
        total = np.bincount(cell, w, len(mass))
        spread = np.bincount(cell, w * np.bincount(u, w)[u], len(mass))
        number = np.divide(total**2, spread, out=np.zeros(len(mass)), where=spread > 0)
        effective[name] = number.tolist()
    return sizes_record(pair) | {"effective_cell_sizes": effective}
