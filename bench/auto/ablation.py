"""Ablation: what each base of "auto" adds to its IoU with the exact truth, and what it costs.

Families whose curve is known, on the draws of the case `auto`.  Every base is cross-fitted once a
draw; the meta-learner and the hull are computed again without each base.  The CPU seconds of a base
include coordinates that no base before it used.

    python -m bench ablation --families fresh --n 400 --seed 7,8
"""

import zlib
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from time import process_time
from typing import Any

import numpy as np

from bench.auto import lists
from bench.auto.cases import FULL, GROUPS, TINY, find
from bench.machine import cores
from bench.report import Figure, Findings, columns
from prfast import PRCurve
from prfast.inputs.concurrency import execution
from prfast.inputs.options import Progress
from prfast.methods.auto.bases import LIBRARY
from prfast.methods.auto.coordinates import Data
from prfast.methods.auto.estimator import Auto
from prfast.methods.auto.folds import assign_folds
from prfast.methods.auto.model import cross_fit
from prfast.methods.auto.stack import fit_stack
from prfast.methods.base import ExecutionContext
from prfast.samples.pair import Pair

KNOWN = [group for group in GROUPS if group != "images"]
SHOWN = 0.02  # a smaller loss of a family is not named
MOST = 3  # families that are named


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    text = f"families, or of the groups {', '.join(KNOWN)}; all by default"
    add("--families", type=lists.names, default=KNOWN, metavar="NAME,…", help=text)
    add("--draws", type=int, default=1, metavar="N", help="draws of each seed, 1 by default")
    add("--seed", type=lists.numbers, default=[7], metavar="N,…", help="base seeds, 7 by default")
    text = f"real samples of families of {FULL}, others in proportion; 2000 by default"
    add("--n", type=int, default=2000, metavar="N", help=text)
    add("--jobs", type=int, default=cores(), metavar="N", help="processes; every core by default")


def run(options: Namespace) -> Findings:
    size = 200 if options.tiny else options.n
    cases = find(TINY[:1] if options.tiny else options.families, size, None, tiny=options.tiny)
    draws = product(options.seed, range(1 if options.tiny else options.draws))
    tasks = [(case.name, size, options.tiny, *draw) for draw in draws for case in cases]
    with ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn")) as pool:
        rows = []
        for row in pool.map(measure, tasks):
            rows.append(row)
            print(f"{row['family']} {row['seed']}.{row['draw']}: {row['iou']:.3f}", flush=True)
    return summary(rows, {case.name: case.group for case in cases})


def measure(task: tuple[str, int, bool, int, int]) -> dict[str, Any]:
    """Return the IoU of all bases of a family, size, seed and draw; without each base, and the CPU
    seconds of each."""
    family, size, tiny, seed, draw = task
    case = find([family], size, None, tiny=tiny)[0]
    drawn = case.draw(np.random.default_rng([zlib.crc32(case.stream.encode()), seed, draw]))
    columns_of, seconds = {}, {}
    with execution(1, Progress(False)) as execute:
        pair = Pair.read(drawn.real, drawn.fake)
        data = Data(
            assign_folds(pair, Auto().folds, Auto().fitted, ExecutionContext(draw)), pair.points
        )
        for name, base in LIBRARY.items():
            start = process_time()
            fitted = cross_fit(base, data)
            seconds[name] = process_time() - start
            if fitted is not None:
                columns_of[name] = fitted[1]

        def iou(names: Sequence[str]) -> float:
            stacked = np.hstack([columns_of[name] for name in names])
            s = fit_stack(data, stacked, execute)[1]
            assert drawn.truth is not None
            return float(PRCurve.from_scores(s[data.real], s[~data.real]).iou(drawn.truth))

        start = process_time()
        whole = iou([*columns_of])
        seconds["stack"] = process_time() - start
        without = dict.fromkeys(LIBRARY, whole)
        for name in columns_of:
            without[name] = iou([base for base in columns_of if base != name])
    row = {"family": family, "seed": seed, "draw": draw, "iou": whole}
    return row | {"without": without, "seconds": seconds}


def summary(rows: list[dict[str, Any]], groups: dict[str, str]) -> Findings:
    """Return a line a base: the mean loss without it, families that lose most, CPU seconds."""
    import pandas as pd

    frame = pd.DataFrame(rows)
    without, seconds = (pd.DataFrame(frame[key].tolist()) for key in ("without", "seconds"))
    loss = (-without.sub(frame["iou"], axis=0)).groupby(frame["family"]).mean()
    is_fresh = loss.index.map(groups) == "fresh"
    mean = loss.mean().sort_values(ascending=False)
    head = ("base", "IoU without", "loss", "of fresh", "families that lose most", "CPU s a draw")
    lines = [head]
    for name, mean_loss in mean.items():
        most = loss[name].nlargest(MOST)
        named = ", ".join(f"{family} {x:.2f}" for family, x in most[most >= SHOWN].items())
        fresh = f"{loss.loc[is_fresh, name].mean():.3f}" if is_fresh.any() else "–"
        cells = f"{frame['iou'].mean() - mean_loss:.3f}", f"{mean_loss:.3f}", fresh
        lines.append((str(name), *cells, named or "–", f"{seconds[name].mean():.3f}"))
    figures = [
        Figure("mean IoU", frame["iou"].mean()),
        *(Figure(f"mean loss without {name}", x) for name, x in mean.items()),
        Figure("CPU seconds a draw, bases and meta-learner", seconds.sum(axis=1).mean()),
    ]
    notes = [columns(lines), f"{len(loss)} families, {len(rows)} draws"]
    return Findings({}, figures, notes, {"draws": rows})
