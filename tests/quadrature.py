"""Integrals in pieces, for closed forms to be compared with."""

import math
import warnings
from itertools import pairwise


def integral(function, points, **options):
    """∫ function between the first and the last of the points, piece by piece.

    Of pieces as narrow as rounding and of digits beyond it quad warns; what is compared with the
    integral tells whether it has enough of them.
    """
    from scipy.integrate import IntegrationWarning, quad

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IntegrationWarning)
        pieces = [quad(function, a, b, limit=200, **options)[0] for a, b in pairwise(points)]
    return math.fsum(pieces)
