"""Models of torch-fidelity and timm by their names, and models of users, as a `Model`.

The libraries resize and scale images in their own ways, and are imported where one of their models
is loaded.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prfast.inputs.errors import (
    ArgumentError,
    WrongType,
    WrongValue,
    closest,
    import_optional,
    kind_of,
)
from prfast.inputs.options import read_seed
from prfast.results.info import version

# The names of torch-fidelity 0.4, checked before it imports torch; when it is imported its registry
# is asked, in which there may be others.
_EXTRACTORS = (
    *("inception-v3-compat", "vgg16"),
    *("clip-rn50", "clip-rn101", "clip-rn50x4", "clip-rn50x16", "clip-rn50x64"),
    *("clip-vit-b-32", "clip-vit-b-16", "clip-vit-l-14", "clip-vit-l-14-336px"),
    *("dinov2-vit-s-14", "dinov2-vit-b-14", "dinov2-vit-l-14", "dinov2-vit-g-14"),
)
EXAMPLES = "inception-v3-compat, dinov2-vit-b-14, timm:resnet50.a1_in1k"
_import = partial(import_optional, purpose="this model", extra="features")


@dataclass(frozen=True)
class Model:
    """A loaded model."""

    prepare: Callable[[Any], Any]
    """Maps an image of Pillow to an item of a batch; called from several threads."""
    features: Callable[[Sequence[Any]], NDArray[Any]]
    """Maps a batch of b items to features, shape (b, d)."""
    record: dict[str, Any]
    """The keys of `prfast.inputs.samples.RECORD_KEYS`, and the versions."""


def load_model(model: str, weights: Any, seed: Any, layer: Any, device: str) -> Model:
    """Load a model by its name, with a colon one of timm, without one of torch-fidelity."""
    for argument, value in (("weights", weights), ("layer", layer)):
        if value is not None and not isinstance(value, str):
            raise WrongType(argument, f"a str or None expected, got {kind_of(value)}")
    seed = read_seed(seed, "seed")
    library, colon, name = model.partition(":")
    if not colon:
        registry = sys.modules.get("torch_fidelity.registry")
        names = _EXTRACTORS if registry is None else [*registry.FEATURE_EXTRACTORS_REGISTRY]
        _check_known("model", model, names, "timm:NAME or an extractor of torch-fidelity")
        return _load_torch_fidelity(model, weights, layer, check_device(device))
    if library != "timm" or not name:
        raise WrongValue("model", f"one such as {EXAMPLES} expected, got {model!r}")
    if layer is not None:
        raise WrongValue("layer", f"None expected for a model of timm, got {layer!r}")
    return _load_timm(name, weights, seed, check_device(device))


# ---- libraries -----------------------------------------------------------------------------------


def _load_torch_fidelity(name: str, weights: str | None, layer: str | None, device: str) -> Model:
    """Load a registered extractor, by default its layer for precision and recall."""
    known = _import("torch_fidelity.registry").FEATURE_EXTRACTORS_REGISTRY
    if layer is None:
        layer = known[name].get_default_feature_layer_for_metric("prc")
    _check_known("layer", layer, list(known[name].get_provided_features_list()), "a layer")
    if weights is not None and not os.path.isfile(weights):
        raise WrongValue("weights", f"None or a file expected for torch-fidelity, got {weights!r}")
    source = {}
    if weights is not None:
        source["feature_extractor_weights_path"] = _without_code(name, weights)
    with _loading(name):
        module = _import("torch_fidelity.utils").create_feature_extractor(
            name, [layer], cuda=False, verbose=False, **source
        )
    module = _frozen(module, device)
    size = getattr(module, "resolution", getattr(module, "INPUT_IMAGE_SIZE", None))
    record = _record(
        f"torch-fidelity:{name}",
        "torch-fidelity",
        module,
        weights="published" if weights is None else os.path.basename(weights),
        layer=layer,
        prepare="torch-fidelity, bilinear as in TensorFlow 1"
        + (f", {size} × {size}" if size else ""),
        packages=("torch-fidelity", "pillow"),
    )
    return Model(_as_tensor, _of_tensors(lambda batch: module(batch)[0], device), record)


def _as_tensor(image: Any) -> Any:
    """Return an image as a uint8 tensor, shape (3, height, width)."""
    return _torch().from_numpy(np.array(image)).permute(2, 0, 1).contiguous()


def _without_code(name: str, weights: str) -> Any:
    """Return weights as torch-fidelity takes them; it would unpickle a file, which can run code."""
    if name.startswith("clip-"):  # a TorchScript archive, which is not unpickled
        return weights
    with _loading(weights):
        state = _torch().load(weights, map_location="cpu", weights_only=True)
    buffer = io.BytesIO()
    _torch().save(state, buffer)
    buffer.seek(0)
    return buffer


def _load_timm(name: str, weights: str | None, seed: int, device: str) -> Model:
    """Load ARCHITECTURE, ARCHITECTURE.TAG (the weights) or hf-hub:OWNER/NAME.

    Features: the output without classifier, `num_classes=0`.
    """
    timm, data = _import("timm"), _import("timm.data")
    architecture = name.partition(".")[0]
    if ":" not in architecture:  # models of a hub may have any name
        _check_known("model", architecture, timm.list_models(), "a model of timm")
    options: dict[str, Any] = {"pretrained": weights != "random"}
    if weights not in (None, "random"):
        if not os.path.isfile(str(weights)):
            hint = "; timm's own are in the name, as in timm:resnet18.a1_in1k"
            raise WrongValue("weights", f"'random' or a file expected, got {weights!r}{hint}")
        options["pretrained_cfg_overlay"] = {"file": weights}
    # Random weights do not change the random numbers that the caller draws afterwards.
    with _torch().random.fork_rng(devices=[]), _loading(f"timm:{name}"):
        _torch().manual_seed(seed)
        module = _frozen(timm.create_model(name, num_classes=0, **options), device)
    transform = data.create_transform(**data.resolve_model_data_config(module), is_training=False)
    if weights is None:
        tag = module.pretrained_cfg.get("tag")
        source = tag or "published"
        if tag and ":" not in name and "." not in name:
            name = f"{name}.{tag}"
    else:
        source = f"random, seed {seed}" if weights == "random" else os.path.basename(weights)
    record = _record(
        f"timm:{name}",
        "timm",
        module,
        weights=source,
        layer="num_classes=0",
        prepare=_one_line(transform),
        packages=("timm", "torchvision", "pillow"),
    )
    return Model(transform, _of_tensors(module, device), record)


def _torch() -> Any:
    return _import("torch")


def check_device(device: str) -> str:
    """Return the name of a device that torch can use; raise WrongValue for any other."""
    if not isinstance(device, str):
        raise WrongType("device", f"the name of a device such as 'cuda' expected, got {device!r}")
    try:
        _torch().empty(1, device=device)
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).partition("\n")[0]
        raise WrongValue(
            "device", f"an available device expected, got {device!r} ({reason})"
        ) from None
    return device


def _check_known(argument: str, name: str, known: Sequence[str], what: str) -> None:
    if name not in known:
        few = f", of {', '.join(known)}," if len(known) < 16 else ""
        raise WrongValue(argument, f"{what}{few} expected, got {name!r}{closest(name, known)}")


@contextmanager
def _loading(model: str) -> Iterator[None]:
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


def _frozen(module: Any, device: str) -> Any:
    """Return a module on the device, in evaluation mode and without gradients."""
    return module.to(device).requires_grad_(False).eval()


# ---- models of users -----------------------------------------------------------------------------


def load_own(
    model: Any, name: str | None, prepare: Callable[[Any], Any] | None, device: str
) -> Model:
    """Return a `Model` for a torch module or a function, as `prfast.features.extract` calls it."""
    if prepare is not None and not callable(prepare):
        raise WrongType("prepare", f"a function of an image expected, got {kind_of(prepare)}")
    if name is not None and not isinstance(name, str):
        raise WrongType("name", f"a str or None expected, got {kind_of(name)}")
    name = _qualified_name(model) if name is None else name
    described = _described(prepare) if prepare is not None else None
    if any(base.__module__.startswith("torch.nn") for base in type(model).__mro__):
        if model.training:
            raise WrongValue("model", "a module in evaluation mode expected; call model.eval()")
        model.to(check_device(device))
        record = _record(
            name,
            "own",
            model,
            weights="own",
            layer=None,
            prepare=described or "float32 in [0, 1]",
            packages=("pillow",),
        )
        return Model(prepare or _in_unit_interval, _of_tensors(model, device), record)
    if device != "cpu":
        raise WrongValue("device", f"'cpu' expected for a function, got {device!r}")
    record = {
        "kind": "images",
        "model": name,
        "library": "own",
        "weights": None,
        "weights_sha256": None,
        "layer": None,
        "prepare": described or "uint8",
        "dtype": None,
        "versions": {"prfast": version(), "pillow": version("pillow")},
    }
    return Model(
        lambda image: np.asarray((prepare or np.array)(image)),
        lambda items: _by_shape(lambda same: model(np.stack(same)), items),
        record,
    )


def _qualified_name(model: Any) -> str:
    """Return the qualified name of a function, or of the class of any other object."""
    kind = model if hasattr(model, "__qualname__") else type(model)
    return f"{kind.__module__}.{kind.__qualname__}"


def _described(prepare: Any) -> str:
    """Return the name of a function, or the text form of an object, such as a transform."""
    return _qualified_name(prepare) if hasattr(prepare, "__qualname__") else _one_line(prepare)


def _one_line(value: Any) -> str:
    return " ".join(str(value).split())


def _in_unit_interval(image: Any) -> Any:
    """Return an image as a float32 tensor in [0, 1], as torchvision's ToTensor does."""
    return _as_tensor(image).float() / 255


