"""Profiles of damaged real samples: which damages vanish at coarse resolutions, and which remain.

Features of images, embeddings of sentences, and two tables with a code of 0 and 1 for each level
of a category.  Every damage changes one of two disjoint halves of a set.  Checked in every draw:
series of growing damages are in order by the summary numbers, and classes that are missing and
junk keep their area from resolution 0 to 0.8.  Beside each profile stand the published metrics of
the same samples: whether they order the series, and whether a threshold on them separates the
damages of detail from those of mass (the area under the ROC curve; 1 or 0 is a clean separation).

    python -m bench profiles --sets images,text,Computers,HI --text FILE.npz
"""

import itertools
import warnings
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import prfast
from bench.auto import damages, sets
from bench.auto.damages import Damage, Pair, Pool
from bench.report import Figure, Findings, columns
from bench.tables import sources

TABLES = ("Computers", "HI")
SETS = ("images", "text", *TABLES)
SIZE = 1000
STEADY = 0.03  # change of the area of a damage of mass, up to resolution 0.8
METRICS = ("frechet_distance", "kernel_distance", "precision", "recall", "density", "coverage")


class Case(NamedTuple):
    damage: Damage
    series: str = ""
    """The series of growing damages that it is one of."""
    kind: str = ""
    """"detail" or "mass", where the damage is clearly one of them."""


def table_noise(share: float) -> Damage:
    """Noise of a share of the deviation of each number; as large a share of categories drawn from
    their column."""

    def pair(pool: Pool) -> Pair:
        second, of = pool.other.copy(), pool.of
        groups = GROUPS[of.name]
        numbers = second.shape[1] - sum(map(len, groups))
        second[:, :numbers] += (share * pool.normal())[:, :numbers]
        for group in groups:
            rows = np.flatnonzero(pool.rng.random(len(second)) < share)
            second[np.ix_(rows, group)] = second[np.ix_(pool.rng.permutation(rows), group)]
        return pool.real, second

    return pair


def cases_of(name: str) -> dict[str, Case]:
    noise: Callable[[float], Damage] = table_noise if name in TABLES else damages.noise
    return {
        "other samples": Case(damages.others),
        "2 classes missing": Case(damages.classes_missing(2), "missing", "mass"),
        "4 classes missing": Case(damages.classes_missing(4), "missing", "mass"),
        "one class only": Case(damages.one_class, "missing", "mass"),
        "10 % junk": Case(damages.junk(0.1), "junk", "mass"),
        "20 % junk": Case(damages.junk(0.2), "junk", "mass"),
        "noise of .1 sd": Case(noise(0.1), "noise", "detail"),
        "noise of .2 sd": Case(noise(0.2), "noise", "detail"),
        "noise of .5 sd": Case(noise(0.5), "noise", "detail"),
        "noise of 1 sd": Case(noise(1.0), "noise"),
        "blur 20 %": Case(damages.blur(0.2), "blur", "detail"),
        "blur 50 %": Case(damages.blur(0.5), "blur", "detail"),
        "+ .1 sd": Case(damages.shifted(0.1)),
        "+ .001": Case(damages.moved, "", "detail"),
        "noise of 1e-6": Case(damages.tiny_noise, "", "detail"),
        "same mean and covariance": Case(damages.gaussian),
        "100 repeated": Case(damages.repeated(100)),
        "columns shuffled": Case(damages.shuffled),
    }


UNSTORED = ("+ .001", "noise of 1e-6")
GROUPS: dict[str, list[list[int]]] = {}  # columns of each category of a table


def add_options(parser: ArgumentParser) -> None:
    sets.add_options(parser, default=SETS)
    add = parser.add_argument
    add("--n", type=int, default=SIZE, metavar="N", help=f"samples of each set, {SIZE} by default")
    add("--draws", type=int, default=5, metavar="N", help="draws, 5 by default")


