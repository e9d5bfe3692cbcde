"""One generator of difficult inputs for everything: values first, then the memory they lie in."""

import numpy as np
from hypothesis import strategies as st

SPECIAL_SCORES = [-np.inf, np.inf, 0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 1e-40, 1e300, -1e300]


def floats_of(dtype):
    """Finite and infinite values of a float type, ties likely."""
    width = 8 * np.dtype(dtype).itemsize
    special = [x for x in SPECIAL_SCORES if width == 64 or abs(x) < 1e38 or np.isinf(x)]
    special = [float(np.array(x).astype(dtype)) for x in special]
    return st.one_of(
        st.integers(-3, 3).map(float),
        st.sampled_from(special),
        st.floats(allow_nan=False, width=width),
    )


@st.composite
def score_pairs(draw, max_size=60):
    """Scores of two classes, of one type: ties, all equal, ±inf, one sample a class, n ≠ m."""
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    alphabet = draw(
        st.sampled_from(
            [floats_of(dtype), st.integers(-3, 3).map(float), st.just(0.5), st.integers(0, 500)]
        )
    )
    sizes = st.lists(alphabet, min_size=1, max_size=max_size)
    return np.array(draw(sizes), dtype), np.array(draw(sizes), dtype)


@st.composite
def mass_pairs(draw, max_size=12, whole=None):
    """Return two histograms on the same cells: zeros, common ratios, disjoint supports, tiny
    masses."""
    size = draw(st.integers(1, max_size))
    if draw(st.booleans()) if whole is None else whole:
        masses = st.one_of(st.integers(0, 4).map(float), st.just(-0.0))
    else:
        masses = st.one_of(
            st.sampled_from([0.0, -0.0, 1e-300, 1e-17, 0.25, 0.5, 1.0]), st.floats(1e-290, 1)
        )
    lists = st.lists(masses, min_size=size, max_size=size).map(np.array)
    positive = lists.filter(lambda x: x.sum() > 0)
    return draw(positive), draw(positive)


LAMBDAS = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, np.inf, 1e-300, 1e300, 0.5, 2.0]),
    st.floats(1e-6, 1e6),
    st.floats(0, allow_nan=False),
)


RATES = st.one_of(st.sampled_from([0.0, -0.0, 0.5, 1.0]), st.floats(0, 1))


def layouts(array):
    """Yield the same values in other memory: strided, reversed, byte-swapped, unaligned, read-
    only."""
    wide = np.zeros((*array.shape[:-1], 2 * array.shape[-1]), array.dtype)
    wide[..., ::2] = array
    yield "strided", wide[..., ::2]
    yield "reversed", array[::-1].copy()[::-1]
    yield "byte-swapped", array.astype(array.dtype.newbyteorder())
    unaligned = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    unaligned[...] = array
    yield "unaligned", unaligned
    frozen = array.copy()
    frozen.flags.writeable = False
    yield "read-only", frozen


def native(sets):
    """Return sets of points in the byte order of the machine, as oracles compute with them."""
    return [points.astype(points.dtype.newbyteorder("=")) for points in sets]


POINT_KINDS = (
    "normal",
    "integers",  # many ties
    "duplicates",
    "constant",
    "far clusters",  # at 1e6, much tighter than float32 can see
    "near a plane",  # large offsets that cancel
    "tiny",
    "huge",
)


@st.composite
def point_sets(draw, sizes=(1, 60), dims=(1, 40), count=2, kinds=POINT_KINDS):
    """Sets of points of one width: shapes, kinds, types and layouts that make engines stumble."""
    kind = draw(st.sampled_from(kinds))
    dim = draw(st.integers(*dims))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    sets = []
    for _ in range(count):
        n = draw(st.integers(*sizes))
        x = rng.normal(size=(n, dim))
        if kind == "integers":
            x = np.round(x)
        elif kind == "duplicates":
            x = x[rng.integers(0, max(1, n // 3), n)]
        elif kind == "constant":
            x = np.full((n, dim), 0.1)
        elif kind == "far clusters":
            x = 1e6 * rng.integers(-1, 2, (n, 1)) + 1e-3 * x
        elif kind == "near a plane":
            x = x + 1e4
        elif kind == "tiny":
            x = x * 1e-150
        elif kind == "huge":
            x = x * 1e150
        narrow = kind not in ("tiny", "huge") and draw(st.booleans())
        x = x.astype(np.float32 if narrow else np.float64)
        layout = draw(st.sampled_from(["as it is", *dict(layouts(x))]))
        sets.append(dict(layouts(x)).get(layout, x))
    if count > 1 and kind == "duplicates":  # points that the sets have in common
        shared = min(len(sets[0]), len(sets[1])) // 2
        sets[1] = sets[1].copy()
        sets[1][:shared] = sets[0][:shared]
    return sets
