"""Choice of instruction set and filter by the environment variables PRFAST_ISA, PRFAST_FILTER."""

from __future__ import annotations

import os

from prfast.kernels.balls import ISAS


def isa() -> str:
    """Return the instruction set named by PRFAST_ISA, by default the best that the CPU supports."""
    wanted = os.environ.get("PRFAST_ISA", [*ISAS][-1])
    if wanted not in ISAS:
        here = ", ".join(ISAS)
        raise ValueError(f"PRFAST_ISA: one of {here} expected on this machine, got {wanted!r}")
    return wanted


FILTERS = ("auto", "int8", "float32", "off")


def wanted_filter() -> str:
    """Return the filter named by PRFAST_FILTER, by default "auto".

    "auto": the best for the data; "int8": also where it is slower; "float32": without the int8
    filter; "off": every distance in float64.
    """
    wanted = os.environ.get("PRFAST_FILTER", "auto")
    if wanted not in FILTERS:
        raise ValueError(f"PRFAST_FILTER: one of {', '.join(FILTERS)} expected, got {wanted!r}")
    return wanted
