"""prfast inside other packages, a file a package; each is loaded by its own name alone.

    torchmetrics   a metric whose samples are gathered over ranks (extra: torchmetrics)

Loggers need no integration: `scalars` of results is a flat {name: float}, which Lightning, Weights
& Biases, TensorBoard and the Trainer of Hugging Face take as it is.
"""
