"""The library: bases that each see another kind of difference.

Boosted trees (`trees`) are no row here, as they are grown only where a trial with the scores of all
others pays.  A base is fitted on the coordinates, for each fold on the others, and then scores a
block of a fold: a column or several, each larger where more like real.  None where it has nothing
to work on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from prfast.inputs.arrays import Float64s
from prfast.scorers.auto.atoms import atoms
from prfast.scorers.auto.block import Block
from prfast.scorers.auto.coordinates import Coordinates
from prfast.scorers.auto.counts import neighbors
from prfast.scorers.auto.gaussians import gaussians
from prfast.scorers.auto.kernel import kernel
from prfast.scorers.auto.mixtures import mixtures
from prfast.scorers.auto.plain import plain
from prfast.scorers.auto.ranges import ranges
from prfast.scorers.auto.ranks import ranks
from prfast.scorers.auto.regressions import (
    additive,
    linear,
    products,
    quadratic,
    radial,
)
from prfast.scorers.auto.values import values


class Base(Protocol):
    def score(self, block: Block) -> Float64s: ...


BASES: dict[str, Callable[[Coordinates], Base | None]] = {
    "linear": linear,
    "plain": plain,
    "quadratic": quadratic,
    "radial": radial,
    "additive": additive,
    "products": products,
    "kernel": kernel,
    "gaussians": gaussians,
    "mixtures": mixtures,
    "neighbors": neighbors,
    "atoms": atoms,
    "ranges": ranges,
    "ranks": ranks,
    "values": values,
}
