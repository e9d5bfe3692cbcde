"""Provenance: how a curve was made, as attributes; sets are named as before `PRCurve.swap`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from prfast.results.info import agreed, plain, read_info
from prfast.samples.record import SamplesRecord, fewest_scored


@dataclass(frozen=True, kw_only=True)
class Provenance(SamplesRecord):
    """How a curve was made; None, False or empty where that is not recorded."""

    method: str | None = None
    k: Any = None
    folds: int | None = None
    """Number of folds of a cross-fitted score."""
    fitted: Any = None
    """Numbers of samples that were fitted; False for a function of points: it needs no fit."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """All other entries: options of the method, and what the caller records."""
    weights: Mapping[str, float] | None = None
    """Share of each base in the score of "auto"."""
    split: float | str | None = None
    """The split: a share, "bernoulli" or "folds"; None without one, or where none is recorded."""
    random_state: Any = None
    version: str | None = None
    hull: Mapping[str, Sequence[float]] | None = None
    """Counts {"real": …, "fake": …} on the hull, of a curve that was estimated otherwise."""
    smaller_fit: Mapping[str, Any] | None = None
    """Masses {"real": …, "fake": …} of fits to fewer samples, and "ratio", how many times fewer."""
    evidence: float | None = None
    """Evidence of a difference, in nats."""
    shrunk: float | None = None
    """Factor by which the curve was shrunk towards that of equal distributions."""
    missed: Sequence[int] = ()
    """Rows of the real samples that are missed most."""
    least_real: Sequence[int] = ()
    """Rows of the generated samples that are least like real ones."""
    caution: str | None = None
    """Sentence on evidence against the curve."""
    mean_of: int | None = None
    intersection_of: int | None = None
    bound: str | None = None
    confidence: float | None = None
    certified: bool | None = None
    """Whether the bound holds for any distributions."""
    side: str | None = None
    """"upper" or "lower" for a confidence bound."""

    def added(self, **entries: Any) -> Provenance:
        """Return the same with further entries: attributes by name and type, or `settings`."""
        attributes: dict[str, Any] = {}
        settings = dict(self.settings)
        for name, value in entries.items():
            if name in _DEFAULTS and value != _DEFAULTS[name] and _has_type(name, value):
                attributes[name] = tuple(value) if name in _PAIRS else value
                settings.pop(name, None)
            else:
                settings[name] = plain(value)
                if name in _DEFAULTS:
                    attributes[name] = _DEFAULTS[name]
        return replace(self, **attributes, settings=settings)

    def record(self) -> dict[str, Any]:
        """Return the entries as plain values of JSON, without those that are not recorded."""
        entries: dict[str, Any] = {}
        for name in _ORDER:
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
    def held_out(self) -> bool | None:
        """Whether no sample was scored by a fit to it; None where this is not recorded."""
        if self.folds is not None or self.split is not None or self.fitted is False:
            return True
        return False if self.has_split else None

    @property
    def has_fixed_scorer(self) -> bool:
        """Whether the record is compatible with a scorer that does not depend on the samples."""
        # Folds share training samples; scores without a record came from the caller.
        return self.folds is None and self.held_out is not False and not self.has_fitted_noise


_TYPES = {entry.name: str(entry.type).removesuffix(" | None") for entry in fields(Provenance)}
_DEFAULTS: dict[str, Any] = {entry.name: entry.default for entry in fields(Provenance)}
del _DEFAULTS["settings"]
_PAIRS = {name for name, kind in _TYPES.items() if kind in ("Sizes", "Shares")}
_CLASSES: dict[str, Any] = {
    **{"str": str, "int": int, "float": int | float, "bool": bool},
    **{"Mapping": Mapping, "Sequence": list, "Sizes": list | tuple, "Shares": list | tuple},
}
# In a record, what belongs to the samples comes last.
_ORDER = sorted(_TYPES, key=lambda name: name in SamplesRecord.__dataclass_fields__)
# Entries that hold for a single curve: bounds of two at 95 % hold jointly with less probability.
_OF_CURVE = (
    *("hull", "smaller_fit", "effective_cell_sizes"),
    *("bound", "side", "confidence", "certified"),
)


def _has_type(name: str, value: Any) -> bool:
    """Return whether a value has the type of an attribute."""
    kind = _TYPES[name]
    if not isinstance(value, _CLASSES.get(kind.partition("[")[0], object)):
        return False
    if name in _PAIRS and len(value) != 2:
        return False
    if kind in ("int", "Sizes"):
        return all(type(x) is int and x > 0 for x in (value if name in _PAIRS else [value]))
    if kind == "Shares":
        return all(isinstance(x, int | float) and 0 <= x <= 1 for x in value)
    return kind != "Mapping[str, Sequence[float]]" or {"real", "fake"} <= {*value}


def read_provenance(info: Any, name: str = "info") -> Provenance:
    """Return the provenance of a record of a caller or of a file, a mapping."""
    return Provenance().added(**read_info(name, info))


def common(origins: Sequence[Provenance]) -> Provenance:
    """Return the attributes and settings that all have alike."""
    first = origins[0] if origins else Provenance()
    alike = {
        name: getattr(first, name)
        for name in _DEFAULTS
        if all(getattr(origin, name) == getattr(first, name) for origin in origins)
    }
    return Provenance(**alike, settings=agreed([origin.settings for origin in origins]))


def joined(origins: Sequence[Provenance]) -> Provenance:
    """Return what all curves of a mean or an intersection have alike, with the fewest samples."""
    without = {name: _DEFAULTS[name] for name in _OF_CURVE}
    return replace(common(origins), **without, **fewest_scored(origins))
