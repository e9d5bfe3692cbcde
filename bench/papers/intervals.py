"""Coverage of the intervals of numbers.

Not a paper's: what `PRCurve.interval` says at a level of 0.95, against fresh draws.  How often the
true number is inside, the mean half width, and beside it that of an oracle: 1.96 standard
deviations over the draws, and the bias.  Scores of one axis have the truth of 400 000 samples of
each set; "knn" on halves that of the fitted scorer on 12 000 fresh samples of each set; "auto" that
of the exact density ratio, which differences that the scorer misses lower; it has a sixth of the
draws.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from bench.papers.experiments import add_draws, draws_of
from bench.report import Figure, Findings
from prfast import PRCurve, pr_curve
from prfast.curve.summary import read_row
from prfast.estimate.intervals import several_intervals
from prfast.methods import KNN
from prfast.methods.base import ExecutionContext

LEVEL = 0.95
JUDGED = ("area", "f8", "f1_8")
NUMBERS = (*JUDGED, "total_variation", "fidelity", "diversity")
READ = [read_row("number", name) for name in NUMBERS]


def _normal(at: float = 0.0, share: float = 0.0, elsewhere: float = 0.0) -> Callable[..., Any]:
    """Return a sampler of scores: normal, of which a share is elsewhere."""

    def sample(rng: Any, size: int) -> Any:
        return rng.standard_normal(size) + at + (elsewhere - at) * (rng.random(size) < share)

    return sample


def _discrete(*shares: float) -> Callable[..., Any]:
    return lambda rng, size: rng.choice(len(shares), size, p=shares).astype(float)


class Alone(NamedTuple):
    """Scores of real and of generated samples, and how many there are of each."""

    name: str
    real: Callable[..., Any]
    fake: Callable[..., Any]
    sizes: tuple[int, ...] = (1000,)


ALONE = (
    Alone("equal", _normal(), _normal()),
    Alone("shift 1", _normal(), _normal(-1), (200, 1000)),
    Alone("0.3 dropped", _normal(0, 0.3, 6), _normal()),
    Alone("0.05 junk", _normal(), _normal(0, 0.05, -6)),
    Alone("5 values", _discrete(0.1, 0.2, 0.2, 0.3, 0.2), _discrete(0.4, 0.3, 0.15, 0.1, 0.05)),
)


class Known(NamedTuple):
    """A pair of distributions with its exact log-ratio."""

    name: str
    size: int
    real: Callable[..., Any]
    fake: Callable[..., Any]
    log_ratio: Callable[[Any], Any]


def _mixture(means: Any, spread: float = 1.0, junk: float = 0.0) -> tuple[Any, Any]:
    """Return a sampler of normal modes of equal shares, and its log-density up to a constant.

    junk: share of a normal of deviation 6 around the mean of all modes.
    """
    from scipy.special import logsumexp

    k, d = means.shape
    center = means.mean(axis=0)

    def sample(rng: Any, n: int) -> Any:
        points = means[rng.integers(0, k, n)] + spread * rng.standard_normal((n, d))
        is_junk = rng.random(n) < junk
        points[is_junk] = center + 6 * rng.standard_normal((int(is_junk.sum()), d))
        return points

    def log_density(x: Any) -> Any:
        squares = ((x[:, None] - means) ** 2).sum(axis=2) / spread**2
        modes = logsumexp(-squares / 2, axis=1) - np.log(k) - d * np.log(spread)
        if not junk:
            return modes
        far = -((x - center) ** 2).sum(axis=1) / 72 - d * np.log(6)
        return np.logaddexp(np.log1p(-junk) + modes, np.log(junk) + far)

    return sample, log_density


def _known() -> Iterator[Known]:
    def of_mixtures(name: str, size: int, real: Any, fake: Any) -> Known:
        (x, p), (y, q) = real, fake
        return Known(name, size, x, y, lambda points: p(points) - q(points))

    rng = np.random.default_rng(5)
    means = rng.standard_normal((5, 8))
    means *= 4.2 / np.linalg.norm(means, axis=1, keepdims=True)
    for size in (100, 200, 400, 1000):
        fake = _mixture(means[1:], junk=0.05)
        yield of_mixtures("0.2 dropped, 0.05 junk", size, _mixture(means), fake)
    means = 2 * rng.standard_normal((10, 10))
    moved = means + 0.6 * rng.standard_normal((10, 10))
    for size in (500, 2000):
        yield of_mixtures("10 modes moved", size, _mixture(means), _mixture(moved))
    means, moves = np.random.default_rng(6).standard_normal((2, 40, 10))
    for step in (0.25, 0.5, 1.0):
        fake = _mixture(3 * means + step * moves)
        yield of_mixtures(f"40 modes moved by {step:g}", 400, _mixture(3 * means), fake)
    origin, axis = np.zeros((1, 5)), np.eye(1, 5)
    yield of_mixtures("shift 1, 5 dimensions", 200, _mixture(origin), _mixture(axis))
    yield of_mixtures("scale 1.3, 5 dimensions", 200, _mixture(origin), _mixture(origin, 1.3))
    p = rng.dirichlet(np.ones(200))
    q = (p + rng.dirichlet(np.ones(200))) / 2
    x, y = (lambda rng, n, p=p: _discrete(*p)(rng, n)[:, None] for p in (p, q))
    for size in (400, 1000):
        yield Known("200 codes", size, x, y, lambda x: np.log(p / q)[x[:, 0].astype(int)])


def _of_known(draws: int, tiny: bool) -> Iterator[dict[str, Any]]:
    """Yield the rows of "auto" where the exact curve is known."""
    for pair in _known():
        rng = np.random.default_rng(draws)
        many, size = (1000, 30) if tiny else (200_000, pair.size)
        scores = (pair.log_ratio(sample(rng, many)) for sample in (pair.real, pair.fake))
        exact = PRCurve.from_scores(*scores)
        intervals = []
        for draw in range(max(draws * 500 // max(size, 500), 2)):
            rng = np.random.default_rng([draw, 11])
            samples = pair.real(rng, size), pair.fake(rng, size)
            intervals.append(_told(pr_curve(*samples, random_state=draw, n_jobs=1)))
        true = np.array([row.value(exact) for row in READ])
        yield from _rows(f"auto, {pair.name}, {size} + {size}", intervals, true)


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 100)


def run(options: Namespace) -> Findings:
    draws, tiny = draws_of(options), options.tiny
    few = max(2, draws // 2)
    rows = [*_alone(3 * draws, tiny), *_of_knn(3 * draws, tiny), *_of_known(few, tiny)]
    judged = []
    for row in rows:
        target = {"at_least": 0.9} if row["number"] in JUDGED else {}
        judged.append(Figure(f"{row['setting']}: {row['number']}", row["held"], **target))
    notes = [f"{3 * draws} draws, {few} of auto"]
    return Findings({}, judged, notes, rows)


def _alone(draws: int, tiny: bool) -> Iterator[dict[str, Any]]:
    """Yield the rows of each setting of one curve."""

    def curve(situation: Alone, n: int, seed: int) -> Any:
        rng = np.random.default_rng([seed, n, n])
        return PRCurve.from_scores(situation.real(rng, n), situation.fake(rng, n))

    for situation in ALONE:
        many = 2000 if tiny else 400_000
        truth = curve(situation, many, draws)
        true = np.array([row.value(truth) for row in READ])
        if situation.name == "equal":
            true = (true > 0.5).astype(float)
        for n in (40,) if tiny else situation.sizes:
            intervals = [_told(curve(situation, n, i)) for i in range(draws)]
            yield from _rows(f"{situation.name}, {n} + {n}", intervals, true)


def _of_knn(draws: int, tiny: bool) -> list[dict[str, Any]]:
    """Return the rows of "knn", fitted on one half; the truth is each fit's own."""
    half, many = (30, 500) if tiny else (500, 12_000)
    intervals, true = [], []
    for draw in range(draws):
        rng = np.random.default_rng([draw, 2 * half])
        sizes = (2 * half, 2 * half, many, many)
        real, fake, *fresh = (rng.standard_normal((n, 5)).astype(np.float32) for n in sizes)
        for generated in (fake, fresh[1]):
            generated[:, 0] += 1
        scorer = KNN().fit(real[:half], fake[:half], ExecutionContext(n_jobs=1))
        intervals.append(_told(PRCurve.from_scores(*map(scorer.score, (real[half:], fake[half:])))))
        truth = PRCurve.from_scores(*map(scorer.score, fresh))
        true.append([row.value(truth) for row in READ])
    return _rows(f"knn, shift 1, {half} + {half}", intervals, np.array(true))


def _told(curve: Any) -> Any:
    """Return value, low and high of every number."""
    result = several_intervals(curve, READ, LEVEL)
    return np.array([(interval.value, interval.low, interval.high) for interval in result])


def _rows(setting: str, intervals: Sequence[Any], true: Any) -> list[dict[str, Any]]:
    """Return how often each number's true value was inside, and how wide the intervals are."""
    value, low, high = np.moveaxis(np.array(intervals), 2, 0)
    error = value - true
    near = 1e-9  # the truth may be the end itself, 0 or 1
    held = ((low <= true + near) & (true - near <= high)).mean(axis=0)
    half = np.maximum(high - value, value - low).mean(axis=0)
    oracle = 1.96 * error.std(axis=0, ddof=1) + np.abs(error.mean(axis=0))
    columns = zip(NUMBERS, held.tolist(), half.tolist(), oracle.tolist(), strict=True)
    return [
        {"setting": setting, "number": name, "held": a, "half_width": b, "oracle": c}
        for name, a, b, c in columns
    ]
