"""Answers as they are recorded and compared, on every path that computes distances."""

import hashlib
import json
import math
import os
import warnings
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import scipy
import sklearn

import prfast

FILE = Path(__file__).with_name("answers.json")

# By kind: significant digits on record; how far an answer may be from them, relative or absolute;
# and how far where the arithmetic is not that of the record.
DIGITS = {"closed": 12, "matrix": 9, "fitted": 9}
TOLERANCE = {"exact": 0.0, "closed": 1e-9, "matrix": 1e-6, "fitted": 1e-6}
ELSEWHERE = {**TOLERANCE, "fitted": 0.1}

# The names of docs/exactness.md; those that this processor lacks are refused.
INSTRUCTION_SETS = ("base", "avx2", "avxvnni", "avx512", "avx512vnni", "dotprod", "i8mm")
VARIABLES = ("PRFAST_ISA", "PRFAST_FILTER")


@contextmanager
def environment(variables):
    """Run a block with these variables of prfast and no others, without its warnings."""
    before = {name: os.environ.pop(name, None) for name in VARIABLES}
    os.environ.update(variables)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", prfast.Contradiction)
            yield
    finally:
        for name in VARIABLES:
            os.environ.pop(name, None)
        os.environ.update({name: value for name, value in before.items() if value is not None})


def _runs(isa):
    with environment({"PRFAST_ISA": isa}):
        try:
            prfast.metrics([[0.0], [1.0]], [[0.0], [1.0]], 1, "precision", backend="exact")
        except ValueError as error:
            if "PRFAST_ISA" not in str(error):
                raise
            return False
    return True


@cache
def paths():
    """Return {name: (variables, options)}: each filter of each instruction set, float64 in plain C,
    the k-d tree, and the default with two threads and little memory."""
    exact = {"backend": "exact", "n_jobs": 1}
    filters = {
        f"{isa} {levels}": ({"PRFAST_ISA": isa, "PRFAST_FILTER": levels}, exact)
        for isa in filter(_runs, INSTRUCTION_SETS)
        for levels in ("float32", "int8", "head")
    }
    return {
        "plain C": ({"PRFAST_FILTER": "off"}, exact),
        **filters,
        "tree": ({}, {"backend": "tree", "n_jobs": 1}),
        "default": ({}, {"n_jobs": 2, "memory": 1_000_000}),
    }


def answers(case):
    """Return {path: answer} of a case, its only path "" where it computes no distances."""
    results = {}
    for path, (variables, options) in (paths() if case.on_paths else {"": ({}, {})}).items():
        with environment(variables):
            try:
                results[path] = answer(case.kind, case.call(**options))
            except (TypeError, ValueError) as error:
                results[path] = refusal(error)
    return results


def answer(kind, result):
    """Return what the record holds of a result: a hash, with a few numbers for readers, or all of
    its numbers."""
    if kind == "exact":
        return f"{hashlib.sha256(encoded(result)).hexdigest()[:16]} {in_brief(result)}"
    return rounded(result, DIGITS[kind])


def refusal(error):
    """Return the type of an error and the argument that its message begins with."""
    base = next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")
    return f"{base.__name__}: {str(error).partition(':')[0]}"


def plain(result):
    """Return curves, metrics and named tuples as dictionaries, all else as it is."""
    if isinstance(result, prfast.PRCurve):
        p, q = result.masses
        return {**result.vertices._asdict(), "p": p, "q": q}
    if hasattr(result, "keys"):
        return {str(key): result[key] for key in result.keys()}  # noqa: SIM118
    return result._asdict() if hasattr(result, "_asdict") else result


def encoded(result):
    """Return the bytes that are hashed: float64, or int64 of integers and Booleans."""
    result = plain(result)
    if isinstance(result, dict):
        items = sorted(result.items())
        return b"{" + b",".join(key.encode() + b"=" + encoded(item) for key, item in items) + b"}"
    if isinstance(result, tuple | list):
        return b"[" + b",".join(map(encoded, result)) + b"]"
    if result is None or isinstance(result, str):
        return repr(result).encode()
    array = np.asarray(result)
    if array.dtype.kind == "f":
        assert array.dtype.itemsize == 8, array.dtype
        form = "<f8"
    else:
        form = "<i8"
    return repr(array.shape).encode() + array.astype(form, casting="safe").tobytes()


def rounded(result, digits):
    """Return a result for JSON, with so many significant digits; ±inf and NaN as strings."""
    result = plain(result)
    if isinstance(result, dict):
        return {key: rounded(value, digits) for key, value in result.items()}
    if isinstance(result, np.ndarray | np.generic):
        result = result.tolist()
    if isinstance(result, tuple | list):
        return [rounded(value, digits) for value in result]
    if not isinstance(result, float):
        return result
    return float(f"{result:.{digits}g}") if math.isfinite(result) else str(result)


def leaves(value, path=""):
    """Yield (path, value) of all that JSON holds."""
    if isinstance(value, dict | list):
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(entry, f"{path}[{key!r}]")
    else:
        yield path, value


def in_brief(result):
    """Return a few numbers of a result."""
    if isinstance(result, prfast.PRCurve):
        return f"area {result.area:.4f}, {len(result.masses[0])} cells"
    results = [str(value) for _, value in leaves(rounded(result, 4))]
    return ", ".join(results[:4]) + (f", … {len(results)}" if len(results) > 4 else "")


def arithmetic():
    """Return what fitted models depend on: versions, and the bits that the matrix products and the
    vector functions of this processor give."""
    x = np.arange(1.0, 40_001).reshape(200, 200) % 7.3
    parts = [x @ x, x.astype(np.float32) @ x.astype(np.float32), x @ x[0], x[0] @ x[1]]
    parts += [np.exp(-x), np.log(x), np.tanh(x), x.sum(), np.linalg.svd(x, compute_uv=False)]
    bits = hashlib.sha256(b"".join(np.asarray(part).tobytes() for part in parts)).hexdigest()
    versions = {module.__name__: module.__version__ for module in (np, scipy, sklearn)}
    return {**versions, "bits": bits[:16]}


def differences(kind, recorded, results, made_here):
    """Return a line for each value of an answer that is not the recorded one; made_here: the record
    is of the arithmetic that is used now."""
    tolerance = (TOLERANCE if made_here else ELSEWHERE)[kind]
    before, now = dict(leaves(recorded)), dict(leaves(results))
    return [
        f"{path or 'answer'}: expected {before.get(path)!r}, got {now.get(path)!r}"
        for path in {**before, **now}
        if not _close(before.get(path), now.get(path), tolerance)
    ]


def _close(a, b, tolerance):
    if type(a) is not type(b):
        return False
    is_float = isinstance(a, float)
    return math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance) if is_float else a == b


def read():
    """Return the record: {case: answer}, and the arithmetic that it was made with."""
    results = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    return results, results.pop(_ARITHMETIC, {})


def write(results):
    """Write the record of {case: answer}, a line a case in the order of their names."""
    lines = {_ARITHMETIC: arithmetic(), **{name: results[name] for name in sorted(results)}}
    text = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
        for name, value in lines.items()
    )
    FILE.write_text(f"{{\n{text}\n}}\n", "utf-8")


_ARITHMETIC = "arithmetic"
