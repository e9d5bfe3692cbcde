"""The only reader of user arrays: dtype, shape, finiteness, sizes, and the split.

Numbers are taken as they are.  float32 and float64 stay what they are; float16, bfloat16, booleans
and integers become the smaller of the two that holds all of their type (float32 up to 16 bits),
64-bit integers float64 if their values fit; everything else is refused, because a silent cast would
change values.  Columns of a table are read one by one and are float32 if all of them are.  Each
rule and its message live here, once; what other libraries hold is looked up in `foreign`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.foreign import columns, kind_of, not_numbers, one_block, to_array

Floats = NDArray[Any]  # float32 or float64, native byte order
Float64s = NDArray[np.float64]

_EPS = float(np.finfo(np.float64).eps)
_NUMBERS_AT_ONCE = 1 << 20  # numbers looked at together when searching for non-finite ones


class Split(NamedTuple):
    """Row numbers of the training and the evaluation samples of both sets."""

    real_train: NDArray[np.int64]
    real_test: NDArray[np.int64]
    fake_train: NDArray[np.int64]
    fake_test: NDArray[np.int64]


def read_numbers(name: str, values: Any) -> Floats:
    """`values` as a native float32 or float64 array of any shape, equal in value."""
    if (table := columns(name, values)) is not None:
        block = one_block(values)
        return _side_by_side(len(values), table) if block is None else read_numbers(name, block)
    array = to_array(name, values)
    dtype = array.dtype
    if dtype.kind == "f" and dtype.itemsize in (4, 8):
        return array.astype(dtype.newbyteorder("="), copy=False)
    if (dtype.kind in "fbiu" and dtype.itemsize <= 2) or dtype.name == "bfloat16":
        return array.astype(np.float32)
    if dtype.kind in "iu":
        wide = dtype.itemsize == 8 and array.size > 0
        if wide and max(int(array.max()), -int(array.min())) > 2**53:  # compared as integers
            raise TypeError(f"{name}: integers beyond 2**53 are not exact in float64")
        return array.astype(np.float64)
    fields = "; numpy.lib.recfunctions.structured_to_unstructured makes columns of its fields"
    raise not_numbers(name, values, dtype, "" if dtype.names is None else fields)


def _side_by_side(rows: int, table: list[tuple[str, Any]]) -> Floats:
    """The columns of a table, each read by its own name."""
    found = [read_numbers(name, column) for name, column in table]
    narrow = all(column.dtype == np.float32 for column in found)
    array = np.empty((rows, len(found)), np.float32 if narrow else np.float64)
    for j, column in enumerate(found):
        array[:, j] = column
    return array


def read_vector(name: str, values: Any, *, finite: bool = True) -> Floats:
    """A 1-D array of at least one number, contiguous; NaN never, ±inf only if `finite=False`."""
    array = read_numbers(name, values)
    if array.ndim != 1:
        raise ValueError(f"{name}: a 1-D array expected, got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name}: at least one number expected, got none")
    bad = ~np.isfinite(array) if finite else np.isnan(array)
    if bad.any():
        at = int(bad.argmax())
        wanted = "finite numbers" if finite else "numbers or ±inf"
        raise ValueError(f"{name}: {wanted} expected, got {array[at]} at index {at}")
    return np.ascontiguousarray(array)


def read_weights(
    name: str, values: Any, length: int | None = None, *, all_zero: bool = False
) -> Float64s:
    """Masses or weights: a 1-D float64 array, finite, >= 0, with a positive sum or `all_zero`."""
    array = _read_between(name, values, 0.0, math.inf, "numbers >= 0", length)
    if not all_zero and not array.any():
        raise ValueError(f"{name}: a positive sum expected, got only zeros")
    return array


def read_rates(name: str, values: Any, length: int | None = None) -> Float64s:
    """Shares: a 1-D float64 array in [0, 1]."""
    return _read_between(name, values, 0.0, 1.0, "numbers in [0, 1]", length)


def read_losses(name: str, values: Any, high: float, shape: tuple[int, ...] = ()) -> Float64s:
    """Losses in [0, high]: (samples,), or (hypotheses, samples) where a 2-D shape asks for it, −1
    standing for any number."""
    array = read_numbers(name, values)
    wanted = shape or (-1,)
    fits = array.ndim == len(wanted) and all(
        w in (-1, n) for w, n in zip(wanted, array.shape, strict=True)
    )
    if not fits:
        text = ", ".join("any" if w < 0 else str(w) for w in wanted)
        raise ValueError(f"{name}: shape ({text}) expected, got {array.shape}")
    flat = _read_between(name, array.ravel(), 0.0, high, f"numbers in [0, {high:g}]")
    return flat.reshape(array.shape)


def read_lambdas(name: str, values: Any) -> Float64s:
    """Trade-offs λ: a 1-D float64 array in [0, ∞]."""
    return _read_between(name, values, 0.0, math.inf, "numbers in [0, ∞]", finite=False)


def read_convex(first: str, x: Any, second: str, y: Any) -> tuple[Float64s, Float64s]:
    """The vertices of a rising convex polyline from (0, 0) to x = 1, in [0, 1]²."""
    x = read_rates(first, x)
    y = read_rates(second, y, length=x.size)
    for name, values in ((first, x), (second, y)):
        if values[0] != 0:
            raise ValueError(f"{name}: 0 expected at the start, got {values[0]}")
        falls = values[1:] < values[:-1]
        if falls.any():
            at = int(falls.argmax()) + 1
            raise ValueError(
                f"{name}: numbers that do not fall expected, "
                f"got {values[at]} after {values[at - 1]} at index {at}"
            )
    if x[-1] != 1:
        raise ValueError(f"{first}: 1 expected at the end, got {x[-1]}")
    dx, dy = np.diff(x), np.diff(y)
    # Slopes rise where this is >= 0; coordinates are rounded to ε, so twice that of their products.
    rise = dy[1:] * dx[:-1] - dy[:-1] * dx[1:]
    rounding = 4 * _EPS * (dx[1:] + dx[:-1] + dy[1:] + dy[:-1])
    if (rise < -rounding).any():
        at = int((rise < -rounding).argmax()) + 1
        raise ValueError(
            f"{second}: a convex polyline expected, got a vertex above its neighbours' chord "
            f"at index {at}"
        )
    return x, y


def _read_between(
    name: str,
    values: Any,
    low: float,
    high: float,
    wanted: str,
    length: int | None = None,
    *,
    finite: bool = True,
) -> Float64s:
    """A 1-D float64 array of `length` numbers in [low, high], a copy without −0.0."""
    array = read_vector(name, values, finite=finite).astype(np.float64, copy=False)
    if length is not None and array.size != length:
        raise ValueError(f"{name}: {length} numbers expected, got {array.size}")
    outside = (array < low) | (array > high)
    if outside.any():
        at = int(outside.argmax())
        raise ValueError(f"{name}: {wanted} expected, got {array[at]} at index {at}")
    return array + 0.0  # −0.0 + 0.0 = 0.0: its quotients would have the wrong sign


def read_shaped(
    name: str, values: Any, reader: Callable[[str, Any], Floats]
) -> tuple[Float64s, tuple[int, ...]]:
    """Numbers of any shape, none at all included: read flat, as float64, and their shape."""
    array = read_numbers(name, values)
    flat = reader(name, array.ravel()) if array.size else np.empty(0)
    return flat.astype(np.float64, copy=False), array.shape


def read_shaped_pair(
    first: str, one: Any, second: str, other: Any, reader: Callable[[str, Any], Floats]
) -> tuple[Float64s, Float64s, tuple[int, ...]]:
    """Two arguments of shapes that broadcast: both read flat, as float64, and the common shape."""
    x, x_shape = read_shaped(first, one, reader)
    y, y_shape = read_shaped(second, other, reader)
    try:
        shape = np.broadcast_shapes(x_shape, y_shape)
    except ValueError:
        raise ValueError(
            f"{first} and {second}: shapes that broadcast expected, got {x_shape} and {y_shape}"
        ) from None
    x = np.broadcast_to(x.reshape(x_shape), shape).ravel()
    y = np.broadcast_to(y.reshape(y_shape), shape).ravel()
    return x, y, shape


def shaped(flat: Any, shape: tuple[int, ...]) -> Any:
    """The answer to what `read_shaped` read: an array of that shape, a plain number for one."""
    return flat.reshape(shape) if shape else flat.item()


def read_samples(name: str, values: Any, *, at_least: int = 1) -> Floats:
    """A set of samples: a finite 2-D array (samples × features), not copied if it is one."""
    array = read_numbers(name, values)
    if array.ndim != 2:
        hint = ""
        if array.ndim == 1:
            hint = f"; for one feature a sample use {name}.reshape(-1, 1)"
        elif array.ndim == 4:
            hint = "; of images, compute features first"
        raise ValueError(
            f"{name}: a 2-D array (samples × features) expected, got shape {array.shape}{hint}"
        )
    if array.shape[1] == 0:
        raise ValueError(f"{name}: at least one feature expected, got shape {array.shape}")
    if array.shape[0] < at_least:
        raise ValueError(f"{name}: at least {at_least} samples expected, got {array.shape[0]}")
    step = max(1, _NUMBERS_AT_ONCE // array.shape[1])
    for start in range(0, array.shape[0], step):
        block = np.isfinite(array[start : start + step])
        if not block.all():
            row = start + int((~block.all(axis=1)).argmax())
            column = int((~np.isfinite(array[row])).argmax())
            raise ValueError(
                f"{name}: finite numbers expected, got {array[row, column]} "
                f"in row {row}, column {column}"
            )
    return array


def read_pair(real: Any, fake: Any, *, at_least: int = 1) -> tuple[Floats, Floats]:
    """Both sets of samples, of one width."""
    real = read_samples("real", real, at_least=at_least)
    return real, read_other("fake", fake, real, at_least=at_least)


def read_other(name: str, values: Any, real: Floats, *, at_least: int = 1) -> Floats:
    """Samples as wide as the real ones, which have been read."""
    other = read_samples(name, values, at_least=at_least)
    if real.shape[1] != other.shape[1]:
        raise ValueError(
            f"real and {name}: the same number of features expected, "
            f"got {real.shape[1]} and {other.shape[1]}"
        )
    return other


def read_labels(name: str, values: Any, length: int) -> NDArray[Any]:
    """Labels of classes, one a sample: a 1-D array of whole numbers or of strings."""
    labels = np.asarray(values)
    if labels.dtype.kind == "O" and all(isinstance(one, str) for one in labels.ravel()):
        labels = labels.astype(np.str_)
    if labels.dtype.kind not in "biuU":
        raise TypeError(
            f"{name}: integers or strings expected, got {kind_of(values)} of dtype {labels.dtype}"
        )
    if labels.shape != (length,):
        raise ValueError(
            f"{name}: one label a sample, shape ({length},), expected, got shape {labels.shape}"
        )
    return labels


def read_seed(random_state: int | None, name: str = "random_state") -> int:
    """The seed to use and to record: `random_state` itself, or a fresh one for None."""
    if random_state is None:
        import secrets  # loads hashlib: only where it is needed

        return secrets.randbits(32)
    if isinstance(random_state, bool | np.bool_) or not isinstance(random_state, int | np.integer):
        raise TypeError(f"{name}: an integer or None expected, got {kind_of(random_state)}")
    if not 0 <= random_state < 2**32:
        raise ValueError(f"{name}: an integer in [0, 2**32) expected, got {random_state}")
    return int(random_state)


def read_count(name: str, value: Any, *, at_least: int = 1, at_most: int | None = None) -> int:
    """An integer option such as a number of runs."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name}: an integer expected, got {kind_of(value)}")
    if value < at_least:
        raise ValueError(f"{name}: an integer of at least {at_least} expected, got {value}")
    if at_most is not None and value > at_most:
        raise ValueError(f"{name}: an integer of at most {at_most} expected, got {_short(value)}")
    return int(value)


