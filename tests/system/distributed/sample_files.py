"""Sets of samples in files of every format that `prfast.distributed.shards` reads."""

import numpy as np
import pytest

FORMATS = ("npy", "parquet")


def write(folder, name, rows, kind, cuts=()):
    """Write files NAME-9.KIND, NAME-10.KIND … of the rows cut there; return their pattern."""
    for number, part in enumerate(np.split(rows, cuts), start=9):
        _WRITERS[kind](f"{folder}/{name}-{number}.{kind}", part)
    return f"{folder}/{name}-*.{kind}"


def write_parquet(path, columns, rows_a_group=7):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table(columns), path, row_group_size=rows_a_group)


def _parquet(path, rows):
    write_parquet(path, {f"c{j}": column for j, column in enumerate(rows.T)})


_WRITERS = {"npy": np.save, "parquet": _parquet}
