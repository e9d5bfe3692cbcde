"""Image encoders of open_clip, with their own preprocessing."""

from __future__ import annotations

from prfast.features.model import (
    RANDOM,
    Model,
    Wanted,
    check_known,
    fetching,
    made,
    of_tensors,
    ready,
    refuse_layer,
    seeded,
    weights_name,
)
from prfast.inputs.errors import load_extra


def load(wanted: Wanted) -> Model:
    """Load ARCHITECTURE/TAG or hf-hub:OWNER/NAME; features: `encode_image`, not normalized."""
    library = load_extra("open_clip", "this model", "features")
    refuse_layer(wanted, "open_clip")
    name, tag = wanted.name, ""
    if not name.startswith("hf-hub:"):
        name, _, tag = name.partition("/")
        check_known("model", name, library.list_models(), "a model of open_clip")
    hint = "; open_clip's own are in the name, as in open_clip:ViT-B-32/laion2b_s34b_b79k"
    weights = weights_name(wanted, tag or "published", hint=hint)
    source: str | None = None if wanted.weights == RANDOM else wanted.weights
    if wanted.weights is None:
        source = tag or None
        if not name.startswith("hf-hub:"):
            tags = library.list_pretrained_tags_by_model(name)
            check_known("model", tag, tags, f"weights of open_clip behind {name}/")
    with seeded(wanted), fetching(f"open_clip:{wanted.name}"):
        found, _, transform = library.create_model_and_transforms(name, pretrained=source)
    module = ready(found, wanted.device)
    record = made(
        "open_clip",
        name,
        module.visual,
        weights=weights,
        layer="encode_image",
        prepare=transform,
        packages=("open_clip_torch", "torchvision", "pillow"),
    )
    return Model(transform, of_tensors(module.encode_image, wanted.device), record)
