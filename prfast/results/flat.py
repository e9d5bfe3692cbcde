"""Numbers as loggers and dashboards take them: a flat {name: float}.

Names have a to z, 0 to 9 and _ alone.  A number that is not finite, NaN or ∞, is left out: JSON
knows none, and dashboards stumble.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from itertools import chain, count
from typing import Any

from prfast.inputs.errors import WrongType
from prfast.inputs.kinds import kind_of
from prfast.results.text import curve_name


def flat(numbers: Iterable[tuple[str, float]], prefix: Any = "") -> dict[str, float]:
    """The numbers that are finite, each with the prefix before its name."""
    if not isinstance(prefix, str):
        raise WrongType("prefix", f"a string expected, got {kind_of(prefix)}")
    return {prefix + name: float(value) for name, value in numbers if math.isfinite(value)}


def flat_names(curves: Iterable[tuple[str, Any]]) -> list[str]:
    """What stands before the numbers of each curve, by its method and k: "knn_k5_", "auto_"; one
    whose name is taken gets "_2", or the next number that is free.  Of one curve alone, nothing."""
    names: list[str] = []
    for method, k in curves:
        name = re.sub(r"[^a-z0-9]+", "_", curve_name(method, k).replace("=", "").lower()).strip("_")
        name = name or "curve"
        tries = chain([name], (f"{name}_{number}" for number in count(2)))
        names.append(next(one for one in tries if one not in names))
    return [""] if len(names) == 1 else [f"{name}_" for name in names]
