"""Extractors that are registered with torch-fidelity, with its resizing."""

from __future__ import annotations

import io
import os
from functools import partial
from typing import Any

import numpy as np

from prfast.features.model import (
    RANDOM,
    Model,
    Wanted,
    check_known,
    checksum,
    fetching,
    is_file,
    of_tensors,
    precision,
    ready,
    seeded,
    torch,
    versions,
)
from prfast.inputs.errors import WrongValue
from prfast.inputs.extra import load_extra


def load(wanted: Wanted) -> Model:
    """Layers: those that the extractor provides, by default what torch-fidelity takes for precision
    and recall."""
    library = partial(load_extra, purpose="this model", extra="features")
    known = library("torch_fidelity.registry").FEATURE_EXTRACTORS_REGISTRY
    check_known("model", wanted.name, list(known), "an extractor of torch-fidelity")
    kind = known[wanted.name]
    layer = wanted.layer
    if layer is None:
        layer = kind.get_default_feature_layer_for_metric("prc")
    check_known("layer", layer, list(kind.get_provided_features_list()), "a layer")
    source, weights = _weights(wanted)
    with fetching(wanted.name):
        made = library("torch_fidelity.utils").create_feature_extractor(
            wanted.name, [layer], cuda=False, verbose=False, **source
        )
    module = ready(made, wanted.device)
    size = getattr(module, "resolution", getattr(module, "INPUT_IMAGE_SIZE", None))
    record = {
        "kind": "images",
        "model": f"torch-fidelity:{wanted.name}",
        "library": "torch-fidelity",
        "weights": weights,
        "weights_sha256": checksum(module),
        "layer": layer,
        "prepare": "torch-fidelity, bilinear as in TensorFlow 1"
        + (f", {size} × {size}" if size else ""),
        "dtype": precision(module),
        "versions": versions("torch-fidelity", "pillow"),
    }
    return Model(as_tensor, of_tensors(lambda batch: module(batch)[0], wanted.device), record)


def as_tensor(picture: Any) -> Any:
    """uint8, shape (3, height, width)."""
    return torch().from_numpy(np.array(picture)).permute(2, 0, 1).contiguous()


def _weights(wanted: Wanted) -> tuple[dict[str, Any], str]:
    """Where the extractor is to read its weights, and what they are called."""
    if wanted.weights is None:
        return {}, "published"
    if wanted.weights == RANDOM:
        if wanted.name not in _DRAWN:
            known = " and ".join(_DRAWN)
            raise WrongValue("weights", f"'random' only for {known} of torch-fidelity expected")
        with seeded(wanted):
            state = _DRAWN[wanted.name]().state_dict()
        name = f"random, seed {wanted.seed}"
    elif is_file(wanted.weights):
        name = os.path.basename(wanted.weights)
        if wanted.name.startswith("clip-"):
            return {"feature_extractor_weights_path": wanted.weights}, name
        with fetching(wanted.weights):  # torch-fidelity itself would run code that is in the file
            state = torch().load(wanted.weights, map_location="cpu", weights_only=True)
    else:
        raise WrongValue("weights", f"'random' or a file expected, got {wanted.weights!r}")
    buffer = io.BytesIO()
    torch().save(state, buffer)
    buffer.seek(0)
    return {"feature_extractor_weights_path": buffer}, name


def _inception() -> Any:
    models = load_extra("torchvision.models", "this model", "features")
    return models.inception_v3(weights=None, num_classes=1008, aux_logits=False, init_weights=True)


def _vgg16() -> Any:
    return load_extra("torchvision.models", "this model", "features").vgg16(weights=None)


# Networks of the same weights, by which random ones are drawn.
_DRAWN = {"inception-v3-compat": _inception, "vgg16": _vgg16}