def _short(value: Any) -> str:
    """An integer as text, also where Python refuses so many digits."""
    return str(value) if abs(value) < 10**100 else "one of more than 100 digits"


def read_list(name: str, values: Any, single: tuple[type, ...]) -> list[Any]:
    """One value of these types, or several in any iterable, as a list that is not empty."""
    if isinstance(values, single):
        return [values]
    try:
        found = list(values)
    except TypeError:
        found = [values]  # whatever reads the items will say what is wrong with it
    if not found:
        raise ValueError(f"{name}: at least one expected, got none")
    return found


def read_number(name: str, value: Any, low: float, high: float) -> float:
    """A real option in [low, high]."""
    number = _read_real(name, value)
    if not low <= number <= high:
        wanted = f"[{low:g}, {high:g}]".replace("inf", "∞")
        raise ValueError(f"{name}: a number in {wanted} expected, got {value}")
    return number


def read_positive(name: str, value: Any, *, finite: bool = False) -> float:
    """A positive real option, ∞ included unless `finite`."""
    number = _read_real(name, value)
    if not 0 < number <= math.inf or (finite and math.isinf(number)):
        wanted = "(0, ∞)" if finite else "(0, ∞]"
        raise ValueError(f"{name}: a number in {wanted} expected, got {value}")
    return number


