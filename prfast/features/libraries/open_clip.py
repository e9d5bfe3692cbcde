"""Towers of images of open_clip, with their own preprocessing."""

from __future__ import annotations

import os

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
    """ARCHITECTURE/TAG, or hf-hub:OWNER/NAME; features are those of `encode_image`, as they are."""
    library = load_extra("open_clip", "this model", "features")
    refuse_layer(wanted, "open_clip")
    name, tag = wanted.name, ""
    if not name.startswith("hf-hub:"):
        name, _, tag = name.partition("/")
        check_known("model", name, library.list_models(), "a model of open_clip")
    source: str | None = tag or None
    weights = tag or "published"
    if is_file(wanted.weights):
        source, weights = wanted.weights, os.path.basename(str(wanted.weights))
    elif wanted.weights == RANDOM:
        source, weights = None, f"random, seed {wanted.seed}"
    elif wanted.weights is not None:
        raise WrongValue(
            "weights",
            f"'random' or a file expected, got {wanted.weights!r}; open_clip's own are in the "
            "name, as in open_clip:ViT-B-32/laion2b_s34b_b79k",
        )
    elif not name.startswith("hf-hub:"):
        tags = library.list_pretrained_tags_by_model(name)
        check_known("model", tag, tags, f"weights of open_clip behind {name}/")
    with seeded(wanted), fetching(f"open_clip:{wanted.name}"):
        made, _, transform = library.create_model_and_transforms(name, pretrained=source)
    module = ready(made, wanted.device)
    record = {
        "kind": "images",
        "model": f"open_clip:{name}",
        "library": "open_clip",
        "weights": weights,
        "weights_sha256": checksum(module.visual),
        "layer": "encode_image",
        "prepare": plainly(transform),
        "dtype": precision(module.visual),
        "versions": versions("open_clip_torch", "torchvision", "pillow"),
    }
    return Model(transform, of_tensors(module.encode_image, wanted.device), record)
