"""The two-sample test: level on equal distributions, power beside other tests on the same draws.

Others: classifier two-sample tests (boosted trees, random forest), which are fitted to one half of
the samples and whose accuracy on the other half is tested by the binomial distribution (Lopez-Paz
and Oquab 2017); the C2ST of sbi, a multilayer perceptron in five folds, whose accuracy is tested in
the same way, although scores of folds depend on each other; and the permutation tests of the energy
distance and of the Gaussian kernel distance of hyppo, where it is installed.

    python -m bench two_sample --draws 100
    python -m bench two_sample --draws 400 --equal    the level alone
"""

import math
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

import prfast
from bench.papers.cifar_classes import DATA, read
from bench.report import Figure, Findings

LEVEL = 0.05
LEVELS = (0.01, LEVEL, 0.2)


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--draws", type=int, default=100, metavar="N", help="draws, 100 by default")
    add("--only", default="", metavar="TEXT", help="settings whose names contain it")
    add("--equal", action="store_true", help="equal distributions only")


# ---- settings ------------------------------------------------------------------------------------


def normal(n: int, m: int, d: int) -> Callable[[np.random.Generator], Any]:
    return lambda rng: (rng.normal(size=(n, d)), rng.normal(size=(m, d)), {})


def half_rounded(n: int, d: int) -> Callable[[np.random.Generator], Any]:
    """Tens, half of which are rounded to two decimals, in both sets."""

    def draw(rng: np.random.Generator) -> Any:
        points = 10 * rng.normal(size=(2, n, d))
        return (*np.where(rng.random(points.shape) < 0.5, points.round(2), points), {})

    return draw


def grouped(rng: np.random.Generator) -> Any:
    center = np.repeat(rng.normal(size=(200, 4)), 5, axis=0)
    points = center + 0.3 * rng.normal(size=center.shape)
    labels = np.repeat(np.arange(200), 5)
    return points[:500], points[500:], {"groups": (labels[:500], labels[500:])}


EQUAL = {
    "50 + 50, d = 1": normal(50, 50, 1),
    "50 + 50, d = 64": normal(50, 50, 64),
    "30 + 300, d = 3": normal(30, 300, 3),
    "1000 + 1000, d = 64": normal(1000, 1000, 64),
    "5000 + 5000, d = 10": normal(5000, 5000, 10),
    "100 + 100 groups of 5, d = 4": grouped,
    "half rounded, 200 + 200, d = 1": half_rounded(200, 1),
}


def changed(change: Callable[..., None], d: int = 5) -> Callable[[np.random.Generator], Any]:
    """300 + 300 normal rows, which `change(rng, x, y)` alters in place."""

    def draw(rng: np.random.Generator) -> Any:
        x, y, _ = normal(300, 300, d)(rng)
        change(rng, x, y)
        return x, y, {}

    return draw


def shift(rng: np.random.Generator, x: Any, y: Any) -> None:
    y[:, 0] += 0.25


def scale(rng: np.random.Generator, x: Any, y: Any) -> None:
    y *= 1.12


def correlate(rng: np.random.Generator, x: Any, y: Any) -> None:
    y[:, 1] = 0.35 * y[:, 0] + np.sqrt(1 - 0.35**2) * y[:, 1]


def couple_sizes(rng: np.random.Generator, x: Any, y: Any) -> None:
    """Sizes of columns depend on each other, signs do not."""
    order = np.argsort(np.argsort(np.abs(y[:, 0])))
    chosen = rng.random(300) < 0.5
    sizes = np.sort(np.abs(y[:, 1]))[order]
    y[chosen, 1] = (np.sign(y[:, 1]) * sizes)[chosen]


def shift_one(rng: np.random.Generator, x: Any, y: Any) -> None:
    y[:, 7] += 0.5


def add_mode(rng: np.random.Generator, x: Any, y: Any) -> None:
    x[rng.random(300) < 0.05, 0] += 4


def multiply_signs(rng: np.random.Generator, x: Any, y: Any) -> None:
    """The sign of the third column is that of the product of two others in half of the samples."""
    chosen = rng.random(300) < 0.5
    y[chosen, 2] = np.abs(y[chosen, 2]) * np.sign(y[chosen, 0] * y[chosen, 1])


def table(rng: np.random.Generator) -> Any:
    """Four categories; two depend on each other in the real set alone, in an eighth of the rows."""
    x, y = rng.integers(4, size=(2, 300, 4))
    chosen = rng.random(300) < 0.2
    x[chosen, 1] = x[chosen, 0]
    return (*(np.eye(4)[codes].reshape(300, 16) for codes in (x, y)), {})


def class_dropped(rng: np.random.Generator) -> Any:
    """Features of images, of which the generated ones lack one class in ten."""
    features, labels = read(DATA)
    real = rng.choice(len(features), 300, replace=False)
    remaining = np.setdiff1d(np.flatnonzero(labels != 3), real)
    fake = rng.choice(remaining, 300, replace=False)
    return features[real], features[fake], {}


DIFFERENT = {
    "mean": changed(shift),
    "scale": changed(scale),
    "correlation": changed(correlate),
    "copula": changed(couple_sizes, 4),
    "one column of 50": changed(shift_one, 50),
    "rare mode": changed(add_mode),
    "signs of products": changed(multiply_signs, 6),
    "table of categories": table,
    "images, a class dropped": class_dropped,
}


