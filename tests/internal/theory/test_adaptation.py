"""Terms of a bound of the error on a target, and arguments that functions of curves refuse."""

import numpy as np  # noqa: F401
from curves import EQUAL, HALF  # noqa: F401
from refusals import refusals

from prfast.theory import (  # noqa: F401
    adaptation_bound,
    critic_bound,
    discrepancy,
    divergence_table,
    hypothesis_bound,
    in_mode_collapse_region,
    lorenz,
    margin_loss,
    phi_bound,
    phi_lorenz,
)

test_wrong_arguments_are_refused = refusals("""
lorenz(3)
    TypeError: curve: a PRCurve expected, got int
in_mode_collapse_region(HALF, epsilon=0.5, delta=0.2)
    ValueError: epsilon: at most delta expected, got 0.5 > 0.2 at index 0
divergence_table(EQUAL, [])
    ValueError: which: at least one expected, got no
divergence_table(EQUAL, "x")
    ValueError: which: one of kl, reverse_kl, js, chi2, hellinger, tv, frontier_integral or
    tsallis:a, a an order such as 0.5, expected, got 'x'
adaptation_bound(EQUAL, 1.1)
    ValueError: risk: a number in [0, 1] expected, got 1.1
phi_bound(EQUAL, [[0.1]], "kl")
    ValueError: losses: a 1-D array expected, got shape (1, 1)
critic_bound([0.1, np.nan], [0.2], "kl")
    ValueError: f_real: finite numbers expected, got nan at index 1
margin_loss([[1.0], [2.0]], [0, 0])
    ValueError: scores: finite numbers of at least 2 classes expected, shape (n, classes)
discrepancy([0.1], [[0.1]], "kl")
    ValueError: source: shape (hypotheses, samples) expected, got (1,)
hypothesis_bound(0, [[0.1]], [[0.1]], [[0.1]], [[0.1]], "hellinger")
    ValueError: loss_max: a number where φ* of hellinger is finite expected, got 1; scale the losses
phi_lorenz(EQUAL, np.inf, "kl")
    ValueError: t: finite numbers expected, got inf
""")
