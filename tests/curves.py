"""Curves for tests: any, simple ones, those that quadrature can follow, three models."""

import hostile
import numpy as np
from hypothesis import strategies as st
from oracles import integral

from prfast import PRCurve

CURVES = hostile.mass_pairs().map(lambda masses: PRCurve.from_masses(*masses))
HALF = PRCurve.from_masses([0.5, 0.5], [0.0, 1.0])  # mode dropping: the rectangle 1 × 0.5
EQUAL = PRCurve.from_masses([1.0], [1.0])
DISJOINT = PRCurve.from_masses([1.0, 0.0], [0.0, 1.0])


def steps_of(curve):
    """Finite positive ratios, where the curve has its corners."""
    ratio = curve.vertices.ratio
    return np.sort(ratio[(ratio > 0) & np.isfinite(ratio)])


def area_by_quadrature(curve, lo=0.0, hi=np.inf):
    """½ ∫ β² dλ between lo and hi, cut at the corners and done in ln λ."""

    def integrand(u):
        return 0.5 * curve.at(np.exp(u))[1] ** 2 * np.exp(u)

    corners = [*steps_of(curve), 1.0]
    ends = [min(corners) * 1e-16, *corners, max(corners) * 1e16]
    ends = sorted({min(max(x, lo), hi) for x in ends})
    return integral(integrand, np.log(ends), epsabs=0, epsrel=1e-12)


# Masses that quadrature can follow: ratios within 1e±4, or zero.
TAME = st.lists(
    st.tuples(st.sampled_from([0.0, 0.01, 0.1, 0.3, 1.0]), st.sampled_from([0.0, 0.02, 0.2, 0.7])),
    min_size=1,
    max_size=6,
).filter(lambda cells: all(sum(column) > 0 for column in zip(*cells, strict=True)))
TAME_CURVES = TAME.map(lambda cells: PRCurve.from_masses(*zip(*cells, strict=True)))


# Three models for reports.
SIZES = {"n_real": 2000, "n_fake": 2000, "split": 0.5, "scored_real": 1000, "scored_fake": 1000}


def curve(p, q, **info):
    """Return a curve that counts the scored samples in shares p, q."""
    info = SIZES | info
    sizes = info["scored_real"], info["scored_fake"]
    counts = (np.rint(size * np.array(x) / sum(x)) for size, x in zip(sizes, (p, q), strict=True))
    return PRCurve.from_masses(*counts, info=info)


GOOD = curve([0.3, 0.4, 0.3], [0.28, 0.42, 0.3])
DROPS = curve([0.2, 0.4, 0.4], [0.0, 0.5, 0.5])  # a fifth of the real mass is not generated
INVENTS = curve([0.5, 0.5, 0.0], [0.35, 0.35, 0.3])
