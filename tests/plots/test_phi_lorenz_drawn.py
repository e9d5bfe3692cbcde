"""The picture of a φ-Lorenz diagram: its points are inside, its height is the divergence."""

import numpy as np
import oracles
import pytest

from prfast import PRCurve, in_phi_lorenz_diagram, phi_divergence, phi_function, phi_lorenz
from prfast.plots import new_axes, plot_phi_lorenz
from prfast.reference import GaussianShift

CURVE = PRCurve.from_masses([0.5, 0.3, 0.2], [0.2, 0.3, 0.5])
OPEN = PRCurve.from_masses([0.5, 0.3, 0.2, 0.0], [0.0, 0.3, 0.6, 0.1])
ALL = ["kl", "reverse_kl", "js", "chi2", "hellinger", "tv", "tsallis:0.3", "tsallis:2.5"]


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


@pytest.mark.parametrize("name", ["js", "hellinger", "tv"])
def test_mass_that_only_one_has_is_drawn_too(name):
    _, (low, high) = height_of(plot_phi_lorenz(OPEN, name))
    expected = oracles.divergence([0.0, 0.3, 0.6, 0.1], [0.5, 0.3, 0.2, 0.0], name)
    assert high - low == pytest.approx(expected)


def test_axes_and_title():
    ax = new_axes()
    assert plot_phi_lorenz(CURVE, "kl", ax, title="$5") is ax
    assert ax.get_title() == r"\$5"
    assert plot_phi_lorenz(CURVE, "kl").get_title() == "kl"
    assert "0.275" in ax.get_legend().get_texts()[-1].get_text()
    equal = plot_phi_lorenz(PRCurve.from_masses([1.0], [1.0]), "kl")
    assert height_of(equal)[1].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: plot_phi_lorenz([0.1]), TypeError, "curve: a PRCurve expected"),
        (lambda: plot_phi_lorenz(CURVE, "x"), ValueError, "phi: one of kl, .* expected, got 'x'"),
        (
            lambda: plot_phi_lorenz(OPEN, "chi2"),
            ValueError,
            r"phi: a φ expected of which D_φ\(Q‖P\) is finite, that of chi2 is ∞",
        ),
        (
            lambda: plot_phi_lorenz(
                CURVE, phi_function(lambda u: (u - 1) ** 2 / 2, conjugate=conjugate_of_half)
            ),
            ValueError,
            "phi: a name expected, got a function, of which φ' is not known",
        ),
        (
            lambda: plot_phi_lorenz(CURVE, functions=-1),
            ValueError,
            "functions: an integer of at least 0 expected, got -1",
        ),
    ],
)
def test_every_error_says_what_was_expected(call, error, message):
    with pytest.raises(error, match=f"^{message}"):
        call()


def conjugate_of_half(v):
    return np.where(v < -1, -0.5, v + v**2 / 2)
