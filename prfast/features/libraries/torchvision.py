"""Classifiers of torchvision, with the transform of their weights."""

from __future__ import annotations

from typing import Any

from prfast.features.model import (
    Model,
    Wanted,
    check_known,
    fetching,
    is_file,
    made,
    of_tensors,
    ready,
    seeded,
    torch,
    weights_name,
)
from prfast.inputs.errors import WrongValue, load_extra


def load(wanted: Wanted) -> Model:
    """Load a classifier.

    Layers: nodes of torchvision.models.feature_extraction, by default the input of the last linear
    layer, the classifier.  Weights: a name such as IMAGENET1K_V1, by default DEFAULT, the best.
    """
    models = load_extra("torchvision.models", "this model", "features")
    check_known(
        "model", wanted.name, models.list_models(module=models), "a classifier of torchvision"
    )
    entries = models.get_model_weights(wanted.name)
    published = wanted.weights is None or wanted.weights in entries.__members__
    entry = entries[wanted.weights] if published and wanted.weights else entries.DEFAULT
    known = ", ".join(one.name for one in entries)
    weights = (
        entry.name
        if published
        else weights_name(wanted, entry.name, f"one of {known}, 'random' or a file")
    )
    with seeded(wanted), fetching(f"torchvision:{wanted.name}"):
        module = models.get_model(wanted.name, weights=entry if published else None)
        if not published and is_file(wanted.weights):
            module.load_state_dict(torch().load(wanted.weights, "cpu", weights_only=True))
    module, transform = ready(module, wanted.device), entry.transforms()
    record = made(
        "torchvision",
        wanted.name,
        module,
        weights=weights,
        layer="",
        prepare=transform,
        packages=("torchvision", "pillow"),
    )
    record["layer"], call = _cut(module, wanted.layer)
    return Model(transform, of_tensors(call, wanted.device), record)


def _cut(module: Any, layer: str | None) -> tuple[str, Any]:
    """Return the name of a layer, and the model up to it."""
    if layer is None:
        linear = [n for n, m in module.named_modules() if isinstance(m, torch().nn.Linear)]
        if not linear:
            raise WrongValue("layer", "one expected, the model has no linear layer; got None")
        parent, _, child = linear[-1].rpartition(".")
        setattr(module.get_submodule(parent), child, torch().nn.Identity())
        return f"input of {linear[-1]}", module
    extraction = load_extra("torchvision.models.feature_extraction", "this model", "features")
    check_known("layer", layer, extraction.get_graph_node_names(module)[1], "a node of the model")
    cut = extraction.create_feature_extractor(module, {layer: layer})
    return layer, lambda batch: cut(batch)[layer]