# ---- tests ---------------------------------------------------------------------------------------


def ours(x: Any, y: Any, seed: int, **options: Any) -> float:
    return prfast.two_sample_test(x, y, random_state=seed, n_jobs=1, **options).p_value


def c2st(classifier: Callable[[int], Any]) -> Callable[..., float]:
    """Return the classifier two-sample test with one half held out."""

    def p_value(x: Any, y: Any, seed: int, **_: Any) -> float:
        from scipy.stats import binomtest
        from sklearn.model_selection import train_test_split

        points, label = np.vstack([x, y]), np.repeat([1, 0], [len(x), len(y)])
        halves = train_test_split(points, label, test_size=0.5, stratify=label, random_state=seed)
        fitted = classifier(seed).fit(halves[0], halves[2])
        right = int((fitted.predict(halves[1]) == halves[3]).sum())
        chance = max(halves[3].mean(), 1 - halves[3].mean())
        return float(binomtest(right, len(halves[3]), chance, alternative="greater").pvalue)

    return p_value


def perceptron(x: Any, y: Any, seed: int, **_: Any) -> float:
    """Return the p-value of the accuracy of ``sbi.utils.metrics.c2st(x, y)``, by its definition.

    Its layers have 10 d units; beyond 64 features they would cost minutes a draw, and it is fitted
    to the 64 leading principal components.
    """
    from scipy.stats import binomtest
    from sklearn.decomposition import PCA
    from sklearn.model_selection import KFold, cross_val_predict
    from sklearn.neural_network import MLPClassifier

    points, label = np.vstack([x, y]), np.repeat([0, 1], [len(x), len(y)])
    if points.shape[1] > 64:
        points = PCA(64, random_state=seed).fit_transform(points)
    points = (points - points[: len(x)].mean(axis=0)) / points[: len(x)].std(axis=0)
    units = 10 * points.shape[1]
    classifier = MLPClassifier(
        (units, units), early_stopping=True, n_iter_no_change=50, max_iter=1000, random_state=seed
    )
    folds = KFold(5, shuffle=True, random_state=seed)
    right = int((cross_val_predict(classifier, points, label, cv=folds) == label).sum())
    chance = max(len(x), len(y)) / len(label)
    return float(binomtest(right, len(label), chance, alternative="greater").pvalue)


def trees(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(random_state=seed)


def forest(seed: int) -> Any:
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(random_state=seed)


def hyppo(name: str, **options: Any) -> Callable[..., float]:
    """Return a permutation test of hyppo, by 99 permutations."""

    def p_value(x: Any, y: Any, seed: int, **_: Any) -> float:
        from hyppo import ksample

        test = getattr(ksample, name)(**options)
        points = (np.asarray(points_of_set, float) for points_of_set in (x, y))
        return float(test.test(*points, reps=99, auto=False, random_state=seed)[1])

    return p_value


TESTS = {
    "prfast": ours,
    "boosted trees": c2st(trees),
    "random forest": c2st(forest),
    "perceptron (sbi)": perceptron,
}
PERMUTED = {"energy": hyppo("Energy"), "Gaussian kernel": hyppo("MMD")}


def run(options: Namespace) -> Findings:
    draws = 3 if options.tiny else options.draws
    tests = TESTS | (PERMUTED if find_spec("hyppo") else {})
    error = 2 * math.sqrt(LEVEL * (1 - LEVEL) / draws)
    rows: list[dict[str, Any]] = []
    figures = []
    for name, setting in EQUAL.items():
        if options.only in name and not (options.tiny and ("512" in name or "000" in name)):
            p = measure({"prfast": ours}, name, setting, draws)["prfast"]
            rates = {f"p <= {level}": float((p <= level).mean()) for level in LEVELS}
            rows.append({"setting": name, "test": "prfast"} | rates)
            figures.append(Figure(f"level, {name}", rates[f"p <= {LEVEL}"], at_most=LEVEL + error))
    if options.equal:
        return Findings({}, figures, [], rows)
    ahead = 0
    for name, setting in DIFFERENT.items():
        if options.only in name and not (options.tiny and "images" in name):
            results = measure(tests, name, setting, draws)
            shares = {test: float((p <= LEVEL).mean()) for test, p in results.items()}
            for test, share in shares.items():
                rows.append({"setting": name, "test": test, f"p <= {LEVEL}": share})
            ahead += all(shares["prfast"] >= share for share in shares.values())
    figures.append(Figure("alternatives with the largest power, or as large", ahead, at_least=7))
    return Findings({}, figures, [], rows)


def measure(tests: Any, name: str, setting: Any, draws: int) -> dict[str, Any]:
    """Return the p-values of each test."""
    p_values: dict[str, list[float]] = {test: [] for test in tests}
    for draw in range(draws):
        x, y, options = setting(np.random.default_rng([draw, *name.encode()]))
        for test, p_value in tests.items():
            p_values[test].append(p_value(x, y, draw, **options))
    print(name, flush=True)
    return {test: np.array(values) for test, values in p_values.items()}
