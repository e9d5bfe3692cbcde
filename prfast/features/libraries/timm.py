"""Models of timm, with the transform of their own configuration."""

from __future__ import annotations

from typing import Any

from prfast.features.model import (
    RANDOM,
    Model,
    Wanted,
    check_known,
    fetching,
    is_file,
    made,
    of_tensors,
    ready,
    refuse_layer,
    seeded,
    weights_name,
)
from prfast.inputs.errors import load_extra


def load(wanted: Wanted) -> Model:
    """Load ARCHITECTURE, ARCHITECTURE.TAG (the weights) or hf-hub:OWNER/NAME.

    Features: the output without classifier, `num_classes=0`.
    """
    timm = load_extra("timm", "this model", "features")
    data = load_extra("timm.data", "this model", "features")
    refuse_layer(wanted, "timm")
    architecture = wanted.name.partition(".")[0]
    if ":" not in architecture:  # models of a hub may have any name
        check_known("model", architecture, timm.list_models(), "a model of timm")
    hint = "; timm's own are in the name, as in timm:resnet18.a1_in1k"
    weights = weights_name(wanted, "published", hint=hint)
    options: dict[str, Any] = {"pretrained": wanted.weights != RANDOM}
    if is_file(wanted.weights):
        options["pretrained_cfg_overlay"] = {"file": wanted.weights}
    with seeded(wanted), fetching(f"timm:{wanted.name}"):
        module = ready(timm.create_model(wanted.name, num_classes=0, **options), wanted.device)
    transform = data.create_transform(**data.resolve_model_data_config(module), is_training=False)
    name, tag = wanted.name, module.pretrained_cfg.get("tag")
    if wanted.weights is None and tag:
        weights = tag
        if ":" not in name and "." not in name:
            name = f"{name}.{tag}"
    record = made(
        "timm",
        name,
        module,
        weights=weights,
        layer="num_classes=0",
        prepare=transform,
        packages=("timm", "torchvision", "pillow"),
    )
    return Model(transform, of_tensors(module, wanted.device), record)
