"""Files: samples and labels from disk, results to disk.

    readers     FILE or FILE:KEY -> an array or table, by its ending; .npy, .npz, .h5,
                .safetensors and .pt; class labels from .npy, .npz, .csv and .parquet
    tables      .csv and .parquet; selection of the columns that are features
    write       atomic writes; records of features in sidecar files

These modules do not check the contents: `inputs` does, as for any other array.
"""

from prfast.files.readers import load

__all__ = ["load"]
