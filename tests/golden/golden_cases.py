"""The table of golden answers: a name, how the answer is compared, and the call that gives it.

Calls use the public API alone, so that everything beneath it may move.
"""

import json
from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from golden_samples import PAIRS, bell, labels, pair

import prfast
from prfast import theory
from prfast.compat import prd_score
from prfast.compat.prdc import compute_prdc
from prfast.methods.kmeans import cell_counts
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


def _chosen(*arguments, **options):
    actual = papers.choose_k(*arguments, **options)
    return {"k": actual.k, **{f"area of {k}": area for k, area in actual.areas.items()}}


for samples, method in product(("shifted", "few values", "duplicates"), ("knn", "coverage")):
    add(f"choose_k {method}: {samples}", "closed", on_pair, _chosen, samples, method)
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

for samples in ("shifted", "few values"):
    add(f"prdc: {samples}", "exact", on_pair, compute_prdc, samples, 3)


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


class _Mean:
    """A scorer of a user: the side of the midpoint of both means on which a point lies."""

    def fit(self, real, fake):
        self.middle = (real.mean() + fake.mean()) / 2
        return self

    def score(self, points):
        return np.round(self.middle - points.mean(axis=1), 1)


add("curve of a scorer: shifted", "closed", _numbers_of, "shifted", _Mean())
add(
    "curve of a function: shifted", "exact", on_pair, prfast.pr_curve, "shifted", lambda x: -x[:, 0]
)


def _cells(samples):
    cells = on_pair(papers.partition, samples, clusters=2, runs=2)
    counts = {"real": cell_counts(cells.real, 2), "fake": cell_counts(cells.fake, 2)}
    return {name: np.sort(of_set) for name, of_set in counts.items()}


add("partition: disjoint", "fitted", _cells, "disjoint")


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
add("from_scores, one weight: ties", "exact", of_scores, "ties", w_fake=_weights(170))
for name in MASSES:
    add(f"from_masses: {name}", "exact", of_masses, name)
    add(f"numbers: masses, {name}", "closed", lambda name: _numbers(of_masses(name)), name)
for name in ("no ties", "ties", "separated", "reversed", "all equal", "many"):
    add(f"numbers: scores, {name}", "closed", lambda name: _numbers(of_scores(name)), name)
add("from_rates", "exact", prfast.PRCurve.from_rates, [0.5, 0.1, 0.3, 0.9], [0.25, 0.75, 0.75, 0.0])

ONE, OTHER = (prfast.PRCurve.from_scores(*_scores(80, 70, 0.25, seed=i)) for i in (1, 2))
LAMBDAS = [0.0, 1e-9, 0.3, 1.0, 4.0, 1e9, np.inf]
SHARES = [0.0, 0.1, 0.25, 0.5, 0.9, 1.0]


def _written_and_read(curve):
    return prfast.PRCurve.from_dict(json.loads(json.dumps(curve.to_dict())))


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
        "mean of masses": lambda: prfast.PRCurve.mean([ONE, of_masses("shares")]),
        "written and read": lambda: _written_and_read(ONE),
        "mean, written and read": lambda: _written_and_read(prfast.PRCurve.mean([ONE, OTHER])),
        "at": lambda: ONE.at(LAMBDAS),
        "contains": lambda: ONE.contains(*np.meshgrid(SHARES, SHARES)),
        "total_variation": lambda: ONE.total_variation,
        "distinct": lambda: ONE.provenance.distinct,
        "equality": lambda: [ONE == OTHER, _written_and_read(ONE) == ONE],
        "info": lambda: {k: v for k, v in sorted(ONE.info.items()) if k != "version"},
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
        "interval, confidence=0.8": lambda: _interval("diversity", confidence=0.8),
        "interval of a function": lambda: _interval(lambda curve: curve.at(3.0)[0], random_state=1),
    },
}
for kind, calls in GIVEN.items():
    for name, call in calls.items():
        add(f"curve.{name}", kind, call)

PHIS = ("kl", "reverse_kl", "js", "chi2", "hellinger", "tv", "frontier_integral")
PHIS += ("tsallis:0.5", "tsallis:1", "tsallis:-1.5", "tsallis:3")
LOSSES = np.array([[0.0, 0.1, 0.4, 0.2], [0.3, 0.0, 0.1, 0.5], [0.2, 0.2, 0.0, 0.1]])
CURVES = {
    "scores": ONE,
    "shares": of_masses("shares"),
    "counts": of_masses("counts"),
    "disjoint": of_masses("disjoint"),
}


