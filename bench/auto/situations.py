"""Situations that users have, on real samples: the numbers, the notes, and what they should be.

Every situation changes one of two disjoint halves of a real set.  `met` judges the means of the
numbers, and `said` looks for words in what `print(curve)` and `curve.explain()` say of the first
draw.  Targets of noise and blur are
those of features of images, set at 2000 samples; other sets are not judged by them.

    python -m bench situations --sets images --sizes 2000
    python -m bench situations --only noise,blur --draws 2
"""

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bench.auto import damages, lists, sets
from bench.auto.damages import Pair, Pool
from bench.auto.sets import NUMBERS
from bench.report import Figure, Findings

SIZES = {"digits": (500, 850)}
MOST_SIZES = (500, 2000, 4800)


Target = dict[str, tuple[float, float]]  # {number: (least, most)}


class Situation(NamedTuple):
    name: str
    pair: Callable[[Pool], Pair]
    target: Target | None = None
    """Bounds of the means, of every set."""
    images: Target | None = None
    """Bounds that hold for features of images alone."""
    words: str = ""
    """A regular expression that what is said of the curve must match."""
    stored: bool = True
    """Whether the generated samples are stored as real ones are."""


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    sets.add_options(parser)
    add(
        "--only",
        type=lists.names,
        default=[""],
        metavar="TEXT,…",
        help="situations with such a name",
    )
    text = "samples of each set; 500,2000,4800 by default, of digits 500,850"
    add("--sizes", type=lists.numbers, metavar="N,…", help=text)
    add("--draws", type=int, default=5, metavar="N", help="draws, 5 by default")


def run(options: Namespace) -> Findings:
    results, notes = sets.real_sets(options)
    rows: list[dict[str, Any]] = []
    judged: list[Figure] = []
    for result in results:
        selected = [
            _measure(result, s, n, options) for n in _sizes(result, options) for s in _some(options)
        ]
        rows += selected
        for n in sorted({row["n"] for row in selected}):
            missed = [row["situation"] for row in selected if row["n"] == n and row["met"] is False]
            text = f"{result.name}, n = {n}: targets missed"
            judged.append(Figure(text, len(missed), at_most=0))
    for row in rows:
        if caution := row.pop("caution"):
            notes.append(f"{row['set']}, {row['situation']}, {row['n']}: {caution}")
    return Findings({}, judged, notes, rows)


def draw(of: sets.RealSet, situation: Situation, n: int, seed: int) -> Pair:
    """Both samples of a situation; the rows are those of every other situation of the seed."""
    real, fake = situation.pair(damages.pool_of(of, n, seed))
    if situation.stored:
        real, fake = of.store(real), of.store(fake)
    return real.astype(np.float32), fake.astype(np.float32)


def _sizes(real_set: sets.RealSet, options: Namespace) -> list[int]:
    if options.tiny:
        return [60]
    half = len(real_set.features) // 2
    return [n for n in options.sizes or SIZES.get(real_set.name, MOST_SIZES) if n <= half]


def _some(options: Namespace) -> list[Situation]:
    results = [s for s in SITUATIONS if any(text in s.name for text in options.only)]
    return results[:3] if options.tiny else results


def _measure(
    real_set: sets.RealSet, situation: Situation, n: int, options: Namespace
) -> dict[str, Any]:
    """Return the means and deviations of the numbers over the draws, and what is said of the
    first."""
    values, text, caution = [], "", ""
    for seed in range(1 if options.tiny else options.draws):
        real, fake = draw(real_set, situation, n, seed)
        curve, numbers_of_draw = sets.curve_of(real, fake)
        values.append(numbers_of_draw)
        if seed == 0:
            text = " ".join(f"{curve} {curve.explain()}".split())  # lines are wrapped
            caution = str(curve.info.get("caution", ""))
    mean, sd = np.mean(values, axis=0), np.std(values, axis=0)
    row: dict[str, Any] = {"set": real_set.name, "situation": situation.name, "n": n}
    row |= {name: float(x) for name, x in zip(NUMBERS, mean, strict=True)}
    row |= {f"{name}_error": float(x) for name, x in zip(NUMBERS, sd, strict=True)}
    target = dict(situation.target or {})
    if real_set.name == "images":
        target |= situation.images or {}
    row["met"] = all(a <= row[key] <= b for key, (a, b) in target.items()) if target else None
    row["said"] = bool(re.search(situation.words, text)) if situation.words else None
    row["caution"] = caution
    numbers = "  ".join(f"{key} {row[key]:.3f}" for key in NUMBERS)
    print(f"{real_set.name} {n} {situation.name}: {numbers}", flush=True)
    return row


# ---- the table -------------------------------------------------------------------------------


LOW = (0.0, 0.1)
ALL = (0.95, 1.0)
TENTH = (0.85, 0.97)
ARTIFACT = "(?is)caution.*(rounding|preprocess|artifact)"

SITUATIONS = [
    Situation(
        "other samples", damages.others, {"fidelity": ALL, "diversity": ALL, "area": (0.98, 1)}
    ),
    Situation(
        "classes missing",
        damages.classes_missing(4),
        {"fidelity": ALL, "diversity": (0, 0.95)},
        {"area": (0.75, 0.88)},
        words="(?is)upper limit.*missed most",
    ),
    Situation("noise .5 sd", damages.noise(0.5), images={"area": (0, 0.05)}),
    Situation("noise .2 sd", damages.noise(0.2), images={"area": LOW}),
    Situation("noise .1 sd", damages.noise(0.1), images={"area": (0, 0.75)}),
    Situation("blur 50 %", damages.blur(0.5), images={"area": (0, 0.05)}),
    Situation("blur 20 %", damages.blur(0.2), images={"area": (0, 0.3)}),
    Situation("+ .001", damages.moved, words=ARTIFACT, stored=False),
    Situation("noise of 1e-6", damages.tiny_noise, words=ARTIFACT, stored=False),
    Situation("+ .02 sd", damages.shifted(0.02), words=ARTIFACT, stored=False),
    Situation(
        "100 repeated",
        damages.repeated(100),
        {"fidelity": (0.9, 1), "diversity": (0, 0.3)},
        words="(?i)100 .*distinct|distinct.* 100",
    ),
    Situation(
        "n/2 each twice",
        damages.repeated(None),
        {"fidelity": (0.9, 1), "diversity": (0.4, 0.6)},
        words="(?i)distinct|twice|repeat",
    ),
    Situation("training samples copied", damages.copied, words="(?i)cop(y|ies|ied)|equal to a"),
    Situation("10 % junk", damages.junk(0.1), {"fidelity": TENTH, "diversity": ALL, "area": TENTH}),
    Situation(
        "real set with 10 % junk",
        lambda pool: (damages.with_junk(pool, pool.real), pool.other),
        {"fidelity": ALL, "diversity": TENTH, "area": TENTH},
    ),
    Situation("n against 300", damages.fewer(None, 300), {"area": ALL}),
    Situation("200 against 200", damages.fewer(200, 200), {"area": ALL}, words="200 real"),
]
