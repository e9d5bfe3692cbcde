# Conversion of arrays to `prf_points`.
from libc.stdint cimport int64_t

from prfast.kernels.contract cimport prf_points


cdef inline prf_points points_of(rows) except *:
    """Return the rows of a 2-D float32 or float64 array with contiguous rows, or of a `Rows` of one
    (prfast/neighbors/tasks.py).  The caller keeps the array alive."""
    cdef prf_points points
    cdef const double[:, :] wide
    cdef const int64_t[::1] index
    array = getattr(rows, "base", rows) if hasattr(rows, "index") else rows
    cdef const float[:, :] narrow
    if array.ndim != 2 or array.shape[0] == 0 or array.shape[1] == 0:
        raise ValueError(f"a non-empty 2-D array expected, got shape {array.shape}")
    if array.strides[1] != array.itemsize and array.shape[1] > 1:
        raise ValueError("contiguous rows expected")
    if array.strides[0] % array.itemsize:
        raise ValueError("a stride in whole numbers expected")
    if array.shape[0] >= 2**31:
        raise ValueError(f"at most 2**31 - 1 rows expected, got {array.shape[0]}")
    points.wide = array.itemsize == sizeof(double)
    if points.wide:
        wide = array
        points.rows = &wide[0, 0]
    else:
        narrow = array
        points.rows = &narrow[0, 0]
    points.count, points.dim = array.shape[0], array.shape[1]
    points.stride = array.strides[0] // array.itemsize
    points.index = NULL
    if array is not rows:
        index = rows.index
        if not (len(index) and 0 <= rows.index.min() and rows.index.max() < array.shape[0]):
            raise ValueError("rows of the set expected")
        points.index = &index[0]
        points.count = index.shape[0]
    return points