# ---- features and records ------------------------------------------------------------------------


def _of_tensors(call: Callable[[Any], Any], device: str) -> Callable[[Sequence[Any]], NDArray[Any]]:
    """Return the function `features` of a `Model` whose items are tensors.

    call: maps a stack of tensors, shape (b, …), on the device to features.
    """

    def features(items: list[Any]) -> Any:
        with _torch().inference_mode():
            return call(_torch().stack(items).to(device))

    return lambda items: _by_shape(features, items)


def _by_shape(call: Callable[[list[Any]], Any], items: Sequence[Any]) -> NDArray[Any]:
    """Return the features of items in order, shape (b, d), calling `call` once per item shape."""
    shapes: dict[Any, list[int]] = {}
    for i, one in enumerate(items):
        shapes.setdefault(tuple(one.shape), []).append(i)
    features: list[Any] = [None] * len(items)
    for index in shapes.values():
        rows = _vectors(call([items[i] for i in index]), len(index))
        for i, row in zip(index, rows, strict=True):
            features[i] = row
    widths = {len(row) for row in features}
    if len(widths) > 1:
        raise WrongValue("model", f"as many features of all inputs expected, got {sorted(widths)}")
    return np.stack(features)


def _vectors(output: Any, count: int) -> NDArray[Any]:
    """Return the output of a model as an array (count, d)."""
    if hasattr(output, "detach"):
        output = output.detach().cpu()
        # NumPy has no bfloat16.
        output = (output.float() if str(output.dtype) == "torch.bfloat16" else output).numpy()
    array = np.asarray(output)
    if array.ndim != 2 or array.shape[0] != count or array.dtype.kind != "f":
        raise WrongValue(
            "model",
            f"floats of shape ({count}, d) of {count} images expected, "
            f"got {array.dtype} of shape {array.shape}",
        )
    return array


