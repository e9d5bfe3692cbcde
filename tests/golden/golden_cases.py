"""The table of golden answers: a name, how the answer is compared, and the call that gives it.

Calls use the public API alone, so that everything beneath it may move.
"""

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from golden_samples import PAIRS, bell, labels, pair

import prfast
from prfast.reference import papers


class Case(NamedTuple):
    """A row of the table.

    kind
        "exact": counts, masses and distances, the same bits on every processor.
        "closed": numbers that take logarithms, powers or a sum in an order that NumPy chooses.
        "matrix": numbers that matrix products of BLAS take part in.
        "fitted": numbers that models of scikit-learn take part in.
    call
        Returns the answer; an error of Python's own is an answer as well.
    on_paths
        The call takes the options that choose how distances are computed, and is repeated on every
        path.
    """

    kind: str
    call: Callable[..., Any]
    on_paths: bool


CASES: dict[str, Case] = {}


def add(name, kind, function, *arguments, on_paths=False, **options):
    """Add the row `function(*arguments, **options)`."""
    assert name not in CASES, name
    CASES[name] = Case(kind, lambda **how: function(*arguments, **options, **how), on_paths)


def add_exact(name, function, *arguments, **options):
    add(name, "exact", function, *arguments, on_paths=True, **options)


def on_pair(function, samples, *arguments, **options):
    return function(*pair(samples), *arguments, **options)


def words(options):
    return " ".join(f"{name}={value}" for name, value in options.items())


NEIGHBORS = ("knn", "ipr", "parzen", "coverage")

for samples, method in product(PAIRS, NEIGHBORS):
    add_exact(f"curve {method}: {samples}", on_pair, prfast.pr_curve, samples, method)

OPTIONS = [
    {"ties": ties, "split": split, "k": k}
    for ties, split, k in product(("closed", "open"), (0.5, None), (1, 4))
]
OPTIONS += [
    {"split": None, "k": 4, "count_self": False},
    {"split": None, "k": 4, "count_self": False, "ties": "open"},
    {"split": 0.3, "random_state": 1},
    {"split": "bernoulli", "k": 20},
]
for options, method in product(OPTIONS, NEIGHBORS):
    name = f"curve {method}, {words(options)}: few values"
    add_exact(name, on_pair, prfast.pr_curve, "few values", method, **options)

for samples, split in product(("few values", "tight clusters", "wide"), (0.5, None)):
    name = f"curves of several k, split={split}: {samples}"
    add_exact(name, on_pair, prfast.pr_curves, samples, k=(1, 3, "sqrt"), split=split)


for samples, method in product(("shifted", "few values", "duplicates"), ("knn", "coverage")):
    lam = [0.0, 0.5, 1.0, 3.0, np.inf]
    add_exact(f"plug_in {method}: {samples}", on_pair, papers.plug_in, samples, lam, method)

COUNTED = ("precision", "recall", "density", "coverage", "complementary_precision")
COUNTED += ("symmetric_precision", "symmetric_recall", "precision_cover", "recall_cover")
COUNTED += ("f1", "authenticity")
WITH_LOGARITHMS = ("p_precision", "p_recall")
OF_WHOLE_SETS = ("frechet_distance", "kernel_distance")


def _metrics(samples, *arguments, **options):
    actual = on_pair(prfast.metrics, samples, *arguments, **options)
    return {**actual, **{f"error of {name}": error for name, error in actual.errors.items()}}


for samples in PAIRS:
    add_exact(f"metrics: {samples}", _metrics, samples, 3, COUNTED, cover_k=1)

for samples in ("shifted", "float16", "uint8", "duplicates", "three samples", "tiny", "wide"):
    name = f"metrics with logarithms: {samples}"
    options = {"which": WITH_LOGARITHMS, "p_k": 2, "on_paths": True}
    add(name, "closed", _metrics, samples, **options)
for samples in (
    "shifted",
    "float16",
    "uint8",
    "few values",
    "one feature",
    "unequal sizes",
    "huge",
):
    name = f"metrics of whole sets: {samples}"
    add(name, "matrix", _metrics, samples, which=OF_WHOLE_SETS)

