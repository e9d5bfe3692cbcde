"""Loaded models: preparation of inputs, features and record.

`prfast.features.libraries` builds a `Model` from the helpers here.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.errors import (
    ArgumentError,
    WrongType,
    WrongValue,
    closest,
    import_optional,
)
from prfast.results.info import version

RANDOM = "random"


class ModelSpec(NamedTuple):
    """Specification of a model for the function that loads it."""

    name: str
    """Name of the model within its library."""
    weights: str | None
    """None for the published weights, "random", a name that the library knows, or a file."""
    seed: int
    layer: str | None
    device: str


@dataclass(frozen=True)
class Model:
    """A loaded model."""

    prepare: Callable[[Any], Any]
    """Maps an image of Pillow or a text to an item of a batch; called from several threads."""
    features: Callable[[Sequence[Any]], Any]
    """Maps a batch of b items to features, shape (b, d)."""
    record: dict[str, Any]
    """The keys of `prfast.inputs.samples.RECORD_KEYS`, and the versions."""


def torch() -> Any:
    return import_optional("torch", "models of torch", "features")


def check_device(device: str) -> str:
    """Return the name of a device that torch can use; raise WrongValue for any other."""
    if not isinstance(device, str):
        raise WrongType("device", f"the name of a device such as 'cuda' expected, got {device!r}")
    try:
        torch().empty(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).partition("\n")[0]
        raise WrongValue(
            "device", f"an available device expected, got {device!r} ({reason})"
        ) from None
    return device


def check_known(argument: str, name: str, known: Sequence[str], what: str) -> None:
    """Raise WrongValue, with the most similar name as a hint, if a name is not among the known."""
    if name in known:
        return
    few = f", of {', '.join(known)}," if len(known) < 16 else ""
    raise WrongValue(argument, f"{what}{few} expected, got {name!r}{closest(name, known)}")


def refuse_layer(spec: ModelSpec, library: str) -> None:
    if spec.layer is not None:
        raise WrongValue(
            "layer", f"None expected, {library} gives one kind of features; got {spec.layer!r}"
        )


def is_file(weights: str | None) -> bool:
    return weights not in (None, RANDOM) and os.path.isfile(str(weights))


def weights_name(
    spec: ModelSpec, published: str, expected: str = "'random' or a file", hint: str = ""
) -> str:
    """Return the name of the weights in a record: `published`, "random, seed 0", or a file name.

    expected, hint: parts of the message for any other weights.
    """
    if spec.weights is None:
        return published
    if spec.weights == RANDOM:
        return f"random, seed {spec.seed}"
    if is_file(spec.weights):
        return os.path.basename(spec.weights)
    raise WrongValue("weights", f"{expected} expected, got {spec.weights!r}{hint}")


def model_record(
    library: str,
    name: str,
    module: Any,
    *,
    weights: str,
    layer: str,
    prepare: Any,
    packages: Sequence[str],
    kind: str = "images",
) -> dict[str, Any]:
    """Return the record of a library's model; the checksum is that of the module as it is now.

    packages: those whose versions, besides prfast's and torch's, the features depend on.
    """
    return {
        "kind": kind,
        "model": f"{library}:{name}",
        "library": library,
        "weights": weights,
        "weights_sha256": checksum(module),
        "layer": layer,
        "prepare": one_line(prepare),
        "dtype": precision(module),
        "versions": versions(*packages),
    }


@contextmanager
def seeded(spec: ModelSpec) -> Iterator[None]:
    """Seed torch for random weights in the block, and restore its CPU generator afterwards."""
    with torch().random.fork_rng(devices=[]):
        torch().manual_seed(spec.seed)
        yield


@contextmanager
def fetching(model: str) -> Iterator[None]:
    """Turn any exception of a library that loads weights into a one-line OSError with advice."""
    try:
        yield
    except (ArgumentError, ImportError, MemoryError):
        raise
    except Exception as error:
        reason = " ".join(str(error).split())[:300] or type(error).__name__
        raise OSError(
            f"{model}: its weights could not be loaded ({reason}); a library fetches them from the "
            "network once: run it where there is one, copy its cache (~/.cache/torch, "
            "~/.cache/huggingface) here, or pass weights=FILE (--weights FILE)"
        ) from None


def ready(module: Any, device: str) -> Any:
    """Return a module on the device, in evaluation mode and without gradients."""
    return module.to(device).requires_grad_(False).eval()


def features_of_tensors(
    call: Callable[[Any], Any], device: str
) -> Callable[[Sequence[Any]], NDArray[Any]]:
    """Return the function `features` of a `Model` whose items are tensors.

    call: maps a stack of tensors, shape (b, …), on the device to features.
    """

    def features(items: Sequence[Any]) -> Any:
        with torch().inference_mode():
            return call(torch().stack(items).to(device))

    return lambda items: group_by_shape(features, items)


def group_by_shape(call: Callable[[list[Any]], Any], items: Sequence[Any]) -> NDArray[Any]:
    """Return the features of items in order, shape (b, d), calling `call` once per item shape."""
    shapes: dict[Any, list[int]] = {}
    for i, one in enumerate(items):
        shapes.setdefault(tuple(one.shape), []).append(i)
    features: list[Any] = [None] * len(items)
    for index in shapes.values():
        rows = vectors(call([items[i] for i in index]), len(index))
        for i, row in zip(index, rows, strict=True):
            features[i] = row
    widths = {len(row) for row in features}
    if len(widths) > 1:
        raise WrongValue("model", f"as many features of all inputs expected, got {sorted(widths)}")
    return np.stack(features)


def vectors(output: Any, count: int) -> NDArray[Any]:
    """Return the output of a model as an array (count, d); feature maps must have one pixel."""
    if hasattr(output, "detach"):
        output = output.detach().cpu()
        # NumPy has no bfloat16.
        output = (output.float() if str(output.dtype) == "torch.bfloat16" else output).numpy()
    array = np.asarray(output)
    if array.ndim > 2 and set(array.shape[2:]) == {1}:
        array = array.reshape(array.shape[:2])
    if array.ndim != 2 or array.shape[0] != count or array.dtype.kind != "f":
        raise WrongValue(
            "model",
            f"floats of shape ({count}, d) of {count} images expected, "
            f"got {array.dtype} of shape {array.shape}",
        )
    return array


def checksum(module: Any) -> str:
    """Return the SHA-256 of the names, dtypes, shapes and bytes of the weights, sorted by name."""
    total = hashlib.sha256()
    for name, tensor in sorted(module.state_dict().items()):
        if not hasattr(tensor, "detach"):
            continue  # extra state, which need not be a tensor
        plain = tensor.detach().cpu().contiguous()
        total.update(f"{name} {plain.dtype} {tuple(plain.shape)}\0".encode())
        total.update(plain.reshape(-1).view(torch().uint8).numpy().data)
    return total.hexdigest()


def precision(module: Any) -> str | None:
    """Return the dtype of the parameters, such as "float32"; None if there are none."""
    dtypes = {str(one.dtype).removeprefix("torch.") for one in module.parameters()}
    return " and ".join(sorted(dtypes)) or None


def versions(*packages: str) -> dict[str, str]:
    """Return the versions of prfast, torch and the given packages."""
    return {name: version(name) for name in ("prfast", "torch", *packages)}


def one_line(value: Any) -> str:
    """Return the text form of a library's object on one line."""
    return " ".join(str(value).split())