def _read_real(name: str, value: Any) -> float:
    if isinstance(value, bool | np.bool_) or not isinstance(
        value, int | float | np.integer | np.floating
    ):
        raise TypeError(f"{name}: a number expected, got {kind_of(value)}")
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def read_share(name: str, value: Any) -> float:
    """A share that leaves something on both sides: a number in (0, 1)."""
    share = _read_real(name, value)
    if not 0 < share < 1:
        raise ValueError(f"{name}: a number in (0, 1) expected, got {value}")
    return share


def read_info(name: str, info: Any) -> dict[str, Any]:
    """A record of what made a result: a copy that JSON keeps as it is.

    Keys are str; values None, bool, int, finite float, str, and lists and dictionaries of them.
    NumPy scalars become Python's, tuples lists, mappings dictionaries.
    """
    if not isinstance(info, Mapping):
        raise TypeError(f"{name}: a mapping expected, got {kind_of(info)}")
    try:
        return {_read_key(name, key): _read_entry(f"{name}[{key!r}]", info[key]) for key in info}
    except RecursionError:
        raise TypeError(f"{name}: entries that do not contain themselves expected") from None


def _read_key(name: str, key: Any) -> str:
    if type(key) is not str:
        raise TypeError(f"{name}: keys of type str expected, got {key!r}")
    return key


