"""The margin loss of several classes (2023 paper, Eq. 33; Zhang et al. 2019)."""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, read_numbers
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.foreign import to_array
from prfast.inputs.options import read_positive


def margin_loss(scores: Any, labels: Any, rho: float = 1.0) -> Float64s:
    """ℓ(ŷ; y) = [1 − [δ]₊ / ρ]₊, δ = ½ min over k ≠ k_y of ŷ_{k_y} − ŷ_k (2023 paper, Eq. 33).

    k_y is the class of y.  The loss is 1 where ŷ has another largest score, or a tie, and 0 from
    the margin ρ on.  It has both triangle inequalities that `hypothesis_bound` needs (Remark 31),
    and so has any rising function of it that is 0 at 0, such as φ*∘ℓ: where y_b has the class of
    y_c, ℓ(y_a; y_c) = ℓ(y_a; y_b), and where it has not, ℓ(y_b; y_c) = ℓ(y_c; y_b) = 1.

    Parameters
    ----------
    scores : array, shape (n, classes)
        ŷ, a score a class for each sample; two classes at least.
    labels : array, shape (n,) or (n, classes)
        Classes 0, 1, … as whole numbers; or the scores y of another hypothesis, whose class is the
        largest, the first of equal ones.
    rho : float
        ρ, 1 by default, in (0, ∞): the margin from which on nothing is lost.

    Returns
    -------
    array, shape (n,)
        In [0, 1]; never below the 0-1 loss.

    Raises
    ------
    TypeError, ValueError
        Not numbers or not finite, wrong shapes, fewer than two classes, labels that are no class.
    """
    scores = _read_scores("scores", scores, None)
    rho = read_positive("rho", rho, finite=True)
    chosen = _read_classes(labels, scores.shape)
    rows = np.arange(len(scores))
    halves = scores / 2
    own = halves[rows, chosen]
    halves[rows, chosen] = -np.inf
    with np.errstate(over="ignore"):
        margin = np.maximum(own - halves.max(axis=1), 0.0) / rho
    return np.asarray(np.maximum(1.0 - margin, 0.0))


def _read_scores(name: str, values: Any, shape: tuple[int, ...] | None) -> Float64s:
    array = read_numbers(name, values)
    if array.ndim != 2 or array.shape[0] == 0 or array.shape[1] < 2:
        raise WrongValue(
            name, f"shape (n, classes), two classes at least, expected, got {array.shape}"
        )
    if shape is not None and array.shape != shape:
        raise WrongValue(name, f"shape {shape} expected as of scores, got {array.shape}")
    if not np.isfinite(array).all():
        at = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise WrongValue(name, f"finite numbers expected, got {array[at]} at {at}")
    return array.astype(np.float64)


def _read_classes(labels: Any, shape: tuple[int, ...]) -> Any:
    """The class of every sample, of labels or of scores."""
    array = to_array("labels", labels)
    if array.ndim == 2:
        return _read_scores("labels", labels, shape).argmax(axis=1)
    if array.dtype.kind not in "iu":
        raise WrongType("labels", f"whole numbers, or scores, expected, got {array.dtype}")
    if array.shape != shape[:1]:
        raise WrongValue("labels", f"shape {shape[:1]} or {shape} expected, got {array.shape}")
    wrong = (array < 0) | (array >= shape[1])
    if wrong.any():
        at = int(wrong.argmax())
        raise WrongValue(
            "labels", f"classes 0 to {shape[1] - 1} expected, got {array[at]} at index {at}"
        )
    return array