for options in (
    {"k": 1},
    {"k": 1, "ties": "open"},
    {"k": 5, "ties": "open"},
    {"cover_k": 2, "cover_factor": 4},
    {"cover_reach": 5},
):
    name = f"metrics {words(options)}: few values"
    add_exact(name, _metrics, "few values", which=COUNTED, **options)
for options in ({"p_k": 1}, {"p_factor": 2.5}, {"p_radius": 1.5}, {"p_radius": (0.5, 3)}):
    name = f"metrics {words(options)}: few values"
    add(name, "closed", _metrics, "few values", which=WITH_LOGARITHMS, on_paths=True, **options)
add_exact("metrics of several k: wide", on_pair, prfast.metrics, "wide", (1, 5, 20), COUNTED)

for samples in ("shifted", "few values", "duplicates", "one feature", "tiny", "wide"):
    add_exact(f"realism: {samples}", on_pair, prfast.realism, samples)
for options in ({"k": 1}, {"prune": False}):
    add_exact(f"realism {words(options)}: shifted", on_pair, prfast.realism, "shifted", **options)


def _numbers(curve):
    """Return the numbers of a curve, with some of its points."""
    precision, recall = curve.at([0.1, 0.5, 1.0, 2.0, 10.0])
    return {**curve.scalars(), "precision": precision, "recall": recall}


def _numbers_of(samples, *arguments, **options):
    return _numbers(on_pair(prfast.pr_curve, samples, *arguments, **options))


FITTED_ON = ("shifted", "float32", "few values", "duplicates", "constant columns", "all equal")
FITTED_ON += ("one feature", "one sample", "three samples", "unequal sizes", "huge", "outlier")
for samples, method in product(FITTED_ON, ("auto", "kmeans", "classifier")):
    add(f"curve {method}: {samples}", "fitted", _numbers_of, samples, method)
for method, options in (
    ("auto", {"folds": 3}),
    ("auto", {"random_state": 1}),
    ("auto", {"fitted": 100}),
    ("kmeans", {"clusters": 5, "runs": 20}),
    ("kmeans", {"balance": False}),
    ("classifier", {"training": "adam", "classifiers": 2}),
    ("classifier", {"split": 0.5, "weight_decay": 0.1}),
):
    add(
        f"curve {method}, {words(options)}: shifted",
        "fitted",
        _numbers_of,
        "shifted",
        method,
        **options,
    )


CATEGORIES = {"noise": prfast.methods.Noise([0.0] * 3, categories=[0, (1, 2)])}

for resolution in (0.5, 2.0):
    options = {"resolution": resolution, **CATEGORIES}
    name = f"categories, resolution={resolution}: few values"
    add(f"curve knn, {name}", "exact", on_pair, prfast.pr_curve, "few values", "knn", **options)
    add(f"metrics, {name}", "exact", _metrics, "few values", 3, COUNTED, **options)
for noise in ("std", "common"):
    name = f"curve knn, resolution=0.5, noise={noise}: shifted"
    options = {"resolution": 0.5, "noise": noise}
    add(name, "fitted", _numbers_of, "shifted", "knn", **options)


def _profile(samples, *arguments):
    return on_pair(prfast.profile, samples, *arguments).scalars()


add("profile knn: shifted", "fitted", _profile, "shifted", "auto", "knn")


add(
    "curve of a function: shifted", "exact", on_pair, prfast.pr_curve, "shifted", lambda x: -x[:, 0]
)


def _scores(n, m, step=None, dtype=np.float64, seed=0):
    rng = np.random.default_rng([8, seed])
    real, fake = bell(rng, n, 1)[:, 0] + 0.5, bell(rng, m, 1)[:, 0]
    if step:
        real, fake = (step * np.floor(x / step) for x in (real, fake))
    return real.astype(dtype), fake.astype(dtype)


