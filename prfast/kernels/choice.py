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


def filter_is_off() -> bool:
    """PRFAST_FILTER=off computes every distance in float64: for tests, and to be sure."""
    return os.environ.get("PRFAST_FILTER") == "off"
