"""A user's own model: a torch module, or any function of images."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from prfast.features.model import (
    Model,
    by_shape,
    check_device,
    checksum,
    of_tensors,
    plainly,
    precision,
    torch,
    versions,
)
from prfast.inputs.errors import WrongType, WrongValue, kind_of
from prfast.results.info import version


def is_module(model: Any) -> bool:
    return any(base.__module__.startswith("torch.nn") for base in type(model).__mro__)


def load(model: Any, name: str | None, prepare: Callable[[Any], Any] | None, device: str) -> Model:
    """Return a `Model` for a torch module or a function.

    Without `prepare`, a module is called with float32 in [0, 1] of shape (b, 3, height, width), a
    function with uint8 arrays of shape (b, height, width, 3).
    """
    if prepare is not None and not callable(prepare):
        raise WrongType("prepare", f"a function of a picture expected, got {kind_of(prepare)}")
    if name is not None and not isinstance(name, str):
        raise WrongType("name", f"a str or None expected, got {kind_of(name)}")
    record = {
        "kind": "images",
        "model": named(model) if name is None else name,
        "library": "own",
        "weights": None,
        "weights_sha256": None,
        "layer": None,
        "prepare": None if prepare is None else _told(prepare),
        "dtype": None,
        "versions": {"prfast": version(), "pillow": version("pillow")},
    }
    if not is_module(model):
        if device != "cpu":
            raise WrongValue("device", f"'cpu' expected for a function, got {device!r}")
        record["prepare"] = record["prepare"] or "uint8"
        return Model(
            lambda picture: np.asarray((prepare or np.array)(picture)),
            lambda items: by_shape(lambda same: model(np.stack(same)), items),
            record,
        )
    if model.training:
        raise WrongValue("model", "a module in its mode for inference expected; model.eval() does")
    device = check_device(device)
    model.to(device)
    record["weights"], record["weights_sha256"] = "own", checksum(model)
    record["prepare"] = record["prepare"] or "float32 in [0, 1]"
    record["dtype"], record["versions"] = precision(model), versions("pillow")
    return Model(prepare or _unit, of_tensors(model, device), record)


def named(model: Any) -> str:
    """Return the qualified name of a function, or of the class of any other object."""
    kind = model if hasattr(model, "__qualname__") else type(model)
    return f"{kind.__module__}.{kind.__qualname__}"


def _told(prepare: Any) -> str:
    """Return the name of a function, or the text form of an object, such as a transform."""
    return named(prepare) if hasattr(prepare, "__qualname__") else plainly(prepare)


def _unit(picture: Any) -> Any:
    """Return an image as a float32 tensor in [0, 1], as torchvision's ToTensor does."""
    array = np.array(picture).transpose(2, 0, 1)
    return torch().from_numpy(np.ascontiguousarray(array)).float() / 255
