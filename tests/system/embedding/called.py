"""The functions of the public C header, called as a stranger would: by ctypes, from the capsule."""

import ctypes
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_int, c_int32, c_int64, c_void_p

import numpy as np

from prfast.kernels import capi

STATUS = {
    0: "OK",
    1: "NO_MEMORY",
    2: "BAD_POINTER",
    3: "BAD_SIZE",
    4: "BAD_OPTION",
    5: "BAD_K",
    6: "BAD_NUMBER",
    7: "OUT_OF_RANGE",
}


class Points(ctypes.Structure):
    _fields_ = (
        ("rows", c_void_p),
        ("count", c_int64),
        ("dim", c_int64),
        ("stride", c_int64),
        ("wide", c_int32),
        ("reserved", c_int32),
    )


ARRAY, SIZE, CELLS, SET = c_void_p, c_int64, POINTER(c_int64), POINTER(Points)


class Api(ctypes.Structure):
    _fields_ = (
        ("abi", c_int64),
        ("size", c_int64),
        ("status_text", CFUNCTYPE(c_char_p, c_int)),
        ("sweep_room", CFUNCTYPE(c_int64, SIZE, SIZE)),
        ("sweep", CFUNCTYPE(c_int, ARRAY, SIZE, ARRAY, SIZE, ARRAY, ARRAY, CELLS)),
        ("vertices", CFUNCTYPE(c_int, ARRAY, ARRAY, SIZE, ARRAY, ARRAY, ARRAY)),
        ("min_sums", CFUNCTYPE(c_int, ARRAY, ARRAY, SIZE, ARRAY, SIZE, ARRAY)),
        ("kth_distances", CFUNCTYPE(c_int, SET, SET, c_int, ARRAY, SIZE, SIZE, SIZE, ARRAY)),
        ("count", CFUNCTYPE(c_int, SET, SET, ARRAY, ARRAY, c_int, SIZE, SIZE, ARRAY, ARRAY)),
    )


def _table():
    pointer_in = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_in.restype, pointer_in.argtypes = c_void_p, (ctypes.py_object, c_char_p)
    address = pointer_in(capi._C_API, b"prfast.kernels.capi._C_API")
    return ctypes.cast(address, POINTER(Api)).contents


API = _table()


def at(array):
    """Return the address of an array that has no gaps."""
    assert array is None or array.flags.c_contiguous
    return None if array is None else array.ctypes.data


def points(array):
    """Return a 2-D array with contiguous rows as a prfast_points, which keeps it alive."""
    stride = array.strides[0] // array.itemsize if len(array) > 1 else array.shape[1]
    result = Points(array.ctypes.data, *array.shape, stride, array.dtype == np.float64, 0)
    result.array = array
    return result


def ok(status):
    if STATUS[status] == "NO_MEMORY":
        raise MemoryError
    assert STATUS[status] == "OK", API.status_text(status)


def sweep(real, fake):
    room, cells = API.sweep_room(real.size, fake.size), c_int64()
    p, q = np.full(room, np.nan), np.full(room, np.nan)
    ok(API.sweep(at(real), real.size, at(fake), fake.size, at(p), at(q), byref(cells)))
    return p[: cells.value], q[: cells.value]


def vertices(p, q):
    result = np.full((3, p.size + 1), np.nan)
    ok(API.vertices(at(p), at(q), p.size, *map(at, result)))
    return tuple(result)


def min_sums(p, q, lam):
    alpha = np.full(lam.size, np.nan)
    ok(API.min_sums(at(p), at(q), p.size, at(lam), lam.size, at(alpha)))
    return alpha


def kth(queries, refs, ks, within=False, rows=None):
    ks = np.array(ks, np.int64)
    rows = slice(0, len(queries)) if rows is None else rows
    d2 = np.full((rows.stop - rows.start, ks.size), np.nan)
    sets = points(queries), points(refs)
    ok(API.kth_distances(*sets, within, at(ks), ks.size, rows.start, len(d2), at(d2)))
    return d2


def count(queries, refs, query_t, ref_t, closed, rows=None, cols=None):
    """Counts of the rows; `cols` is added to."""
    rows = slice(0, len(queries)) if rows is None else rows
    result = np.full(rows.stop - rows.start, -1, np.int64)
    t = at(query_t), at(ref_t)
    sets = points(queries), points(refs)
    ok(API.count(*sets, *t, closed, rows.start, result.size, at(result), at(cols)))
    return result
