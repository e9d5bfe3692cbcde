"""Tables with one damage: whether its column or pair is named first, and what equal tables show.

Simulated tables of eight columns of every kind with a common factor.  A damage changes one column
of the generated rows: numbers shifted, cells missing, numbers with noise; or its dependence on the
others: the column shuffled.

    python -m bench attribution
"""

from argparse import ArgumentParser, Namespace
from typing import Any

import numpy as np

from bench.report import Figure, Findings
from prfast.estimate.attribution import differences
from prfast.inputs.frames import read_frames
from prfast.samples.pair import Pair


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--tables", type=int, default=20, metavar="N", help="tables of each damage, 20 by default")
    add("--rows", type=int, default=2000, metavar="N", help="rows of each set, 2000 by default")


def run(options: Namespace) -> Findings:
    number, n = (2, 200) if options.tiny else (options.tables, options.rows)
    rows, figures = [], []
    for name, damage in DAMAGES.items():
        first = clear = 0
        for seed in range(number):
            rng = np.random.default_rng(seed)
            real, fake = table(n, rng), table(n, rng)
            column = rng.choice([found for found in real if (name, found) not in UNCHANGED])
            best = between(real, damage(fake, column, rng))[0]
            first += column in best.columns
            clear += column in best.columns and best.is_clear
        rows.append({"damage": name, "named first": first / number, "clear": clear / number})
        figures.append(Figure(f"{name}: named first", first / number, at_least=0.95))
    clear_tables = 0
    for seed in range(5 * number):
        rng = np.random.default_rng(seed)
        clear_tables += any(found.is_clear for found in between(table(n, rng), table(n, rng)))
    share = clear_tables / (5 * number)
    figures.append(Figure("equal tables that show a difference", share, at_most=0.05))
    return Findings({}, figures, [f"{number} tables of {n} rows each"], rows)


def between(real: Any, fake: Any) -> Any:
    frames = read_frames({"real": real, "fake": fake})
    cells = Pair.read(*(frame.matrix() for frame in frames.values()))
    return differences(frames["real"], frames["fake"], cells, 0)


def table(n: int, rng: Any) -> Any:
    import pandas as pd

    z = np.sqrt(0.5) * (rng.normal(size=(n, 7)) + rng.normal(size=(n, 1)))
    days = pd.to_timedelta((200 * z[:, 6]).round(), unit="D")
    return pd.DataFrame(
        {
            "size": z[:, 0],
            "price": np.exp(z[:, 1]).round(2),
            "points": np.round(10 * z[:, 2]),
            "grade": np.select([z[:, 3] > 0.5, z[:, 3] > -0.3], ["high", "middle"], "low"),
            "weight": np.where(rng.random(n) < 0.2, np.nan, z[:, 4]),
            "member": np.where(z[:, 5] > 0, "yes", "no"),
            "since": pd.Timestamp("2020-01-01") + days,
            "visits": rng.poisson(3, n),
        }
    )


def shifted(rows: Any, column: str, rng: Any) -> Any:
    """Return numbers and dates moved by .4 of their spread; a level for a quarter of the rows."""
    import pandas as pd

    cells = rows[column]
    if column in ("grade", "member"):
        level = cells.value_counts().index[-1]
        return rows.assign(**{column: cells.where(rng.random(len(rows)) > 1 / 4, level)})
    step: Any = pd.to_timedelta(80, unit="D") if column == "since" else 0.4 * cells.std()
    if column in ("points", "visits"):
        step = np.ceil(step)
    return rows.assign(**{column: cells + step})


def missing(rows: Any, column: str, rng: Any) -> Any:
    """Return a tenth of the cells missing."""
    return rows.assign(**{column: rows[column].where(rng.random(len(rows)) > 0.1, None)})


def noisy(rows: Any, column: str, rng: Any) -> Any:
    """Noise of .05 of the spread, and 5 % of the categories drawn from their column."""
    import pandas as pd

    cells = rows[column]
    if column in ("grade", "member"):
        drawn = rng.permutation(cells.to_numpy())
        return rows.assign(**{column: cells.where(rng.random(len(rows)) > 0.05, drawn)})
    if column == "since":
        return rows.assign(
            since=cells + pd.to_timedelta(rng.integers(0, 86400, len(rows)), unit="s")
        )
    return rows.assign(**{column: cells + 0.05 * cells.std() * rng.normal(size=len(rows))})


def shuffled(rows: Any, column: str, rng: Any) -> Any:
    """Return the cells of the column in another order."""
    return rows.assign(**{column: rng.permutation(rows[column].to_numpy())})


DAMAGES = {"shifted": shifted, "missing": missing, "noise": noisy, "shuffled": shuffled}
# Damages that leave the distribution as it is, or next to it.
UNCHANGED = {
    ("shuffled", "visits"),
    *(("noise", name) for name in ("size", "weight", "grade", "member")),
}