_ENDS = np.array([-np.inf, -0.0, 0.0, 5e-324, 1e300, np.inf])
SCORES = {
    "no ties": _scores(200, 170),
    "ties": _scores(200, 170, 0.25),
    "float32": _scores(100, 90, None, np.float32),
    "float16": _scores(100, 90, None, np.float16),
    "integers": _scores(90, 80, 1, np.int64),
    "two types": (_scores(90, 80)[0].astype(np.float32), _scores(90, 80)[1]),
    "all equal": (np.zeros(7), np.zeros(5)),
    "separated": (np.arange(5.0), np.arange(-9.0, -3.0)),
    "reversed": (np.arange(-9.0, -3.0), np.arange(5.0)),
    "one each": ([1.0], [0.0]),
    "ends of float64": (_ENDS, _ENDS[::2]),
    "many": _scores(30_000, 20_000, 1e-3),
}
MASSES = {
    "shares": ([0.5, 0.3, 0.2], [0.2, 0.3, 0.5]),
    "counts": ([5, 0, 12, 7, 7, 1], [2, 9, 12, 14, 0, 1]),
    "equal ratios": ([1, 2, 3, 4], [2, 4, 6, 8]),
    "disjoint": ([1.0, 2.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.5]),
    "tiny": ([1e-300, 1e-17, 1.0], [1.0, 1e-290, 1e-17]),
    "huge": ([1e300, 1e299, 0.0], [1e298, 1e300, 1e290]),
    "one cell": ([3], [8]),
}


def of_scores(name, **options):
    return prfast.PRCurve.from_scores(*SCORES[name], **options)


def of_masses(name):
    return prfast.PRCurve.from_masses(*MASSES[name])


def _weights(n):
    return np.arange(n) % 5 / 4


for name in SCORES:
    add(f"from_scores: {name}", "exact", of_scores, name)
add(
    "from_scores, weights: ties",
    "exact",
    of_scores,
    "ties",
    w_real=_weights(200),
    w_fake=_weights(170),
)
for name in MASSES:
    add(f"from_masses: {name}", "exact", of_masses, name)
    add(f"numbers: masses, {name}", "closed", lambda name: _numbers(of_masses(name)), name)
for name in ("no ties", "ties", "separated", "reversed", "all equal", "many"):
    add(f"numbers: scores, {name}", "closed", lambda name: _numbers(of_scores(name)), name)
add("from_rates", "exact", prfast.PRCurve.from_rates, [0.5, 0.1, 0.3, 0.9], [0.25, 0.75, 0.75, 0.0])

ONE, OTHER = (prfast.PRCurve.from_scores(*_scores(80, 70, 0.25, seed=i)) for i in (1, 2))
LAMBDAS = [0.0, 1e-9, 0.3, 1.0, 4.0, 1e9, np.inf]
SHARES = [0.0, 0.1, 0.25, 0.5, 0.9, 1.0]


def _interval(number, **options):
    actual = ONE.interval(number, **options)
    return {"value": actual.value, "low": actual.low, "high": actual.high}


GIVEN = {
    "exact": {
        "swap": lambda: ONE.swap(),
        "hull": lambda: ONE.hull,
        "masses": lambda: ONE.masses,
        "intersection": lambda: ONE.intersection(OTHER),
        "mean": lambda: prfast.PRCurve.mean([ONE, OTHER, ONE]),
        "at": lambda: ONE.at(LAMBDAS),
        "contains": lambda: ONE.contains(*np.meshgrid(SHARES, SHARES)),
        "total_variation": lambda: ONE.total_variation,
    },
    "closed": {
        "precision_at": lambda: ONE.precision_at(SHARES),
        "recall_at": lambda: ONE.recall_at(SHARES),
        "grid": lambda: ONE.grid(7),
        "outline": lambda: ONE.outline(0.05),
        "f_score": lambda: [ONE.f_score(beta) for beta in (0, 0.125, 1, 8, np.inf)],
        "iou": lambda: [ONE.iou(OTHER), ONE.iou(ONE)],
        "upper": lambda: _numbers(ONE.upper(0.9)),
        "upper, bound=joint": lambda: _numbers(ONE.upper(0.9, bound="joint")),
        "band": lambda: [_numbers(curve) for curve in ONE.band(0.9)],
        "interval": lambda: {n: _interval(n) for n in ("area", "fidelity", "f1_8")},
        "interval of a function": lambda: _interval(lambda curve: curve.at(3.0)[0], random_state=1),
    },
}
for kind, calls in GIVEN.items():
    for name, call in calls.items():
        add(f"curve.{name}", kind, call)

