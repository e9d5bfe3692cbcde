"""DeGroot: the best error of a classifier, B_π = Σ min(π p_i, (1 − π) q_i), and F¹_π = 2 B_π."""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.curve import PRCurve, read_curve
from prfast.inputs.arrays import read_rates, read_shaped, shaped


def degroot(curve: PRCurve, pi: Any) -> Any:
    """DeGroot's B_π(P, Q) = Σ min(π p_i, (1 − π) q_i): the error of the best classifier where a
    share π is real (2023 paper, Remark 5).

    B_π = (1 − π) α_λ = π β_λ at λ = π / (1 − π); twice it is the F1 score there (Proposition 18).

    Parameters
    ----------
    curve : PRCurve
    pi : float or array
        In [0, 1].

    Returns
    -------
    float or array of the shape of `pi`
        In [0, min(π, 1 − π)], the upper end for P = Q, 0 for disjoint supports.

    Raises
    ------
    TypeError, ValueError
        Not a PRCurve, not a number, outside [0, 1].
    """
    read_curve("curve", curve)
    flat, shape = read_shaped("pi", pi, read_rates)
    with np.errstate(divide="ignore"):
        precision, _ = curve.at(flat / (1 - flat))
    return shaped(np.minimum((1 - flat) * precision, flat), shape)


def degroot_information(curve: PRCurve, pi: Any) -> Any:
    """ΔB_π = B_π(P, P) − B_π(P, Q) = min(π, 1 − π) − B_π: what seeing a sample is worth, DeGroot's
    statistical information (2023 paper, Remark 5), half of ΔF¹_π (Eq. 15).

    Parameters
    ----------
    curve : PRCurve
    pi : float or array
        In [0, 1].

    Returns
    -------
    float or array of the shape of `pi`
        In [0, min(π, 1 − π)]: 0 for P = Q, the upper end for disjoint supports.

    Raises
    ------
    TypeError, ValueError
        As `degroot`.
    """
    flat, shape = read_shaped("pi", pi, read_rates)
    found = np.minimum(flat, 1 - flat) - np.ravel(degroot(curve, flat))
    return shaped(np.maximum(found, 0.0), shape)


def f1_score(curve: PRCurve, pi: Any) -> Any:
    """F¹_π = 2 / (1/α_λ + 1/β_λ) at λ = π / (1 − π), which is 2 B_π (2023 paper, Proposition 18).

    Parameters
    ----------
    curve : PRCurve
    pi : float or array
        In [0, 1].

    Returns
    -------
    float or array of the shape of `pi`
        In [0, 2 min(π, 1 − π)]; at π = ½ it is α_1.

    Raises
    ------
    TypeError, ValueError
        As `degroot`.
    """
    return 2 * degroot(curve, pi)
