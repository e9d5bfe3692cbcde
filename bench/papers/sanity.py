"""Sanity checks of fidelity and diversity (2025 position paper, arXiv 2505.22450), for our numbers.

Räisä, van Breugel and van der Schaar, "All Current Generative Fidelity and Diversity Metrics are
Flawed": 15 pairs of series of distributions, and what a fidelity and a diversity must do on each.
Every criterion belongs to one of the paper's desiderata; a row is a check and a desideratum, and it
passes where all of its criteria do, in every dimension.  A diversity may count what is generated
too thinly ("high") or not ("low"), but has to do the same throughout a row.  A check passes where
all of its rows do.

The fidelity and the diversity are read from the curves of `auto`, averaged over the draws, and from
the exact curves; each metric of a share of samples is the published one.
Sizes, distributions and tolerances are the paper's; the points of a series are fewer, with the same
ends and the same middle.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import prfast
from bench.papers.experiments import add_draws
from bench.report import Figure, Findings
from prfast import PRCurve
from prfast.reference import GaussianMixtures, Gaussians, GaussianShift

Outcome = bool | str  # "low" and "high" are passes of one of the two kinds of diversity
Criterion = Callable[[Any], Outcome]  # of the values along a series
# Criteria by desideratum; where one differs between the series of a check, by series too.
Criteria = dict[str, tuple[Any, ...]]
EXACT = 1 << 16  # samples where no one coordinate decides the ratio
CELLS = 1 << 12  # intervals where one does
METRICS = (  # fidelity, diversity and their k, by the paper's rules for 1000 samples
    (("precision", "recall"), 3),
    (("density", "coverage"), 5),
    (("complementary_precision", "coverage"), 5),
    (("symmetric_precision", "symmetric_recall"), 5),
    (("precision_cover", "recall_cover"), 5),
    (("p_precision", "p_recall"), 5),
)
NUMBERS = ("exact curve", "auto", *(", ".join(pair) for pair, _ in METRICS))


class Point(NamedTuple):
    """A pair of distributions: how to draw each, and the curve of the two."""

    real: Callable[[Any], Any]
    fake: Callable[[Any], Any]
    exact: Callable[[], Any]


class Check(NamedTuple):
    name: str
    series: dict[str, list[Point]]
    fidelity: Criteria
    diversity: Criteria


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 1)


def run(options: Namespace) -> Findings:
    checks = list(make_checks(100 if options.tiny else 1000, options.tiny))
    if options.tiny:
        checks = [check._replace(series=dict([*check.series.items()][:1])) for check in checks]
    # By check and series: each pair of numbers at each point, shape (points, numbers, 2).
    values: dict[tuple[str, str], Any] = {}
    for c, check in enumerate(checks):
        for s, (name, points) in enumerate(check.series.items()):
            drawn = [
                [_of_samples(point, (draw, c, s), i) for i, point in enumerate(points)]
                for draw in range(1 if options.tiny else options.draws)
            ]
            exact = [[_of_curve(point.exact())] for point in points]
            values[check.name, name] = np.concatenate([exact, np.mean(drawn, axis=0)], axis=1)
    rows: list[dict[str, Any]] = [{"check": check.name} for check in checks]
    judged, notes = [], []
    for n, number in enumerate(NUMBERS):
        for side, kind in enumerate(("fidelity", "diversity")):
            passed = 0
            for check, row in zip(checks, rows, strict=True):
                failed = _failed(check, kind, lambda key, n=n, side=side: values[key][:, n, side])
                passed += not failed
                row[number] = row.get(number, "") + ("-" if failed else kind[0].upper())
                notes += [f"{number}, {kind}: fails {check.name} ({reason})" for reason in failed]
            judged.append(Figure(f"{number}: {kind}", passed, better="higher"))
    return Findings({}, judged, ["F and D: passed; -: fails", *notes], rows)


def _failed(check: Check, kind: str, values: Callable[[tuple[str, str]], Any]) -> list[str]:
    """Return the rows of a check that do not pass."""
    failed = []
    for row, criteria in getattr(check, kind).items():
        outcomes = [
            (criterion[series] if isinstance(criterion, dict) else criterion)(
                values((check.name, series))
            )
            for series in check.series
            for criterion in criteria
        ]
        if not all(outcomes) or ("low" in outcomes and "high" in outcomes):
            failed.append(row)
    return failed


def _of_curve(curve: Any) -> tuple[float, float]:
    return curve.fidelity, curve.diversity


def _of_samples(point: Point, key: tuple[int, ...], i: int) -> Any:
    """Return numbers of the curve of `auto` and of the balls, whose columns are scaled by the
    real set's.

    The real sample is the same all along a series.
    """
    import warnings

    real = point.real(np.random.default_rng(key))
    fake = point.fake(np.random.default_rng((*key, i + 1)))
    with warnings.catch_warnings():  # that exact values decide is one of the checks
        warnings.simplefilter("ignore", prfast.Contradiction)
        results = [_of_curve(prfast.pr_curve(real, fake))]
    mean, spread = real.mean(axis=0), real.std(axis=0)
    real, fake = ((x - mean) / np.where(spread > 0, spread, 1) for x in (real, fake))
    for names, k in METRICS:
        by_name = prfast.metrics(real, fake, k, which=names)
        results.append((by_name[names[0]], by_name[names[1]]))
    return results


# ---- criteria --------------------------------------------------------------------------------


def near(target: float, at: int = -1) -> Criterion:
    return lambda v: bool(abs(v[at] - target) <= 0.05)


def low_or_high(at: int) -> Criterion:
    return lambda v: "high" if near(1, at)(v) else "low" if near(0, at)(v) else False


def bell(middle: int) -> Criterion:
    def passes(v: Any) -> bool:
        ends = v[[0, -1]]
        return bool(
            (v[middle] - ends >= 0.2).all()
            and v.max() - v[middle] <= 0.1
            and (ends - v.min() <= 0.1).any()
        )

    return passes


def falling(v: Any) -> bool:
    return bool(v[0] - v[-1] >= 0.2 and v.max() - v[0] <= 0.1 and v[-1] - v.min() <= 0.1)


def rising(v: Any) -> bool:
    return falling(v[::-1])


def falling_before(quantile: float) -> Criterion:
    def passes(v: Any) -> bool:
        # Of two equally near points numpy and pandas take the even one.
        return falling(v) and bool(v[0] - v[round(quantile * (len(v) - 1))] >= 0.1)

    return passes


def level(v: Any) -> bool:
    return bool(v.max() - v.min() <= 0.05)


def settled(v: Any) -> bool:
    return level(v[len(v) // 2 :])


def either(low: Criterion, high: Criterion) -> Criterion:
    return lambda v: "low" if low(v) else "high" if high(v) else False


# ---- pairs of distributions ------------------------------------------------------------------


MODES = (  # of the paper: five real ones, then five to invent
    (5.46794328, -4.08481523),
    (4.87211875, -13.64864684),
    (-16.39432073, 9.09802249),
    (-2.15447941, 12.46200019),
    (11.55784483, -4.96049923),
    (-24.60558474, 14.18020818),
    (16.84215967, -3.18710751),
    (-5.47807206, -6.77247129),
    (9.46726546, 1.05922347),
    (-5.40346201, -17.29490131),
)


def overlapping(share: float) -> Callable[[], Any]:
    """Return the curve of two distributions that are equal where they overlap, on such a share
    of both."""
    return lambda: PRCurve.from_masses([1 - share, share, 0], [0, share, 1 - share])


def shifted(
    n: int,
    dim: int,
    mean: float,
    *,
    real: float | None = None,
    fake: float | None = None,
    pareto: bool = False,
) -> Point:
    """N(0, I) and N(mean·1, I); an outlier at real·1 or fake·1, or a column of Pareto's law."""

    def draw(center: float, outlier: float | None) -> Callable[[Any], Any]:
        def sample(rng: Any) -> Any:
            points = rng.normal(center, 1, (n, dim))
            if outlier is not None:
                points = np.vstack([points, np.full(dim, outlier)])
            if pareto:
                points = np.column_stack([points, 1 + rng.pareto(1.01, len(points))])
            return points

        return sample

    truth = GaussianShift(abs(mean) * dim**0.5, dim)
    return Point(draw(0, real), draw(mean, fake), lambda: truth.curve(CELLS))


