"""Feature extractors registered with torch-fidelity, with its resizing."""

from __future__ import annotations

import io
from functools import partial
from typing import Any

import numpy as np

from prfast.features.model import (
    RANDOM,
    Model,
    Wanted,
    check_known,
    fetching,
    made,
    of_tensors,
    ready,
    seeded,
    torch,
    weights_name,
)
from prfast.inputs.errors import WrongValue, load_extra


def load(wanted: Wanted) -> Model:
    """Load a registered extractor.

    Layers: those that it provides, by default torch-fidelity's for precision and recall.
    """
    library = partial(load_extra, purpose="this model", extra="features")
    known = library("torch_fidelity.registry").FEATURE_EXTRACTORS_REGISTRY
    check_known("model", wanted.name, list(known), "an extractor of torch-fidelity")
    kind = known[wanted.name]
    layer = wanted.layer
    if layer is None:
        layer = kind.get_default_feature_layer_for_metric("prc")
    check_known("layer", layer, list(kind.get_provided_features_list()), "a layer")
    weights, source = weights_name(wanted, "published"), _source(wanted)
    with fetching(wanted.name):
        found = library("torch_fidelity.utils").create_feature_extractor(
            wanted.name, [layer], cuda=False, verbose=False, **source
        )
    module = ready(found, wanted.device)
    size = getattr(module, "resolution", getattr(module, "INPUT_IMAGE_SIZE", None))
    record = made(
        "torch-fidelity",
        wanted.name,
        module,
        weights=weights,
        layer=layer,
        prepare="torch-fidelity, bilinear as in TensorFlow 1"
        + (f", {size} × {size}" if size else ""),
        packages=("torch-fidelity", "pillow"),
    )
    return Model(as_tensor, of_tensors(lambda batch: module(batch)[0], wanted.device), record)


def as_tensor(picture: Any) -> Any:
    """Return an image as a uint8 tensor, shape (3, height, width)."""
    return torch().from_numpy(np.array(picture)).permute(2, 0, 1).contiguous()


def _source(wanted: Wanted) -> dict[str, Any]:
    """Return the keyword argument of an extractor with the place of its weights."""
    if wanted.weights is None:
        return {}
    if wanted.weights == RANDOM:
        if wanted.name not in _DRAWN:
            known = " and ".join(_DRAWN)
            raise WrongValue("weights", f"'random' only for {known} of torch-fidelity expected")
        with seeded(wanted):
            state = _DRAWN[wanted.name]().state_dict()
    elif wanted.name.startswith("clip-"):
        return {"feature_extractor_weights_path": wanted.weights}
    else:
        with fetching(wanted.weights):  # torch-fidelity would unpickle, which can run code
            state = torch().load(wanted.weights, map_location="cpu", weights_only=True)
    buffer = io.BytesIO()
    torch().save(state, buffer)
    buffer.seek(0)
    return {"feature_extractor_weights_path": buffer}


def _inception() -> Any:
    models = load_extra("torchvision.models", "this model", "features")
    return models.inception_v3(weights=None, num_classes=1008, aux_logits=False, init_weights=True)


def _vgg16() -> Any:
    return load_extra("torchvision.models", "this model", "features").vgg16(weights=None)


# Networks with weights of the same names and shapes, from which random weights are drawn.
_DRAWN = {"inception-v3-compat": _inception, "vgg16": _vgg16}
