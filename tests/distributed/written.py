"""A set of samples in files of one kind, as the tests write them."""

import numpy as np
import pytest

KINDS = ("npy", "parquet", "h5", "zarr")


def write(folder, name, rows, kind, cuts=()):
    """Files NAME-9.KIND, NAME-10.KIND … of the rows cut there; the pattern that names them."""
    for number, part in enumerate(np.split(rows, cuts), start=9):
        WRITERS[kind](f"{folder}/{name}-{number}.{kind}", part)
    return f"{folder}/{name}-*.{kind}"


def _parquet(path, rows):
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({f"c{j}": column for j, column in enumerate(rows.T)})
    parquet.write_table(table, path, row_group_size=7)


def _h5(path, rows):
    with pytest.importorskip("h5py").File(path, "w") as file:
        file.create_dataset(
            "a/features",
            data=rows,
            chunks=(min(5, len(rows)), rows.shape[1]) if len(rows) else None,
        )


def _zarr(path, rows):
    pytest.importorskip("zarr").create_array(path, data=rows, chunks=(6, 2))


WRITERS = {"npy": np.save, "parquet": _parquet, "h5": _h5, "zarr": _zarr}
