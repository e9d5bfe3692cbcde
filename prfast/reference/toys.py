"""The six pairs of histograms that explain precision and recall (2018 paper, Fig. 2)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from prfast.reference.discrete import Discrete

_MODE, _NONE = np.array([1.0, 4, 6, 4, 1]), np.zeros(5)
_BOTH = np.concatenate([_MODE, [0], _MODE])
_LEFT, _RIGHT = np.concatenate([_MODE, [0], _NONE]), np.concatenate([_NONE, [0], _MODE])

# Of 11 cells: a mode, a gap, a mode.  The paper prints no numbers; what it says of each is a test.
# A view that cannot be changed, nor pickled: send `dict(TOYS)` to another process.
TOYS: Mapping[str, Discrete] = MappingProxyType(
    {
        "a": Discrete(_BOTH, _LEFT),
        "b": Discrete(_LEFT, _BOTH),
        "c": Discrete(_BOTH, _BOTH),
        "d": Discrete(_LEFT, _RIGHT),
        "e": Discrete(_BOTH, 15 * _LEFT + _RIGHT),
        "f": Discrete(15 * _LEFT + _RIGHT, _BOTH),
    }
)
