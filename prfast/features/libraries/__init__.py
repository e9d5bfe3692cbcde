"""What is known of each library: how a model is loaded, what it is given, and what it gives.

A file a library, with one function `load`, and a row of `prfast.features.model`.
"""
