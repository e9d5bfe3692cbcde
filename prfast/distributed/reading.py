"""Validation of sample arguments: arrays here, sets in pieces on the workers.

Errors are those of `prfast.inputs.arrays`, with row numbers of the whole set.
"""

from __future__ import annotations

import math
import zlib
from dataclasses import replace
from typing import Any

import numpy as np

from prfast.distributed.dask import START, DaskCluster, current_client, is_client
from prfast.distributed.preflight import Chunk, Look, check_kept, check_piece, hold, look_at, told
from prfast.distributed.sharded import Cluster, Sharded, in_turn
from prfast.distributed.shards import Shards
from prfast.inputs import arrays
from prfast.inputs.arrays import check_shape, check_widths, read_numbers
from prfast.inputs.errors import WrongRow, WrongType, WrongValue, kind_of, not_numbers
from prfast.inputs.features import check_alike, record_of
from prfast.inputs.tables import labels_of, match_columns

_MEMBERS = ("threads", "room", "memory", "submit", "gather", "persist", "cancel")  # of a `Cluster`


def read_samples(name: str, values: Any, client: Any = None, *, at_least: int = 1) -> Any:
    """Return validated samples: an array, or a `Sharded` for samples in pieces."""
    if not comes_in_pieces(name, values):
        _check_unused(client)
        return arrays.read_samples(name, values, at_least=at_least)
    return _read_pieces(name, values, _cluster_of([values], client), at_least)


def read_pair(real: Any, fake: Any, client: Any = None, *, at_least: int = 1) -> tuple[Any, Any]:
    """Return both validated sets, of one width, both arrays or both `Sharded`."""
    in_pieces = comes_in_pieces("real", real), comes_in_pieces("fake", fake)
    if not any(in_pieces):
        _check_unused(client)
        return arrays.read_pair(real, fake, at_least=at_least)
    _check_both("fake", real, fake, in_pieces)
    cluster = _cluster_of([real, fake], client)
    read = _read_pieces("real", real, cluster, at_least)
    return read, _read_pieces_as_wide("fake", fake, read, labels_of(real), at_least)


def read_other(
    name: str, values: Any, real: Any, labels: list[Any] | None = None, *, at_least: int = 1
) -> Any:
    """Return validated samples of the width of `real`, and in pieces if `real` is.

    real: the return value of `read_samples`.  labels: column names of the real samples, to which
    the columns of a table are matched.
    """
    in_pieces = isinstance(real, Sharded), comes_in_pieces(name, values)
    if not any(in_pieces):
        return arrays.read_other(name, values, real, labels, at_least=at_least)
    _check_both(name, real, values, in_pieces)
    return _read_pieces_as_wide(name, values, real, labels, at_least)


def comes_in_pieces(name: str, values: Any) -> bool:
    """Whether the value is a `Shards`, a dask array or a `Sharded`.

    Raises TypeError for other collections of dask.
    """
    if isinstance(values, Shards | Sharded):
        return True
    base = type(values).__module__.partition(".")[0]
    if base not in ("dask", "dask_expr") or not hasattr(values, "dask"):
        return False
    if hasattr(values, "chunks") and hasattr(values, "to_delayed"):
        return True
    hint = f"; {name}.to_dask_array() makes one" if hasattr(values, "to_dask_array") else ""
    raise WrongType(name, f"an array expected, got {kind_of(values)}{hint}")


def read_cluster(client: Any) -> Cluster:
    """Return the executor of a `client` argument.

    client: a `distributed.Client`, None for the default client, or an object that implements
    `prfast.distributed.sharded.Cluster`.
    """
    if client is None:
        return DaskCluster(current_client())
    missing = [name for name in _MEMBERS if not hasattr(client, name)]
    if is_client(client) or len(missing) == len(_MEMBERS):
        return DaskCluster(client)
    if missing:
        raise WrongType(
            "client",
            "a distributed.Client, or an object with the members of "
            "prfast.distributed.sharded.Cluster, "
            f"expected, got {kind_of(client)} without {', '.join(missing)}",
        )
    found: Cluster = client
    return found


def _cluster_of(sets: list[Any], client: Any) -> Cluster:
    """Return the executor of the first `Sharded` among the sets, else that of the client."""
    for one in sets:
        if isinstance(one, Sharded):
            return one.cluster
    return read_cluster(client)


def _check_unused(client: Any) -> None:
    if client is not None:
        raise WrongValue(
            "client", "None expected for arrays; it is for prfast.shards and dask arrays"
        )


def _check_both(name: str, real: Any, other: Any, in_pieces: tuple[bool, bool]) -> None:
    if not all(in_pieces):
        raise WrongType(
            f"real and {name}",
            f"both in pieces or both arrays expected, got {kind_of(real)} and {kind_of(other)}; "
            "numpy.save and prfast.shards make pieces of an array",
        )


