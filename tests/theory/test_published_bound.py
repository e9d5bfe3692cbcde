"""The bound of another paper that the 2023 paper refutes (Remark 27), and what it has in its place.

R_Q(φ*∘ℓ) <= R_P(ℓ) + D_φ(P‖Q)       (27)   false in general
R_Q(ℓ)    <= R_P(ℓ) + D_φ(P‖Q)       (28)   would follow
R_Q(ℓ)    <= R_λP(φ*∘ℓ) + D_φ(Q‖λP)  (29)   holds: `phi_bound`
"""

import numpy as np
import pytest

from prfast import PRCurve
from prfast.theory import phi_bound, phi_divergence, phi_function

P, Q = np.array([0.5, 0.5]), np.array([0.9, 0.1])
CURVE = PRCurve.from_masses(P, Q)
LOSS = np.array([1.0, 0.0])


@pytest.mark.parametrize("scale", [0.3, 0.01, 1e-6])
def test_a_small_multiple_of_kl_breaks_it(scale):
    """φ_s = sφ has D_φs = s D_φ and φ_s*(v) = s φ*(v/s) >= v: so (28), and (27) with it, fails."""
    kl = phi_function("kl")
    starred = scale * kl.conjugate(np.minimum(LOSS / scale, 700))
    assert (starred >= LOSS).all()
    right = P @ LOSS + scale * phi_divergence(CURVE, "kl")
    assert Q @ starred >= Q @ LOSS > right


def test_kl_itself_breaks_the_stronger_form():
    """(27) with s = 1: 0.9 (e − 1) > 0.5 + D."""
    starred = phi_function("kl").conjugate(LOSS)
    assert Q @ starred > P @ LOSS + phi_divergence(CURVE, "kl")


def test_the_bound_in_its_place_holds():
    bound = phi_bound(CURVE, LOSS, "kl", weights=P)
    assert bound.value >= Q @ LOSS


@pytest.mark.parametrize("name", ["kl", "chi2", "reverse_kl", "js", "hellinger"])
def test_a_supremum_of_absolute_values_is_no_absolute_value_of_a_supremum(name):
    """Footnote 10, where its proof goes wrong: |∫f dP − ∫φ*(f) dQ| has no bound, for constants f
    far below 0, while the supremum without the bars is the divergence."""
    phi = phi_function(name)
    f = -np.geomspace(1, 1e6, 50)
    difference = f - phi.conjugate(f)
    divergence = phi_divergence(CURVE, phi)
    assert difference.max() <= divergence < np.inf
    assert np.abs(difference).max() > 1e5
