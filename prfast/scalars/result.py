"""Arguments of `metrics`, checked, and `Metrics`, what it returns."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from prfast.curve.curve import LEVEL, legend, quantile
from prfast.curve.notes import few_note
from prfast.inputs.errors import WrongValue, closest
from prfast.inputs.options import (
    is_word,
    read_count,
    read_flag,
    read_list,
    read_number,
    read_seed,
    read_ties,
)
from prfast.results.info import scalars
from prfast.results.values import Values, aligned, as_text, flat, listed
from prfast.scalars.estimate import MetricOptions
from prfast.scalars.table import ALL, COVER, NAMES, USUAL, digits, needed_rows, wholes

_OTHER_NAMES = {  # names elsewhere, for the hints of error messages
    "fid": "frechet_distance",
    "fd": "frechet_distance",
    "kid": "kernel_distance",
    "mmd": "kernel_distance",
    "memorisation": "authenticity",
    "memorization": "authenticity",
}


def read_metric_options(
    k: Any,
    which: Any,
    ties: str,
    *,
    cover_k: Any = 3,
    cover_factor: Any = None,
    cover_reach: Any = None,
    cover_self: Any = False,
    p_k: Any = None,
    p_factor: Any = None,
    p_radius: Any = None,
    kernel_subsets: Any = None,
    kernel_subset_size: Any = 1000,
    random_state: Any = 0,
) -> MetricOptions:
    """Check the arguments of `metrics`, where they are documented."""
    several = isinstance(k, Iterable) and not isinstance(k, str)
    ks = [read_count("k", item) for item in read_list("k", k, (str,))]
    names = _read_names(which)
    read_ties(ties)
    _check_exclusive("cover_reach", cover_reach, cover_factor=cover_factor)
    _check_exclusive("p_radius", p_radius, p_k=p_k, p_factor=p_factor)
    return MetricOptions(
        ks,
        several,
        names,
        ties,
        read_count("cover_k", cover_k),
        read_count("cover_factor", 3 if cover_factor is None else cover_factor),
        None if cover_reach is None else read_count("cover_reach", cover_reach),
        read_flag("cover_self", cover_self),
        read_count("p_k", 4 if p_k is None else p_k),
        read_number("p_factor", 1.2 if p_factor is None else p_factor, 0.0, 1e6),
        None if p_radius is None else _read_radii(p_radius),
        None if kernel_subsets is None else read_count("kernel_subsets", kernel_subsets),
        read_count("kernel_subset_size", kernel_subset_size, at_least=2),
        read_seed(random_state),
    )


def _check_exclusive(name: str, value: Any, **others: Any) -> None:
    """Raise WrongValue if an option comes with others that it replaces."""
    for other, other_value in others.items():
        if value is not None and other_value is not None:
            raise WrongValue(name, f"{name} or {other} expected, got both")


def _read_radii(p_radius: Any) -> tuple[float, float]:
    """Return R of the real and of the generated samples, from one number for both, or two."""
    items = read_list("p_radius", p_radius, (str, bytes))
    if len(items) > 2:
        text = f"a number, or two, of real and of fake, expected, got {len(items)}"
        raise WrongValue("p_radius", text)
    radii = [read_number("p_radius", item, 0.0, sys.float_info.max) for item in items]
    return radii[0], radii[-1]


def _read_names(which: str | Sequence[str] | None) -> list[str]:
    if which is None:
        return list(USUAL)
    names: list[str] = []
    for name in read_list("which", which, (str,)):
        if not is_word(name, *NAMES, ALL):
            raise WrongValue("which", no_metric(name))
        names += NAMES if name == ALL else [name]
    return list(dict.fromkeys(names))


def no_metric(name: Any, hint: str = "") -> str:
    """Return the error message for an unknown name: the name here of a metric that is known by
    another one elsewhere, or a similar name, or the hint; and all names."""
    known = f"some of {', '.join(NAMES)}, or {ALL}"
    here = _OTHER_NAMES.get(name.lower()) if isinstance(name, str) else None
    if here is not None:
        return f"{here} expected, which is the name of {name!r} here; {known}"
    return f"{known} expected, got {name!r}{closest(name, NAMES) or hint}"


def check_sizes(n: float, m: float, options: MetricOptions) -> None:
    """Raise WrongValue if there are too few samples for the k-th other point, for a metric of both
    sets as wholes, or for subsets."""
    sizes = {"real": n, "fake": m}
    balls = needed_rows(NAMES).values()  # in the order of the table, for any names
    needed = {(row.around, row.reach) for row in needed_rows(options.names).values()}
    for around, reach in dict.fromkeys((row.around, row.reach) for row in balls):
        if (around, reach) in needed and reach.needed(options):
            largest = max(reach.number(k, options) for k in options.ks)
            replaced = reach is COVER and options.cover_reach is not None
            option = "cover_reach" if replaced else reach.option
            own = reach is COVER and options.cover_self
            check_neighbor(option, largest, around, sizes[around], own=own)
    for name, size in sizes.items():
        if size < 2 and wholes(options.names):
            first = next(iter(wholes(options.names)))
            raise WrongValue(name, f"at least 2 samples expected for {first}, got {size}")
        if options.draws and options.kernel_subset_size > size:
            raise WrongValue(
                "kernel_subset_size",
                f"at most {size} expected, the samples of {name}, got {options.kernel_subset_size}",
            )


def check_neighbor(option: str, k: int, name: str, size: float, *, own: bool = False) -> None:
    """Raise WrongValue if `size` points have no k-th other one.

    own: whether the option counts the point itself besides.
    """
    if not 1 <= k < size:
        others = f"the other points of {name}" + (" and the point itself" if own else "")
        text = f"from {1 + own} to {size - 1 + own} expected, {others}, got {k + own}"
        raise WrongValue(option, text)


def check_asked(backend: str, pieces: bool, options: MetricOptions) -> None:
    """Raise WrongValue if a metric is not available with this backend, or in partitions.

    pieces: whether samples are in partitions.
    """
    nearest = [n for n, row in needed_rows(options.names).items() if row.counted == "nearest"]
    if pieces and nearest:
        raise WrongValue(
            "which",
            f"metrics that are there for samples in pieces expected, got {listed(nearest)}; those "
            "are for arrays",
        )
    if backend == "approximate" and nearest:
        raise WrongValue("backend", f"an exact one expected for {nearest[0]}, got {backend!r}")


class Metrics(Values[float]):
    """Mapping of names to values, in the order of ``which``; values are also attributes.

    ``info``: options, sizes and version that produced them; ``errors``: standard errors of the
    metrics that have one.
    """

    def __init__(
        self,
        values: Mapping[str, float],
        info: Mapping[str, Any] | None = None,
        errors: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(values, info)
        self._errors: Mapping[str, float] = MappingProxyType(dict(errors or {}))

    @property
    def errors(self) -> Mapping[str, float]:
        """Standard errors, {name: error}, of the metrics that have one."""
        return self._errors

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (dict(self), dict(self.info), dict(self.errors))

    def __getattr__(self, name: str) -> float:
        if name in NAMES and name in self:
            return self[name]
        raise AttributeError(f"Metrics has {', '.join(self)}, not {name!r}")

    def scalars(self, prefix: str = "") -> dict[str, float]:
        """Return the finite metrics for a logger, a flat {name: float}, with `prefix` as for
        `PRCurve.scalars`.

        Raises
        ------
        TypeError
            A prefix that is not a string.
        """
        return flat(self.items(), prefix)

    def text(self, name: str) -> str:
        """Return a metric as tables show it: "0.7123", or "0.001234 ± 0.000045" with the half width
        of its 95 % interval."""
        value, error = as_text(self[name], digits(name)), self.errors.get(name)
        if error is None:
            return value
        return f"{value} ± {as_text(quantile(LEVEL) * error, digits(name))}"

    def notes(self) -> list[str]:
        """Return the notes below the table: the meaning of ±, and a note on few samples."""
        sizes = self.info.get("n_real"), self.info.get("n_fake")
        known = sizes if all(isinstance(size, int) for size in sizes) else None
        return [*([legend(of_scorer=False)] if self.errors else []), *few_note(known)]  # type: ignore[arg-type]

    def _text(self, name: str) -> str:
        return self.text(name)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers and strings for JSON.

        Returns
        -------
        dict
            ``values``, {name: number}, where infinity is "inf"; ``errors``, {name: standard error},
            if there are any; ``info``.
        """
        return super().to_dict() | ({"errors": dict(self.errors)} if self.errors else {})

    def rows(self) -> list[dict[str, Any]]:
        """Return a record for each metric: ``name``, ``value`` and, if any metric has one,
        ``standard_error``, NaN for others."""
        rows = super().rows()
        if self.errors:
            for row in rows:
                row["standard_error"] = self.errors.get(row["name"], math.nan)
        return rows

    def _below(self) -> list[str]:
        return self.notes()

    def __str__(self) -> str:
        """Return a line for each metric, then notes, then `info`."""
        lines = aligned([[name, self.text(name)] for name in self])
        info = ", ".join(f"{key} {value}" for key, value in scalars(self.info).items())
        return "\n".join([*lines, "", *self.notes(), info]) if info else "\n".join(lines)

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={self.text(name)}" for name in self)
        info = ", ".join(f"{key}={value!r}" for key, value in self.info.items())
        return f"Metrics({values}; {info})"
