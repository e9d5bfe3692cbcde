"""The instruction set and the filter, set by PRFAST_ISA and PRFAST_FILTER; the C header."""

from __future__ import annotations

import os

from prfast.kernels.distances import ISAS


def isa() -> str:
    """Return the instruction set named by PRFAST_ISA, by default the best that the CPU supports."""
    name = os.environ.get("PRFAST_ISA", [*ISAS][-1])
    if name not in ISAS:
        here = ", ".join(ISAS)
        raise ValueError(f"PRFAST_ISA: one of {here} expected on this machine, got {name!r}")
    return name


FILTERS = ("auto", "int8", "float32", "off")


def filter_setting() -> str:
    """Return the filter named by PRFAST_FILTER, by default "auto".

    "auto": the best for the data; "int8": also where it is slower; "float32": without the int8
    filter; "off": every distance in float64.
    """
    name = os.environ.get("PRFAST_FILTER", "auto")
    if name not in FILTERS:
        raise ValueError(f"PRFAST_FILTER: one of {', '.join(FILTERS)} expected, got {name!r}")
    return name


def get_include() -> str:
    """Return the folder of `prfast.h`, for compiling code that calls prfast from C or Cython.

    Returns
    -------
    folder : str
        Value for `-I` or `include_dirs`; see `docs/embedding.md`.
    """
    return os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "include")
