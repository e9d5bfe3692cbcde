"""Bounds: every error says what was expected; far ends are limits."""

import math

import numpy as np
import pytest
from curves import EQUAL

from prfast.theory import (
    adaptation_bound,
    discrepancy,
    hypothesis_bound,
    lorenz_bound,
    phi_bound,
    phi_lorenz,
)

ONE, TWO = np.zeros((1, 2)), np.zeros((2, 2))


def of_hypotheses(h=0, a=TWO, b=TWO, c=TWO, d=TWO, phi="kl", **options):
    return lambda: hypothesis_bound(h, a, b, c, d, phi, **options)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: adaptation_bound(1, 0.1), TypeError, r"curve: a PRCurve expected, got int"),
        (
            lambda: adaptation_bound(EQUAL, 1.1),
            ValueError,
            r"risk: a number in \[0, 1\] expected, got 1.1",
        ),
        (lambda: adaptation_bound(EQUAL, "x"), TypeError, r"risk: a number expected, got a str"),
        (
            lambda: lorenz_bound(EQUAL, [0, -1]),
            ValueError,
            r"risk: numbers in \[0, 1\] expected, got -1.0 at index 1",
        ),
        (
            lambda: phi_bound(EQUAL, [[0.1]], "kl"),
            ValueError,
            r"losses: shape \(any\) expected, got \(1, 1\)",
        ),
        (
            lambda: phi_bound(EQUAL, [0.1], "kl", weights=[1, 2]),
            ValueError,
            r"weights: 1 numbers expected, got 2",
        ),
        (
            lambda: phi_bound(EQUAL, [0.1], "js"),
            ValueError,
            r"loss_max: at most 0.693147 expected, where φ\* of js ends, got 1; scale the losses",
        ),
        (
            lambda: phi_bound(EQUAL, [0.1], lambda u: u * np.log(u)),
            ValueError,
            r"phi: one of kl, .* or tsallis:a expected where φ\* is needed, got a function",
        ),
        (
            lambda: phi_lorenz(EQUAL, math.inf, "kl"),
            ValueError,
            r"t: finite numbers expected, got inf",
        ),
        (
            lambda: discrepancy(TWO, ONE, "kl"),
            ValueError,
            r"target_pairs: shape \(2, any\) expected, got \(1, 2\)",
        ),
        (
            lambda: discrepancy([0.1], ONE, "kl"),
            ValueError,
            r"source_pairs: shape \(any, any\) expected, got \(1,\)",
        ),
        (
            lambda: discrepancy(TWO, TWO, "kl", source_weights=[0, 0]),
            ValueError,
            r"source_weights: a positive sum expected, got only zeros",
        ),
        (of_hypotheses(2), ValueError, r"h: an integer of at most 1 expected, got 2"),
        (of_hypotheses(-1), ValueError, r"h: an integer of at least 0 expected, got -1"),
        (of_hypotheses(c=ONE), ValueError, r"source_pairs: shape \(2, 2\) expected, got \(1, 2"),
        (
            of_hypotheses(phi="hellinger"),
            ValueError,
            r"loss_max: below 1 expected, where φ\* of hellinger is ∞",
        ),
        *(
            (
                of_hypotheses(phi=f"tsallis:{a}", loss_max=1 / (1 - a)),
                ValueError,
                rf"loss_max: below .* expected, where φ\* of tsallis:{a} is ∞",
            )
            for a in (0.07, 0.3, 0.51, 0.9)
        ),
        (
            of_hypotheses(c=[[0, 0], [0, 1]]),
            ValueError,
            r"source_losses and source_pairs: a loss with the triangle inequality expected, broken "
            r"by hypothesis 1, sample 1",
        ),
    ],
)
def test_every_error_says_what_was_expected(call, error, message):
    with pytest.raises(error, match=f"^{message}"):
        call()
