"""The φ that a caller names or gives."""

from __future__ import annotations

from typing import Any

from prfast.divergences.given import Given, given, read_limit, without_conjugate
from prfast.divergences.phi import Phi
from prfast.divergences.table import named
from prfast.inputs.errors import WrongValue


def phi_function(phi: Any, at_zero: Any = None, dual_at_zero: Any = None) -> Phi:
    """The φ of a name, of "tsallis:a" for any order a, or of a function: to call, φ, φ◇ and φ*.

    Parameters
    ----------
    phi : str, function or Phi
        A name of the table; or a convex function of float64 arrays, u > 0, with φ(1) = 0.
    at_zero, dual_at_zero : float, optional
        φ(0) and φ◇(0) = lim φ(u)/u at ∞ of a function; in (−∞, ∞].  Found if not given: φ(2⁻ʲ) and
        2⁻ʲφ(2ʲ) settle, or grow as a logarithm or faster (∞); anything between is not decided.

    Returns
    -------
    Phi
        φ(u) when called, `.dual(u)`, `.conjugate(v)`, `.at_zero`, `.dual_at_zero`.

    Raises
    ------
    TypeError, ValueError
        An unknown name; an order outside [−10⁶, 10⁶]; a function that does not give finite
        numbers, is not 0 at 1, or is not convex between 10⁻⁶ and 10⁶.
    """
    if isinstance(phi, str) or not callable(phi) or isinstance(phi, Phi):
        if at_zero is not None or dual_at_zero is not None:
            raise WrongValue("at_zero and dual_at_zero", "only for a phi that is a function")
        return named("phi", phi)
    return given(phi, read_limit("at_zero", at_zero), read_limit("dual_at_zero", dual_at_zero))


def conjugable(phi: Any) -> Phi:
    """The φ of a name, of which φ* is known; a function is refused."""
    found = phi_function(phi)
    if isinstance(found, Given):
        raise without_conjugate()
    return found