def far_along_one(n: int, scales: Any) -> Point:
    """Normal distributions 6 standard deviations apart along the first of the columns."""
    shift = np.r_[6 * scales[0], np.zeros(len(scales) - 1)]
    return Point(
        lambda rng: rng.normal(0, scales, (n, len(scales))),
        lambda rng: rng.normal(shift, scales, (n, len(scales))),
        lambda: GaussianShift(6).curve(CELLS),
    )


def widened(n: int, dim: int, sd: float) -> Point:
    """N(0, I) and N(0, sd² I): the ratio is monotone in the radius."""

    def exact() -> Any:
        if dim == 1:
            return Gaussians([0.0], [0.0], [[1.0]], [[sd**2]]).curve(cells=CELLS)
        rng = np.random.default_rng(0)
        real, fake = rng.chisquare(dim, EXACT), sd**2 * rng.chisquare(dim, EXACT)
        sign = np.sign(sd - 1) if abs(sd - 1) > 1e-9 else 0
        return PRCurve.from_scores(-sign * real, -sign * fake)

    return Point(
        lambda rng: rng.normal(0, 1, (n, dim)), lambda rng: rng.normal(0, sd, (n, dim)), exact
    )


def mixed(n: int, means: Any, sd: float, p: Any, q: Any) -> Point:
    """Return two mixtures of normal distributions of one standard deviation."""
    means = np.asarray(means)
    p, q = p / p.sum(), q / q.sum()

    def draw(weights: Any) -> Callable[[Any], Any]:
        def sample(rng: Any) -> Any:
            centers = means[rng.choice(len(means), n, p=weights)]
            return rng.normal(centers, sd)

        return sample

    truth = GaussianMixtures(means, p, q, np.eye(means.shape[1]) * sd**2)
    return Point(draw(p), draw(q), lambda: truth.curve(EXACT, cells=CELLS))


