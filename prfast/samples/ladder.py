"""Ladder: the resolutions at which two sets are compared, with common noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from prfast.inputs.errors import WrongValue
from prfast.inputs.options import is_word, read_list, read_number
from prfast.results.values import listed
from prfast.samples.noise import MOST_NOISE, Noise, Smoother, read_noise
from prfast.samples.partitioned import check_array
from prfast.samples.samples import Samples

RESOLUTIONS = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
"""The resolutions of "auto"."""


@dataclass(frozen=True, eq=False)
class Ladder:
    """Resolutions, ascending, and the noise of resolution 1; no resolutions for no profile."""

    sigmas: tuple[float, ...]
    noise: Noise
    smoother: Smoother | None = None  # the noise in the units of the real set, if that is fixed

    @classmethod
    def read(
        cls,
        resolutions: Any,
        noise: Any = "std",
        *,
        auto: Sequence[float] = RESOLUTIONS,
        may_be_none: bool = False,
    ) -> Ladder:
        """Return the arguments `resolutions` and `noise`; auto: the resolutions of "auto"."""
        name, noise = "resolutions", read_noise(noise)
        if resolutions is None and may_be_none:
            return cls((), noise)
        if is_word(resolutions, "auto"):
            return cls(tuple(auto), noise)
        if isinstance(resolutions, str):
            raise WrongValue(name, f"'auto' or numbers expected, got {resolutions!r}")
        given = read_list(name, resolutions, ())
        numbers = (read_number(name, x, 0.0, MOST_NOISE) for x in given)
        # Steps such as those of `numpy.arange` differ from decimal numbers in their last bits.
        sigmas = tuple(sorted({round(x, 12) for x in numbers}))
        if len(sigmas) < 2:
            raise WrongValue(name, f"at least two expected, got {listed(list(map(str, sigmas)))}")
        return cls(sigmas, noise)

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments that are read as this ladder."""
        return {"resolutions": [*self.sigmas] or None, "noise": self.noise}

    def record(self) -> dict[str, Any]:
        """Return the arguments for the record of a result."""
        return self.arguments | {"noise": self.noise.record()}

    def check(self, real: Samples) -> None:
        """Raise WrongValue for real samples that cannot be smoothed."""
        if self.sigmas:
            check_array("resolutions", real.source, "0", [*self.sigmas])
