"""Changes that should leave the area of auto as it is: orders, units, seeds, idle columns.

Of each family samples are drawn once a draw, and their area is measured before and after a change
of both sets, or of one value of the real set.  Shown are the mean and the largest change of the
area over the draws; of another seed also its share of the half width of the 95 % interval.  Columns
of noise leave the truth as it is, but make it harder to find.
"""

from __future__ import annotations

import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bench.auto import damages, lists, sets
from bench.results import Figure, Findings, columns

SIZE = 1000
Pair = tuple[Any, Any]


class Change(NamedTuple):
    apply: Callable[[Any, Any, Any], Pair]
    """Of the real set, the generated one, and a random generator."""
    at_most: float
    """The mean change of the area of a family that is allowed."""
    seed: int | None = None


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    sets.add_options(parser, default=("images",))
    add("--families", type=lists.names, metavar="NAME,…", help=f"of {', '.join(FAMILIES)}, images")
    add(
        "--changes",
        type=lists.names,
        metavar="TEXT,…",
        default=[""],
        help="changes with such a name",
    )
    add("--n", type=int, default=SIZE, metavar="N", help=f"samples of each set, {SIZE} by default")
    add("--draws", type=int, default=5, metavar="N", help="draws, 5 by default")
    add("--method", default="auto", metavar="NAME", help="any method of pr_curve")


def run(options: Namespace) -> Findings:
    result, notes = sets.real_sets(options)
    families = dict(FAMILIES)
    for one in result:
        families[one.name] = _of_set(one)
    names = list(families) if options.families is None else options.families
    for name in names:
        if name not in families:
            known = ", ".join(families)
            raise SystemExit(f"invariances: --families: one of {known} expected, got {name!r}")
    changes = {
        name: change
        for name, change in CHANGES.items()
        if any(text in name for text in options.changes)
    }
    if options.tiny:
        names, changes = names[:2], dict([*changes.items()][:3])
    rows = [row for name in names for row in _measure(name, families[name], changes, options)]
    judged = [
        Figure(f"{name}: largest mean change of a family", _largest(rows, name), at_most=c.at_most)
        for name, c in changes.items()
    ]
    head = ("change", *names)
    table = [
        (name, *(_cell(row) for row in rows if row["change"] == name))
        for name in ("area", *changes)
    ]
    notes += [columns([head, *table]), "Mean (largest) change of the area; !: no area"]
    seeds = [row for row in rows if "of_half_width" in row]
    notes += [f"{r['family']}: {r['change']}: {r['of_half_width']:.2f} of the ±" for r in seeds]
    notes += [f"{r['family']}: {r['change']}: {r['error']}" for r in rows if r.get("error")]
    return Findings({}, judged, notes, rows)


def _largest(rows: list[dict[str, Any]], change: str) -> float:
    """1, the largest that there is, where an area is missing."""
    own = [row for row in rows if row["change"] == change]
    return 1.0 if any(row["error"] for row in own) else max(row["mean"] for row in own)


def _measure(
    name: str, draw: Callable[[Any, int], Pair], changes: dict[str, Change], options: Namespace
) -> list[dict[str, Any]]:
    n = 60 if options.tiny else options.n
    moved: dict[str, list[float]] = {change: [] for change in changes}
    errors: dict[str, str] = {}
    areas, widths = [], []
    for seed in range(1 if options.tiny else options.draws):
        real, fake = draw(np.random.default_rng(seed), n)
        before = _curve(real, fake, options.method, None)
        areas.append(before.area)
        widths.append(before.interval("area").half_width)
        for key, change in changes.items():
            changed = change.apply(real, fake, np.random.default_rng([seed, 1]))
            try:
                after = _curve(*changed, options.method, change.seed)
                moved[key].append(abs(after.area - before.area))
            except Exception as error:  # any that a method ends with is a finding
                errors[key] = f"{type(error).__name__}: {error}"
    rows = [_row(name, "area", areas, "")]
    for key, of in moved.items():
        row = _row(name, key, of, errors.get(key, ""))
        if changes[key].seed is not None and np.mean(widths) > 0:
            row["of_half_width"] = float(np.mean(of) / np.mean(widths))
        rows.append(row)
    print(f"{name}: " + "; ".join(f"{row['change']} {_cell(row)}" for row in rows), flush=True)
    return rows


def _curve(real: Any, fake: Any, method: str, seed: int | None) -> Any:
    import prfast

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return prfast.pr_curve(real, fake, method, random_state=seed or 0)


def _row(family: str, change: str, values: list[float], error: str) -> dict[str, Any]:
    mean, largest = (float(np.mean(values)), max(values)) if values else (None, None)
    return {"family": family, "change": change, "mean": mean, "max": largest, "error": error}


def _cell(row: dict[str, Any]) -> str:
    return "!" if row["error"] else f"{row['mean']:.3f} ({row['max']:.3f})"


