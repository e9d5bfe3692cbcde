"""A model that is loaded: what it makes of a batch, and the record of what it is."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.columns import load_extra
from prfast.inputs.errors import ArgumentError, WrongType, WrongValue, closest, kind_of
from prfast.inputs.options import read_seed
from prfast.results.info import version

RANDOM = "random"


class Wanted(NamedTuple):
    """What is asked of a library."""

    name: str
    """Of the model, in the library."""
    weights: str | None
    """None: as published; "random"; else what the library knows by this name, or a file."""
    seed: int
    layer: str | None
    device: str


@dataclass(frozen=True)
class Model:
    """`prepare` makes of a picture or a text what a batch consists of, in any thread; `features`
    are those of a batch, an array of shape (batch, d); `record` has what `inputs.features` calls
    the making, and the versions."""

    prepare: Callable[[Any], Any]
    features: Callable[[Sequence[Any]], Any]
    record: dict[str, Any]


def torch() -> Any:
    return load_extra("torch", "models of torch", "features")


def check_device(device: str) -> str:
    """A device of torch that is there."""
    if not isinstance(device, str):
        raise WrongType("device", f"the name of a device such as 'cuda' expected, got {device!r}")
    try:
        torch().empty(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).partition("\n")[0]
        raise WrongValue(
            "device", f"a device that is there expected, got {device!r} ({reason})"
        ) from None
    return device


def check_known(argument: str, name: str, known: Sequence[str], what: str) -> None:
    """ValueError, with what may have been meant, where a name is none of those that are known."""
    if name in known:
        return
    few = f", of {', '.join(known)}," if len(known) < 16 else ""
    raise WrongValue(argument, f"{what}{few} expected, got {name!r}{closest(name, known)}")


def refuse_layer(wanted: Wanted, library: str) -> None:
    if wanted.layer is not None:
        raise WrongValue(
            "layer", f"None expected, {library} gives one kind of features; got {wanted.layer!r}"
        )


def is_file(weights: str | None) -> bool:
    return weights not in (None, RANDOM) and os.path.isfile(str(weights))


def weights_name(
    wanted: Wanted, published: str, expected: str = "'random' or a file", hint: str = ""
) -> str:
    """What a record calls the weights: published ones, random ones with their seed, or a file.

    expected, hint: the message to one who asks for others.
    """
    if wanted.weights is None:
        return published
    if wanted.weights == RANDOM:
        return f"random, seed {wanted.seed}"
    if is_file(wanted.weights):
        return os.path.basename(wanted.weights)
    raise WrongValue("weights", f"{expected} expected, got {wanted.weights!r}{hint}")


def made(
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
    """The record of a library's model, before anything is cut off the module.

    packages: of which, besides prfast and torch, the features depend on the version.
    """
    return {
        "kind": kind,
        "model": f"{library}:{name}",
        "library": library,
        "weights": weights,
        "weights_sha256": checksum(module),
        "layer": layer,
        "prepare": plainly(prepare),
        "dtype": precision(module),
        "versions": versions(*packages),
    }


@contextmanager
def seeded(wanted: Wanted) -> Iterator[None]:
    """Weights drawn in here are those of the seed, and torch's own random numbers stay as they
    were."""
    with torch().random.fork_rng(devices=[]):
        torch().manual_seed(wanted.seed)
        yield


@contextmanager
def fetching(model: str) -> Iterator[None]:
    """Whatever a library raises while it loads weights is one line that says what to do."""
    try:
        yield
    except (ArgumentError, ImportError, MemoryError):
        raise
    except Exception as error:
        reason = " ".join(str(error).split())[:300] or type(error).__name__
        raise OSError(
            f"{model}: its weights could not be loaded ({reason}); a library fetches them from the "
            "network once: run it where there is one, copy its cache (~/.cache/torch, "
            "~/.cache/huggingface) here, or say weights=FILE (--weights FILE)"
        ) from None


def ready(module: Any, device: str) -> Any:
    """On the device, for inference."""
    return module.to(device).requires_grad_(False).eval()


def of_tensors(call: Callable[[Any], Any], device: str) -> Callable[[Sequence[Any]], NDArray[Any]]:
    """Features of a batch of tensors; those of one shape go through the model together."""

    def of_one_shape(items: Sequence[Any]) -> Any:
        with torch().inference_mode():
            return call(torch().stack(items).to(device))

    return lambda items: by_shape(of_one_shape, items)


def by_shape(call: Callable[[list[Any]], Any], items: Sequence[Any]) -> NDArray[Any]:
    """Rows of features, in the order of the items; `call` is given those of one shape together."""
    shapes: dict[Any, list[int]] = {}
    for i, one in enumerate(items):
        shapes.setdefault(tuple(one.shape), []).append(i)
    found: list[Any] = [None] * len(items)
    for index in shapes.values():
        rows = vectors(call([items[i] for i in index]), len(index))
        for i, row in zip(index, rows, strict=True):
            found[i] = row
    kinds = list(dict.fromkeys((len(row), str(row.dtype)) for row in found))
    if len(kinds) > 1:
        (width, dtype), (other, another) = kinds[:2]
        raise WrongValue(
            "model",
            f"{width} features of {dtype} as of other inputs expected, got {other} of {another}",
        )
    return np.stack(found)


def vectors(found: Any, count: int) -> NDArray[Any]:
    """What a model gave, as rows: (count, d), or maps of one pixel."""
    if hasattr(found, "detach"):
        found = found.detach().cpu()
        found = (found.float() if str(found.dtype) == "torch.bfloat16" else found).numpy()
    array = np.asarray(found)
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
    """SHA-256 of the weights: names, dtypes, shapes and bytes, in the order of the names."""
    total = hashlib.sha256()
    for name, tensor in sorted(module.state_dict().items()):
        if not hasattr(tensor, "detach"):
            continue  # what a module keeps besides
        plain = tensor.detach().cpu().contiguous()
        total.update(f"{name} {plain.dtype} {tuple(plain.shape)}\0".encode())
        total.update(plain.reshape(-1).view(torch().uint8).numpy().data)
    return total.hexdigest()


def precision(module: Any) -> str | None:
    """The type of the numbers that the model computes with."""
    dtypes = {str(one.dtype).removeprefix("torch.") for one in module.parameters()}
    return " and ".join(sorted(dtypes)) or None


def versions(*packages: str) -> dict[str, str]:
    """Of what the features depend on."""
    return {name: version(name) for name in ("prfast", "torch", *packages)}


def plainly(words: Any) -> str:
    """A library's own words, on one line."""
    return " ".join(str(words).split())


