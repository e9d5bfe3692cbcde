"""Provenance: how a curve was made, as attributes that its constructors set.

`PRCurve.info` is the same as a mapping.  Attributes name the real and the generated set of the
original curve, also after `PRCurve.swap`; the properties `scored`, `units` and `cell_units` belong
to the masses p and q, in this order.  A mean or an intersection consists of curves, not of samples:
it has the fewest samples of any of them, so that no standard error is too small.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from prfast.results.info import agreed, plain, read_info

Sizes = tuple[int, int]
Shares = tuple[float, float]


@dataclass(frozen=True)
class Provenance:
    """How a curve was made; None, False or empty where that is not recorded."""

    method: str | None = None
    """Name of the method."""
    k: Any = None
    """Number of neighbors."""
    folds: int | None = None
    """Number of folds of a cross-fitted score."""
    fitted: Any = None
    """Numbers of samples that were fitted; False for a function of points, which needs no fit."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """All other entries: options of the method, and what the caller records."""
    weights: Mapping[str, float] | None = None
    """Share of each base in the score of "auto"."""
    split: float | str | None = None
    """The split: a share, "bernoulli" or "folds"; None without one, or where none is recorded."""
    n_real: int | None = None
    """Number of real samples."""
    n_fake: int | None = None
    """Number of generated samples."""
    scored_real: int | None = None
    """Number of real samples that the masses count."""
    scored_fake: int | None = None
    """Number of generated samples that the masses count."""
    n_features: int | None = None
    random_state: Any = None
    version: str | None = None
    columns: Sequence[Mapping[str, Any]] = ()
    """Columns that separate the sets by themselves."""
    distinct: Sizes | None = None
    """Numbers of distinct real and generated rows, where rows repeat."""
    copied: int | None = None
    """Number of generated rows that equal a real one."""
    discrete: bool = False
    """Whether many real samples equal each other, as those of a discrete distribution."""
    far: Shares = (0.0, 0.0)
    """Shares of real and of generated samples in equal rows, groups or samples of large weight
    (`HeavyRows`) that are far from the other set and count as unlike it."""
    single: Shares = (0.0, 0.0)
    """The same shares where they are not far, and each is judged by a single observation."""
    effective_size: Sizes | None = None
    """Numbers of independent real and generated samples among the scored ones: equal rows count
    once; of weights and groups, the effective sizes."""
    covered: float | None = None
    """The share that distinct generated samples can cover, where the recall is theirs alone."""
    class_real: int | None = None
    """Number of real samples of the class, for the curve of one."""
    class_fake: int | None = None
    weighted: Sequence[str] = ()
    """The sets whose samples have different weights."""
    groups: Sizes | None = None
    """Numbers of groups of real and of generated samples that depend on each other."""
    effective_cell_sizes: Mapping[str, Sequence[float]] | None = None
    """Effective numbers of samples {"real": …, "fake": …} on the cells of the hull; None where
    samples are independent and of equal weight."""
    hull: Mapping[str, Sequence[float]] | None = None
    """Counts {"real": …, "fake": …} on the hull, of a curve that was estimated otherwise."""
    evidence: float | None = None
    """Evidence of a difference, in nats."""
    shrunk: float | None = None
    """Factor by which the curve was shrunk towards that of equal distributions."""
    missed: Sequence[int] = ()
    """Rows of the real samples that are missed most."""
    least_real: Sequence[int] = ()
    """Rows of the generated samples that are least like real ones."""
    resolution: float | None = None
    """Standard deviation of the noise that smoothed both sets, in units of `noise`."""
    noise: Mapping[str, Any] | None = None
    """Options of `prfast.methods.Noise`, at a resolution above 0."""
    caution: str | None = None
    """Sentence on evidence against the curve."""
    features: Mapping[str, Any] | None = None
    """Record of the feature extraction."""
    mean_of: int | None = None
    """Number of curves of which this is the mean."""
    intersection_of: int | None = None
    """Number of curves of which this is the minimum."""
    swapped: bool = False
    """Whether real and generated were exchanged after the curve was made."""
    bound: str | None = None
    """Name of the bound of the error rates."""
    confidence: float | None = None
    """Level of the bound."""
    certified: bool | None = None
    """Whether the bound holds for any distributions."""
    side: str | None = None
    """"upper" or "lower" for a confidence bound."""

    def added(self, **entries: Any) -> Provenance:
        """Return the same with further entries: attributes, if they have the type of one, and
        otherwise `settings`, which become plain values of JSON."""
        known, others = {}, {}
        for key, value in entries.items():
            if key in _KINDS and value != _DEFAULTS[key] and _KINDS[key](value):
                known[key] = tuple(value) if key in _PAIRS else value
            else:
                others[key] = plain(value)
        changes = {key: _DEFAULTS[key] for key in others if key in _DEFAULTS} | known
        settings = {key: x for key, x in {**self.settings, **others}.items() if key not in known}
        return replace(self, **changes, settings=settings)

    def record(self) -> dict[str, Any]:
        """Return the entries as plain values of JSON, without those that are not recorded."""
        entries: dict[str, Any] = {}
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if name == "settings":
                entries |= value
            elif value != _DEFAULTS[name]:
                entries[name] = list(value) if isinstance(value, tuple) else value
        return entries

    @property
    def has_split(self) -> bool:
        """Whether a split is recorded, be it None."""
        return self.split is not None or "split" in self.settings

    @property
    def runs(self) -> int | None:
        """Number of runs of a partition, of which this is the mean."""
        return self.settings.get("runs")

    @property
    def held_out(self) -> bool | None:
        """Whether no sample was scored by a fit to it; None where this is not recorded."""
        if self.folds is not None or self.split is not None or self.fitted is False:
            return True
        return False if self.has_split else None

    @property
    def has_fixed_scorer(self) -> bool:
        """Whether the record is compatible with a scorer that does not depend on the samples.

        True with a split, for a function that needs no fit, and where nothing is recorded on a
        split, as the scores came from the caller.  False without a split, for folds, which share
        training samples, and for noise whose scale was computed from the real samples.
        """
        # Noise in the units of the real set, or with its categories, depends on what is scored.
        noise = self.noise or {}
        own_units = isinstance(noise.get("scale"), str) or "categories" in noise
        return self.folds is None and self.held_out is not False and not own_units

    @property
    def sizes(self) -> tuple[int | None, int | None]:
        """Numbers of real and generated samples; of a class, those of the class."""
        if "class" in self.settings:
            return self.class_real, self.class_fake
        return self.n_real, self.n_fake

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
    def has_equal_rows(self) -> bool:
        """Whether rows repeat, in a set or from set to set."""
        return self.distinct is not None or self.copied is not None

    def _of_masses(self, sizes: tuple[int | None, int | None] | None) -> Sizes | None:
        if sizes is None or sizes[0] is None or sizes[1] is None:
            return None
        return (sizes[1], sizes[0]) if self.swapped else (sizes[0], sizes[1])


_DEFAULTS = {one.name: one.default for one in fields(Provenance) if one.name != "settings"}
_PAIRS = ("distinct", "far", "single", "effective_size", "groups")
_SCORED = ("scored_real", "scored_fake")


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and 0 <= value <= 1


def _are_two(kind: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, list | tuple) and len(value) == 2 and all(map(kind, value))
    )


def _is(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kinds)


def _are_of_sets(value: Any) -> bool:
    return isinstance(value, Mapping) and {"real", "fake"} <= value.keys()


# What an attribute may be; entries of the caller that are anything else are `settings`.
_KINDS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(_DEFAULTS, _is(object)),
    **dict.fromkeys(("method", "version", "caution", "side", "bound"), _is(str)),
    **dict.fromkeys(("n_real", "n_fake", "n_features", "copied"), _is(int)),
    **dict.fromkeys((*_SCORED, "class_real", "class_fake"), _is_size),
    **dict.fromkeys(("distinct", "effective_size", "groups"), _are_two(_is_size)),
    **dict.fromkeys(("far", "single"), _are_two(_is_share)),
    **dict.fromkeys(("columns", "missed", "least_real", "weighted"), _is(list)),
    **dict.fromkeys(("discrete", "swapped", "certified"), _is(bool)),
    **dict.fromkeys(("weights", "noise", "features"), _is(Mapping)),
    **dict.fromkeys(("hull", "effective_cell_sizes"), _are_of_sets),
    "resolution": _is(float),
}


def read_provenance(info: Mapping[str, Any] | Provenance | None, name: str = "info") -> Provenance:
    """Return the provenance of a record of a caller or of a file.

    Raises
    ------
    TypeError
        The record is not a mapping of str to plain values of JSON.
    """
    if isinstance(info, Provenance):
        return info
    return Provenance() if info is None else Provenance().added(**read_info(name, info))


def common(origins: Sequence[Provenance]) -> Provenance:
    """Return the attributes and settings that all have alike."""
    first = origins[0] if origins else Provenance()
    alike = {
        name: value
        for name in _DEFAULTS
        for value in [getattr(first, name)]
        if all(getattr(one, name) == value for one in origins)
    }
    return Provenance(**alike, settings=agreed([one.settings for one in origins]))


def joined(origins: Sequence[Provenance]) -> Provenance:
    """Return the provenance of a mean or an intersection: what all curves have alike, with the
    fewest scored samples.

    The counts of a hull and the confidence of a bound are left out, as they hold for one curve: two
    bounds at 95 % hold jointly with a lower probability.  Where only some curves are swapped, the
    sizes are left out too, as they belong to different sides.
    """
    left_out = ["hull", "effective_cell_sizes", "bound", "side", "confidence", "certified"]
    if len({one.swapped for one in origins}) > 1:
        left_out += ["n_real", "n_fake", *_SCORED, *_PAIRS]
    changes: dict[str, Any] = {
        name: _fewest([getattr(one, name) for one in origins]) for name in _SCORED
    }
    if any(one.effective_size for one in origins):
        units = [one.effective_size or (one.scored_real, one.scored_fake) for one in origins]
        of_sets = [_fewest(of_set) for of_set in zip(*units, strict=True)]
        changes["effective_size"] = None if None in of_sets else tuple(of_sets)
    return replace(common(origins), **(changes | {name: _DEFAULTS[name] for name in left_out}))


def _fewest(sizes: Sequence[int | None]) -> int | None:
    known = [size for size in sizes if size is not None]
    return min(known) if len(known) == len(sizes) else None


# ---- notes on the samples: few, repeated, copied -------------------------------------------------

FEW = 200  # samples of either set, below which every number has a note
FEW_WEIGHTED = 100  # effective size of weighted generated samples, below which F8 has a note
ROUGH = "numbers are rough, and small modes cannot be seen"
# By samples of the smaller set, the area that 95 % of equal sets exceed, the least of eight kinds
# in 1 to 512 dimensions, 300 draws or fewer: up to 5 samples any area occurs.
EQUAL_AREAS = ((5, 0.0), (6, 0.49), (20, 0.53), (30, 0.61), (50, 0.78), (100, 0.85), (200, 0.95))
SHARE = 0.01  # share of equal rows, above which there is a note


def notes_of(origin: Provenance) -> list[str]:
    """Return the notes on a curve, a sentence each; a bound has none, as it accounts for the number
    of samples itself."""
    if origin.side:
        return _equal_rows(origin)
    return [*_heavy(origin), *_design_note(origin), *_few(origin), *_equal_rows(origin)]


def notes_of_several(curves: Mapping[str, Provenance]) -> list[str]:
    """Return the notes on the curve with the fewest samples, and those on equal rows of all curves.

    Notes name their curves; one on equal rows that all curves share appears once, without names.
    """
    notes = _fewest_samples(curves)
    of_each = {name: [*_heavy(origin), *_equal_rows(origin)] for name, origin in curves.items()}
    for text in dict.fromkeys(text for notes in of_each.values() for text in notes):
        names = [name for name, notes in of_each.items() if text in notes]
        notes += [text] if len(names) == len(curves) else [f"{name}: {text}" for name in names]
    return notes


def _design_note(origin: Provenance) -> list[str]:
    """Return the notes on weights and groups: the effective sizes, and a set without groups."""
    is_equal = not (origin.weighted or origin.groups)
    if is_equal or origin.scored is None or origin.units is None:
        return []
    sides = ("generated", "real") if origin.swapped else ("real", "generated")
    sizes = zip(origin.units, origin.scored, sides, strict=True)
    groups = origin.groups[::-1] if origin.groups and origin.swapped else origin.groups
    text = " and ".join(f"{units} of {size} {side}" for units, size, side in sizes)
    of_groups = f"; {groups[0]} {sides[0]} and {groups[1]} {sides[1]} groups" if groups else ""
    notes = [f"Effective sample size {text}{of_groups}."]
    if "fake" in origin.weighted and origin.units[1] < FEW_WEIGHTED and not origin.swapped:
        notes.append(
            f"With an effective size of generated samples below {FEW_WEIGHTED} the ± of F8 is too "
            "small: it held in 4 of 5 draws."
        )
    alone = [few == size for few, size in zip(groups or (), origin.scored, strict=False)]
    if any(alone) and not all(alone):
        notes.append(
            f"Each {sides[alone.index(True)]} sample is a group by itself: give the groups of both "
            "sets where samples depend on each other."
        )
    return notes


def _heavy(origin: Provenance) -> list[str]:
    """Return the notes on samples that one fold has alone, a sentence for each set."""
    if origin.side:
        return []
    sides = ("generated", "real") if origin.swapped else ("real", "generated")
    what = ["of large weight"] * bool(origin.weighted) + ["of large groups"] * bool(origin.groups)
    kind = f"single samples {' or '.join(what)}" if what else "rows that repeat"
    notes = []
    for own, other, far, single in zip(sides, sides[::-1], origin.far, origin.single, strict=True):
        if far > 0:
            notes.append(
                f"{far:.1%} of the {own} set are {kind}, farther out than the {other} samples are "
                "from each other, and count as unlike them."
            )
        if single > 0:
            doubt = "look real" if own == "generated" else "are among the generated"
            notes.append(
                f"{single:.1%} of the {own} set are {kind}: whether they {doubt} is judged by "
                "single observations, and ± includes that they do not."
            )
    return notes


def cause_of_few(weighted: Any, groups: Any) -> str:
    """Return why the independent units are fewer than the samples."""
    causes = ["of their weights"] * bool(weighted) + ["of groups"] * bool(groups)
    return f"because {' and '.join(causes)}" if causes else "as rows repeat"


def few_note(
    sizes: Sizes | None, units: Sizes | None = None, cause: str = "as rows repeat"
) -> list[str]:
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
            f"generated, {cause}"
        )
    return [f"{sentence}: with fewer than {FEW} of either {ROUGH}."]


def _few(origin: Provenance) -> list[str]:
    """Return the notes on few samples; of "auto" also what equal sets of these sizes would read."""
    sizes = origin.units
    notes = few_note(origin.scored, origin.units, cause_of_few(origin.weighted, origin.groups))
    # Where rows count as unlike the other set, the sets are not equal.
    if notes and sizes and origin.method == "auto" and not (origin.resolution or any(origin.far)):
        sizes_of_table, areas = zip(*EQUAL_AREAS, strict=True)
        least = np.interp(np.log(min(sizes)), np.log(sizes_of_table), areas)
        notes.append(
            f"Equal sets of these sizes read an area of {least:.2f} to 1 in 19 of 20 draws; "
            "prfast.two_sample_test says whether a difference could be chance."
        )
    return notes


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


def copied_note(copied: int, size: int, name: str = "generated", *, discrete: bool) -> list[str]:
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


def copies(origin: Provenance) -> Sizes | None:
    """Return the number of generated samples that equal a real one and the number of all, where
    they may be copies and `copied_note` reports them; otherwise None."""
    copied, size = origin.copied, origin.sizes[1]
    if copied is None or size is None or copied <= SHARE * size or origin.discrete:
        return None
    return copied, size


def _fewest_samples(curves: Mapping[str, Provenance]) -> list[str]:
    """Return the note on the curve with the fewest samples, named where there are several."""
    known = {name: one.units for name, one in curves.items() if one.units and not one.side}
    if not known:
        return []
    name = min(known, key=lambda one: min(known[one]))
    return [
        f"{name}: {text}" if len(curves) > 1 else text
        for text in (*_design_note(curves[name]), *_few(curves[name]))
    ]


def _equal_rows(origin: Provenance) -> list[str]:
    if origin.side:
        return []
    names = ("generated", "real") if origin.swapped else ("real", "generated")
    notes = []
    for name, few, size in zip(names, origin.distinct or (), origin.sizes, strict=False):
        if size is not None:
            notes += repeated_note(
                few, size, name, covers=origin.covered is not None and name == "generated"
            )
    if origin.copied is not None and origin.sizes[1] is not None:
        notes += copied_note(origin.copied, origin.sizes[1], names[1], discrete=origin.discrete)
    return notes
