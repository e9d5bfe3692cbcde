"""Program for the environment of synthcity: its α-precision, β-recall and authenticity.

    python -m bench.tables.synthcity_scores FOLDER COUNT

reads FOLDER/0.csv, the training rows, and 1.csv, 2.csv, …, and writes a line of JSON.
"""

import json
import os
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench.contender import THREAD_VARIABLES, Contender, call_once

FEW = 50  # rows of a first call, which loads all modules
NUMBERS = (
    "delta_precision_alpha_naive",
    "delta_coverage_beta_naive",
    "delta_precision_alpha_OC",
    "delta_coverage_beta_OC",
    "authenticity_naive",
)


def prepare(folder: str, count: int) -> Callable[[], Any]:
    import pandas as pd
    from synthcity.metrics import Metrics
    from synthcity.plugins.core.dataloader import GenericDataLoader

    frames = [pd.read_csv(Path(folder) / f"{i}.csv") for i in range(count)]

    def score(frame: Any) -> list[float]:
        result = Metrics.evaluate(
            GenericDataLoader(frames[0].head(len(frame))),
            GenericDataLoader(frame),
            metrics={"stats": ["alpha_precision"]},
            use_cache=False,
            workspace=Path(folder),
        )["mean"]
        return [float(result[f"stats.alpha_precision.{of}"]) for of in NUMBERS]

    with suppress(Exception):
        score(frames[0].head(FEW))

    def call() -> tuple[list[Any], list[str]]:
        values, failed = [], []
        for frame in frames[1:]:
            try:
                values.append(score(frame))
                failed.append("")
            except Exception as error:  # what the package refuses is a result
                values.append([])
                failed.append(f"{type(error).__name__}: {error}".partition("\n")[0])
        return values, failed

    return call


def main() -> None:
    warnings.simplefilter("ignore")
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, "1"))
    settings = {"folder": sys.argv[1], "count": int(sys.argv[2])}
    turn, _, (values, failed) = call_once(Contender(prepare, settings, answer=tuple))
    print(json.dumps({"values": values, "failed": failed, "cpu_seconds": turn.cpu_seconds}))


if __name__ == "__main__":
    main()
