"""Libraries of models: a row each."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from prfast.features.model import Model, Wanted, check_device
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.kinds import kind_of
from prfast.inputs.options import read_seed


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
