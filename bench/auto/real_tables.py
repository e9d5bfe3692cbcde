"""Real tables: the area of auto beside that of a cross-fitted boosted tree and k-NN precision.

Real rows against held-out rows, held-out rows with noise, rows of a Gaussian copula, and held-out
rows whose columns are shuffled.  auto and the precision read numbers as normal scores of their
pooled ranks and categories as columns of 0 and 1; the tree reads numbers as they are.  Its curve is
that of the out-of-fold log-odds of 10 stratified folds, and so is its area an upper limit up to
noise.  auto passes where its area of held-out rows is at least .99 and that of every other pair at
most the tree's + .02.
"""

from __future__ import annotations

import warnings
from argparse import ArgumentParser, Namespace
from typing import Any

import numpy as np

from bench.auto import frames, lists
from bench.results import Figure, Findings, columns

FOLDS = 10
MARGIN = 0.02
EQUAL = 0.99
HEAD = (
    "table",
    "n",
    "columns",
    "pair",
    "area",
    "fidelity",
    "diversity",
    "tree",
    "precision",
    "met",
)


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    tables, kinds = ", ".join(frames.TABLES), ", ".join(frames.PAIRS)
    add("--tables", type=lists.names, metavar="NAME,…", help=f"of {tables}; all by default")
    add("--pairs", type=lists.names, metavar="NAME,…", help=f"of {kinds}; all by default")
    add("--draws", type=int, default=3, metavar="N", help="draws, 3 by default")
    add("--rows", type=int, default=6000, metavar="N", help="rows of each table at most, 6000")
    add("--method", default="auto", metavar="NAME", help="any method of pr_curve")


def run(options: Namespace) -> Findings:
    tables = _known("--tables", options.tables, frames.TABLES)
    kinds = _known("--pairs", options.pairs, [*frames.PAIRS])
    if options.tiny:
        tables, kinds = tables[-1:], kinds[:2]
    rows, notes = [], []
    for name in tables:
        try:
            frames.load(name)
        except frames.Missing as missing:
            notes.append(f"{name}: skipped; {missing}")
            continue
        rows += [_measure(name, kind, options) for kind in kinds]
    if rows:
        notes.append(columns([HEAD, *map(_line, rows)]))
    judged = [
        Figure(
            f"{row['table']}, {row['pair']}: area" + (" − tree's" if "most" in row else ""),
            row["area"] - (row["tree"] if "most" in row else 0),
            at_most=MARGIN if "most" in row else None,
            at_least=None if "most" in row else EQUAL,
        )
        for row in rows
    ]
    return Findings({}, judged, notes, rows)


def _known(option: str, chosen: list[str] | None, known: list[str]) -> list[str]:
    for name in chosen or []:
        if name not in known:
            names = ", ".join(known)
            raise SystemExit(f"real_tables: {option}: one of {names} expected, got {name!r}")
    return chosen or known


def _measure(name: str, kind: str, options: Namespace) -> dict[str, Any]:
    import prfast

    values = []
    for seed in range(1 if options.tiny else options.draws):
        real, fake = frames.pair(name, kind, 60 if options.tiny else options.rows, seed)
        x, y = frames.encoded(real, fake)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            curve = prfast.pr_curve(x, y, options.method)
        tree = tree_curve(frames.raw(real), frames.raw(fake))
        precision = prfast.metrics(x, y, 5, which=("precision",))["precision"]
        values.append([curve.area, curve.fidelity, curve.diversity, tree.area, precision])
    keys = ("area", "fidelity", "diversity", "tree", "precision")
    row: dict[str, Any] = {"table": name, "pair": kind, "n": len(real), "columns": x.shape[1]}
    row |= dict(zip(keys, np.mean(values, axis=0).tolist(), strict=True))
    row |= dict(zip([f"{key}_sd" for key in keys], np.std(values, axis=0).tolist(), strict=True))
    if kind != "held-out":
        row["most"] = row["tree"] + MARGIN
    row["met"] = row["area"] <= row["most"] if "most" in row else row["area"] >= EQUAL
    print("  ".join(_line(row)), flush=True)
    return row


def tree_curve(real: Any, fake: Any) -> Any:
    """Return the curve of the log-odds of boosted trees, each row's from a fit without its fold."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    from prfast import PRCurve

    x = np.concatenate([real, fake])
    y = np.repeat([1, 0], [len(real), len(fake)])
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    tree = HistGradientBoostingClassifier(random_state=0)
    odds = cross_val_predict(tree, x, y, cv=folds, method="decision_function")
    return PRCurve.from_scores(odds[y == 1], odds[y == 0])


def _line(row: dict[str, Any]) -> tuple[str, ...]:
    cells = [f"{row['area']:.3f} ± {row['area_sd']:.3f}"]
    cells += [f"{row[key]:.3f}" for key in ("fidelity", "diversity", "tree", "precision")]
    sizes = (str(row["n"]), str(row["columns"]), row["pair"])
    return row["table"], *sizes, *cells, "yes" if row["met"] else "NOT MET"
