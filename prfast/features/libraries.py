"""Models of libraries and of users, loaded as a `Model`.

Each library resizes and scales images in its own way, and is imported where one of its models is
loaded.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from prfast.features.model import (
    RANDOM,
    Model,
    ModelSpec,
    check_device,
    check_known,
    checksum,
    features_of_tensors,
    fetching,
    group_by_shape,
    is_file,
    model_record,
    one_line,
    precision,
    ready,
    refuse_layer,
    seeded,
    torch,
    vectors,
    versions,
    weights_name,
)
from prfast.inputs.errors import WrongType, WrongValue, import_optional, kind_of
from prfast.inputs.options import read_seed
from prfast.results.info import version

# ---- torch-fidelity ------------------------------------------------------------------------------


def _load_torch_fidelity(spec: ModelSpec) -> Model:
    """Load a registered extractor.

    Layers: those that it provides, by default torch-fidelity's for precision and recall.
    """
    library = partial(import_optional, purpose="this model", extra="features")
    known = library("torch_fidelity.registry").FEATURE_EXTRACTORS_REGISTRY
    check_known("model", spec.name, list(known), "an extractor of torch-fidelity")
    kind = known[spec.name]
    layer = spec.layer
    if layer is None:
        layer = kind.get_default_feature_layer_for_metric("prc")
    check_known("layer", layer, list(kind.get_provided_features_list()), "a layer")
    if spec.weights == RANDOM:
        raise WrongValue("weights", "None or a file expected for torch-fidelity, got 'random'")
    weights, source = weights_name(spec, "published", "a file"), {}
    if spec.weights is not None:
        source = {"feature_extractor_weights_path": _checked_weights(spec)}
    with fetching(spec.name):
        extractor = library("torch_fidelity.utils").create_feature_extractor(
            spec.name, [layer], cuda=False, verbose=False, **source
        )
    module = ready(extractor, spec.device)
    size = getattr(module, "resolution", getattr(module, "INPUT_IMAGE_SIZE", None))
    record = model_record(
        "torch-fidelity",
        spec.name,
        module,
        weights=weights,
        layer=layer,
        prepare="torch-fidelity, bilinear as in TensorFlow 1"
        + (f", {size} × {size}" if size else ""),
        packages=("torch-fidelity", "pillow"),
    )
    return Model(
        _as_tensor, features_of_tensors(lambda batch: module(batch)[0], spec.device), record
    )


def _as_tensor(image: Any) -> Any:
    """Return an image as a uint8 tensor, shape (3, height, width)."""
    return torch().from_numpy(np.array(image)).permute(2, 0, 1).contiguous()


def _checked_weights(spec: ModelSpec) -> Any:
    """Return weights as torch-fidelity takes them; it would unpickle a file, which can run code."""
    if spec.name.startswith("clip-"):  # a TorchScript archive, which is not unpickled
        return spec.weights
    with fetching(str(spec.weights)):
        state = torch().load(spec.weights, map_location="cpu", weights_only=True)
    buffer = io.BytesIO()
    torch().save(state, buffer)
    buffer.seek(0)
    return buffer


# ---- timm ----------------------------------------------------------------------------------------


def _load_timm(spec: ModelSpec) -> Model:
    """Load ARCHITECTURE, ARCHITECTURE.TAG (the weights) or hf-hub:OWNER/NAME.

    Features: the output without classifier, `num_classes=0`.
    """
    timm = import_optional("timm", "this model", "features")
    data = import_optional("timm.data", "this model", "features")
    refuse_layer(spec, "timm")
    architecture = spec.name.partition(".")[0]
    if ":" not in architecture:  # models of a hub may have any name
        check_known("model", architecture, timm.list_models(), "a model of timm")
    hint = "; timm's own are in the name, as in timm:resnet18.a1_in1k"
    weights = weights_name(spec, "published", hint=hint)
    options: dict[str, Any] = {"pretrained": spec.weights != RANDOM}
    if is_file(spec.weights):
        options["pretrained_cfg_overlay"] = {"file": spec.weights}
    with seeded(spec), fetching(f"timm:{spec.name}"):
        module = ready(timm.create_model(spec.name, num_classes=0, **options), spec.device)
    transform = data.create_transform(**data.resolve_model_data_config(module), is_training=False)
    name, tag = spec.name, module.pretrained_cfg.get("tag")
    if spec.weights is None and tag:
        weights = tag
        if ":" not in name and "." not in name:
            name = f"{name}.{tag}"
    record = model_record(
        "timm",
        name,
        module,
        weights=weights,
        layer="num_classes=0",
        prepare=transform,
        packages=("timm", "torchvision", "pillow"),
    )
    return Model(transform, features_of_tensors(module, spec.device), record)


# ---- torchvision ---------------------------------------------------------------------------------


def _load_torchvision(spec: ModelSpec) -> Model:
    """Load a classifier.

    Layers: nodes of torchvision.models.feature_extraction, by default the input of the last linear
    layer, the classifier.  Weights: a name such as IMAGENET1K_V1, by default DEFAULT, the best.
    """
    models = import_optional("torchvision.models", "this model", "features")
    check_known(
        "model", spec.name, models.list_models(module=models), "a classifier of torchvision"
    )
    entries = models.get_model_weights(spec.name)
    published = spec.weights is None or spec.weights in entries.__members__
    entry = entries[spec.weights] if published and spec.weights else entries.DEFAULT
    known = ", ".join(one.name for one in entries)
    weights = (
        entry.name
        if published
        else weights_name(spec, entry.name, f"one of {known}, 'random' or a file")
    )
    with seeded(spec), fetching(f"torchvision:{spec.name}"):
        module = models.get_model(spec.name, weights=entry if published else None)
        if not published and is_file(spec.weights):
            module.load_state_dict(torch().load(spec.weights, "cpu", weights_only=True))
    module, transform = ready(module, spec.device), entry.transforms()
    record = model_record(
        "torchvision",
        spec.name,
        module,
        weights=weights,
        layer="",
        prepare=transform,
        packages=("torchvision", "pillow"),
    )
    record["layer"], call = _cut_at(module, spec.layer)
    return Model(transform, features_of_tensors(call, spec.device), record)


def _cut_at(module: Any, layer: str | None) -> tuple[str, Any]:
    """Return the name of a layer, and the model up to it."""
    if layer is None:
        linear = [n for n, m in module.named_modules() if isinstance(m, torch().nn.Linear)]
        if not linear:
            raise WrongValue("layer", "a name expected for a model without linear layers, got None")
        parent, _, child = linear[-1].rpartition(".")
        setattr(module.get_submodule(parent), child, torch().nn.Identity())
        return f"input of {linear[-1]}", module
    extraction = import_optional("torchvision.models.feature_extraction", "this model", "features")
    check_known("layer", layer, extraction.get_graph_node_names(module)[1], "a node of the model")
    cut = extraction.create_feature_extractor(module, {layer: layer})
    return layer, lambda batch: cut(batch)[layer]


# ---- open_clip -----------------------------------------------------------------------------------


def _load_open_clip(spec: ModelSpec) -> Model:
    """Load ARCHITECTURE/TAG or hf-hub:OWNER/NAME; features: `encode_image`, not normalized."""
    library = import_optional("open_clip", "this model", "features")
    refuse_layer(spec, "open_clip")
    name, tag = spec.name, ""
    if not name.startswith("hf-hub:"):
        name, _, tag = name.partition("/")
        check_known("model", name, library.list_models(), "a model of open_clip")
    hint = "; open_clip's own are in the name, as in open_clip:ViT-B-32/laion2b_s34b_b79k"
    weights = weights_name(spec, tag or "published", hint=hint)
    source: str | None = None if spec.weights == RANDOM else spec.weights
    if spec.weights is None:
        source = tag or None
        if not name.startswith("hf-hub:"):
            tags = library.list_pretrained_tags_by_model(name)
            check_known("model", tag, tags, f"weights of open_clip behind {name}/")
    with seeded(spec), fetching(f"open_clip:{spec.name}"):
        model, _, transform = library.create_model_and_transforms(name, pretrained=source)
    module = ready(model, spec.device)
    record = model_record(
        "open_clip",
        name,
        module.visual,
        weights=weights,
        layer="encode_image",
        prepare=transform,
        packages=("open_clip_torch", "torchvision", "pillow"),
    )
    return Model(transform, features_of_tensors(module.encode_image, spec.device), record)


# ---- sentence-transformers -----------------------------------------------------------------------


def _load_sentence_transformers(spec: ModelSpec) -> Model:
    """Load a model by its name on the hub or from a folder; features: `encode`."""
    library = import_optional("sentence_transformers", "this model", "features")
    refuse_layer(spec, "sentence-transformers")
    if spec.weights is not None:
        raise WrongValue(
            "weights", f"None expected, the folder of a model has them; got {spec.weights!r}"
        )
    local = os.path.isdir(spec.name)
    with fetching(f"sentence-transformers:{spec.name}"):
        module = ready(library.SentenceTransformer(spec.name, device=spec.device), spec.device)

    def features(texts: Sequence[str]) -> Any:
        rows = module.encode(
            list(texts), batch_size=len(texts), show_progress_bar=False, convert_to_numpy=True
        )
        return vectors(rows, len(texts))

    name = os.path.basename(os.path.abspath(spec.name)) if local else spec.name
    record = model_record(
        "sentence-transformers",
        name,
        module,
        weights="folder" if local else "published",
        layer="encode",
        prepare=f"at most {module.max_seq_length} tokens",
        packages=("sentence-transformers", "transformers"),
        kind="texts",
    )
    return Model(str, features, record)


# ---- a user's model ------------------------------------------------------------------------------


def _is_module(model: Any) -> bool:
    """Return whether a model is a torch module, without importing torch."""
    return any(base.__module__.startswith("torch.nn") for base in type(model).__mro__)


def load_own(
    model: Any, name: str | None, prepare: Callable[[Any], Any] | None, device: str
) -> Model:
    """Return a `Model` for a torch module or a function.

    Without `prepare`, a module is called with float32 in [0, 1] of shape (b, 3, height, width), a
    function with uint8 arrays of shape (b, height, width, 3).
    """
    if prepare is not None and not callable(prepare):
        raise WrongType("prepare", f"a function of an image expected, got {kind_of(prepare)}")
    if name is not None and not isinstance(name, str):
        raise WrongType("name", f"a str or None expected, got {kind_of(name)}")
    record = {
        "kind": "images",
        "model": _qualified_name(model) if name is None else name,
        "library": "own",
        "weights": None,
        "weights_sha256": None,
        "layer": None,
        "prepare": None if prepare is None else _prepare_name(prepare),
        "dtype": None,
        "versions": {"prfast": version(), "pillow": version("pillow")},
    }
    if not _is_module(model):
        if device != "cpu":
            raise WrongValue("device", f"'cpu' expected for a function, got {device!r}")
        record["prepare"] = record["prepare"] or "uint8"
        return Model(
            lambda image: np.asarray((prepare or np.array)(image)),
            lambda items: group_by_shape(lambda same: model(np.stack(same)), items),
            record,
        )
    if model.training:
        raise WrongValue("model", "a module in evaluation mode expected; call model.eval()")
    device = check_device(device)
    model.to(device)
    record["weights"], record["weights_sha256"] = "own", checksum(model)
    record["prepare"] = record["prepare"] or "float32 in [0, 1]"
    record["dtype"], record["versions"] = precision(model), versions("pillow")
    return Model(prepare or _unit, features_of_tensors(model, device), record)


def _qualified_name(model: Any) -> str:
    """Return the qualified name of a function, or of the class of any other object."""
    kind = model if hasattr(model, "__qualname__") else type(model)
    return f"{kind.__module__}.{kind.__qualname__}"


def _prepare_name(prepare: Any) -> str:
    """Return the name of a function, or the text form of an object, such as a transform."""
    return _qualified_name(prepare) if hasattr(prepare, "__qualname__") else one_line(prepare)


def _unit(image: Any) -> Any:
    """Return an image as a float32 tensor in [0, 1], as torchvision's ToTensor does."""
    array = np.array(image).transpose(2, 0, 1)
    return torch().from_numpy(np.ascontiguousarray(array)).float() / 255


