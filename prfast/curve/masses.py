"""Cells of a curve: masses (p_i, q_i) on the level sets of the likelihood ratio, and their record.

Cells are sorted by falling ratio r_i = q_i / p_i, and equal ratios are merged.  `of_scores`,
`of_masses`, `of_rates` and `of_edges` make them of arrays that have been read (`prfast.inputs`) and
return new arrays.  `Masses` holds them, immutable, with the error rates of the likelihood-ratio
classifiers, a_i = Σ_{j≤i} p_j (fpr) and b_i = Σ_{j>i} q_j (fnr), and with `info`, the record of
what produced them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import numpy as np

from prfast.curve.polyline import ON_CURVE
from prfast.inputs.arrays import Float64s, Floats, read_weights
from prfast.inputs.errors import WrongValue
from prfast.kernels import masses as kernels
from prfast.kernels.threads import resolve_threads
from prfast.results.info import read_info

Cells = tuple[Float64s, Float64s]  # p, q

_TINY = 5e-324  # the smallest positive float64
_SCALE = 2.0**200  # of masses up to 2⁵¹, whose products are then normal float64 numbers
_FORMAT = "prfast.PRCurve/1"


def of_scores(
    real: Floats, fake: Floats, w_real: Float64s | None = None, w_fake: Float64s | None = None
) -> Cells:
    """Return the lower convex hull of (fpr, fnr) over all thresholds, as counts or weights on its
    edges."""
    # Each class is sorted by itself, by a radix sort; the sweep merges the two.
    threads = min(2, resolve_threads(None))  # one for each class, where these are large
    if w_real is None and w_fake is None:
        if real.dtype != fake.dtype:
            real, fake = real.astype(np.float64), fake.astype(np.float64)
        return kernels.sweep(*kernels.sort(real, fake, threads))
    w_real = np.ones(real.size) if w_real is None else rescaled(w_real)
    w_fake = np.ones(fake.size) if w_fake is None else rescaled(w_fake)
    real, fake = real.astype(np.float64, copy=False), fake.astype(np.float64, copy=False)
    return kernels.sweep_weighted(*kernels.sort_weighted(real, w_real, fake, w_fake, threads))


def of_masses(p: Float64s, q: Float64s) -> Cells:
    """Return cells sorted by falling ratio, equal ratios merged, empty cells dropped."""
    order = np.argsort(-kernels.ratios(p, q), kind="stable")
    return of_edges(p[order], q[order])


def of_rates(fpr: Float64s, fnr: Float64s) -> Cells:
    """Return the masses on the edges of the lower convex hull of the points, (0, 1) and (1, 0)."""
    # The hull of the points, not `of_edges`: sums of edges would lose vertices that are far
    # smaller than their terms.
    fpr = np.concatenate([[0.0], fpr, [1.0]])
    fnr = np.concatenate([[1.0], fnr, [0.0]])
    order = np.lexsort((-fnr, fpr))  # of equal fpr the lowest comes last, where it counts
    fpr, fnr = fpr[order], fnr[order]
    points = kernels.hull(fpr, fnr)
    return fpr[1:points] - fpr[: points - 1], fnr[: points - 1] - fnr[1:points]


def rescaled(weights: Float64s) -> Float64s:
    """Return the weights times a power of two, so that products with their sum stay in range.

    Weights whose largest is from 1 to 2⁵⁰, counts among them, are returned as they are; others get
    a largest in [1, 2).  The change is exact, and positive weights stay positive.
    """
    exponent = int(np.frexp(weights.max())[1]) - 1
    if 0 <= exponent <= 50:
        return weights
    return np.where(weights > 0, np.maximum(np.ldexp(weights, -exponent), _TINY), 0.0)


def normalised(weights: Float64s, total: float) -> Float64s:
    """Return the weights divided by their sum; positive ones stay positive."""
    return np.where(weights > 0, np.maximum(weights / total, _TINY), 0.0)


def variation(p: Float64s, q: Float64s, total_p: float, total_q: float) -> float:
    """Return ½ Σ |p_i / Σp − q_i / Σq|, exact for counts; from the masses, so that nearly equal
    distributions keep their digits."""
    difference = np.abs(p * total_q - q * total_p).sum()
    return min(1.0, 0.5 * float(difference) / total_p / total_q)


def of_edges(p: Float64s, q: Float64s) -> Cells:
    """Return the masses on the edges of the lower convex hull of the polyline with the edges
    (p, −q)."""
    cells = kernels.pool(p, q)
    return p[:cells].copy(), q[:cells].copy()


def record_of(p: Float64s, q: Float64s, info: Mapping[str, Any]) -> dict[str, Any]:
    """Return a curve as a record for JSON: plain numbers and strings."""
    return {
        "format": _FORMAT,
        "p": p.tolist(),
        "q": q.tolist(),
        "info": read_info("info", info),
    }


def read_record(record: Any) -> tuple[Float64s, Float64s, dict[str, Any]]:
    """Return the masses and the info of a record of `record_of`; raise WrongValue for others."""
    form = record.get("format") if isinstance(record, Mapping) else None
    if form != _FORMAT:
        raise WrongValue("record", f"format {_FORMAT!r} expected, got {form!r}")
    missing = {"p", "q", "info"} - record.keys()
    if missing:
        raise WrongValue("record", f"entries p, q, info expected, missing {sorted(missing)}")
    p = read_weights("record['p']", record["p"])
    q = read_weights("record['q']", record["q"], length=p.size)
    for name, masses in (("p", p), ("q", q)):
        with np.errstate(over="ignore"):
            if np.isinf(masses.sum()):
                raise WrongValue(f"record[{name!r}]", "masses with a finite sum expected")
    p, q = rescaled(p), rescaled(q)
    ratio = kernels.ratios(p, q)
    with np.errstate(over="ignore"):
        rises = ratio[1:] > ratio[:-1] * ON_CURVE  # sums of equal ratios have been rounded
    if np.isnan(ratio).any() or rises.any():
        raise WrongValue("record", "cells by falling ratio q / p expected")
    return p, q, read_info("record['info']", record["info"])


class Vertices(NamedTuple):
    """Vertices of the error-rate polyline: arrays of one length, from (0, 1) to (1, 0)."""

    fpr: Float64s
    """Share of real samples rejected, a_i."""
    fnr: Float64s
    """Share of generated samples accepted, b_i."""
    ratio: Float64s
    """Likelihood ratio of the edge that ends at the vertex; ∞ at the first vertex."""


class Masses:
    """Cells of two distributions, pooled and sorted: immutable, hashable, equal by their masses."""

    __slots__ = ("_info", "_p", "_parts", "_polyline", "_q", "_totals", "_work")

    _p: Float64s
    _q: Float64s
    _polyline: tuple[Float64s, Float64s, Float64s]  # fpr and fnr of vertices, ratio of edges
    _totals: tuple[float, float]
    _info: Mapping[str, Any]
    _work: Mapping[str, int] | None
    _parts: tuple[Self, ...]

    @classmethod
    def _from_pooled(
        cls,
        p: Float64s,
        q: Float64s,
        info: Mapping[str, Any] | None,
        work: Mapping[str, int] | None = None,
        parts: tuple[Self, ...] = (),
    ) -> Self:
        """Return the curve of masses that are sorted by falling ratio and pooled; the arrays
        become read-only."""
        fpr, fnr, total_p, total_q = kernels.vertices(p, q)
        # (q / Σq) / (p / Σp), in an order of operations that keeps ratios of counts exact
        products = _SCALE * p * total_q, _SCALE * q * total_p
        ratio = np.minimum.accumulate(kernels.ratios(*products))
        curve = object.__new__(cls)
        for array in (p, q, fpr, fnr, ratio):
            array.flags.writeable = False
        record = MappingProxyType({} if info is None else read_info("info", info))
        for name, value in (
            ("_p", p),
            ("_q", q),
            ("_polyline", (fpr, fnr, ratio)),
            ("_totals", (total_p, total_q)),
            ("_info", record),
            ("_work", None if work is None else MappingProxyType(dict(work))),
            ("_parts", parts),
        ):
            object.__setattr__(curve, name, value)
        return curve

    @property
    def info(self) -> Mapping[str, Any]:
        """Read-only record of what produced the curve: method, options, sizes, seed, version."""
        return self._info

    @property
    def work(self) -> Mapping[str, int] | None:
        """Read-only counts of how the neighbour search decided its pairs of samples, in all passes
        of the call that returned the curve: those of `prfast.neighbors.Search.work`.

        None where no neighbours were counted, or the curve was read from a record.  The counts
        depend on the machine and on the number of threads, the curve does not: so they are no part
        of `info`, of `to_dict` or of equality.
        """
        return self._work

    @property
    def parts(self) -> tuple[Self, ...]:
        """The curves that `PRCurve.mean` averaged to this one; `interval` uses them.

        Empty for other curves, and for one that was read from a record.  They are no part of
        `info`, of `to_dict` or of equality.
        """
        return self._parts

    def _worked(self, work: Mapping[str, int] | None) -> Self:
        """Return the same curve with these counts as `work`."""
        curve = object.__new__(type(self))
        for name in Masses.__slots__:
            object.__setattr__(curve, name, getattr(self, name))
        object.__setattr__(curve, "_work", None if work is None else MappingProxyType(dict(work)))
        return curve

    @property
    def masses(self) -> tuple[Float64s, Float64s]:
        """Masses (p, q) of the cells by falling ratio; each sums to 1 up to rounding."""
        total_p, total_q = self._totals
        return normalised(self._p, total_p), normalised(self._q, total_q)

    @property
    def vertices(self) -> Vertices:
        """Error rates of the likelihood-ratio classifiers, (fpr, fnr, ratio), from (0, 1)."""
        fpr, fnr, ratio = self._polyline
        ratio = np.append(np.inf, ratio)
        ratio.flags.writeable = False
        return Vertices(fpr, fnr, ratio)

    def swap(self) -> Self:
        """Return the curve with P and Q exchanged: λ becomes 1/λ, precision becomes recall.

        `info` is that of the original curve, whose real and generated sides it names, with
        `swapped`: True; swapping again removes this entry.
        """
        info = dict(self._info)
        if info.pop("swapped", False) is not True:
            info["swapped"] = True
        p, q = self._q[::-1].copy(), self._p[::-1].copy()
        return self._from_pooled(p, q, info, self._work, tuple(part.swap() for part in self._parts))

    def with_info(self, **more: Any) -> Self:
        """Return the same curve with further entries of `info`.

        Raises
        ------
        TypeError
            A value that `info` does not hold.
        """
        info = dict(self._info) | more
        return self._from_pooled(self._p, self._q, info, self._work, self._parts)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON, from which `from_dict` restores an equal curve
        and its `info`."""
        return record_of(self._p, self._q, self._info)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """Return the curve of a record that `to_dict` returned.

        Raises
        ------
        TypeError, ValueError
            Another format, a missing entry, masses out of order or with a sum that overflows.
        """
        return cls._from_pooled(*read_record(record))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot delete {name!r}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Masses):
            return NotImplemented
        return all(map(np.array_equal, self.masses, other.masses))

    def __hash__(self) -> int:
        return hash(tuple(x.tobytes() for x in self.masses))

    def __reduce__(self) -> tuple[Any, ...]:
        work = None if self._work is None else dict(self._work)
        info = dict(self._info)
        return type(self)._from_pooled, (self._p, self._q, info, work, self._parts)
