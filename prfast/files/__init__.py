"""Files: samples and labels from disk, results to disk.

    load        FILE or FILE:KEY -> an array or table, by its ending; .npy, .npz, .h5,
                .safetensors and .pt
    tables      .csv, .parquet, .arrow and .feather; selection of the columns that are features
    labels      class labels from .npy, .npz, .csv and .parquet
    ranges      ranges of rows of .npy, .parquet, .h5 and .zarr, without reading the other rows
    write       atomic writes; records of features in sidecar files

These modules do not check the contents: `inputs` does, as for any other array.
"""

from prfast.files.load import load

__all__ = ["load"]
