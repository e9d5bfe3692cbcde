"""python curve.py DATA n m dim, where prfast and cffi are installed: no compiler."""

import ctypes
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cffi
import numpy as np

import prfast
from prfast.kernels import capi

# What the header declares stands between two marks, for parsers that know no preprocessor.
header = (Path(prfast.get_include()) / "prfast.h").read_text(encoding="utf-8")
(declared,) = re.findall(r"/\* \[declarations \*/(.*)/\* declarations\] \*/", header, re.DOTALL)
ffi = cffi.FFI()
ffi.cdef(declared.replace("PRFAST_PUBLIC ", ""))

pointer_in = ctypes.pythonapi.PyCapsule_GetPointer
pointer_in.restype, pointer_in.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
api = ffi.cast("prfast_api *", pointer_in(capi._C_API, b"prfast.kernels.capi._C_API"))
abi = int(re.findall(r"#define PRFAST_ABI (\d+)", header)[0])
assert (api.abi, api.size >= ffi.sizeof("prfast_api")) == (abi, True)


def ok(status):
    if status:
        raise ValueError(ffi.string(api.status_text(status)).decode())


def at(array):
    kind = "int64_t[]" if array.dtype == np.int64 else "double[]"
    return ffi.from_buffer(kind, array)


def points(array):
    rows = ffi.cast("void *", array.ctypes.data)
    return ffi.new("prfast_points *", (rows, *array.shape, array.shape[1], 1, 0))


def kth(queries, refs, within, k):
    """The calls let other threads of Python run."""
    d2, ks = np.empty(len(queries)), np.array([k])

    def part(first):
        some = d2[first : first + 100]
        sets = points(queries), points(refs)
        ok(api.kth_distances(*sets, within, at(ks), 1, first, len(some), at(some)))

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(part, range(0, len(queries), 100)))
    return d2


folder, n, m, dim = sys.argv[1], *map(int, sys.argv[2:])
real = np.fromfile(f"{folder}/real.f64").reshape(n, dim)
fake = np.fromfile(f"{folder}/fake.f64").reshape(m, dim)

results = {"radius": kth(real, real, True, 3)}
results |= {"held": np.empty(m, np.int64), "covers": np.zeros(n, np.int64)}
balls = points(fake), points(real), ffi.NULL, at(results["radius"])
ok(api.count(*balls, True, 0, m, at(results["held"]), at(results["covers"])))
results["near"] = kth(fake, real, False, 3)

scores, cells = (-results["radius"], -results["near"]), ffi.new("int64_t *")
masses = np.empty((2, api.sweep_room(n, m)))
ok(api.sweep(at(scores[0]), n, at(scores[1]), m, *map(at, masses), cells))
results["p"], results["q"] = p, q = masses[:, : cells[0]].copy()
vertices = np.empty((3, cells[0] + 1))
ok(api.vertices(at(p), at(q), cells[0], *map(at, vertices)))
results |= dict(zip(["fpr", "fnr", "ratio"], vertices, strict=True))
lam, results["alpha"] = np.array([2.0, 0.0, 0.5]), np.empty(3)
ok(api.min_sums(at(p), at(q), cells[0], at(lam), 3, at(results["alpha"])))

for name, x in results.items():
    whole = x.dtype == np.int64
    print(name, *(str(one) if whole else f"{one.view(np.uint64):016x}" for one in x))
try:
    kth(fake, real, False, 0)
except ValueError as error:
    print("refused", error)
