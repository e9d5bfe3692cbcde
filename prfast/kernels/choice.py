"""Which of the engine's ways is taken, by two variables of the environment."""

from __future__ import annotations

import os

from prfast.kernels import balls


def isa() -> int:
    """The best instruction set that runs here, or the one named by PRFAST_ISA."""
    wanted = os.environ.get("PRFAST_ISA")
    if wanted is None:
        return max(i for i in balls.ISAS.values() if balls.isa_runs(i))
    if wanted not in balls.ISAS or not balls.isa_runs(balls.ISAS[wanted]):
        here = ", ".join(name for name, i in balls.ISAS.items() if balls.isa_runs(i))
        raise ValueError(f"PRFAST_ISA: one of {here} expected on this machine, got {wanted!r}")
    return balls.ISAS[wanted]


def filter_is_off() -> bool:
    """PRFAST_FILTER=off computes every distance in float64: for tests, and to be sure."""
    return os.environ.get("PRFAST_FILTER") == "off"
