"""Arguments of reference distributions, checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from prfast.inputs.arrays import Float64s, Floats, read_numbers, read_weights
from prfast.inputs.errors import WrongValue
from prfast.inputs.options import RandomState, read_count, read_seed
from prfast.inputs.samples import read_samples


def read_covs(name: str, values: Any, *shapes: tuple[int, ...]) -> Float64s:
    """Covariance matrices: finite, symmetric to 1e-8 of the standard deviations, positive definite;
    one of the shapes."""
    covs = read_numbers(name, values).astype(np.float64)
    if covs.shape not in shapes:
        wanted = " or ".join(map(str, shapes))
        raise WrongValue(name, f"shape {wanted} expected, got {covs.shape}")
    with np.errstate(invalid="ignore", over="ignore"):
        sds = np.sqrt(np.abs(np.diagonal(covs, axis1=-2, axis2=-1)))
        allowed = 1e-8 * sds[..., :, None] * sds[..., None, :]
        symmetric = (np.abs(covs - np.swapaxes(covs, -2, -1)) <= allowed).all()
    if not np.isfinite(covs).all() or not symmetric:
        raise WrongValue(name, "finite symmetric matrices expected")
    try:
        np.linalg.cholesky(covs)
    except np.linalg.LinAlgError:
        raise WrongValue(name, "positive definite matrices expected") from None
    return covs


def read_shares(name: str, weights: Any, length: int | None = None) -> Float64s:
    """Weights divided by their sum, which overflows for none."""
    weights = read_weights(name, weights, length)
    weights = np.ldexp(weights, -np.frexp(weights.max())[1])
    return np.asarray(weights / weights.sum())


def read_points(points: Any, dim: int) -> Floats:
    array = read_samples("points", points)
    if array.shape[1] != dim:
        raise WrongValue("points", f"shape (n, {dim}) expected, got {array.shape}")
    return array


def read_sizes(
    n: int, m: int | None, random_state: RandomState
) -> tuple[np.random.Generator, int, int]:
    n = read_count("n", n)
    m = n if m is None else read_count("m", m)
    return np.random.default_rng(read_seed(random_state)), n, m
