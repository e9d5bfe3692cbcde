"""Coverage of ±: single numbers, differences of two models, false alarms among equal ones.

Not a paper's: what `PRCurve.interval` and `Comparison.differences` say at a level of 0.95, against
fresh draws.  Of single numbers: how often the true one, of 400 000 samples of each set, is inside,
the mean half width, and beside it that of an oracle: 1.96 standard deviations over the draws, and
the bias.  Three times as many draws as of differences; of "auto" and metrics half.  Scorers
are fixed ones (one axis, of which the populations are known) or "knn" on halves, whose truth is the
difference of the two scorers' own curves on 12 000 fresh samples of each, or 0 for equal models;
of "auto", whose samples all have scorers of their own, and of metrics it is the mean over the
draws.  Of models of P itself, each with samples and a scorer of its own, any pair called clear by
a number is a false alarm.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from bench.papers.experiments import add_draws, draws_of
from bench.results import Figure, Findings

LEVEL, NEAR = 0.95, 0.05  # a share of 100 draws has a standard error of 0.02
KEY = ("scorer", 1)
JUDGED = ("area", "f8", "f1_8")
NUMBERS = (*JUDGED, "total_variation", "fidelity", "diversity")


def _normal(at: float = 0.0, share: float = 0.0, other: float = 0.0) -> Callable[..., Any]:
    """Return a sampler of scores: normal, and with this share another normal at `other`."""

    def sample(rng: Any, size: int) -> Any:
        return rng.standard_normal(size) + at + (other - at) * (rng.random(size) < share)

    return sample


def _discrete(*shares: float) -> Callable[..., Any]:
    return lambda rng, size: rng.choice(len(shares), size, p=shares).astype(float)


class Alone(NamedTuple):
    """Scores of real and of generated samples, and how many there are of each."""

    name: str
    real: Callable[..., Any]
    fake: Callable[..., Any]
    sizes: tuple[tuple[int, int], ...]


SMALL, EVEN, UNEVEN, LARGE = (200, 200), (1000, 1000), (500, 2000), (4000, 4000)
ALONE = (
    Alone("equal", _normal(), _normal(), (EVEN,)),
    Alone("shift 0.5", _normal(), _normal(-0.5), (EVEN,)),
    Alone("shift 1", _normal(), _normal(-1), (SMALL, EVEN, UNEVEN, LARGE)),
    Alone("shift 1.3", _normal(), _normal(-1.3), (EVEN,)),
    Alone("shift 2", _normal(), _normal(-2), (SMALL, EVEN, UNEVEN, LARGE)),
    Alone("shift 3", _normal(), _normal(-3), (EVEN,)),
    Alone("0.3 dropped", _normal(0, 0.3, 6), _normal(), (EVEN, UNEVEN)),
    Alone("0.05 junk", _normal(), _normal(0, 0.05, -6), (EVEN, LARGE)),
    Alone("0.2 junk", _normal(), _normal(0, 0.2, -6), (EVEN, UNEVEN)),
    Alone("0.2 junk near", _normal(), _normal(0, 0.2, -3), (EVEN, UNEVEN)),
    Alone(
        "5 values",
        _discrete(0.1, 0.2, 0.2, 0.3, 0.2),
        _discrete(0.4, 0.3, 0.15, 0.1, 0.05),
        (EVEN,),
    ),
)


class Setting(NamedTuple):
    """Real samples, samples of each model, shift of each model, its scorer."""

    name: str
    real: int
    fake: tuple[int, ...]
    shifts: tuple[float, ...]
    knn: bool


SETTINGS = (
    Setting("one axis, shifts 1 and 1.3", 1000, (1000, 1000), (1.0, 1.3), False),
    Setting("one axis, 500 and 2000", 1000, (500, 2000), (1.0, 1.3), False),
    Setting("knn, equal models", 1000, (1000, 1000), (1.0, 1.0), True),
    Setting("knn, shifts 1 and 1.2", 1000, (1000, 1000), (1.0, 1.2), True),
)
EQUAL = (
    Setting("five of P, an axis each", 1000, (1000,) * 5, (0.0,) * 5, False),
    Setting("five of P, knn each", 1000, (1000,) * 5, (0.0,) * 5, True),
)


KNN = Setting("knn on halves", 1000, (1000,), (1.0,), True)


def add_options(parser: ArgumentParser) -> None:
    add_draws(parser, 100)


def run(options: Namespace) -> Findings:
    draws = draws_of(options)
    judged, rows = [], []
    alone = [*_alone(3 * draws, options.tiny), *_of_knn(3 * draws, options.tiny)]
    for one in SETTINGS:
        small = one._replace(real=60, fake=(60, 50)) if options.tiny else one
        held = {name: _share(values) for name, values in _held(small, draws, options.tiny).items()}
        for name, share in held.items():
            rows.append({"setting": one.name, "number": name, "held": share})
            target: dict[str, float] = {}
            if name in JUDGED:
                target = {"at_least": LEVEL - NEAR, "at_most": LEVEL + NEAR}
            judged.append(Figure(f"{one.name}: {name} holds", share, **target))
    alarms: dict[str, dict[str, list[bool]]] = {}
    for one in EQUAL:
        small = one._replace(real=60, fake=(60,) * 5) if options.tiny else one
        alarms[one.name] = _alarms([list(_differences(_models(small, i)[0])) for i in range(draws)])
    size = 60 if options.tiny else 600
    few = max(2, draws // 2)
    alarms["three of P, auto each"] = _alarms([_of_auto(size, i) for i in range(few)])
    for setting, result in alarms.items():
        for name, values in result.items():
            share = _share(values)
            rows.append({"setting": setting, "number": name, "alarms": share})
            judged.append(Figure(f"{setting}: {name}, false alarms", share, at_most=1 - LEVEL))
    held, of_auto = _about_means(size, few)
    for name, share in held.items():
        rows.append({"setting": "auto and metrics", "number": name, "held": share})
        judged.append(Figure(f"auto and metrics: {name} holds", share))
    for row in (*alone, *of_auto):
        target = {"at_least": 0.9} if row["number"] in JUDGED else {}
        judged.append(Figure(f"{row['setting']}: {row['number']} alone", row["held"], **target))
        rows.append(row)
    notes = [f"{3 * draws} draws of one curve, {draws} of others, {few} of auto and metrics"]
    return Findings({}, judged, notes, rows)


def _alone(draws: int, tiny: bool) -> Iterator[dict[str, Any]]:
    """Yield the rows of each setting of one curve."""
    import numpy as np

    from prfast import PRCurve

    def curve(one: Alone, n: int, m: int, seed: int) -> Any:
        rng = np.random.default_rng([seed, n, m])
        return PRCurve.from_scores(one.real(rng, n), one.fake(rng, m))

    for one in ALONE:
        many = 2000 if tiny else 400_000
        truth = curve(one, many, many, draws)
        true = np.array([number(truth) for _, number in _named()])
        if one.name == "equal":
            true = (true > 0.5).astype(float)
        for n, m in ((40, 50),) if tiny else one.sizes:
            intervals = [_told(curve(one, n, m, i)) for i in range(draws)]
            yield from _rows(f"{one.name}, {n} + {m}", intervals, true)


def _of_knn(draws: int, tiny: bool) -> list[dict[str, Any]]:
    """Return the rows of "knn", fitted on one half; the truth is each fit's own."""
    import numpy as np

    one = Setting("", 60, (60,), (1.0,), True) if tiny else KNN
    drawn = [_models(one, i, 500 if tiny else 12_000) for i in range(draws)]
    intervals = [_told(scores[0].curve()) for scores, _ in drawn]
    true = [[number(truths[0]) for _, number in _named()] for _, truths in drawn]
    return _rows(f"knn, shift 1, {one.real // 2} + {one.real // 2}", intervals, np.array(true))


