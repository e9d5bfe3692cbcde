"""The φ that a caller names or gives."""

from __future__ import annotations

from typing import Any

from prfast.divergences.given import Given, given, read_limit, without_conjugate
from prfast.divergences.phi import Phi
from prfast.divergences.table import named
from prfast.inputs.errors import WrongType, WrongValue


def phi_function(
    phi: Any, at_zero: Any = None, dual_at_zero: Any = None, *, conjugate: Any = None
) -> Phi:
    """The φ of a name, of "tsallis:a" for any order a, or of a function: to call, φ, φ◇ and φ*.

    (2023 paper, §4.1, Table 1.)

    Parameters
    ----------
    phi : str, function or Phi
        A name of the table; or a convex function of float64 arrays, u > 0, with φ(1) = 0 (A1),
        strictly convex at 1 (A3): a function on a line from 15/16 to 17/16 is refused, narrower
        lines are not seen.  (A2), 0 in the middle of ∂φ(1), is not needed: c (u − 1) changes no
        divergence of two distributions (Remark 16).
    at_zero, dual_at_zero : float, optional
        φ(0) and φ◇(0) = lim φ(u)/u at ∞ of a function; in (−∞, ∞].  Found if not given: φ(2⁻ʲ) and
        2⁻ʲφ(2ʲ) settle, or grow as a logarithm or faster (∞); anything between is not decided.
    conjugate : function, optional
        φ* of a function, of float64 arrays v <= φ◇(0), as far as that is finite: bounds and critics
        need it.  It is −φ(0) left of φ'(0).  Then φ >= 0 is asked for: 0 in ∂φ(1), as (A2) has it.

    Returns
    -------
    Phi
        φ(u) when called, `.dual(u)`, `.conjugate(v)`, `.at_zero`, `.dual_at_zero`; of a name also
        `.derivative(u)`, `.conjugate_derivative(v)` and `.domain`, where φ* is finite and rises.

    Raises
    ------
    TypeError, ValueError
        An unknown name; an order outside [−10⁶, 10⁶]; a function that does not give finite
        numbers, is not 0 at 1, is not strictly convex there, or is not convex between 10⁻⁶ and
        10⁶; a conjugate that breaks the
        equality of Fenchel and Young there, φ(u) + φ*(v) = uv for v in ∂φ(u), or that is given with
        a φ below 0 or with limits that cannot be told.
    """
    if isinstance(phi, str) or not callable(phi) or isinstance(phi, Phi):
        if at_zero is not None or dual_at_zero is not None or conjugate is not None:
            raise WrongValue(
                "at_zero, dual_at_zero and conjugate", "only for a phi that is a function"
            )
        return named("phi", phi)
    if conjugate is not None and not callable(conjugate):
        raise WrongType("conjugate", f"a function expected, got {type(conjugate).__name__}")
    zero, slope = read_limit("at_zero", at_zero), read_limit("dual_at_zero", dual_at_zero)
    return given(phi, zero, slope, conjugate)


def conjugable(phi: Any) -> Phi:
    """The φ of a name, or one given with its conjugate: φ* is known; any other is refused."""
    found = phi_function(phi)
    if isinstance(found, Given) and found.star is None:
        raise without_conjugate()
    return found
