"""From pictures or texts to features: the public function."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from prfast.features.batches import Batches
from prfast.features.draft import Draft
from prfast.features.libraries import own
from prfast.features.pictures import read_pictures
from prfast.features.table import LIBRARIES, load_model, read_name
from prfast.features.texts import read_texts
from prfast.files.load import load_array
from prfast.files.sidecar import has_record, sidecar
from prfast.inputs.errors import WrongType, WrongValue
from prfast.inputs.features import Features, record_of, with_record
from prfast.inputs.kinds import kind_of
from prfast.inputs.options import read_count
from prfast.inputs.progress import Shown, read_progress
from prfast.kernels.threads import resolve_threads


def extract(
    images: Any,
    model: Any,
    *,
    out: str | os.PathLike[str] | None = None,
    batch_size: int = 64,
    device: str = "cpu",
    layer: str | None = None,
    weights: str | None = None,
    seed: int = 0,
    prepare: Callable[[Any], Any] | None = None,
    name: str | None = None,
    n_jobs: int | None = None,
    progress: Shown = None,
) -> Features:
    """Features of images or texts, with a record of how they were made.

    Parameters
    ----------
    images : path, list of paths, array or tensor; for models of texts path or list of str
        A folder, searched with the folders in it for .jpg, .jpeg, .png, .ppm, .bmp, .pgm, .tif,
        .tiff and .webp, in the order of their paths; names that begin with a dot are left out.
        Paths, in their order.  A uint8 array (n, height, width, 3), also in a file such as .npy or
        samples.npz:arr_0, or a uint8 tensor of torch (n, 3, height, width).  Pillow reads files,
        the first picture of several, and makes RGB of other modes: grey thrice, colours of a
        palette looked up, transparency left out; a rotation that a camera has noted is not applied;
        pictures of more than 8 bits a channel are refused.
        Texts: a list, or a file in UTF-8 with a line a text.
    model : str, torch.nn.Module or function
        A name of torch-fidelity ("inception-v3-compat", "vgg16", "clip-vit-b-32",
        "dinov2-vit-b-14", …), "timm:NAME", "torchvision:NAME", "open_clip:NAME/WEIGHTS", for texts
        "sentence-transformers:NAME"; each resizes and scales as its library does.  A module in its
        mode for inference is given float32 in [0, 1] of shape (b, 3, height, width), a function
        uint8 arrays (b, height, width, 3); both return floats (b, d).
    out : path, optional
        A .npy file, next to which the record is written as .json; rows are written batch by batch,
        and the same call continues an interrupted one.  A file that is there is replaced when the
        new one is whole, and left as it is where it has what is asked for.  None (default):
        features are kept in memory.
    batch_size : int
        Images that go through the model together, 64 by default.
    device : str
        Of torch: "cpu" (default), "cuda", …
    layer : str, optional
        Of torch-fidelity or torchvision, where the model is cut; None (default) is what
        torch-fidelity takes for precision and recall, and what torchvision's classifier is given.
    weights : str, optional
        None (default): the published ones.  "random": drawn from `seed`.  A file of a state
        dictionary; of torchvision also a name such as "IMAGENET1K_V1".
    seed : int
        Of random weights, 0 by default.
    prepare : function, optional
        For a model of your own: what it is given for a picture, an image of Pillow in RGB.
    name : str, optional
        For a model of your own: what the record calls it; by default the name of the function or
        of the module's class.
    n_jobs : int or None
        Threads that read and prepare images, at most the usable cores, which None (default) and -1
        take.
    progress : bool or None
        Show a bar; None (default): where somebody watches, for work of more than two seconds.

    Returns
    -------
    Features
        An array of shape (n, d), of the dtype of the model's output; mapped from `out` if that is
        given.  Its `record` goes into every result (`info["features"]`).

    Raises
    ------
    TypeError, ValueError
        Naming the argument or the file: no pictures, one that Pillow does not read, an unknown
        model, features that are not finite, a draft of something else.
    OSError
        Weights that cannot be loaded.
    ImportError
        A package that is missing (extra: features).
    """
    batch_size = read_count("batch_size", batch_size)
    threads = resolve_threads(n_jobs)
    shown = read_progress(progress)
    path = None if out is None else _read_out(out)
    if isinstance(model, str):
        _refuse_own(prepare, name)
        texts = LIBRARIES[read_name(model)[0]].kind == "texts"
        inputs: Any = (read_texts if texts else read_pictures)("images", images)
        found = load_model(model, weights, seed, layer, device)
    elif callable(model):
        _refuse_library(weights, layer)
        inputs = read_pictures("images", images)
        found = own.load(model, name, prepare, device)
    else:
        raise WrongType("model", f"a name, a module or a function expected, got {kind_of(model)}")
    making = found.record | {"batch_size": batch_size, "device": device}
    batches = Batches(inputs, found, batch_size, threads, shown)
    if path is not None:
        return _to_file(path, making, batches)
    rows = [rows for _, rows, _ in batches.run(0)]
    return _features(with_record(np.concatenate(rows), making | batches.about()))


def _features(array: Any) -> Features:
    found: Features = array
    return found


def _read_out(out: Any) -> str:
    if not isinstance(out, str | os.PathLike):
        raise WrongType("out", f"a path or None expected, got {kind_of(out)}")
    path = os.fspath(out)
    if not path.lower().endswith(".npy"):
        raise WrongValue("out", f"a file ending in .npy expected, got {path!r}")
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise WrongValue("out", f"a folder that is there expected, got {path!r}")
    if os.path.exists(sidecar(path)) and not has_record(path):
        raise WrongValue(
            "out",
            f"a record of features or no file expected at {sidecar(path)}, got another file; move "
            "it, or choose another name",
        )
    return path


def _refuse_own(prepare: Any, name: Any) -> None:
    for argument, value in (("prepare", prepare), ("name", name)):
        if value is not None:
            raise WrongValue(argument, "only for a module or a function of your own expected")


def _refuse_library(weights: Any, layer: Any) -> None:
    for argument, value in (("weights", weights), ("layer", layer)):
        if value is not None:
            raise WrongValue(argument, "only for a model of a library expected")


def _to_file(path: str, making: dict[str, Any], batches: Batches) -> Features:
    draft = Draft(path, making, len(batches.inputs))
    if _is_there(path, making, batches):
        return _features(load_array(path))
    done = draft.resume(batches.skip)
    for start, rows, digest in batches.run(done, draft.rows, draft.numbers):
        draft.write(start, rows, digest)
    draft.finish(making | batches.about())
    return _features(load_array(path))


def _is_there(path: str, making: dict[str, Any], batches: Batches) -> bool:
    """Has the file what is asked for?"""
    if not os.path.exists(path):
        return False
    try:
        record = record_of(load_array(path))
    except ValueError:  # it will be replaced
        return False
    if record is None or any(record.get(key) != value for key, value in making.items()):
        return False
    inputs = record.get("inputs")
    if not isinstance(inputs, Mapping) or inputs.get("count") != len(batches.inputs):
        return False
    same: bool = record == making | batches.about_all()
    return same