def _theory(curve):
    """Return {kind: {name: call}} for one curve."""
    lorenz, roc = theory.lorenz(curve), theory.roc(curve)
    pi = [0.0, 0.2, 0.5, 0.9, 1.0]
    losses = [0, 0.2, 0.1]
    exact = {
        "lorenz": lambda: lorenz.vertices,
        "roc": lambda: tuple(roc),
        "in_mode_collapse_region": lambda: theory.in_mode_collapse_region(
            curve, 0.1, [0.2, 0.5, 0.9]
        ),
    }
    closed = {
        "roc.area": lambda: roc.area,
        "lorenz.alpha": lambda: lorenz.alpha(LAMBDAS),
        "degroot": lambda: theory.degroot(curve, pi),
        "phi_divergence": lambda: {p: theory.phi_divergence(curve, p) for p in PHIS},
        "divergence_table": lambda: dict(theory.divergence_table(curve)),
        "renyi_frontier": lambda: [theory.renyi_frontier(curve, a, 5) for a in (0.5, 1, 2, np.inf)],
        "renyi_frontier, inclusive": lambda: [
            theory.renyi_frontier(curve, a, 5, inclusive=True) for a in (0.5, 1, 2)
        ],
        "tsallis_frontier": lambda: [theory.tsallis_frontier(curve, a, 5) for a in (0.5, 1, 2)],
        "mauve_frontier": lambda: theory.mauve_frontier(curve, points=5),
        "adaptation_bound": lambda: vars_of(theory.adaptation_bound(curve, 0.1)),
        "lorenz_bound": lambda: theory.lorenz_bound(curve, SHARES),
        "phi_bound": lambda: {
            p: vars_of(theory.phi_bound(curve, losses, p, loss_max=0.5)) for p in PHIS[:6]
        },
        "phi_lorenz": lambda: {
            p: theory.phi_lorenz(curve, SHARES, p) for p in ("kl", "js", "chi2")
        },
    }
    return {"exact": exact, "closed": closed}


def vars_of(result):
    """Return the numbers of a result by their public names."""
    names = [name for name in dir(result) if not name.startswith("_")]
    actual = {name: getattr(result, name) for name in names}
    return {name: value for name, value in actual.items() if isinstance(value, float | str)}


for name, curve in CURVES.items():
    for kind, calls in _theory(curve).items():
        for function, call in calls.items():
            add(f"{function}: {name}", kind, call)

SHIFT = prfast.reference.GaussianShift
OTHERS = {
    "exact": {
        "min_sums": lambda: theory.min_sums(*MASSES["shares"], LAMBDAS[:-1]),
        "TOYS": lambda: {name: toy.curve() for name, toy in prfast.reference.TOYS.items()},
    },
    "closed": {
        "phi_function": lambda: {
            p: [f(0.3), f(2.0), f.dual(2.0), f.conjugate(0.3), f.derivative(2.0)]
            for p, f in ((p, theory.phi_function(p)) for p in PHIS[:6])
        },
        "prd_score": lambda: prd_score.compute_prd([0.2, 0.3, 0.5], [0.5, 0.3, 0.2], 9),
        "knn_limit": lambda: _numbers(prfast.reference.knn_limit(CURVES["counts"], 4)),
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


def _compared(samples, **options):
    real, models = _models(samples)
    evaluator = prfast.Evaluator(real, NEIGHBORS, (2, "sqrt"), which=COUNTED, **options)
    return {
        name: {"metrics": dict(evaluator.metrics(fake)), "curves": evaluator.curves(fake)}
        for name, fake in models.items()
    }


def _differences(samples, methods, **options):
    real, models = _models(samples)
    actual = prfast.Evaluator(real, methods).compare(models).differences(**options)
    return actual.to_dict()


def _classes(samples, **options):
    real, fake = pair(samples)
    groups = prfast.by_class(real, fake, labels(len(real), 4), labels(len(fake), 3), **options)
    return groups.to_dict()


for samples in ("shifted", "few values", "duplicates", "tight clusters", "half alike"):
    add_exact(f"Evaluator: {samples}", _compared, samples)
add("differences: shifted", "closed", _differences, "shifted", ("knn",))
add("differences, baseline: shifted", "closed", _differences, "shifted", ("ipr",), baseline="a")
options = {"methods": ("knn",), "k": 3, "metrics_k": 2}
add("by_class: shifted", "closed", _classes, "shifted", **options)


def _contradictions():
    curves = prfast.pr_curves(*pair("half alike"))
    actual = prfast.contradictions(curves, prfast.metrics(*pair("half alike")))
    return len(actual)


add("contradictions: half alike", "exact", _contradictions)

# What a record has of the day, the machine and the versions.
_CIRCUMSTANCES = {"date", "folder", "versions", "version", "prfast", "platform", "scikit_learn"}
_CIRCUMSTANCES |= {"sha256", "bytes", "engines", "command"}


def _without(names, value):
    """Return a record without the entries of these names."""
    if isinstance(value, dict):
        return {key: _without(names, v) for key, v in value.items() if key not in names}
    return [_without(names, entry) for entry in value] if isinstance(value, list) else value


def _recorded(samples, make):
    real, fake = pair(samples)
    return _without(_CIRCUMSTANCES, prfast.record(make(real, fake), real, fake))


add("record of a curve", "closed", _recorded, "few values", lambda *xy: prfast.pr_curve(*xy, "ipr"))
add("record of metrics", "closed", _recorded, "few values", prfast.metrics)


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
