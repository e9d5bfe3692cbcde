"""The φ-Lorenz diagram of a curve, and the divergence in it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.bounds import phi_lorenz
from prfast.curve import PRCurve, read_curve
from prfast.divergences import phi_divergence
from prfast.divergences.choose import conjugable
from prfast.divergences.given import Given
from prfast.divergences.phi import Phi, limits
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_count
from prfast.plots.drawing import COLOURS, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHTS = 600


def plot_phi_lorenz(
    curve: PRCurve,
    phi: Any = "kl",
    ax: Axes | None = None,
    *,
    functions: int = 300,
    title: str | None = None,
) -> Axes:
    """Draw the φ-Lorenz diagram, its border F̄_φ, and D_φ(Q‖P) in it (2023 paper, Fig. 4).

    A function f is a point: ∫φ*(f) dP to the right, ∫f dQ up.  What is right of a point and below
    it belongs to the diagram; the upper border of all is F̄_φ, and its largest height over the
    diagonal is the divergence, at f = φ'(dQ/dP).

    Parameters
    ----------
    curve : PRCurve
        P is its real, Q its generated side.
    phi : str or Phi
        A name as for `phi_divergence`, "kl" by default; not a function.
    ax : matplotlib axes, optional
    functions : int
        How many functions to draw as points, 300 by default, by a fixed seed; 0: none.
    title : str, optional
        By default the name of φ.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError
        matplotlib is missing; the message names the extra to install.
    TypeError, ValueError
        Not a PRCurve; an unknown name, a function; D_φ(Q‖P) = ∞: there is no such height.
    """
    read_curve("curve", curve)
    known = conjugable(phi)
    if isinstance(known, Given):
        raise WrongValue("phi", "a name expected, got a function, of which φ' is not known")
    functions = read_count("functions", functions, at_least=0)
    divergence = phi_divergence(curve.swap(), known)
    if math.isinf(divergence):
        raise WrongValue(
            "phi", f"a φ expected of which D_φ(Q‖P) is finite, that of {known.name} is ∞"
        )
    place = _place(curve, known)
    ax = new_axes() if ax is None else ax
    low, high = _window(known, place, divergence)
    t = np.union1d(np.linspace(low, high, _HEIGHTS), [place])
    border = np.asarray(phi_lorenz(curve, t, known))
    shown = np.isfinite(border)
    colour = COLOURS[0]
    ax.fill_between(t[shown], border[shown], low - 1e3, color=colour, alpha=0.1, linewidth=0)
    ax.plot([low, high], [low, high], color="0.6", linewidth=1, label="diagonal")
    x, y = _points(curve, known, functions)
    ax.plot(x, y, ".", color=colour, markersize=3, alpha=0.7, label="functions f")
    ax.plot(t[shown], border[shown], color=colour, linewidth=1.8, label=r"$\bar F_\phi$")
    ax.plot(
        [place, place],
        [place, place + divergence],
        color=COLOURS[1],
        linewidth=2.2,
        marker="o",
        markersize=4,
        label=rf"$D_\phi(Q\|P)$ = {divergence:.3g}",
    )
    top = float(border[shown].max())
    ax.set(
        xlim=(low, high),
        ylim=(low, max(high, top)),
        xlabel=r"$\int \phi^*(f)\,dP$",
        ylabel=r"$\int f\,dQ$",
        title=plain(known.name if title is None else title),
    )
    ax.grid(color="0.92")
    ax.set_axisbelow(True)
    ax.legend(loc="lower right", fontsize="small", framealpha=0.9)
    return ax


def _place(curve: PRCurve, phi: Phi) -> float:
    """The t where F̄_φ is highest over the diagonal: ∫φ*(φ'(q/p)) dP."""
    p, q = curve.masses
    real = p > 0
    slope = np.asarray(phi.derivative(q[real] / p[real]))
    values = np.full(slope.size, -limits(phi)[0])
    inner = np.isfinite(slope)
    values[inner] = phi.conjugate(slope[inner])
    return float(p[real] @ values)


def _window(phi: Phi, place: float, divergence: float) -> tuple[float, float]:
    """What is shown: the divergence in the middle, the left end of the diagram if it is near."""
    width = max(1.5 * divergence, 2 * abs(place), 0.2)
    low = max(place - width, -limits(phi)[0])
    return low, max(place + width, 0.0)


def _points(curve: PRCurve, phi: Phi, count: int) -> tuple[Float64s, Float64s]:
    """(∫φ*(f) dP, ∫f dQ) of f = r φ'(u), ln u = a ln(q/p) + b + c noise, r in [0, 1] by cells."""
    rng = np.random.default_rng(0)
    p, q = curve.masses
    with np.errstate(divide="ignore"):
        log = np.clip(np.log(q) - np.log(p), -3.0, 3.0)
    a, b, c = rng.uniform(-1, 2, count), rng.normal(0, 0.6, count), rng.exponential(0.5, count)
    noise = rng.normal(size=(count, p.size))
    u = np.exp(a[:, None] * log + b[:, None] + c[:, None] * noise)
    f = np.asarray(phi.derivative(u)) * rng.random((count, p.size)) ** c[:, None]
    return np.asarray(phi.conjugate(f)) @ p, f @ q
