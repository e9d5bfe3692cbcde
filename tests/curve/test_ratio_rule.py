"""f_γ of the 2024 paper: which ratios of counts are called real, ties and both ends included."""

from fractions import Fraction

import numpy as np
import pytest

from prfast.curve.polyline import rejected

COUNTS = [(a, b) for a in range(7) for b in range(7) if a + b]


def real(a, b, gamma):
    """The paper's f_γ in exact numbers; the ends as limits."""
    if gamma == np.inf:
        return a > 0
    if gamma == 0:
        return b == 0
    weighed = Fraction(gamma) * a
    return weighed >= b if gamma >= 1 else weighed > b


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("gamma", [0, 5e-324, 0.125, 0.5, 1, 2, 4, 6, 1e300, np.inf])
def test_the_rule_is_that_of_the_paper_for_every_pair_of_counts(gamma, log):
    with np.errstate(divide="ignore"):
        ratios = {pair: np.float64(pair[0]) / pair[1] for pair in COUNTS}
        result = np.array([ratios[pair] for pair in COUNTS])
        given = np.log(result) if log else result
    for pair in COUNTS:
        own = given[COUNTS.index(pair)]
        called = rejected(np.array([own]), np.array([float(gamma)]), log=log)
        assert bool(called[0] == 0) is real(*pair, gamma), pair