def run(options: Namespace) -> Findings:
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    for real_set in real_sets(options, notes):
        measured = [
            row for name in cases_of(real_set.name) for row in measure(real_set, name, options)
        ]
        rows += measured
        notes += [f"\n{real_set.name}: {real_set.features.shape[1]} columns", table(measured)]
    notes += ["", peers(rows)]
    figures = [
        Figure("draws in which a series is out of order", disorder(rows), at_most=0),
        Figure("largest change of missing classes and junk", unsteady(rows), at_most=STEADY),
    ]
    return Findings({}, figures, notes, rows)


def real_sets(options: Namespace, notes: list[str]) -> list[sets.RealSet]:
    chosen, options.sets = options.sets, [s for s in options.sets if s not in TABLES]
    found, missing = sets.real_sets(options)
    notes += missing
    for name in TABLES:
        if name in chosen and not options.tiny:
            try:
                found.append(table_set(name))
            except sources.Missing as error:
                notes.append(f"{name}: skipped; {error}")
    return found


def table_set(name: str) -> sets.RealSet:
    """Return the complete rows of a table: its numbers, then columns of 0 and 1 for each level.

    Numbers with two values are categories; the first two categories are the label.
    """
    import pandas as pd

    frame = sources.load(name).dropna()
    is_number = {of: pd.api.types.is_numeric_dtype(frame[of]) for of in frame}
    numbers = [of for of in frame if is_number[of] and frame[of].nunique() > 2]
    categories = [of for of in frame if of not in numbers]
    levels = [pd.get_dummies(frame[of]).to_numpy() for of in categories]
    ends = np.cumsum([len(numbers), *(codes.shape[1] for codes in levels)])
    GROUPS[name] = [[*range(start, end)] for start, end in itertools.pairwise(ends)]
    features = np.hstack([frame[numbers].to_numpy(), *levels]).astype(np.float32)
    labels = frame.groupby(categories[:2]).ngroup().to_numpy()
    return sets.RealSet(name, features, labels, lambda rows: rows)


