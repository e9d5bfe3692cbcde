"""Which of the engine's ways is taken, by two variables of the environment."""

from __future__ import annotations

import os

from prfast.kernels.balls import ISAS


def isa() -> str:
    """The best instruction set that runs here, or the one named by PRFAST_ISA."""
    wanted = os.environ.get("PRFAST_ISA", [*ISAS][-1])
    if wanted not in ISAS:
        here = ", ".join(ISAS)
        raise ValueError(f"PRFAST_ISA: one of {here} expected on this machine, got {wanted!r}")
    return wanted


FILTERS = ("auto", "int8", "float32", "off")


def wanted_filter() -> str:
    """Which filters are used, by PRFAST_FILTER: "auto", the best for the data; "int8", also where
    it does not pay; "float32", without the int8 filter; "off", every distance in float64."""
    wanted = os.environ.get("PRFAST_FILTER", "auto")
    if wanted not in FILTERS:
        raise ValueError(f"PRFAST_FILTER: one of {', '.join(FILTERS)} expected, got {wanted!r}")
    return wanted
