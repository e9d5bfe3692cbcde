"""Scores to curve: 10⁶ + 10⁶ scores against NumPy, two of its sorts and scikit-learn's roc_curve.

One thread, and two.  Three kinds of scores: normals shifted by 1, the same distribution twice, and
shifted normals rounded to 2 decimals (many ties); float32, and the first of them in float64.  The
curve is a sort of both classes and one sweep.  roc_curve, and a few lines of NumPy, give the same
thresholds without the hull.  All must agree on the total variation, 1 − α_1 = max_t tpr − fpr.
"""

import math
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from bench.contender import Contender
from bench.measure import Measured
from bench.report import Findings

# Kinds of scores, and their width.
KINDS = {
    "shifted": ("shifted", "float32"),
    "equal": ("equal", "float32"),
    "tied": ("tied", "float32"),
    "shifted, float64": ("shifted", "float64"),
}
# Names of our contenders, and their threads.
OURS = {"prfast": 1, "prfast, 2 threads": 2}


def run(options: Namespace) -> Findings:
    size = 2000 if options.tiny else 10**6
    repeats = options.repeats or (2 if options.tiny else 21)
    findings = Findings(notes=[f"{size} + {size} scores, {repeats} turns"])
    for name in ["tied"] if options.tiny else KINDS:
        kind, dtype = KINDS[name]
        settings = {"kind": kind, "dtype": dtype, "size": size}
        contenders = {
            ours: Contender(prfast_curve, settings, threads, curve_distance)
            for ours, threads in OURS.items()
        }
        contenders["np.sort"] = Contender(two_sorts, settings)
        contenders["NumPy"] = Contender(numpy_roc, settings, answer=roc_distance)
        contenders["roc_curve"] = Contender(sklearn_roc, settings, answer=roc_distance)
        results = findings.side_by_side(name, contenders, repeats)
        check_answers(name, results)
        single, two = (results[ours] for ours in OURS)
        # The targets are for a processor on which np.sort is slow (Zen 4).
        most = 0.5 if dtype == "float32" else None
        findings.ratio(f"{name}: prfast / np.sort", single, results["np.sort"], at_most=most)
        findings.ratio(f"{name}: 2 threads / 1", two, single)
        findings.ratio(f"{name}: NumPy / prfast", results["NumPy"], single, at_least=1)
        findings.ratio(f"{name}: roc_curve / prfast", results["roc_curve"], single, at_least=12)
    return findings


def check_answers(name: str, results: dict[str, Measured]) -> None:
    expected = results["roc_curve"].answer
    for contender in (*OURS, "NumPy"):
        answer = results[contender].answer
        if not math.isclose(answer, expected, rel_tol=1e-9, abs_tol=1e-12):
            raise ArithmeticError(f"{name}: {answer} by {contender}, {expected} by roc_curve")


def scores(kind: str, dtype: str, size: int) -> tuple[Any, Any]:
    """Real and fake scores, larger where more like real."""
    import numpy as np

    rng = np.random.default_rng(0)
    real = rng.standard_normal(size, np.dtype(dtype))
    fake = rng.standard_normal(size, np.dtype(dtype))
    if kind != "equal":
        real += 1
    return (real.round(2), fake.round(2)) if kind == "tied" else (real, fake)


# ---- contenders --------------------------------------------------------------------------------


def prfast_curve(kind: str, dtype: str, size: int) -> Callable[[], Any]:
    from prfast import PRCurve

    real, fake = scores(kind, dtype, size)
    return lambda: PRCurve.from_scores(real, fake)


def curve_distance(curve: Any) -> float:
    return float(curve.total_variation)


def two_sorts(kind: str, dtype: str, size: int) -> Callable[[], Any]:
    import numpy as np

    real, fake = scores(kind, dtype, size)
    return lambda: (np.sort(real), np.sort(fake))


def numpy_roc(kind: str, dtype: str, size: int) -> Callable[[], Any]:
    import numpy as np

    real, fake = scores(kind, dtype, size)

    def roc() -> Any:
        union = np.concatenate([real, fake])
        order = np.argsort(union)[::-1]
        union, is_real = union[order], np.cumsum(order < size)
        last = np.flatnonzero(np.append(union[1:] != union[:-1], True))
        tpr = is_real[last] / size
        fpr = (last + 1 - is_real[last]) / size
        return fpr, tpr, union[last]

    return roc


def sklearn_roc(kind: str, dtype: str, size: int) -> Callable[[], Any]:
    import numpy as np
    from sklearn.metrics import roc_curve

    labels = np.repeat([1, 0], size)
    union = np.concatenate(scores(kind, dtype, size))
    return lambda: roc_curve(labels, union)


def roc_distance(roc: Any) -> float:
    fpr, tpr, _ = roc
    return float((tpr - fpr).max())
