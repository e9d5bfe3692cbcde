"""Provenance: how a curve was made, as typed attributes, and notes on its samples.

`PRCurve.info` is the record behind it.  `read_provenance` is the only place that interprets the
entries of a record; all other code reads attributes.  Entries of samples, by the key of the record:

    n_real, n_fake            the numbers of samples of both sets
    scored_real, scored_fake  the numbers of samples that the masses count
    effective_size            the numbers of independent ones among these: where rows repeat, equal
                              rows count once; of weights and groups, the effective sizes
    distinct                  [distinct real rows, distinct generated rows], where rows repeat
    copied                    the number of generated rows that equal a real one
    far, single               [share of the real, share of the generated set] of equal rows, groups
                              or heavy samples that one fold has alone (`HeavyRows`)
    weighted                  the sets whose samples have different weights
    groups                    [groups of real samples, groups of generated samples]
    effective_cell_sizes      the effective numbers of samples on the cells of the hull

The entries of a swapped curve name the sides of the original one.  A mean or an intersection
consists of curves, not of samples; it records the fewest samples of any of them, so that no
standard error is too small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from prfast.results.info import CAUTION, agreed, read_info

Sizes = tuple[int, int]

_SIZES = ("n_real", "n_fake")
_SCORED = ("scored_real", "scored_fake")
# Entries that become attributes of the same name, with their type; values of another type, which
# are entries of the caller, are ignored.
_PLAIN: dict[str, Any] = {
    **dict.fromkeys(("k", "split", "folds", "mean_of", "runs", "intersection_of"), object),
    **dict.fromkeys(("side", "bound", "confidence", "shrunk", "evidence"), object),
    "resolution": float,
    **dict.fromkeys(("n_real", "n_fake", "n_features", "copied"), int),
    **dict.fromkeys(("columns", "missed", "least_real"), list),
    "weighted": list,
    "method": str,
    "weights": Mapping,
    "noise": Mapping,
}
_OF_ONE_CURVE = ("hull", "effective_cell_sizes", "bound", "side", "confidence", "certified")


class Provenance(NamedTuple):
    """Record of how a curve was made; None, False or empty where that is not recorded."""

    record: Mapping[str, Any] = MappingProxyType({})
    """All entries as plain values of JSON, read-only; `prfast.PRCurve.info`."""
    method: str | None = None
    """Name of the method."""
    k: Any = None
    """Number of neighbors."""
    split: float | str | None = None
    """The split: a share, "bernoulli" or "folds"; None without one, or where none is recorded."""
    has_split: bool = False
    """Whether the record has the entry `split`, be it None."""
    folds: int | None = None
    """Number of folds of a cross-fitted score."""
    needs_fit: bool = True
    """False for a function of points, which was fitted to nothing here."""
    n_real: int | None = None
    """Number of real samples."""
    n_fake: int | None = None
    """Number of generated samples."""
    class_sizes: tuple[int | None, int | None] | None = None
    """Numbers of real and generated samples of the class, for the curve of one."""
    n_features: int | None = None
    scored: Sizes | None = None
    """Numbers of samples that the masses p and q count, in this order; None for weights."""
    effective_size: Sizes | None = None
    """Numbers of independent units among the scored samples, in the same order."""
    distinct: Sizes | None = None
    """Numbers of distinct real and generated rows, where rows repeat."""
    weighted: Sequence[str] = ()
    """The sets whose samples have different weights."""
    groups: Sizes | None = None
    """Numbers of groups of real and of generated samples that depend on each other."""
    effective_cell_sizes: tuple[Sequence[float], Sequence[float]] | None = None
    """Effective numbers of samples on the cells of the hull, of the masses p and q, in their
    order; None where samples are independent and of equal weight."""
    copied: int | None = None
    """Number of generated rows that equal a real one."""
    far: tuple[float, float] = (0.0, 0.0)
    """Shares of real and of generated samples in equal rows, groups or samples of large weight that
    are far from the other set and count as unlike it."""
    single: tuple[float, float] = (0.0, 0.0)
    """The same shares where they are not far, and each is judged by a single observation."""
    resolution: float = 0.0
    """Standard deviation of the noise that smoothed both sets, in units of `noise`; 0: none."""
    noise: Mapping[str, Any] | None = None
    """Options of `prfast.methods.Noise`, at a resolution above 0."""
    discrete: bool = False
    """Whether many real samples equal each other, as those of a discrete distribution."""
    covered: bool = False
    """Whether the recall is that of the distinct generated samples alone."""
    swapped: bool = False
    """Whether real and generated were exchanged after the curve was made."""
    mean_of: int | None = None
    """Number of curves of which this is the mean."""
    runs: int | None = None
    """Number of runs of a partition, of which this is the mean."""
    intersection_of: int | None = None
    """Number of curves of which this is the minimum."""
    hull: Mapping[str, Sequence[float]] | None = None
    """Counts {"real": …, "fake": …} on the hull, of a curve that was estimated otherwise."""
    side: str | None = None
    """"upper" or "lower" for a confidence bound."""
    bound: str | None = None
    """Name of the bound of the error rates."""
    confidence: float | None = None
    """Level of the bound."""
    certified: bool = False
    """Whether the bound holds for any distributions."""
    caution: str | None = None
    """Sentence on evidence against the curve."""
    columns: Sequence[Mapping[str, Any]] = ()
    """Columns that separate the sets by themselves."""
    weights: Mapping[str, float] | None = None
    """Share of each base in the score of "auto"."""
    missed: Sequence[int] = ()
    """Rows of the real samples that are missed most."""
    least_real: Sequence[int] = ()
    """Rows of the generated samples that are least like real ones."""
    shrunk: float | None = None
    """Factor by which the curve was shrunk towards that of equal distributions."""
    evidence: float = 0.0
    """Evidence of a difference, in nats."""

    def __repr__(self) -> str:
        fields = zip(self._fields[1:], self[1:], strict=True)  # without the record, which has all
        return f"Provenance({', '.join(f'{name}={value!r}' for name, value in fields)})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the record, from which all else follows; a mappingproxy is not pickled."""
        return read_provenance, (dict(self.record),)

    @property
    def held_out(self) -> bool | None:
        """Whether no sample was scored by a fit to it; None where this is not recorded."""
        if self.folds is not None or self.split is not None or not self.needs_fit:
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
        return self.class_sizes or (self.n_real, self.n_fake)

    @property
    def has_equal_rows(self) -> bool:
        """Whether rows repeat, in a set or from set to set."""
        return "distinct" in self.record or "copied" in self.record


