"""Scorers of generated tables, each with the numbers that it gives one of them.

A function of `SCORERS` takes the training rows, the generated ones and further real ones that no
generator has seen, and returns numbers by name, NaN with a reason in `Scored.failed` where its
package refuses the tables.  More is better for each number.
"""

import json
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.contender import Contender
from bench.measure import once
from bench.tables import sources
from bench.tables.make import Columns, path_of

FOLDS = 10
COARSE = 0.8  # standard deviations
FEW = 50  # rows of a first call
ROOT = Path(__file__).parents[2]


class Scored(NamedTuple):
    """Numbers of each generated table, what failed, and the CPU seconds of all of them together."""

    values: dict[str, dict[str, float]]
    failed: dict[str, str]
    cpu_seconds: float


class Scorer(NamedTuple):
    names: tuple[str, ...]
    package: str
    score: Callable[[Any, Any, Any], tuple[float, ...]]


# ---- prfast --------------------------------------------------------------------------------------


def curve(train: Any, fake: Any, validation: Any) -> tuple[float, ...]:
    import prfast
    from prfast.tables import encode

    encoding = encode(train, fake)
    result = prfast.pr_curve(encoding.real, encoding.fake)
    return result.area, result.fidelity, result.diversity


def coarse(train: Any, fake: Any, validation: Any) -> tuple[float, ...]:
    """Return the area after noise of .8 standard deviations on both tables: the coarse area."""
    import prfast
    from prfast.tables import encode

    encoding = encode(train, fake)
    result = prfast.pr_curve(encoding.real, encoding.fake, resolution=COARSE, noise=encoding.noise)
    return (result.area,)


def copies(train: Any, fake: Any, validation: Any) -> tuple[float, ...]:
    """1 less the estimated share of copies, and the p-value of none."""
    import prfast
    from prfast.tables import encode

    encoding = encode(train, validation, fake)
    result = prfast.copies(*encoding.coarse_sets)
    return 1 - result.copied, result.p_value


# ---- SDMetrics -----------------------------------------------------------------------------------


def metadata(frame: Any) -> dict[str, Any]:
    words = {"category": "categorical", "number": "numerical", "date": "datetime"}
    kinds = sources.kinds(frame)
    return {"columns": {name: {"sdtype": words[kind]} for name, kind in kinds.items()}}


def quality(train: Any, fake: Any, validation: Any) -> tuple[float, ...]:
    from sdmetrics.reports.single_table import QualityReport

    report = QualityReport()
    report.generate(train, fake, metadata(train), verbose=False)
    parts = report.get_properties().set_index("Property")["Score"]
    return report.get_score(), parts["Column Shapes"], parts["Column Pair Trends"]


def logistic_detection(train: Any, fake: Any, validation: Any) -> tuple[float, ...]:
    from sdmetrics.single_table import LogisticDetection

    return (LogisticDetection.compute(train, fake, metadata(train)),)


def overfitting(train: Any, fake: Any, validation: Any) -> tuple[float, ...]:
    from sdmetrics.single_table import DCROverfittingProtection

    of = metadata(train)
    return (DCROverfittingProtection.compute(train, fake, validation, {"tables": {"t": of}}, "t"),)


# ---- boosted trees -------------------------------------------------------------------------------