def split_in_two(n: int, dim: int, mu: float) -> Point:
    """Half of P at each of ±½μ·1, and Q one normal distribution of variance 1 + μ²."""
    wide, far = 1 + mu**2, mu * dim**0.5 / 2

    def log_ratio(along: Any, across: Any) -> Any:
        """Return ln p/q, by the coordinate along 1 and the squared distance from its line."""
        mixture = np.logaddexp(-0.5 * (along - far) ** 2, -0.5 * (along + far) ** 2) - np.log(2)
        return mixture + along**2 / wide / 2 - across * (1 - 1 / wide) / 2

    def exact() -> Any:
        rng = np.random.default_rng(0)
        across = rng.chisquare(dim - 1, (2, EXACT)) if dim > 1 else np.zeros((2, EXACT))
        real = rng.normal(rng.choice([-far, far], EXACT), 1)
        fake = rng.normal(0, wide**0.5, EXACT)
        if mu == 0:
            return PRCurve.from_masses([1], [1])
        return PRCurve.from_scores(log_ratio(real, across[0]), log_ratio(fake, wide * across[1]))

    return Point(
        lambda rng: rng.normal(mu * rng.choice([-0.5, 0.5], (n, 1)), 1, (n, dim)),
        lambda rng: rng.normal(0, wide**0.5, (n, dim)),
        exact,
    )


def sphere(n: int, dim: int, radius: float) -> Callable[[Any], Any]:
    """Uniform on the surface."""

    def sample(rng: Any) -> Any:
        points = rng.normal(size=(n, dim))
        return points * (radius / (points**2).sum(axis=1, keepdims=True) ** 0.5)

    return sample


def ball(n: int) -> Callable[[Any], Any]:
    """Uniform in the ball of radius 0.8, in three dimensions."""

    def sample(rng: Any) -> Any:
        return sphere(n, 3, 0.8)(rng) * rng.random((n, 1)) ** (1 / 3)

    return sample


def torus(n: int) -> Callable[[Any], Any]:
    """Return a disk of radius 0.1 turned around an axis at distance 1, which the ball does not
    reach."""

    def sample(rng: Any) -> Any:
        radius, angle, turn = 0.1 * rng.random(n) ** 0.5, *(2 * np.pi * rng.random((2, n)))
        out = 1 + radius * np.cos(angle)
        return np.column_stack([out * np.cos(turn), out * np.sin(turn), radius * np.sin(angle)])

    return sample


def cubes(n: int, m: int, dim: int) -> Point:
    """Uniform in unit cubes, moved along the diagonal until a fifth overlaps."""
    start = 1 - 0.2 ** (1 / dim)
    return Point(
        lambda rng: rng.random((n, dim)), lambda rng: start + rng.random((m, dim)), overlapping(0.2)
    )


def rounded(n: int, scale: float, side: str) -> Point:
    """Return two samples of N(0, scale²), one of them rounded to integers."""

    def draw(of: str) -> Callable[[Any], Any]:
        def sample(rng: Any) -> Any:
            points = rng.normal(0, scale, (n, 1))
            return points.round() if of == side else points

        return sample

    return Point(draw("real"), draw("fake"), overlapping(0))


# ---- checks ----------------------------------------------------------------------------------