def read_provenance(info: Mapping[str, Any] | None) -> Provenance:
    """Return the provenance of a record.

    Raises
    ------
    TypeError
        The record is not a mapping of str to plain values of JSON.
    """
    if info is None:
        return Provenance()
    record = read_info("info", info)
    hull, swapped = record.get("hull"), record.get("swapped") is True
    scored = _pair([record.get(key) for key in _SCORED])
    units = _pair(record.get("effective_size")) or scored
    of_class = _integer(record.get("class_real")), _integer(record.get("class_fake"))
    plain: dict[str, Any] = {
        name: record[name]
        for name, kind in _PLAIN.items()
        if name in record and isinstance(record[name], kind)
    }
    return Provenance(
        record=MappingProxyType(record),
        has_split="split" in record,
        needs_fit=record.get("fitted") is not False,
        class_sizes=of_class if "class" in record else None,
        scored=scored[::-1] if scored and swapped else scored,
        effective_size=units[::-1] if units and swapped else units,
        distinct=_pair(record.get("distinct")),
        groups=_pair(record.get("groups")),
        effective_cell_sizes=_cell_sizes(record.get("effective_cell_sizes"), swapped),
        far=_shares(record.get("far")),
        single=_shares(record.get("single")),
        discrete="discrete" in record,
        covered="covered" in record,
        swapped=swapped,
        hull=hull if isinstance(hull, Mapping) and {"real", "fake"} <= hull.keys() else None,
        certified=record.get("certified") is True,
        caution=str(record[CAUTION]) if CAUTION in record else None,
        **plain,
    )


