"""Heads: coordinates of points along their first principal axes, and the length of what is left.

csrc/filter/head.h decides most pairs from them.  Errors are certified: axes change the time alone.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Container
from contextlib import nullcontext
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.arrays import Float64s, blocks
from prfast.inputs.concurrency import thread_pool
from prfast.kernels.masses import startable
from prfast.neighbors.tasks import Points, Resources
from prfast.samples.partitioned import Rows

Float32s = NDArray[np.float32]

_SAMPLE = 1024  # rows from which axes are estimated
_CAPTURED = 0.6  # share of the variance on the axes below which most pairs would be left open
_PAIRED = 128  # points of a sample
_WHOLE = 1 - 2.0**-6  # the same above which what is left is less than its error may be
_SLICE = 128  # columns whose products are summed together: sums of few terms round little
_AT_ONCE = 1 << 18  # numbers of a block
_EPSILON, _TAU = 2.0**-24, 2.0**-11  # the rounding of float32; τ of head.h
_EXPONENTS = range(-30, 31)  # of 2: values whose squares float32 has
_LARGEST = 2.0**60  # number of a head, in units of its scale


class Axes(NamedTuple):
    """Nearly orthonormal columns, (features, axes), a center, and the scale of the filter.

    error : |QᵀQ − 1| at most.  captured : share of the variance of the sample along the axes.
    """

    columns: Float32s
    center: Float32s
    scale: float
    error: float
    captured: float


def heads_of(
    queries: Points,
    refs: Points,
    resources: Resources,
    pays: Callable[[Axes, bool], bool] | None = None,
) -> tuple[Points, Points, float] | None:
    """Return the heads of both sets, rows that end with their slack, and the scale of their filter.

    None where heads bound nothing, do not pay or are larger than an eighth of the memory.  Axes and
    heads are kept in the resources, by the arrays of the rows; all heads that are kept take an
    eighth.  pays: from axes and whether the heads are there, whether to take them; None: always.
    """
    sets, kept = (queries, refs), resources.heads
    bases: list[Any] = [points.base if isinstance(points, Rows) else points for points in sets]
    if any(base.dtype != np.float32 for base in bases):
        return None
    key = "axes", refs.shape[1]
    axes = kept[key] = kept[key] if key in kept else axes_of(refs)
    if axes is None:
        return None
    are_there = all(id(base) in kept for base in bases)
    if pays is not None and not (axes.captured >= _CAPTURED and pays(axes, are_there)):
        return None
    width = axes.columns.shape[1] + 2
    unique = {id(base): 4 * width * len(base) for base in bases}
    room = resources.memory // 8 - sum(unique.values())
    if room < 0:
        return None
    _drop_beyond(room, kept, beside=unique)
    results: list[Points] = []
    for points, base in zip(sets, bases, strict=True):
        whose, head = kept.get(id(base), (lambda: None, None))
        if whose() is not base:
            head = heads(base, axes, resources.threads)
            kept[id(base)] = weakref.ref(base), head
        if head is None:
            return None
        results.append(Rows(head, points.index) if isinstance(points, Rows) else head)
    return results[0], results[1], axes.scale


def open_share(axes: Axes, queries: Any, refs: Any, query_t: Any, ref_t: Any) -> float:
    """Return the share of the pairs of two samples that heads leave open.

    query_t, ref_t : D of each point within which its pairs matter, −1 for none.
    """
    found = []
    with np.errstate(over="ignore", invalid="ignore"):  # of far rows; their pairs are not open
        for points in (refs,) if queries is refs else (refs, queries):
            offsets = points - axes.center
            along = offsets @ axes.columns
            left = np.square(offsets).sum(axis=1) - np.square(along).sum(axis=1)
            found.append(np.column_stack([along, np.sqrt(np.maximum(left, 0))]))
        return float((squares(*found) <= np.maximum(query_t[:, None], ref_t)).mean())


def open_within(axes: Axes, points: Points, k: int) -> float:
    """Return about the share of the pairs of a set that heads leave open for k neighbors.

    A pair is open in the ball of either point.
    """
    rows = sample_of(points, _SAMPLE)
    places = sample_of(np.arange(len(rows)))
    wanted = k * len(rows) / len(points)
    rank = min(max(1, round(wanted)), len(rows) - 1)
    with np.errstate(over="ignore", invalid="ignore"):
        d2 = squares(rows, rows[places])
    d2[np.arange(len(places)), places] = np.inf
    radii = np.partition(d2, rank - 1, axis=1)[:, rank - 1]
    sampled = rows[places]
    share = open_share(axes, sampled, sampled, radii, radii)
    return share * (wanted / rank) ** 0.5  # it rises about as the root of the rank


def sample_of(points: Any, most: int = _PAIRED) -> Any:
    """Return evenly spaced points."""
    return points[:: -(-len(points) // most)]


def squares(points: Any, queries: Any = None) -> Any:
    """Return roughly D of each query to each point, in the type of the points.

    Without queries the points are these, and no point is near itself: D is ∞.
    """
    x = (points if queries is None else queries) - points[0]
    y = points - points[0]
    d2 = np.einsum("ij,ij->i", x, x)[:, None] - 2 * x @ y.T + np.einsum("ij,ij->i", y, y)
    if queries is None:
        np.fill_diagonal(d2, np.inf)
    return d2


def _drop_beyond(room: int, kept: dict[Any, Any], beside: Container[int]) -> None:
    """Drop the oldest heads of further arrays until those that stay take `room` bytes at most."""
    for key in [key for key in reversed([*kept]) if isinstance(key, int) and key not in beside]:
        head = kept[key][1]
        room -= 0 if head is None else head.nbytes
        if room < 0:
            kept.pop(key, None)


def axes_of(points: Points) -> Axes | None:
    """Return about 4 √d axes by subspace iteration; None where squares are beyond float32."""
    rows = np.arange(0, len(points), -(-len(points) // _SAMPLE))
    with np.errstate(over="ignore", invalid="ignore"):
        center = points[rows].mean(axis=0, dtype=np.float64).astype(np.float32)
        sample = points[rows] - center
        exponent = int(np.frexp(float(np.abs(sample).max(initial=0)))[1])
        if not np.isfinite(sample).all() or exponent not in _EXPONENTS:
            return None
        dim = sample.shape[1]
        count = min(dim, len(sample), 16 * max(1, round(dim**0.5 / 4)))
        columns = np.ascontiguousarray(sample[:count].T)
        for _ in range(2):
            columns = sample.T @ (sample @ (columns * np.float32(1 / (np.abs(columns).max() or 1))))
        columns = np.linalg.qr(columns)[0]
        if not np.isfinite(columns).all():
            return None
    wide = columns.astype(np.float64)
    error = float(np.linalg.norm(wide.T @ wide - np.eye(count)))
    eighth = sample[::8]
    total = float(np.square(eighth, dtype=np.float64).sum())
    captured = float(np.square(eighth @ columns, dtype=np.float64).sum())
    return Axes(columns, center, 2.0**-exponent, error, captured / total if total else 0.0)


def heads(points: Any, axes: Axes, threads: int = 1) -> Float32s | None:
    """Return the heads of an array and their slack, (points, axes + 2); None: beyond float32."""
    n, dim = points.shape
    count = axes.columns.shape[1]
    result = np.empty((n, count + 2), np.float32)

    def fill(rows: slice) -> None:
        with np.errstate(over="ignore", invalid="ignore"):
            offsets = points[rows] - axes.center
            along = np.zeros((len(offsets), count), np.float32)
            squares = np.zeros(len(offsets), np.float32)
            for start in range(0, dim, _SLICE):
                part = offsets[:, start : start + _SLICE]
                along += part @ axes.columns[start : start + _SLICE]
                squares += np.einsum("ij,ij->i", part, part)
            left: Any = squares - np.einsum("ij,ij->i", along, along, dtype=np.float64)
            result[rows, :count] = along
            left = np.maximum(left, 0) if axes.captured < _WHOLE else None
            result[rows, count] = 0 if left is None else np.sqrt(left)
            result[rows, count + 1] = slack(squares, left, dim, axes)

    parts = blocks(n, max(1, _AT_ONCE // dim))
    threads = startable(threads)
    with thread_pool(threads) if threads > 1 else nullcontext() as pool:
        list(map(fill, parts) if pool is None else pool.map(fill, parts))
    with np.errstate(invalid="ignore"):
        largest = np.abs(result).max()
    return result if largest * max(1.0, axes.scale) ** 2 <= _LARGEST else None


def slack(squares: Float32s, left: Float64s | None, dim: int, axes: Axes) -> Float32s:
    """Return the slack of each row, 2 (1 + 1/τ) e², rounded upwards.

    squares: |v|² as computed; left: |v|² less the squares along the axes; None: 0 replaces its
    root.  docs/exactness.md has the proof.  Underflow adds 2⁻¹¹⁰ a feature.
    """
    terms = _SLICE + -(-dim // _SLICE) + 1
    gamma = terms * _EPSILON / (1 - terms * _EPSILON)
    size = float(np.linalg.norm(axes.columns.astype(np.float64)))
    length = np.sqrt(squares.astype(np.float64)) * (1 + gamma)
    along = (gamma * size + axes.error + 4 * _EPSILON) * length
    e2 = along**2
    if left is not None:
        error = 1.01 * ((2 * gamma + 4 * _EPSILON) * length**2 + 2 * along * length + e2)
        root = np.sqrt(left)
        larger = np.maximum(np.maximum(root, np.sqrt(error)), np.finfo(np.float64).tiny)
        e2 = e2 + (error / larger + 2 * _EPSILON * root) ** 2
    wide = 2.001 * (1 + 1 / _TAU) * e2 + dim * 2.0**-110
    return np.nextafter(wide.astype(np.float32), np.float32(np.inf))


def near_together(points: Any, size: int) -> NDArray[np.int64]:
    """Return an order of the points in which each `size` of them are near each other.

    They are split at the median of the coordinate that varies most in a sample, again and again.
    """
    parts = [np.arange(len(points), dtype=np.int64)]
    order: list[NDArray[np.int64]] = []
    while parts:
        part = parts.pop()
        if len(part) <= size:
            order.append(part)
            continue
        sample = points[part[:: -(-len(part) // _PAIRED)]]
        along = points[part, int(sample.var(axis=0).argmax())]
        middle = (len(part) // size + 1) // 2 * size
        part = part[np.argpartition(along, middle)]
        parts += [part[middle:], part[:middle]]
    return np.concatenate(order)
