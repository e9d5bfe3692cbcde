"""Cost of 12-bit integers, beside the int8 filter and float32 products.

The engine has no such level.  The rate of its tile is measured beside those of int8 and float32,
compiled here (AVX-512 with VNNI: four products of int8, two of int16 or one of float32 a lane), as
a share of NumPy's matrix product of the same pairs.  What rounding to 127 and to 2047 levels leaves
open is counted on samples of four kinds, for balls of the k-th neighbor, with the bound (B) of
csrc/filter/int8.h: possible are pairs with D <= T + e, open are those with |D − T| <= e.  A pass
then costs

    its tile + what was measured for possible and open pairs (`spent` of csrc/engine/cost.h)

and float32 alone its products.  "12 bits / best without": below 1 they would pay.
"""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.contender import Contender
from bench.measure import Measured, ratio, side_by_side
from bench.results import Figure, Findings
from bench.speed.clouds import Samples, add_kinds, chosen
from bench.speed.product import sgemm

BYTES = {"int8": 1, "int16": 2, "float32": 4}
LEVELS = {"int8": 127, "int16": 2047}
FLOAT32 = 1.03  # a pass of products of its own, in `python -m bench counting`
QUERIES = 300
KINDS = ("isotropic", "relu", "tails")
DIMS = {"isotropic": (64, 2048), "relu": (512, 2048), "tails": (64, 512)}


def add_options(parser: ArgumentParser) -> None:
    add_kinds(parser)
    parser.add_argument("--size", type=int, default=5000, metavar="N", help="samples of each set")


def run(options: Namespace) -> Findings:
    size = 400 if options.tiny else options.size
    measured: dict[str, Measured] = {}
    figures, notes = [], []
    for of in chosen(options, size, KINDS, DIMS):
        rates = _rates(of, options, measured)
        if not rates:
            notes.append(f"{of.name}: no AVX-512 VNNI or no compiler here; rates as on Zen 4")
        tiles = rates or {"int8": 0.25, "int16": 0.5}
        figures += [Figure(f"{of.name}: {name} tile / sgemm", rate) for name, rate in rates.items()]
        figures += _of_samples(of, tiles)
    return Findings(measured, figures, notes)


def _of_samples(of: Samples, tiles: dict[str, float]) -> list[Figure]:
    """Return figures of what each level leaves, and what a pass then costs."""
    figures = []
    for k, shares in left_open(of).items():
        costs = {"float32": FLOAT32}
        for name, (possible, opened) in shares.items():
            figures.append(Figure(f"{of.name}, k={k}: {name} leaves open, %", 100 * opened))
            costs[name] = cost(tiles[name], possible, opened, of.dim)
            figures.append(Figure(f"{of.name}, k={k}: {name} / sgemm", costs[name]))
        without = min(costs["int8"], costs["float32"])
        figures.append(
            Figure(f"{of.name}, k={k}: 12 bits / best without", costs["int16"] / without)
        )
    return figures


def cost(tile: float, possible: float, opened: float, dim: int) -> float:
    """Return the cost of a pass, in matrix products; possible, opened: shares of the pairs."""
    return tile + 0.03 + possible * 1500 / dim + opened * (4 + 1000 / dim)


def left_open(of: Samples) -> dict[int, dict[str, tuple[float, float]]]:
    """{k: {level: shares of possible and of open pairs}}, of some queries."""
    import numpy as np

    y, x = (_rotated(one.astype(np.float64)) for one in of.draw())
    center = y.mean(axis=0)
    x, y = x[:QUERIES] - center, y - center
    norms = [(one**2).sum(axis=1) for one in (x, y)]
    d2 = np.maximum(norms[0][:, None] + norms[1] - 2 * x @ y.T, 0)
    results: dict[int, dict[str, tuple[float, float]]] = {}
    for k in (5, math.isqrt(of.size)):
        radius = np.partition(d2, k - 1, axis=1)[:, k - 1 : k]
        results[k] = {}
        for name, levels in LEVELS.items():
            (ex, nx), (ey, _) = (_rounded(one, levels) for one in (x, y))
            wide = 2 * (ex[:, None] * np.sqrt(norms[1]) + nx[:, None] * ey)
            possible, opened = d2 <= radius + wide, abs(d2 - radius) <= wide
            results[k][name] = float(possible.mean()), float(opened.mean())
    return results