def measure(real_set: sets.RealSet, name: str, options: Namespace) -> list[dict[str, Any]]:
    """Return a row for each draw of a damage."""
    case = cases_of(real_set.name)[name]
    noise = prfast.methods.Noise(categories=list(map(tuple, GROUPS.get(real_set.name, []))))
    n = 60 if options.tiny else min(options.n, len(real_set.features) // 2)
    rows = []
    for seed in range(1 if options.tiny else options.draws):
        try:
            real, fake = case.damage(damages.pool_of(real_set, n, seed))
        except IndexError:  # not so many classes
            return []
        if name not in UNSTORED:
            real, fake = real_set.store(real), real_set.store(fake)
        real, fake = real.astype(np.float32), fake.astype(np.float32)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sigmas = [0, 0.2, 0.8] if options.tiny else "auto"
            profile = prfast.profile(real, fake, sigmas, noise=noise, random_state=seed)
            metrics = prfast.metrics(real, fake, which=METRICS)
        row: dict[str, Any] = {"set": real_set.name, "damage": name, "seed": seed, "n": len(fake)}
        row |= {"series": case.series, "kind": case.kind, "rows": profile.rows()}
        row["summary"] = profile.to_dict()["summary"]  # ∞ as "inf"
        row |= {"said": profile.sentences(), "metrics": dict(metrics)}
        rows.append(row)
        print(f"{real_set.name} {seed} {name}: {profile!r} {row['said']}", flush=True)
    return rows


# ---- tables and checks ---------------------------------------------------------------------------


def table(rows: list[dict[str, Any]]) -> str:
    """Return the means over the draws: fidelity / diversity / area at each resolution, and the
    medians of the summary numbers and of their intervals."""
    lines = []
    for name in dict.fromkeys(row["damage"] for row in rows):
        selected = [row for row in rows if row["damage"] == name]
        keys = ("fidelity", "diversity", "area")
        cells = []
        for i in range(len(selected[0]["rows"])):
            means = (np.mean([row["rows"][i][key] for row in selected]) for key in keys)
            cells.append("/".join(f"{x:.2f}" for x in means))
        for key in selected[0]["summary"]:
            value, low, high = (
                np.median([float(row["summary"][key][end]) for row in selected])
                for end in ("value", "low", "high")
            )
            cells.append(f"{value:.2f} ({low:.2f}, {high:.2f})")
        lines.append((name, *cells))
    sigmas = [f"{row['resolution']:g}" for row in rows[0]["rows"]] if rows else []
    return columns([("damage", *sigmas, "half", "matching", "coarse"), *lines])


def values_of(row: dict[str, Any]) -> tuple[float, ...]:
    """Return the summary numbers of a profile, larger where the damage is larger."""
    numbers = row["summary"]
    return (
        float(numbers["half_resolution"]["value"]),
        float(numbers["matching_resolution"]["value"]),
        -numbers["coarse_area"]["value"],
    )


def in_order(row: dict[str, Any], worse: dict[str, Any], tolerance: float = 0.01) -> bool:
    """Return whether no summary number says that the larger damage is the smaller one, and one
    says that it is larger."""
    pairs = [*zip(values_of(row), values_of(worse), strict=True)]
    never = all(b >= a - tolerance or a == b for a, b in pairs)
    return never and any(b > a for a, b in pairs)


def series_of(rows: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the rows of each series and draw, by growing damage."""
    keys = dict.fromkeys((r["set"], r["series"], r["seed"]) for r in rows if r["series"])
    return [[r for r in rows if (r["set"], r["series"], r["seed"]) == key] for key in keys]


def disorder(rows: list[dict[str, Any]]) -> int:
    """Return in how many draws of a series a damage is not larger than the one before."""
    broken = 0
    for series in series_of(rows):
        pairs = [*itertools.pairwise(series)]
        wrong = [f"{a['damage']} – {b['damage']}" for a, b in pairs if not in_order(a, b)]
        if wrong:
            print(f"out of order: {series[0]['set']}, draw {series[0]['seed']}: {', '.join(wrong)}")
        broken += bool(wrong)
    return broken


def unsteady(rows: list[dict[str, Any]]) -> float:
    """Return the largest change of the area up to resolution 0.8 of a damage of mass, the mean over
    the draws."""
    changes = [0.0]
    for key in dict.fromkeys((r["set"], r["damage"]) for r in rows if r["kind"] == "mass"):
        selected = [r for r in rows if (r["set"], r["damage"]) == key]
        areas = [
            [level["area"] for level in r["rows"] if level["resolution"] <= 0.8] for r in selected
        ]
        changes.append(float(np.mean([max(draw_areas) - min(draw_areas) for draw_areas in areas])))
        if changes[-1] > STEADY:
            print(f"changes: {key}: {changes[-1]:.3f}")
    return max(changes)


def peers(rows: list[dict[str, Any]]) -> str:
    """Return for the profile and each published metric the share of series in order, and how well
    one threshold separates detail from mass."""
    from sklearn.metrics import roc_auc_score

    judged = [row for row in rows if row["kind"]]
    is_mass = [row["kind"] == "mass" for row in judged]
    every = series_of(rows)
    lines = []
    for name in ("profile", *METRICS):
        sign = -1.0 if name in ("frechet_distance", "kernel_distance") else 1.0

        def better(row: dict[str, Any], name: str = name, sign: float = sign) -> float:
            if name == "profile":
                return float(row["rows"][0]["area"] - row["rows"][-2]["area"])
            return sign * float(row["metrics"][name])

        ordered = []
        for outcomes in every:
            pairs = itertools.pairwise(outcomes)
            if name == "profile":
                ordered.append(all(in_order(a, b) for a, b in pairs))
            else:
                ordered.append(all(better(a) > better(b) for a, b in pairs))
        separates = "–"
        if len(set(is_mass)) == 2:
            separates = f"{roc_auc_score(is_mass, [better(row) for row in judged]):.2f}"
        lines.append((name, f"{np.mean(ordered):.2f}" if ordered else "–", separates))
    return columns([("number", "series in order", "detail against mass"), *lines])
