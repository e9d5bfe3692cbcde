"""The picture of a φ-Lorenz diagram: its points are inside, its height is the divergence."""

import dataclasses

import numpy as np
import oracles
import pytest

from prfast import PRCurve
from prfast.plots import new_axes, plot_phi_lorenz
from prfast.reference import GaussianShift
from prfast.theory import in_phi_lorenz_diagram, phi_divergence, phi_function, phi_lorenz

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


SEARCHED = ["js", "frontier_integral"]  # whose λ at a height has no closed form


@pytest.mark.parametrize("name", SEARCHED)
def test_the_border_takes_no_search_for_each_of_its_heights(name, monkeypatch):
    """A pass over the cells a point, of which there are a few hundred at most."""
    slopes = []
    phi = phi_function(name)

    def counting(u):
        slopes.append(u.size)
        return phi.slope(u)

    def refuse(*_):
        raise AssertionError("a search")

    counted = dataclasses.replace(phi, slope=counting, star=refuse)
    monkeypatch.setattr("prfast.plots.phi_lorenz.phi_lorenz", refuse)
    ax = plot_phi_lorenz(GaussianShift(1.5).curve(4096), counted, functions=100)
    t, _ = lines(ax)[r"$\bar F_\phi$"]
    assert t.size > 100
    assert len(slopes) < 1500


@pytest.mark.parametrize("name", SEARCHED)
@pytest.mark.parametrize(
    "curve",
    [CURVE, OPEN, GaussianShift(4.0).curve(200), PRCurve.from_masses([1, 1e-200], [1e-200, 1])],
    ids=["steps", "open", "far", "extreme"],
)
def test_the_border_by_tangents_is_the_one_by_heights(name, curve):
    ax = plot_phi_lorenz(curve, name, functions=0)
    t, border = lines(ax)[r"$\bar F_\phi$"]
    (left, right), (low, _) = ax.get_xlim(), ax.get_ylim()
    inside = (t > 1e-9 - phi_function(name).at_zero) & (t < right) & (border > low)
    inside[inside] &= np.arange(inside.sum()) % 20 == 0
    np.testing.assert_allclose(border[inside], phi_lorenz(curve, t[inside], name), atol=1e-6)
    # From edge to edge; only a first piece that is upright may be long.
    assert t[0] <= left + 1e-9 or border[0] <= low
    assert t[-1] >= right
    shown = np.clip(np.transpose([t, border]), (left, low), (right, border.max()))
    assert np.abs(np.diff(shown[1:], axis=0)[:, 1]).max() < (right - left) / 100


@pytest.mark.parametrize(
    "masses",
    [
        ([1, 1e-16], [1e-16, 1]),
        ([1, 1e-200], [1e-200, 1]),
        ([1, 1e-320], [1e-320, 1]),
        ([1, 0], [0, 1]),
        ([0.5, 0.5, 0], [0, 0.5, 0.5]),
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["js", "frontier_integral", "hellinger", "tv", "tsallis:0.5"])
def test_masses_far_apart_are_drawn(name, masses):
    """Ratios of which φ' rounds to φ◇(0), where φ* is ∞."""
    curve = PRCurve.from_masses(*masses)
    ax = plot_phi_lorenz(curve, name)
    (x, _), (low, high) = height_of(ax)
    assert low == x
    assert high - low == pytest.approx(phi_divergence(curve.swap(), name), rel=1e-9)
    left, right = ax.get_xlim()
    assert left < x < right  # not on the frame
    just_right = x + 1e-6  # the border is upright where nothing is common
    assert phi_lorenz(curve, just_right, name) == pytest.approx(high, abs=0.01)
    x, y = lines(ax)["functions f"]
    assert x.size == 300
    assert in_phi_lorenz_diagram(curve, x, y, name).all()


@pytest.mark.parametrize("name", ["kl", "reverse_kl", "chi2", "tsallis:3"])
def test_the_height_stands_at_the_mean_of_the_conjugate(name):
    """∫φ*(φ'(q/p)) dP, cell by cell."""
    p, q = CURVE.masses
    phi = phi_function(name)
    expected = sum(a * phi.conjugate(phi.derivative(b / a)) for a, b in zip(p, q, strict=True))
    assert height_of(plot_phi_lorenz(CURVE, name))[0][0] == pytest.approx(expected)


@pytest.mark.parametrize("order", [-1e6, -20, 20, 100, 1e6])
def test_points_of_any_order_are_finite_and_of_the_diagram(order):
    curve, name = PRCurve.from_masses([1.0], [1.0]), f"tsallis:{order:g}"
    x, y = lines(plot_phi_lorenz(curve, name))["functions f"]
    assert x.size == 300
    assert in_phi_lorenz_diagram(curve, x, y, name).all()
    assert np.unique(y).size > 100


def test_functions_are_drawn_in_blocks(monkeypatch):
    monkeypatch.setattr("prfast.plots.phi_lorenz._BLOCK", 7)
    x, y = lines(plot_phi_lorenz(CURVE, "js", functions=11))["functions f"]
    assert x.size == 11
    assert np.unique(x).size == 11
    assert in_phi_lorenz_diagram(CURVE, x, y, "js").all()


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
            lambda: plot_phi_lorenz(PRCurve.from_masses([1, 3e-309], [0.5, 0.5]), "chi2"),
            ValueError,
            "phi: a φ expected of which a picture fits in float64, got chi2, of which D_",
        ),
        (
            lambda: plot_phi_lorenz(CURVE, functions=-1),
            ValueError,
            "functions: an integer of at least 0 expected, got -1",
        ),
        (
            lambda: plot_phi_lorenz(CURVE, functions=10**12),
            ValueError,
            "functions: an integer of at most 100000 expected, got 1000000000000",
        ),
    ],
)
def test_every_error_says_what_was_expected(call, error, message):
    with pytest.raises(error, match=f"^{message}"):
        call()


def conjugate_of_half(v):
    return np.where(v < -1, -0.5, v + v**2 / 2)