# Libraries of models: a row each.


class Row(NamedTuple):
    """A library: what its models see, the file of `libraries/` that loads them, and an example."""

    kind: str
    file: str
    example: str


LIBRARIES = {
    "torch-fidelity": Row("images", "torch_fidelity", "inception-v3-compat"),
    "timm": Row("images", "timm", "timm:resnet50.a1_in1k"),
    "torchvision": Row("images", "torchvision", "torchvision:resnet50"),
    "open_clip": Row("images", "open_clip", "open_clip:ViT-B-32/laion2b_s34b_b79k"),
    "sentence-transformers": Row(
        "texts", "sentence_transformers", "sentence-transformers:all-MiniLM-L6-v2"
    ),
}


def read_name(model: str) -> tuple[str, str]:
    """The library and the name in it; a name without a colon is one of torch-fidelity's."""
    library, colon, name = model.partition(":")
    if not colon:
        library, name = "torch-fidelity", model
    if library not in LIBRARIES or not name:
        known = ", ".join(row.example for row in LIBRARIES.values())
        raise WrongValue("model", f"one such as {known} expected, got {model!r}")
    return library, name


def load_model(model: str, weights: Any, seed: Any, layer: Any, device: str) -> Model:
    """The model of a name, as its library loads it."""
    library, name = read_name(model)
    for argument, value in (("weights", weights), ("layer", layer)):
        if value is not None and not isinstance(value, str):
            raise WrongType(argument, f"a str or None expected, got {kind_of(value)}")
    wanted = Wanted(name, weights, read_seed(seed, "seed"), layer, check_device(device))
    row = LIBRARIES[library]
    found: Model = import_module(f"prfast.features.libraries.{row.file}").load(wanted)
    return found
