"""The φ-Lorenz diagram of a curve, with the φ-divergence in it (2023 paper, Fig. 4)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.inputs.arrays import Float64s
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import read_count
from prfast.plots.drawing import COLORS, literal_text, new_axes
from prfast.theory import phi_divergence, phi_lorenz
from prfast.theory.phi import Phi, limits, named_phi
from prfast.theory.renyi import powers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHTS = 600  # points of the border
_BLOCK = 2**18  # functions times cells in one array


def plot_phi_lorenz(
    curve: PRCurve,
    phi: Any = "kl",
    ax: Axes | None = None,
    *,
    functions: int = 300,
    title: str | None = None,
) -> Axes:
    """Draw the φ-Lorenz diagram, its border F̄_φ, and D_φ(Q‖P) in it (2023 paper, Fig. 4).

    A function f is the point (∫φ*(f) dP, ∫f dQ).  Everything to the right of a point and below it
    belongs to the diagram; its upper border is F̄_φ, whose largest height over the diagonal is the
    divergence, at f = φ'(dQ/dP).

    Parameters
    ----------
    curve : PRCurve
        P is its real, Q its generated side.
    phi : str or Phi
        A name as for `phi_divergence`, "kl" by default; not a function.
    ax : matplotlib axes, optional
    functions : int
        Number of random functions, by a fixed seed, to draw as points; 300 by default, from 0 to
        100 000.
    title : str, optional
        The name of φ by default.

    Returns
    -------
    matplotlib axes

    Raises
    ------
    ImportError
        matplotlib is missing; the message names the extra to install.
    TypeError, ValueError
        Not a PRCurve; an unknown name, a function; D_φ(Q‖P) infinite or near the largest float64.
    """
    read_curve("curve", curve)
    resolved = named_phi(phi)
    functions = read_count("functions", functions, at_least=0, at_most=100_000)
    divergence = phi_divergence(curve.swap(), resolved)
    if math.isinf(divergence):
        raise WrongValue(
            "phi", f"a φ expected of which D_φ(Q‖P) is finite, that of {resolved.name} is ∞"
        )
    place = _divergence_place(curve, resolved, divergence)
    ax = new_axes() if ax is None else ax
    low, high = _window(resolved, place, divergence)
    if math.isinf(high - low):
        raise WrongValue(
            "phi",
            f"a φ expected of which a picture fits in float64, got {resolved.name}, of which "
            f"D_φ(Q‖P) is {divergence:.3g}",
        )
    # At −φ(0), where the border begins, it may be upright.
    t = np.union1d(np.linspace(low, high, _HEIGHTS), [place, max(low, -limits(resolved)[0])])
    border = np.asarray(phi_lorenz(curve, t, resolved))
    finite = np.isfinite(border)
    t, border = t[finite], border[finite]
    color = COLORS[0]
    ax.fill_between(t, border, low - 1e3, color=color, alpha=0.1, linewidth=0)
    ax.plot([low, high], [low, high], color="0.6", linewidth=1, label="diagonal")
    x, y = _points(curve, resolved, functions)
    ax.plot(x, y, ".", color=color, markersize=3, alpha=0.7, label="functions f")
    ax.plot(t, border, color=color, linewidth=1.8, label=r"$\bar F_\phi$")
    ax.plot(
        [place, place],
        [place, place + divergence],
        color=COLORS[1],
        linewidth=2.2,
        marker="o",
        markersize=4,
        label=rf"$D_\phi(Q\|P)$ = {divergence:.3g}",
    )
    top = float(border.max())
    ax.set(
        xlim=(low, high),
        ylim=(low, max(high, top)),
        xlabel=r"$\int \phi^*(f)\,dP$",
        ylabel=r"$\int f\,dQ$",
        title=literal_text(resolved.name if title is None else title),
    )
    ax.grid(color="0.92")
    ax.set_axisbelow(True)
    ax.legend(loc="lower right", fontsize="small", framealpha=0.9)
    return ax


def _divergence_place(curve: PRCurve, phi: Phi, divergence: float) -> float:
    """Return the t where F̄_φ is highest over the diagonal: ∫φ*(φ'(q/p)) dP.

    For Tsallis' φ of order a it is (a − 1) D_φ.
    """
    if phi.tsallis:
        return (phi.tsallis[1] - 1) * divergence
    p, _ = curve.masses
    real = p > 0
    return float(p[real] @ _tangent(phi, _log_ratios(curve)[real])[1])


def _log_ratios(curve: PRCurve) -> Float64s:
    """Return ln(q/p) as ln q − ln p, which is finite where q/p rounds to 0 or to ∞."""
    p, q = curve.masses
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(q) - np.log(p))


def _tangent(phi: Phi, log: Float64s) -> tuple[Float64s, Float64s]:
    """Return φ'(u) and φ*(φ'(u)) at u = e^log.

    The latter is computed as −(φ◇)'(1/u), as φ* loses digits near the end of its domain.
    """
    if phi.tsallis:  # the dual of order a is that of order 1 − a
        c, a = phi.tsallis
        return c * powers(log, a - 1), c * powers(log, a)
    log = np.clip(log, -700.0, 700.0)
    # js, tv and the frontier integral: φ◇ = φ.
    slope, dual_slope = phi.derivative(np.exp(log)), phi.derivative(np.exp(-log))
    return np.asarray(slope), -np.asarray(dual_slope)


def _window(phi: Phi, place: float, divergence: float) -> tuple[float, float]:
    """Return the limits of the axes: about the divergence, and not far to the left of −φ(0)."""
    width = max(1.5 * divergence, 2 * abs(place), 0.2)
    low = max(place - width, -limits(phi)[0])
    if place - low < 0.05 * width:  # on the frame itself the divergence would be half hidden
        low = place - 0.05 * width
    return low, max(place + width, 0.0)


def _points(curve: PRCurve, phi: Phi, count: int) -> tuple[Float64s, Float64s]:
    """Return (∫φ*(f) dP, ∫f dQ) of random f = φ'(u), ln u = r (a ln(q/p) + b + c noise).

    r in [0, 1] and the noise differ from cell to cell.  For tv, whose φ' is ±1, r is a factor of f.
    Large orders have smaller ln u, as powers of u would be out of the picture or beyond float64.
    """
    rng = np.random.default_rng(0)
    p, q = curve.masses
    log = np.clip(_log_ratios(curve), -3.0, 3.0)
    order = max(1.0, abs(phi.tsallis[1]), abs(phi.tsallis[1] - 1)) if phi.tsallis else 1.0
    a, b, c = rng.uniform(-1, 2, count), rng.normal(0, 0.6, count), rng.exponential(0.5, count)
    points = np.empty((2, count))
    rows = max(1, _BLOCK // p.size)
    for start in range(0, count, rows):
        block = slice(start, start + rows)
        block_a, block_b, block_c = (x[block, None] for x in (a, b, c))
        size = block_a.size, p.size
        log_u = block_a * log + block_b + block_c * rng.normal(size=size)
        log_u = np.clip(log_u * min(1.0, 2 / order), -10 / order, 10 / order)
        r = rng.random(size) ** block_c
        if phi.name == "tv":
            f = r * np.sign(log_u)
            star = f  # φ*(v) = v
        else:
            f, star = _tangent(phi, r * log_u)
        points[:, block] = star @ p, f @ q
    x, y = points[:, np.isfinite(points).all(axis=0)]
    return x, y