# ---- families --------------------------------------------------------------------------------


def normal(rng: Any, n: int) -> Pair:
    """Return two normal distributions in 8 dimensions, at distance 1."""
    real, fake = rng.standard_normal((2, n, 8))
    fake[:, 0] += 1
    return real, fake


def equal(rng: Any, n: int) -> Pair:
    return tuple(rng.standard_normal((2, n, 16)))


def mixture(rng: Any, n: int) -> Pair:
    """Eight modes in 4 dimensions; the generated samples have five of them."""
    means = 3 * np.random.default_rng(0).standard_normal((8, 4))
    parts = rng.integers(8, size=n), rng.integers(5, size=n)
    return tuple(means[of] + rng.standard_normal((n, 4)) for of in parts)


def integers(rng: Any, n: int) -> Pair:
    """Counts in 10 columns with a common rate; those of the generated samples are independent."""
    rates = 3 * rng.gamma(2, 0.5, size=(2, n, 1)) * np.ones(10)
    rates[1] = rng.permuted(rates[1], axis=0) * 0.5 + rates[1] * 0.5
    return tuple(rng.poisson(rates).astype(np.float64))


def skewed(rng: Any, n: int) -> Pair:
    """Lognormal values in 6 columns, of the generated samples with larger logarithms in two."""
    real, fake = rng.standard_normal((2, n, 6))
    fake[:, :2] += 0.5
    return np.exp(1.5 * real), np.exp(1.5 * fake)


def _of_set(one: sets.RealSet) -> Callable[[Any, int], Pair]:
    """Real samples against others without four classes."""

    def draw(rng: Any, n: int) -> Pair:
        pool = damages.Pool(one, n, rng, rng.permutation(len(one.features)))
        real, fake = damages.classes_missing(4)(pool)
        return real.astype(np.float64), fake.astype(np.float64)

    return draw


FAMILIES: dict[str, Callable[[Any, int], Pair]] = {
    "normal": normal,
    "equal": equal,
    "mixture": mixture,
    "integers": integers,
    "skewed": skewed,
}


# ---- changes ---------------------------------------------------------------------------------


def of_columns(scale: Callable[[Any, int], Any], move: float = 0) -> Callable[..., Pair]:
    """Every column times a factor, and plus up to `move` of its own deviations."""

    def apply(real: Any, fake: Any, rng: Any) -> Pair:
        dim = real.shape[1]
        factors, moves = scale(rng, dim), move * real.std(axis=0) * rng.uniform(-1, 1, dim)
        return factors * (real + moves), factors * (fake + moves)

    return apply


def mixed_units(rng: Any, dim: int) -> Any:
    return np.where(np.arange(dim) % 2, 1e8, 1e-8)


def signed(rng: Any, dim: int) -> Any:
    return rng.choice([-1, 1], dim) * np.exp(rng.uniform(-2, 2, dim))


def with_columns(more: Callable[[Any, Any], Any]) -> Callable[..., Pair]:
    """Columns beside those of each set, made of it."""
    return lambda real, fake, rng: tuple(
        np.concatenate([one, more(one, rng)], axis=1) for one in (real, fake)
    )


def noise_columns(number: int) -> Callable[..., Pair]:
    return with_columns(lambda one, rng: rng.standard_normal((len(one), number)))


def huge(value: float) -> Callable[..., Pair]:
    """One value of the real set."""

    def apply(real: Any, fake: Any, rng: Any) -> Pair:
        real = real.copy()
        real[0, 0] = value
        return real, fake

    return apply


CHANGES = {
    "order": Change(lambda x, y, rng: (rng.permutation(x), rng.permutation(y)), 0.02),
    "sets swapped": Change(lambda x, y, rng: (y, x), 0.02),
    "seed": Change(lambda x, y, rng: (x, y), 0.02, seed=1),
    "float32": Change(lambda x, y, rng: (x.astype(np.float32), y.astype(np.float32)), 0.01),
    "× 1e-8": Change(lambda x, y, rng: (1e-8 * x, 1e-8 * y), 0.01),
    "× 1e8": Change(lambda x, y, rng: (1e8 * x, 1e8 * y), 0.01),
    "units of 1e-8 and 1e8": Change(of_columns(mixed_units), 0.02),
    "columns moved and scaled": Change(of_columns(signed, 3), 0.02),
    "constant column": Change(with_columns(lambda one, rng: np.full((len(one), 1), 7.0)), 0.01),
    "sum of the columns": Change(with_columns(lambda one, rng: one.sum(axis=1)[:, None]), 0.02),
    "20 columns of noise": Change(noise_columns(20), 0.05),
    "100 columns of noise": Change(noise_columns(100), 0.1),
    "one value 1e6": Change(huge(1e6), 0.02),
    "one value 1e30": Change(huge(1e30), 0.02),
    "one value 1e200": Change(huge(1e200), 0.02),
}
