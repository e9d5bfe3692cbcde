"""Tables with columns of every kind that depend on each other, and damages of one column."""

import numpy as np
import pandas as pd


def table(n, rng):
    """Seven columns with a common factor, and one, `visits`, without."""
    z = np.sqrt(0.5) * (rng.normal(size=(n, 7)) + rng.normal(size=(n, 1)))
    return pd.DataFrame(
        {
            "size": z[:, 0],
            "price": np.exp(z[:, 1]).round(2),
            "points": np.round(10 * z[:, 2]),
            "grade": np.select([z[:, 3] > 0.5, z[:, 3] > -0.3], ["high", "middle"], "low"),
            "weight": np.where(rng.random(n) < 0.2, np.nan, z[:, 4]),
            "member": z[:, 5] > 0,
            "since": pd.Timestamp("2020-01-01")
            + pd.to_timedelta((200 * z[:, 6]).round(), unit="D"),
            "visits": rng.poisson(3, n),
        }
    )


NUMBERS = ["size", "price", "points", "weight", "visits"]


def shifted(rows, column, rng):
    """A third of the spread added to numbers and dates; other levels for a sixth of the rows."""
    cells = rows[column]
    if column in NUMBERS:
        step = 0.4 * cells.std()
        return rows.assign(
            **{column: cells + (np.ceil(step) if column in ("points", "visits") else step)}
        )
    if column == "since":
        return rows.assign(since=cells + pd.to_timedelta(70, unit="D"))
    level = cells.iloc[0]
    return rows.assign(**{column: cells.where(rng.random(len(rows)) > 1 / 4, level)})


def missing(rows, column, rng):
    """A tenth of the cells missing."""
    cells = rows[column].astype(object) if column == "member" else rows[column]
    return rows.assign(**{column: cells.where(rng.random(len(rows)) > 0.1, None)})


def shuffled(rows, column, rng):
    """The cells of one column in another order: it depends on none any more."""
    return rows.assign(**{column: rng.permutation(rows[column].to_numpy())})


DAMAGES = {"shifted": shifted, "missing": missing, "shuffled": shuffled}