def trees(train: Any, fake: Any, validation: Any) -> tuple[float, ...]:
    """Return the area under the curve of cross-fitted log-odds, and 2 (1 - AUC), 1 where AUC <
    1/2."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    from prfast import PRCurve

    x, categories = _for_trees(train, fake)
    y = np.repeat([1, 0], [len(train), len(fake)])
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    tree = HistGradientBoostingClassifier(categorical_features=categories, random_state=0)
    odds = cross_val_predict(tree, x, y, cv=folds, method="decision_function")
    auc = roc_auc_score(y, odds)
    return PRCurve.from_scores(odds[y == 1], odds[y == 0]).area, min(1.0, 2 * (1 - auc))


def _for_trees(train: Any, fake: Any) -> tuple[Any, list[bool]]:
    """Return numbers as they are, missing ones included, and codes of categories."""
    import pandas as pd

    rows = pd.concat([train, fake], ignore_index=True)
    kinds = sources.kinds(train)
    columns = []
    for name, kind in kinds.items():
        column = rows[name]
        if kind == "category":
            codes = pd.factorize(column)[0].astype(np.float64)
            columns.append(np.where(codes < 0, np.nan, codes))
        elif kind == "date":
            columns.append(column.to_numpy().astype("datetime64[s]").astype(np.float64))
        else:
            columns.append(column.to_numpy(np.float64))
    return np.column_stack(columns), [kind == "category" for kind in kinds.values()]


SCORERS = {
    "prfast": Scorer(("area", "fidelity", "diversity"), "prfast", curve),
    "prfast coarse": Scorer(("area at .8",), "prfast", coarse),
    "prfast copies": Scorer(("not copied", "p-value"), "prfast", copies),
    "SDMetrics quality": Scorer(("quality", "shapes", "pair trends"), "sdmetrics", quality),
    "SDMetrics detection": Scorer(("logistic detection",), "sdmetrics", logistic_detection),
    "SDMetrics copies": Scorer(("DCR protection",), "sdmetrics", overfitting),
    "trees": Scorer(("area", "2(1-AUC)"), "sklearn", trees),
}
SYNTHCITY = ("α-precision", "β-recall", "α-precision OC", "β-recall OC", "authenticity")


# ---- in a process of its own ---------------------------------------------------------------------


def measure(name: str, folder: Path, table: str, generators: list[str]) -> Scored:
    """Run a scorer on all generated tables of a real one, with one thread."""
    settings = {"name": name, "folder": folder, "table": table, "generators": generators}
    measured = once(Contender(prepare, settings, answer=tuple))
    return Scored(*measured.answer, measured.cpu_seconds[0])


def prepare(name: str, folder: Path, table: str, generators: list[str]) -> Callable[[], Any]:
    """Read the tables, and score a few rows so that all modules are loaded; return the call."""
    import pandas as pd

    scorer = SCORERS[name]
    parts = ["train", "validation", *generators]
    frames = {part: pd.read_parquet(path_of(folder, table, part)) for part in parts}

    with suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        few = frames["train"].head(FEW)
        scorer.score(few, few, few)

    def call() -> tuple[dict[str, dict[str, float]], dict[str, str]]:
        values, failed = {}, {}
        for generator in generators:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    numbers = scorer.score(frames["train"], frames[generator], frames["validation"])
                values[generator] = dict(zip(scorer.names, map(float, numbers), strict=True))
            except Exception as error:  # what a package refuses is a result
                failed[generator] = f"{type(error).__name__}: {error}".partition("\n")[0]
        return values, failed

    return call


def measure_synthcity(python: str, folder: Path, table: str, generators: list[str]) -> Scored:
    """Run synthcity's metrics in its own environment, on tables without missing cells."""
    import pandas as pd

    names = ["train", *generators]
    frames = {part: pd.read_parquet(path_of(folder, table, part)) for part in names}
    parts = {part: pd.read_parquet(path_of(folder, table, part)) for part in sources.PARTS}
    columns = Columns(parts)
    with tempfile.TemporaryDirectory() as place:
        for i, name in enumerate(names):
            columns.complete(frames[name]).to_csv(Path(place) / f"{i}.csv", index=False)
        command = [python, "-m", "bench.tables.synthcity_scores", place, str(len(names))]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        why = done.stderr.strip().splitlines()[-1]
        return Scored({}, dict.fromkeys(generators, why), 0.0)
    answer: Mapping[str, Any] = json.loads(done.stdout.splitlines()[-1])
    values = {
        name: dict(zip(SYNTHCITY, numbers, strict=True))
        for name, numbers in zip(generators, answer["values"], strict=True)
        if numbers
    }
    failed = {name: text for name, text in zip(generators, answer["failed"], strict=True) if text}
    return Scored(values, failed, answer["cpu_seconds"])
