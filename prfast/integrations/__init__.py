"""prfast inside other packages; each module imports only its own package.

    torchmetrics   a metric whose samples are gathered over ranks (extra: torchmetrics)

Loggers need no integration: `scalars` of results is a flat {name: float}, which Lightning, Weights
& Biases, TensorBoard and the Trainer of Hugging Face take as it is.
"""
