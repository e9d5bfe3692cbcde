"""Samples of files: each file of generated ones against the real ones; errors name the file."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from prfast.files.load import load_array
from prfast.inputs.errors import ArgumentError


def of_each(options: argparse.Namespace, call: Callable[[Any, Any], Any]) -> list[Any]:
    """What `call` gives for the real file and each fake one; errors name the file."""
    real = load_array(options.real)
    found = []
    for path in options.fake:
        try:
            found.append(call(real, load_array(path)))
        except ArgumentError as error:
            files = {"real": options.real, "fake": path, "real and fake": path}
            file = files.get(error.argument.partition("[")[0])  # of a table: real['width']
            if file is None:
                raise
            raise error.at(file) from None
    return found
