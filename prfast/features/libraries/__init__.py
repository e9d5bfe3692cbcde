"""Loaders of models, a module per library.

Each has a function `load`, which returns a `prfast.features.model.Model`.  `LIBRARIES` in
`prfast.features.model` lists the modules of libraries; `own` is for a user's model.
"""
