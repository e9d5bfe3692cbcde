"""Curves for tests: any, simple ones, and those that quadrature can follow."""

import hostile
import numpy as np
from hypothesis import strategies as st

from prfast import PRCurve

CURVES = hostile.mass_pairs().map(lambda masses: PRCurve.from_masses(*masses))
HALF = PRCurve.from_masses([0.5, 0.5], [0.0, 1.0])  # mode dropping: the rectangle 1 × 0.5
EQUAL = PRCurve.from_masses([1.0], [1.0])
DISJOINT = PRCurve.from_masses([1.0, 0.0], [0.0, 1.0])


def steps_of(curve):
    """Finite positive ratios, where the curve has its corners."""
    ratio = curve.vertices.ratio
    return np.sort(ratio[(ratio > 0) & np.isfinite(ratio)])


# Masses that quadrature can follow: ratios within 1e±4, or zero.
TAME = st.lists(
    st.tuples(st.sampled_from([0.0, 0.01, 0.1, 0.3, 1.0]), st.sampled_from([0.0, 0.02, 0.2, 0.7])),
    min_size=1,
    max_size=6,
).filter(lambda cells: all(sum(column) > 0 for column in zip(*cells, strict=True)))
TAME_CURVES = TAME.map(lambda cells: PRCurve.from_masses(*zip(*cells, strict=True)))
