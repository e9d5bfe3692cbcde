"""The picture of a φ-Lorenz diagram: its points are inside, its height is the divergence."""

import numpy as np
import pytest
from refusals import refusals

from prfast import PRCurve
from prfast.plots import plot_phi_lorenz
from prfast.reference import GaussianShift
from prfast.theory import in_phi_lorenz_diagram, phi_divergence, phi_function, phi_lorenz

CURVE = PRCurve.from_masses([0.5, 0.3, 0.2], [0.2, 0.3, 0.5])
OPEN = PRCurve.from_masses([0.5, 0.3, 0.2, 0.0], [0.0, 0.3, 0.6, 0.1])
ALL = ["kl", "hellinger", "tv", "tsallis:2.5"]


def lines(ax):
    return {line.get_label(): line.get_data() for line in ax.lines}


def height_of(ax):
    (label,) = (name for name in lines(ax) if name.startswith("$D_"))
    return lines(ax)[label]


@pytest.mark.parametrize("curve", [CURVE, GaussianShift(1.5).curve(300)], ids=["steps", "smooth"])
@pytest.mark.parametrize("name", ALL)
def test_the_height_is_the_divergence_and_the_largest(curve, name):
    ax = plot_phi_lorenz(curve, name)
    (x, _), (low, high) = height_of(ax)
    divergence = phi_divergence(curve.swap(), name)
    assert low == x
    assert high - low == pytest.approx(divergence, rel=1e-9)
    assert phi_lorenz(curve, x, name) == pytest.approx(high, rel=1e-9, abs=1e-12)
    t, border = lines(ax)[r"$\bar F_\phi$"]
    assert (border - t).max() == pytest.approx(divergence, rel=1e-9)
    np.testing.assert_allclose(border, phi_lorenz(curve, t, name))
    left, right = ax.get_xlim()
    assert left >= -phi_function(name).at_zero
    assert left < x < right
    assert ax.get_ylim()[1] >= high


@pytest.mark.parametrize("name", ALL)
def test_functions_are_points_of_the_diagram(name):
    ax = plot_phi_lorenz(CURVE, name, functions=50)
    x, y = lines(ax)["functions f"]
    assert x.size == 50
    assert in_phi_lorenz_diagram(CURVE, x, y - 1e-12 * (1 + np.abs(y)), name).all()
    assert (phi_lorenz(CURVE, x, name) - y < 0.3).any()  # some are near the border
    assert lines(plot_phi_lorenz(CURVE, name, functions=0))["functions f"][0].size == 0


@pytest.mark.parametrize("name", ["kl", "chi2", "js"])
def test_the_height_stands_at_the_mean_of_the_conjugate(name):
    """∫φ*(φ'(q/p)) dP, cell by cell."""
    p, q = CURVE.masses
    phi = phi_function(name)
    expected = sum(a * phi.conjugate(phi.derivative(b / a)) for a, b in zip(p, q, strict=True))
    assert height_of(plot_phi_lorenz(CURVE, name))[0][0] == pytest.approx(expected)


test_every_error_says_what_was_expected = refusals("""
plot_phi_lorenz([0.1])
    TypeError: curve: a PRCurve expected
plot_phi_lorenz(OPEN, "chi2")
    ValueError: phi: a φ expected of which D_φ(Q‖P) is finite, that of chi2 is ∞
plot_phi_lorenz(CURVE, lambda u: (u - 1) ** 2 / 2)
    ValueError: phi: one of kl, reverse_kl, js, chi2, hellinger, tv, frontier_integral or tsallis:a
    expected where φ* or φ' is needed, got a function
plot_phi_lorenz(PRCurve.from_masses([1, 3e-309], [0.5, 0.5]), "chi2")
    ValueError: phi: a φ expected of which a picture fits in float64, got chi2, of which D_
""")
