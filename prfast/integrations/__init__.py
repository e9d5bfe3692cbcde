"""prfast inside other packages; each module imports only its own package.

Loggers need no integration: `scalars` of results is a flat {name: float}.  Lightning, Weights &
Biases, TensorBoard and the Trainer of Hugging Face take it as it is.
"""
