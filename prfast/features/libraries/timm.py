"""Models of timm, with the transform of their own configuration."""

from __future__ import annotations

import os
from typing import Any

from prfast.features.model import (
    RANDOM,
    Model,
    Wanted,
    check_known,
    checksum,
    fetching,
    is_file,
    of_tensors,
    plainly,
    precision,
    ready,
    refuse_layer,
    seeded,
    versions,
)
from prfast.inputs.errors import WrongValue
from prfast.inputs.extra import load_extra


def load(wanted: Wanted) -> Model:
    """ARCHITECTURE, ARCHITECTURE.TAG for certain weights, hf-hub:OWNER/NAME; features are what timm
    gives without a classifier, `num_classes=0`."""
    timm = load_extra("timm", "this model", "features")
    data = load_extra("timm.data", "this model", "features")
    refuse_layer(wanted, "timm")
    architecture = wanted.name.partition(".")[0]
    if ":" not in architecture:  # of a hub, which may have any name
        check_known("model", architecture, timm.list_models(), "a model of timm")
    options: dict[str, Any] = {"pretrained": wanted.weights != RANDOM}
    if is_file(wanted.weights):
        options["pretrained_cfg_overlay"] = {"file": wanted.weights}
    elif wanted.weights not in (None, RANDOM):
        raise WrongValue(
            "weights",
            f"'random' or a file expected, got {wanted.weights!r}; timm's own are in the name, as "
            "in timm:resnet18.a1_in1k",
        )
    with seeded(wanted), fetching(f"timm:{wanted.name}"):
        module = ready(timm.create_model(wanted.name, num_classes=0, **options), wanted.device)
    transform = data.create_transform(**data.resolve_model_data_config(module), is_training=False)
    name, weights = wanted.name, f"random, seed {wanted.seed}"
    if wanted.weights is None:
        weights = module.pretrained_cfg.get("tag") or "published"
        if ":" not in name and "." not in name and module.pretrained_cfg.get("tag"):
            name = f"{name}.{weights}"
    elif wanted.weights != RANDOM:
        weights = os.path.basename(wanted.weights)
    record = {
        "kind": "images",
        "model": f"timm:{name}",
        "library": "timm",
        "weights": weights,
        "weights_sha256": checksum(module),
        "layer": "num_classes=0",
        "prepare": plainly(transform),
        "dtype": precision(module),
        "versions": versions("timm", "torchvision", "pillow"),
    }
    return Model(transform, of_tensors(module, wanted.device), record)