def _read_pieces_as_wide(
    name: str, values: Any, real: Sharded, labels: list[Any] | None, at_least: int
) -> Sharded:
    check_alike("real", real, name, values)
    values = match_columns(name, values, labels)
    kept = 0
    if real.pieces and isinstance(real.pieces[0], Chunk):
        kept = len(real) * real.width * real.dtype.itemsize
    other = _read_pieces(name, values, real.cluster, at_least, kept)
    check_widths(name, real.width, other.width)
    return other


def _read_pieces(name: str, values: Any, cluster: Cluster, at_least: int, kept: int = 0) -> Sharded:
    """Validate a set in pieces; kept: bytes of chunks that the workers hold already."""
    if isinstance(values, Sharded):
        check_shape(name, values.shape, at_least)
        return values
    itemsize = _itemsize(name, values)
    if len(values.shape) != 2 or not math.isnan(sum(values.shape)):  # dask may not know the lengths
        check_shape(name, values.shape, at_least)
    if isinstance(values, Shards):
        longest = max(piece.stop - piece.start for piece in values.pieces)
        check_piece(name, longest, values.shape[1], itemsize, cluster)
        looks = list(in_turn(cluster, look_at, [(name, piece) for piece in values.pieces]))
        pieces: list[Any] = list(values.pieces)
    else:
        pieces, looks = _held(name, values, itemsize, kept, cluster)
    found = _put_together(name, pieces, looks, cluster, at_least)
    return replace(found, record=record_of(values))


def _itemsize(name: str, values: Any) -> int:
    """Return the bytes of a number after conversion; TypeError where the dtype is no number's."""
    if values.dtype is None:
        return 8  # an upper bound for tables, whose dtype is known piece by piece
    try:
        return read_numbers(name, np.empty(0, values.dtype)).itemsize
    except TypeError:
        raise not_numbers(name, values, values.dtype) from None


def _check_chunks(name: str, array: Any, itemsize: int, kept: int, cluster: Cluster) -> None:
    """Check that the chunks fit beside `kept` bytes; chunks of unknown length are not checked."""
    lengths = array.chunks[0]
    if not math.isnan(sum(array.shape)) and lengths:
        numbers = max(lengths), array.shape[1], itemsize
        check_piece(name, *numbers, cluster)
        check_kept(name, kept + math.prod(array.shape) * itemsize, *numbers, cluster)


def _held(
    name: str, array: Any, itemsize: int, kept: int, cluster: Cluster
) -> tuple[list[Any], list[Look]]:
    """Convert the chunks of a dask array on the workers; return the pieces and their summaries."""
    if not isinstance(cluster, DaskCluster):
        raise WrongType("client", f"a distributed.Client expected for dask arrays; {START}")
    if array.numblocks[1] > 1:
        array = array.rechunk({1: -1})
    _check_chunks(name, array, itemsize, kept, cluster)
    raw = cluster.chunks(array)
    held = [cluster.submit(hold, name, one) for one in raw]
    del raw
    looks = list(in_turn(cluster, told, [(one,) for one in held]))
    cluster.keep(held)
    return [Chunk(one, look.checksum) for one, look in zip(held, looks, strict=True)], looks


def _put_together(
    name: str, pieces: list[Any], looks: list[Look], cluster: Cluster, at_least: int
) -> Sharded:
    """Return the set of all pieces, or raise the error that one array of all rows raises."""
    lengths = np.array([look.length for look in looks], np.int64)
    wrong = [(look.rank, i) for i, look in enumerate(looks) if look.wrong is not None]
    if wrong:
        (kind, _), i = min(wrong)
        error: Any = looks[i].wrong
        if isinstance(error, WrongRow):
            error = error.below(int(lengths[:i].sum()))
        if kind == 1 and len({look.width for look in looks if look.wrong is None}) == 1:
            width = next(look.width for look in looks if look.wrong is None)
            check_shape(name, (int(lengths.sum()), width), at_least)
        raise error
    widths, dtypes = ({getattr(look, key) for look in looks} for key in ("width", "dtype"))
    for what, found in (("width", widths), ("dtype", dtypes)):
        if len(found) > 1:
            several = " and ".join(map(str, sorted(found)))
            raise WrongValue(name, f"pieces of one {what} expected, got {several}")
    (width,), (dtype,) = widths, map(np.dtype, dtypes)
    check_shape(name, (int(lengths.sum()), width), at_least)
    parts = [(look.length, look.checksum) for look in looks]
    return Sharded(
        pieces,
        lengths,
        width,
        dtype,
        cluster,
        max(look.largest for look in looks),
        min(look.smallest for look in looks),
        zlib.crc32(repr(parts).encode()),
    )
