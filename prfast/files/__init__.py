"""Files: samples from disk, results to disk.

    load        FILE or FILE:KEY -> an array or table, by its ending; .npy and .npz
    columns     which columns of a table are features
    csv         comma-separated numbers
    formats     .parquet, .arrow, .feather, .h5, .safetensors and .pt, which other libraries load
    ranges      some rows of .npy, .parquet, .h5 and .zarr without the others
    sidecar     the record of how features were made, next to the file of their numbers
    write       all of a file or nothing
    archive     arrays and a header with a checksum in one .npz

What a file holds is not looked at here: `inputs` checks it as it checks any other array.
"""

from prfast.files.load import load

__all__ = ["load"]