def joined(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the record of a mean or an intersection: the entries on which all curves agree, with
    the fewest scored samples.

    The counts of a hull and the confidence of a bound are left out, as they hold for one curve: two
    bounds at 95 % hold jointly with a lower probability.  Where only some curves are swapped, the
    sizes are left out too, as they belong to different sides.
    """
    joint = agreed(records)
    for key in _OF_ONE_CURVE:
        joint.pop(key, None)
    for key in _SCORED:
        sizes = [record.get(key) for record in records]
        joint.pop(key, None)
        if all(isinstance(size, int) for size in sizes):
            joint[key] = min(sizes)  # type: ignore[type-var]
    if any("effective_size" in record for record in records):
        units = [
            record.get("effective_size", [record.get(key) for key in _SCORED]) for record in records
        ]
        joint.pop("effective_size", None)
        if all(_pair(one) for one in units):
            joint["effective_size"] = [min(of_set) for of_set in zip(*units, strict=True)]
    if len({record.get("swapped") is True for record in records}) > 1:
        for key in (*_SIZES, *_SCORED, "effective_size", "distinct", "far", "single", "groups"):
            joint.pop(key, None)
    return joint


def _pair(sizes: Any) -> Sizes | None:
    if not isinstance(sizes, list) or len(sizes) != 2:
        return None
    if any(_integer(size) is None or size < 1 for size in sizes):
        return None
    return sizes[0], sizes[1]


def _shares(shares: Any) -> tuple[float, float]:
    if not isinstance(shares, list) or len(shares) != 2:
        return 0.0, 0.0
    if any(not isinstance(one, int | float) or not 0 <= one <= 1 for one in shares):
        return 0.0, 0.0
    return float(shares[0]), float(shares[1])


def _cell_sizes(numbers: Any, swapped: bool) -> tuple[Sequence[float], Sequence[float]] | None:
    if not isinstance(numbers, Mapping) or not {"real", "fake"} <= numbers.keys():
        return None
    real, fake = numbers["real"], numbers["fake"]
    return (fake[::-1], real[::-1]) if swapped else (real, fake)


def _integer(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


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
    if is_equal or origin.scored is None or origin.effective_size is None:
        return []
    sides = ("generated", "real") if origin.swapped else ("real", "generated")
    sizes = zip(origin.effective_size, origin.scored, sides, strict=True)
    groups = origin.groups[::-1] if origin.groups and origin.swapped else origin.groups
    text = " and ".join(f"{units} of {size} {side}" for units, size, side in sizes)
    of_groups = f"; {groups[0]} {sides[0]} and {groups[1]} {sides[1]} groups" if groups else ""
    notes = [f"Effective sample size {text}{of_groups}."]
    if "fake" in origin.weighted and origin.effective_size[1] < FEW_WEIGHTED and not origin.swapped:
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


def cause_of_few(origin: Provenance) -> str:
    """Return why the independent units are fewer than the samples."""
    causes = ["of their weights"] * bool(origin.weighted) + ["of groups"] * bool(origin.groups)
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
    sizes = origin.effective_size or origin.scored
    notes = few_note(origin.scored, origin.effective_size, cause_of_few(origin))
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
    known = {
        name: origin.effective_size
        for name, origin in curves.items()
        if origin.effective_size and not origin.side
    }
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
            notes += repeated_note(few, size, name, covers=origin.covered and name == "generated")
    if origin.copied is not None and origin.sizes[1] is not None:
        notes += copied_note(origin.copied, origin.sizes[1], names[1], discrete=origin.discrete)
    return notes