def make_checks(n: int, tiny: bool) -> Iterator[Check]:
    """Yield the 15 checks; `n` samples of each set where sizes do not vary."""
    many, fifty, twenty = (3, 5, 4) if tiny else (11, 21, 8)
    middle = many // 2
    sizes = [int(x) for x in np.logspace(2, 2.3 if tiny else 4, twenty)]
    dims = {1: 6.0, 8: 3.0, 64: 1.0}

    ends = (near(0, 0), near(0))
    peak = {"bounds": (near(1, middle), *ends), "purpose": (bell(middle),)}
    means = {
        f"d={d}": [shifted(n, d, x) for x in np.linspace(-most, most, many)]
        for d, most in dims.items()
    }
    yield Check("mean", means, peak, peak)
    outlier = {
        f"{side} outlier, d={d}": [
            shifted(n, d, x, **{side: most}) for x in np.linspace(-most, most, many)
        ]
        for d, most in dims.items()
        for side in ("real", "fake")
    }
    yield Check("mean, outlier", outlier, peak, peak)
    pareto = [shifted(n, 1, x, pareto=True) for x in np.linspace(-6, 6, many)]
    yield Check("mean, Pareto", {"": pareto}, peak, peak)

    spread = {
        f"d={d}": [widened(n, d, s) for s in np.logspace(-most, most, many)]
        for d, most in {1: 3.0, 8: 1.0, 64: 0.5}.items()
    }
    yield Check(
        "standard deviation",
        spread,
        {"bounds": (near(1, middle), near(1, 0), near(0)), "purpose": (falling,)},
        {
            "bounds": (near(1, middle), near(0, 0), low_or_high(-1)),
            "purpose": (either(bell(middle), rising),),
        },
    )

    scales = {1: 1 / 6, 8: 1 / 3, 64: 1.0}
    unchanged = {"bounds": (near(1, 0), near(1)), "purpose": (level,)}
    together = [np.r_[1, np.full(9, 1 - x)] for x in np.linspace(0, 1, fifty)]
    in_turn = [np.r_[np.ones(10 - k), np.zeros(k)] for k in range(10)]
    for name, quantile, steps in (
        ("modes dropped together", 0.95, together),
        ("modes dropped in turn", 0.5, in_turn),
    ):
        series = {
            f"d={d}": [
                mixed(n, np.linspace(0, 10, 10)[:, None] * np.ones(d), scale, np.ones(10), q)
                for q in steps
            ]
            for d, scale in scales.items()
        }
        lost = {"bounds": (near(1, 0),), "purpose": (falling_before(quantile),)}
        yield Check(name, series, unchanged, lost)

    half = np.r_[np.ones(5), np.zeros(5)]
    invented = [mixed(n, MODES, 0.25, half, np.arange(10) < k) for k in range(1, 11)]
    yield Check(
        "modes dropped or invented",
        {"": invented},
        {"bounds": (near(1, 4), near(1, 0)), "purpose": (falling,)},
        {"bounds": (near(1, 4), near(1)), "purpose": (rising,)},
    )

    two = {f"d={d}": [split_in_two(n, d, mu) for mu in np.linspace(0, 5, twenty)] for d in dims}
    identical = {"bounds": (near(1, 0),)}
    yield Check(
        "two modes as one",
        two,
        identical | {"purpose": (falling,)},
        identical | {"purpose": (either(falling, level),)},
    )

    radii = np.linspace(0.1, 1.9, many)
    radii[middle] = 1
    spheres = {
        f"d={d}": [
            Point(sphere(n, d, 1), sphere(n, d, x), overlapping(float(x == 1))) for x in radii
        ]
        for d in (2, 16, 128)
    }
    yield Check("spheres", spheres, peak, peak)

    for name, row, vary in (
        ("cubes, sizes", "data size", True),
        ("cubes, generated", "parameters", False),
    ):
        series = {f"d={d}": [cubes(size if vary else n, size, d) for size in sizes] for d in dims}
        overlap = {row: (settled,), "purpose": (near(0.2),)}
        yield Check(name, series, overlap, overlap)

    apart = {"purpose": (settled,), "bounds": (near(0),)}
    disjoint = {
        name: [Point(real(n), fake(size), overlapping(0)) for size in sizes]
        for name, real, fake in (("real ball", ball, torus), ("real torus", torus, ball))
    }
    yield Check("ball and torus", disjoint, apart, apart)

    scaled = [far_along_one(n, np.array([1.0, x])) for x in np.logspace(-3, 3, twenty)]
    flat = {"invariance": (level,), "bounds": ends}
    yield Check("one dimension scaled", {"": scaled}, flat, flat)
    more = [int(x) for x in np.logspace(0, 1 if tiny else 3, twenty)]
    wide = [far_along_one(n, np.ones(d + 1)) for d in more]
    flat = {"purpose": (level,), "bounds": ends}
    yield Check("one disjoint dimension", {"": wide}, flat, flat)

    for_both = {"purpose": (level,)}
    scales_of = np.logspace(0, 3, twenty)
    rounding = {
        f"{side} rounded": [rounded(n, scale, side) for scale in scales_of]
        for side in ("real", "fake")
    }
    yield Check(
        "rounded",
        rounding,
        for_both
        | {
            "bounds": (
                {"real rounded": near(0, 0), "fake rounded": near(1, 0)},
                {"real rounded": near(0), "fake rounded": near(1)},
            )
        },
        for_both | {"bounds": (low_or_high(0), low_or_high(-1))},
    )
