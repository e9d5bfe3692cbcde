"""Samples of files: each file of generated ones against the real ones; errors name the file."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from prfast.cluster.dask import client_at
from prfast.cluster.shards import shards
from prfast.files.load import load_array
from prfast.inputs.errors import ArgumentError


def of_each(options: argparse.Namespace, call: Callable[..., Any]) -> list[Any]:
    """What `call` gives for the real file, each fake one and, where these are read in pieces, a
    client; errors name the file."""
    where = getattr(options, "cluster", None)
    load = load_array if where is None else shards
    with nullcontext() if where is None else client_at(where, "--cluster") as client:
        return _of_each(options, load, call, client)


def _of_each(
    options: argparse.Namespace, load: Callable[[str], Any], call: Callable[..., Any], client: Any
) -> list[Any]:
    real = load(options.real)
    more = {} if client is None else {"client": client}
    found = []
    for path in options.fake:
        try:
            found.append(call(real, load(path), **more))
        except ArgumentError as error:
            files = {"real": options.real, "fake": path, "real and fake": path}
            file = files.get(error.argument.partition("[")[0])  # of a table: real['width']
            if file is None:
                raise
            raise error.at(file) from None
    return found
