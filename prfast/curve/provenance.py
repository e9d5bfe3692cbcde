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

from prfast.results.info import agreed, plain, read_info

Sizes = tuple[int, int]
Shares = tuple[float, float]

COPIED = 0.01  # share of equal rows, up to which nothing is said of them


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
    def copies(self) -> Sizes | None:
        """Number of generated samples that equal a real one and number of all, where they may be
        copies; otherwise None."""
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


def _is(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kinds)


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def _are_sizes(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and all(map(_is_size, value))


def _are_shares(value: Any) -> bool:
    pair = isinstance(value, list | tuple) and len(value) == 2
    return pair and all(isinstance(x, int | float) and 0 <= x <= 1 for x in value)


def _are_of_sets(value: Any) -> bool:
    return isinstance(value, Mapping) and {"real", "fake"} <= value.keys()


# What an attribute may be; entries of the caller that are anything else are `settings`.
_KINDS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(_DEFAULTS, _is(object)),
    **dict.fromkeys(("method", "version", "caution", "side", "bound"), _is(str)),
    **dict.fromkeys(("n_real", "n_fake", "n_features", "copied"), _is(int)),
    **dict.fromkeys((*_SCORED, "class_real", "class_fake"), _is_size),
    **dict.fromkeys(("distinct", "effective_size", "groups"), _are_sizes),
    **dict.fromkeys(("far", "single"), _are_shares),
    **dict.fromkeys(("missed", "least_real", "weighted"), _is(list)),
    **dict.fromkeys(("discrete", "swapped", "certified"), _is(bool)),
    **dict.fromkeys(("weights", "noise", "features"), _is(Mapping)),
    **dict.fromkeys(("hull", "effective_cell_sizes"), _are_of_sets),
    "resolution": _is(float),
}


def read_provenance(info: Mapping[str, Any] | Provenance | None, name: str = "info") -> Provenance:
    """Return the provenance of a record of a caller or of a file; WrongType for what is none."""
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