# ---- all libraries -------------------------------------------------------------------------------


class Library(NamedTuple):
    """A library of models."""

    kind: str
    """What its models take: "images" or "texts"."""
    load: Callable[[ModelSpec], Model]
    example: str
    """A name of a model as `extract` takes it."""


LIBRARIES = {
    "torch-fidelity": Library("images", _load_torch_fidelity, "inception-v3-compat"),
    "timm": Library("images", _load_timm, "timm:resnet50.a1_in1k"),
    "torchvision": Library("images", _load_torchvision, "torchvision:resnet50"),
    "open_clip": Library("images", _load_open_clip, "open_clip:ViT-B-32/laion2b_s34b_b79k"),
    "sentence-transformers": Library(
        "texts", _load_sentence_transformers, "sentence-transformers:all-MiniLM-L6-v2"
    ),
}


def read_name(model: str) -> tuple[str, str]:
    """Split a model's name into library and name; without a colon it is one of torch-fidelity."""
    library, colon, name = model.partition(":")
    if not colon:
        library, name = "torch-fidelity", model
    if library not in LIBRARIES or not name:
        known = ", ".join(row.example for row in LIBRARIES.values())
        raise WrongValue("model", f"one such as {known} expected, got {model!r}")
    return library, name


def load_model(model: str, weights: Any, seed: Any, layer: Any, device: str) -> Model:
    """Load a model by its name."""
    library, name = read_name(model)
    for argument, value in (("weights", weights), ("layer", layer)):
        if value is not None and not isinstance(value, str):
            raise WrongType(argument, f"a str or None expected, got {kind_of(value)}")
    spec = ModelSpec(name, weights, read_seed(seed, "seed"), layer, check_device(device))
    return LIBRARIES[library].load(spec)
