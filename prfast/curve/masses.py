"""What a curve holds: masses (p_i, q_i) on the level sets of the likelihood ratio, immutable.

By falling ratio r_i = q_i / p_i, equal ratios merged.  With them come the error rates of the
classifiers that the ratio gives, a_i = Σ_{j≤i} p_j (fpr) and b_i = Σ_{j>i} q_j (fnr), and a record
of what made them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Self

import numpy as np

from prfast.curve import cells
from prfast.curve.record import read_record, record_of
from prfast.inputs.arrays import Float64s
from prfast.kernels import masses as kernels
from prfast.results.info import read_info

_ABOVE = 2.0**200  # of masses up to 2⁵¹: their products are then no subnormal numbers


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
        """From masses already sorted by falling ratio and pooled; the arrays become read-only."""
        fpr, fnr, total_p, total_q = kernels.vertices(p, q)
        # (q / Σq) / (p / Σp), in the order of operations that leaves ratios of counts exact
        products = _ABOVE * p * total_q, _ABOVE * q * total_p
        ratio = np.minimum.accumulate(kernels.ratios(*products))
        curve = object.__new__(cls)
        for array in (p, q, fpr, fnr, ratio):
            array.flags.writeable = False
        known = MappingProxyType({} if info is None else read_info("info", info))
        for name, value in (
            ("_p", p),
            ("_q", q),
            ("_polyline", (fpr, fnr, ratio)),
            ("_totals", (total_p, total_q)),
            ("_info", known),
            ("_work", None if work is None else MappingProxyType(dict(work))),
            ("_parts", parts),
        ):
            object.__setattr__(curve, name, value)
        return curve

    @property
    def info(self) -> Mapping[str, Any]:
        """What produced the curve: method, options, sizes, seed, version; read-only."""
        return self._info

    @property
    def work(self) -> Mapping[str, int] | None:
        """How the pairs of samples were decided in the passes that the curve comes from, with the
        methods and k of the same call: the counts of `prfast.balls.Search.work`, read-only.

        None where no neighbours were counted, or the curve was read from a record.  The counts
        depend on the machine and on threads, the curve does not: so they are no part of `info`, of
        `to_dict` or of equality.
        """
        return self._work

    @property
    def parts(self) -> tuple[Self, ...]:
        """The curves that this is the mean of, as `PRCurve.mean` was given them.

        None of other curves, and of one that was read from a record.  They are no part of `info`,
        of `to_dict` or of equality; `interval` asks them.
        """
        return self._parts

    def _worked(self, work: Mapping[str, int] | None) -> Self:
        """The same curve, of passes that did this work."""
        curve = object.__new__(type(self))
        for name in Masses.__slots__:
            object.__setattr__(curve, name, getattr(self, name))
        object.__setattr__(curve, "_work", None if work is None else MappingProxyType(dict(work)))
        return curve

    @property
    def masses(self) -> tuple[Float64s, Float64s]:
        """(p, q): masses of the cells by falling ratio; each sums to 1 up to rounding."""
        p, q = (self._p, self._totals[0]), (self._q, self._totals[1])
        return cells.normalised(*p), cells.normalised(*q)

    @property
    def vertices(self) -> Vertices:
        """Error rates of the likelihood-ratio classifiers, (fpr, fnr, ratio), from (0, 1)."""
        fpr, fnr, ratio = self._polyline
        ratio = np.append(np.inf, ratio)
        ratio.flags.writeable = False
        return Vertices(fpr, fnr, ratio)

    def swap(self) -> Self:
        """The curve with P and Q exchanged: λ becomes 1/λ, precision becomes recall.

        `info` then holds `swapped`: True beside what it says of the original curve, whose real and
        generated sides it names; swapping again takes it away.
        """
        info = dict(self._info)
        if info.pop("swapped", False) is not True:
            info["swapped"] = True
        p, q = self._q[::-1].copy(), self._p[::-1].copy()
        return self._from_pooled(p, q, info, self._work, tuple(one.swap() for one in self._parts))

    def with_info(self, **more: Any) -> Self:
        """The same curve, whose `info` says this besides.

        Raises
        ------
        TypeError
            A value that `info` does not hold.
        """
        info = dict(self._info) | more
        return self._from_pooled(self._p, self._q, info, self._work, self._parts)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and strings for JSON; `from_dict` gives back an equal curve and `info`."""
        return record_of(self._p, self._q, self._info)

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> Self:
        """The curve that `to_dict` described.

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