def _record(
    model: str,
    library: str,
    module: Any,
    *,
    weights: str,
    layer: str | None,
    prepare: str,
    packages: Sequence[str],
) -> dict[str, Any]:
    """Return the record of a torch module, with a checksum of its weights as they are now.

    packages: those whose versions, besides prfast's and torch's, the features depend on.
    """
    dtypes = {str(one.dtype).removeprefix("torch.") for one in module.parameters()}
    return {
        "kind": "images",
        "model": model,
        "library": library,
        "weights": weights,
        "weights_sha256": checksum(module),
        "layer": layer,
        "prepare": prepare,
        "dtype": " and ".join(sorted(dtypes)) or None,
        "versions": {name: version(name) for name in ("prfast", "torch", *packages)},
    }


def checksum(module: Any) -> str:
    """Return the SHA-256 of the names, dtypes, shapes and bytes of the weights, sorted by name."""
    total = hashlib.sha256()
    for name, tensor in sorted(module.state_dict().items()):
        if not hasattr(tensor, "detach"):
            continue  # extra state, which need not be a tensor
        plain = tensor.detach().cpu().contiguous()
        total.update(f"{name} {plain.dtype} {tuple(plain.shape)}\0".encode())
        total.update(plain.reshape(-1).view(_torch().uint8).numpy().data)
    return total.hexdigest()
