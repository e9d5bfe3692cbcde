"""Order of damages of growing size, and the number that each damage moves.

Damages of real samples: noise, blur, rounding, shift; atypical samples, classes or variety missing;
junk.  Of every series the means of fidelity, diversity, area and 1 − TV over the draws, which share
their rows and their noise.  Three checks of each: the area rises nowhere by more than .02; it
falls with the size (Spearman's correlation); and the damage is seen in its own number: junk takes
more of the fidelity than of the diversity, missing samples more of the diversity, and the largest
noise, blur, rounding and shift at least half of the area and of the fidelity.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bench.auto import damages, lists, sets
from bench.auto.sets import NUMBERS
from bench.report import Figure, Findings, columns, rows_of

RISE = 0.02
CORRELATION = 0.9
HALF = 0.5
SIZE = 1000  # of digits 500


class Series(NamedTuple):
    damage: Callable[[Any], damages.Damage]
    sizes: tuple[Any, ...]
    number: str
    """The number that names the damage; "detail" for area and fidelity both."""


SERIES = {
    "noise": Series(damages.noise, (0.05, 0.1, 0.2, 0.5, 1.0, 2.0), "detail"),
    "blur": Series(damages.blur, (0.1, 0.2, 0.35, 0.5), "detail"),
    "rounding": Series(damages.quantized, (0.1, 0.2, 0.5, 1.0, 2.0), "detail"),
    "shift": Series(damages.shifted, (0.05, 0.1, 0.2, 0.5, 1.0), "detail"),
    "atypical missing": Series(damages.atypical_missing, (0.1, 0.25, 0.5, 0.75), "diversity"),
    "classes missing": Series(damages.classes_missing, (1, 2, 4, 6), "diversity"),
    "repetition": Series(
        lambda times: lambda pool: damages.repeated(pool.n // times)(pool),
        (2, 4, 10, 50),
        "diversity",
    ),
    "junk": Series(damages.junk, (0.05, 0.1, 0.2, 0.5), "fidelity"),
}


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    sets.add_options(parser, default=tuple(sets.SETS))
    text = f"of {', '.join(SERIES)}; all by default"
    add("--damages", type=lists.among(SERIES), default=[*SERIES], metavar="NAME,…", help=text)
    add("--n", type=int, default=SIZE, metavar="N", help=f"samples of each set, {SIZE} by default")
    add("--draws", type=int, default=3, metavar="N", help="draws, 3 by default")


def run(options: Namespace) -> Findings:
    result, notes = sets.real_sets(options)
    rows: list[dict[str, Any]] = []
    outcomes: list[dict[str, Any]] = []
    for real_set in result:
        for name in options.damages:
            series = _series(real_set, name, options)
            rows += series
            outcomes.append(
                {"set": real_set.name, "damage": name} | _checks(series, SERIES[name].number)
            )
    notes.append(columns(rows_of(rows)))
    judged = []
    for real_set in result:
        series = [outcome for outcome in outcomes if outcome["set"] == real_set.name]
        rise = max(outcome["rise"] for outcome in series)
        rho, lead = (min(of[key] for of in series) for key in ("correlation", "lead"))
        judged += [
            Figure(f"{real_set.name}: largest rise of the area", rise, at_most=RISE),
            Figure(f"{real_set.name}: least correlation", rho, at_least=CORRELATION),
            Figure(f"{real_set.name}: least lead of the own number", lead, at_least=0),
        ]
    return Findings({}, judged, notes, outcomes)


def _series(real_set: sets.RealSet, name: str, options: Namespace) -> list[dict[str, Any]]:
    """Return the means of the numbers at every size, and at 0, other samples."""
    series = SERIES[name]
    sizes = series.sizes[-1:] if options.tiny else series.sizes
    n = 60 if options.tiny else min(options.n, len(real_set.features) // 3)
    rows = []
    for size in (0, *sizes):
        damage = series.damage(size) if size else damages.others
        draws = 1 if options.tiny else options.draws
        drawn = [_numbers(real_set, damage, n, seed) for seed in range(draws)]
        row = {"set": real_set.name, "damage": name, "size": size, "n": n}
        row |= dict(zip(NUMBERS, np.mean(drawn, axis=0).tolist(), strict=True))
        rows.append(row)
        print(row, flush=True)
    return rows


def _numbers(real_set: sets.RealSet, damage: damages.Damage, n: int, seed: int) -> list[float]:
    real, fake = damage(damages.pool_of(real_set, n, seed))
    return sets.curve_of(real_set.store(real), real_set.store(fake))[1]


def _checks(rows: list[dict[str, Any]], number: str) -> dict[str, Any]:
    """Return the largest rise of the area, its correlation with the size, and the lead of the
    number.

    Areas are rounded to .01 for the correlation, and equal ones taken as in order, as an area of 0
    can fall no further; it is 0 where all areas are equal.
    """
    from scipy.stats import spearmanr

    area = np.array([row["area"] for row in rows])
    rise = float(np.max(area - np.minimum.accumulate(area)))
    rounded = area.round(2)
    ranks = np.lexsort((range(len(area)), -rounded))  # of a permutation and its inverse, rho is one
    rho = spearmanr(ranks, range(len(area))).statistic if np.ptp(rounded) else 0.0
    last, falls = rows[-1], {key: [1 - row[key] for row in rows[1:]] for key in NUMBERS}
    if number == "detail":
        lead = HALF - max(last["area"], last["fidelity"])
    else:
        second = "fidelity" if number == "diversity" else "diversity"
        lead = float(np.mean(falls[number]) - np.mean(falls[second]))
    met = rise <= RISE and rho >= CORRELATION and lead >= 0
    return {"rise": rise, "correlation": float(rho), "lead": lead, "met": bool(met)}