def _rotated(x: Any) -> Any:
    """Random signs and Hadamard, of as many columns as a power of two."""
    import numpy as np

    width = 1 << (x.shape[1] - 1).bit_length()
    signs = np.random.default_rng(1).choice([-1.0, 1.0], x.shape[1])
    x = np.pad(x * signs, ((0, 0), (0, width - x.shape[1])))
    for step in range(width.bit_length() - 1):
        pairs = x.reshape(len(x), -1, 2, 1 << step)
        x = np.stack([pairs[:, :, 0] + pairs[:, :, 1], pairs[:, :, 0] - pairs[:, :, 1]], axis=2)
        x = x.reshape(len(x), width)
    return x / math.sqrt(width)


def _rounded(x: Any, levels: int) -> tuple[Any, Any]:
    """Errors of rows rounded to so many levels, and their norms after it."""
    import numpy as np

    step = np.maximum(abs(x).max(axis=1, keepdims=True), 1e-300) / levels
    rounded = np.rint(x / step) * step
    return np.linalg.norm(x - rounded, axis=1), np.linalg.norm(rounded, axis=1)


# ---- the tiles ---------------------------------------------------------------------------------


def _rates(of: Samples, options: Namespace, measured: dict[str, Measured]) -> dict[str, float]:
    """Return the times of the integer tiles, as shares of sgemm; nothing where they cannot run."""
    if _compiled() is None:
        return {}
    shape = {"dim": max(of.dim, 4), "strips": of.size // 12, "panels": of.size // 32}
    pairs = float(shape["strips"] * 12 * shape["panels"] * 32)
    names = {f"{of.name}: {name}": name for name in BYTES}
    contenders = {key: Contender(tile, {"name": name, **shape}, 1) for key, name in names.items()}
    contenders[f"{of.name}: sgemm"] = sgemm(pairs, of.dim, 1)
    results = side_by_side(contenders, options.repeats or (2 if options.tiny else 9))
    measured.update(results)
    product = results[f"{of.name}: sgemm"]
    return {name: ratio(results[key], product).median for key, name in names.items()}


def tile(name: str, dim: int, strips: int, panels: int) -> Callable[[], Any]:
    """Return all pairs of so many queries and references, a tile at a time."""
    import numpy as np

    units = max(dim * BYTES[name] // 4, 1)
    rng = np.random.default_rng(0)
    sets = [
        rng.integers(0, 100, (rows * units * 4,), np.int8).view(np.float32)
        if name != "float32"
        else rng.standard_normal(rows * units, np.float32)
        for rows in (strips * 12, panels * 32)
    ]
    library = _compiled()
    assert library is not None
    call = getattr(library, name)
    call.restype = ctypes.c_float
    numbers = [ctypes.c_int64(number) for number in (strips, panels, units)]
    return lambda: call(*(ctypes.c_void_p(one.ctypes.data) for one in sets), *numbers)


def _compiled() -> ctypes.CDLL | None:
    """middle.c; None without a compiler for it, or a processor."""
    from prfast.kernels.distances import ISAS

    compiler = shutil.which("cc")
    if compiler is None or "avx512vnni" not in ISAS:
        return None
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "middle.so"
        flags = ["-O3", "-mavx512f", "-mavx512vnni", "-shared", "-fPIC"]
        source = Path(__file__).with_name("middle.c")
        subprocess.run([compiler, *flags, str(source), "-o", str(target)], check=True)
        return ctypes.CDLL(str(target))