def _told(curve: Any) -> Any:
    """Return value, low and high of every number."""
    import numpy as np

    from prfast.estimate.intervals import several_intervals

    result = several_intervals(curve, [number for _, number in _named()], LEVEL)
    return np.array([(one.value, one.low, one.high) for one in result])


def _rows(setting: str, intervals: Sequence[Any], true: Any) -> list[dict[str, Any]]:
    """Return how often each number's true value was inside, and how wide the intervals are."""
    import numpy as np

    value, low, high = np.moveaxis(np.array(intervals), 2, 0)
    error = value - true
    near = 1e-9  # the truth may be the end itself, 0 or 1
    held = ((low <= true + near) & (true - near <= high)).mean(axis=0)
    half = np.maximum(high - value, value - low).mean(axis=0)
    oracle = 1.96 * error.std(axis=0, ddof=1) + np.abs(error.mean(axis=0))
    return [
        {"setting": setting, "number": name, "held": a, "half_width": b, "oracle": c}
        for name, a, b, c in zip(
            NUMBERS, held.tolist(), half.tolist(), oracle.tolist(), strict=True
        )
    ]


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values)


def _models(one: Setting, draw: int, beyond: int = 0) -> tuple[list[Any], list[Any]]:
    """Scores of each model, and the curves of its scorer on many fresh samples if wanted."""
    import numpy as np

    from prfast.methods import KNN
    from prfast.methods.base import ExecutionContext, Scores

    rng = np.random.default_rng([draw, one.real])

    def sample(size: int, shift: float) -> Any:
        points = rng.standard_normal((size, 5)).astype(np.float32)
        points[:, 0] += shift
        return points

    real = sample(one.real, 0.0)
    scores, truths = [], []
    for i, (size, shift) in enumerate(zip(one.fake, one.shifts, strict=True)):
        fake = sample(size, shift)
        x, y = real, fake
        axis = i if shift == 0 else 0
        score: Any = lambda points, axis=axis: -points[:, axis]  # noqa: E731
        if one.knn:
            n, m = one.real // 2, size // 2
            fitted = KNN().fit(real[:n], fake[:m], ExecutionContext(n_jobs=1))
            score, x, y = fitted.score, real[n:], fake[m:]
        scores.append(Scores(score(x), score(y), np.arange(len(x)), draw))
        if beyond:
            many = score(sample(beyond, 0.0)), score(sample(beyond, shift))
            truths.append(Scores(*many, np.arange(beyond)).curve())
    return scores, truths