def _read_entry(name: str, value: Any) -> Any:
    plain = value.item() if isinstance(value, np.generic) else value
    if plain is None or type(plain) in (bool, int, str):
        return plain
    if type(plain) is float and math.isfinite(plain):
        return plain
    if isinstance(plain, list | tuple):
        return [_read_entry(f"{name}[{i}]", entry) for i, entry in enumerate(plain)]
    if isinstance(plain, Mapping):
        return {_read_key(name, k): _read_entry(f"{name}[{k!r}]", plain[k]) for k in plain}
    got = f"{plain}" if isinstance(plain, float) else kind_of(value)
    raise TypeError(
        f"{name}: None, a bool, an int, a finite float, a str, or a list or mapping of them "
        f"expected, got {got}"
    )


def _split_rng(seed: int) -> np.random.Generator:
    """A stream of the splits' own.

    Samples are often drawn with default_rng(0) and then split with seed 0: the same stream would
    toss the coins with the very numbers that chose, say, the mode of each sample.
    """
    return np.random.default_rng(
        np.random.SeedSequence(seed, spawn_key=(int.from_bytes(b"split"),))
    )


def split_share(n: int, m: int, share: float, seed: int) -> Split:
    """A plain seeded split: ⌊share · n⌋ real and ⌊share · m⌋ fake samples train."""
    share = read_share("split", share)
    rng = _split_rng(seed)
    parts = []
    for name, size in (("real", n), ("fake", m)):
        train = math.floor(share * size * (1 + 1e-12))  # 0.29 × 100 is 29, not 28.999…
        if not 0 < train < size:
            raise ValueError(
                f"{name}: too few samples to split at {share}: {size} would leave "
                f"{train} to train and {size - train} to evaluate"
            )
        order = rng.permutation(size)
        parts += [np.sort(order[:train]), np.sort(order[train:])]
    return Split(*parts)


def split_bernoulli(n: int, m: int, seed: int) -> Split:
    """The split of Algorithm 1 (2019 paper): a fair coin per pair (x_i, y_i) sends one of the two
    to training and the other to evaluation.

    Where n ≠ m, the samples without a partner have a fair coin each.  A toss that leaves one of
    the four parts empty is tossed again.
    """
    for name, size in (("real", n), ("fake", m)):
        if size < 2:
            raise ValueError(f"{name}: at least 2 samples expected for a split, got {size}")
    rng = _split_rng(seed)
    while True:
        coin = rng.random(max(n, m)) < 0.5
        real, fake = coin[:n], ~coin[:m]
        if real.any() and fake.any() and not real.all() and not fake.all():
            return Split(
                np.flatnonzero(real),
                np.flatnonzero(~real),
                np.flatnonzero(fake),
                np.flatnonzero(~fake),
            )
