"""The test of copies: level and power, beside the binomial test of the share of nearest rows.

The binomial test asks whether more generated samples are nearer to a training than to a held-out
sample than their sizes let expect, as if generated samples were independent given both sets.

    python -m bench copied
"""

from argparse import ArgumentParser, Namespace
from typing import Any

import numpy as np

import prfast
from bench.report import Figure, Findings

SETS = ("normal, d = 2", "normal, d = 16", "normal, d = 128", "integers, d = 4")
COPIES = (0.0, 0.1, 0.5)
SIZES = (400, 200, 300)  # training, held-out and generated samples
NOISE = 0.05  # standard deviations, added to a copy
HEAD = ("test", "binomial", "estimate", "at least", "covered")


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--draws", type=int, default=200, metavar="N", help="200 by default")


def run(options: Namespace) -> Findings:
    number = 3 if options.tiny else options.draws
    rows, figures, every = [], [], []
    for name in SETS:
        for share in COPIES:
            draws = np.array([measure(name, share, seed) for seed in range(number)])
            test, *_, covered = means = draws.mean(axis=0)
            numbers = dict(zip(HEAD, means.tolist(), strict=True))
            rows.append({"set": name, "copied": share} | numbers)
            every.append(covered)
            if share == 0:
                error = 2 * np.sqrt(0.05 * 0.95 / number)
                figures.append(Figure(f"level, {name}", test, at_most=0.05 + error))
    figures.append(
        Figure("coverage of the lower bound of copies", float(np.mean(every)), at_least=0.93)
    )
    return Findings({}, figures, [], rows)


def measure(name: str, share: float, seed: int) -> tuple[float, ...]:
    """Return whether both tests reject at .05, the estimate, the lower bound, and whether it
    holds."""
    from scipy.stats import binomtest

    rng = np.random.default_rng(seed)
    train, held_out, fake = (draw(name, n, rng) for n in SIZES)
    copied = round(share * len(fake))
    noise = 0.0 if name.startswith("integers") else NOISE * rng.normal(size=(copied, fake.shape[1]))
    fake[:copied] = train[rng.integers(0, len(train), copied)] + noise
    result = prfast.copies(train, held_out, rng.permutation(fake), random_state=seed)
    a, b = result.distance_to_train, result.distance_to_held_out
    nearer = round((a < b).sum() + 0.5 * (a == b).sum())
    binomial = binomtest(nearer, len(fake), result.expected, alternative="greater").pvalue
    low = result.at_least()
    return result.p_value < 0.05, binomial < 0.05, result.copied, low, low <= share


def draw(name: str, n: int, rng: Any) -> Any:
    d = int(name.rpartition(" ")[2])
    if name.startswith("integers"):
        return rng.integers(0, 4, (n, d)).astype(np.float64)
    return rng.normal(size=(n, d))