def _differences(scores: Sequence[Any]) -> Any:
    from prfast import Metrics
    from prfast.comparison import Comparison, Evaluation

    models = {
        f"{i}": Evaluation({KEY: one.curve()}, Metrics({}), scores={KEY: one})
        for i, one in enumerate(scores)
    }
    return Comparison(models).differences(LEVEL, numbers=NUMBERS)


def _named() -> Iterator[tuple[str, Any]]:
    from prfast.curve.summary import read_row

    for name in NUMBERS:
        yield name, read_row("number", name)


def _held(one: Setting, draws: int, tiny: bool) -> dict[str, list[bool]]:
    """Return for each number whether the true difference was within the ± in each draw."""
    equal = len(set(one.shifts)) == 1
    held: dict[str, list[bool]] = {name: [] for name, _ in _named()}
    known: list[Any] = []
    if not one.knn:  # the scorer is the same in every draw
        _, known = _models(one, draws, 2000 if tiny else 400_000)
    for draw in range(draws):
        fresh = 0 if equal or known else (500 if tiny else 12_000)
        scores, truths = _models(one, draw, fresh)
        truths = known or truths
        for (name, number), result in zip(_named(), _differences(scores), strict=True):
            true = 0.0 if equal else number(truths[0]) - number(truths[1])
            held[name].append(result.low <= true <= result.high)
    return held


def _alarms(draws: Sequence[Sequence[Any]]) -> dict[str, list[bool]]:
    """Return for each number whether any pair was called clear in each draw."""
    pairs = len(draws[0]) // len(NUMBERS)
    return {
        name: [any(x.clear for x in result[i * pairs : (i + 1) * pairs]) for result in draws]
        for i, name in enumerate(NUMBERS)
    }


def _of_auto(size: int, draw: int) -> list[Any]:
    """Differences of three models of P by the automatic estimator."""
    import numpy as np

    from prfast import Evaluator

    rng = np.random.default_rng([draw, 11])
    real, *fakes = (rng.standard_normal((size, 4)).astype(np.float32) for _ in range(4))
    models = Evaluator(real, which="f1", n_jobs=1).compare(dict(zip("abc", fakes, strict=True)))
    return list(models.differences(LEVEL, numbers=NUMBERS))


def _about_means(size: int, draws: int) -> tuple[dict[str, float], list[dict[str, Any]]]:
    """Return how often the mean difference of two models was within the ±, of "auto" and of
    metrics, and the rows of the single numbers of "auto", whose truth is their mean too."""
    import numpy as np

    from prfast import Evaluator
    from prfast.scalars.table import NAMES

    metrics = NAMES[: NAMES.index("f1") + 1]  # means over samples

    result, alone = [], []
    for draw in range(draws):
        rng = np.random.default_rng([draw, 7])
        real, a, b = (rng.standard_normal((size, 5)).astype(np.float32) for _ in range(3))
        a[:, 0] += 0.5
        b[:, 0] += 0.8
        evaluator = Evaluator(real, which=metrics, halvings=12, n_jobs=1)
        models = evaluator.compare({"a": a, "b": b})
        intervals = models.differences(LEVEL, numbers=(*NUMBERS, *metrics))
        result.append([(one.value, one.half_width) for one in intervals])
        alone.append(_told(models["a"].curve))
    values, widths = np.moveaxis(np.array(result), 2, 0)
    held = (np.abs(values - values.mean(axis=0)) <= widths).mean(axis=0)
    rows = _rows(f"auto, {size} + {size}", alone, np.mean(alone, axis=0)[:, 0])
    return dict(zip((*NUMBERS, *metrics), held.tolist(), strict=True)), rows