SHIFT = prfast.reference.GaussianShift
OTHERS = {
    "exact": {
        "TOYS": lambda: {name: toy.curve() for name, toy in prfast.reference.TOYS.items()},
    },
    "closed": {
        "knn_limit": lambda: _numbers(prfast.reference.knn_limit(of_masses("counts"), 4)),
        "GaussianShift": lambda: _numbers(SHIFT(1.5, dim=3).curve(cells=512)),
        "GaussianShift, smoothed": lambda: _numbers(SHIFT(1.5).smoothed(0.5).curve(cells=512)),
    },
}
for kind, calls in OTHERS.items():
    for name, call in calls.items():
        add(name, kind, call)


def _models(samples):
    real, fake = pair(samples)
    return real, {"a": fake, "b": fake[::2], "c": real[:40] + np.asarray(1, real.dtype)}


def _differences(samples, methods, **options):
    real, models = _models(samples)
    actual = prfast.Evaluator(real, methods).compare(models).differences(**options)
    return actual.to_dict()


def _classes(samples, **options):
    real, fake = pair(samples)
    groups = prfast.by_class(real, fake, labels(len(real), 4), labels(len(fake), 3), **options)
    return groups.to_dict()


add("differences: shifted", "closed", _differences, "shifted", ("knn",))
options = {"methods": ("knn",), "k": 3, "metrics_k": 2}
add("by_class: shifted", "closed", _classes, "shifted", **options)


def _rows(seed, n=120):
    """Return a table of numbers, categories, dates and missing cells."""
    import pandas as pd

    rng = np.random.default_rng(seed)
    x = bell(rng, n, 2)
    days = np.datetime64("2020-01-01") + rng.integers(0, 400, n)
    return pd.DataFrame(
        {
            "price": np.round(10 * x[:, 0], 2),
            "count": rng.integers(0, 5, n) + seed,
            "kind": np.array(["a", "b", "c"])[(x[:, 0] > 0).astype(int) + (x[:, 1] > 0)],
            "code": [f"{i:04d}" for i in rng.integers(0, 10**4, n)],
            "day": days,
            "gap": np.where(rng.random(n) < 0.1 + 0.1 * seed, np.nan, x[:, 1]),
        }
    )


def _encoded():
    encoded = prfast.encode(_rows(0), _rows(1))
    names = encoded.feature_names
    numbers = encoded.real.astype(np.float64)
    return {name: numbers[:20, i] for i, name in enumerate(names) if "text" not in name}


def _compared():
    comparison = prfast.compare_tables(
        _rows(0),
        {"other": _rows(1), "same": _rows(0)[:80]},
        _rows(2),
        method="knn",
        resolutions=None,
    )
    return {
        name: {
            "area": evaluation.curve.area,
            "columns": {x.name: [x.value, x.half_width] for x in evaluation.columns[:12]},
            "copies": []
            if evaluation.copies is None
            else [evaluation.copies.share, evaluation.copies.p_value],
        }
        for name, evaluation in comparison.items()
    }


def _copied(share):
    rng = np.random.default_rng(5)
    train, held_out, fake = (bell(rng, n, 3) for n in (90, 60, 80))
    fake[: int(80 * share)] = train[: int(80 * share)]
    result = prfast.copies(train, held_out, fake)
    return {row["number"]: row["value"] for row in result.rows()}


add("encode", "closed", _encoded)
add("compare_tables", "closed", _compared)
for share in (0, 0.2):
    add(f"copies of {share}", "closed", _copied, share)
