"""Images of a folder, of paths or of an array, decoded by Pillow where they are needed."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from prfast.files.readers import load_array, place_and_key
from prfast.inputs.arrays import to_array
from prfast.inputs.errors import WrongType, WrongValue, import_optional, kind_of

# Endings of image files in torchvision.
ENDINGS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")

# Names; the RGB image of Pillow by its index, in any thread; the entry `inputs` of the record.
Images = tuple[Sequence[str], Callable[[int], Any], dict[str, Any]]


def read_images(name: str, values: Any) -> Images:
    """Read the files of a folder, paths, or a uint8 array; errors precede any feature."""
    pillow = import_optional("PIL.Image", "features of images")
    if isinstance(values, str | os.PathLike):
        path = os.fspath(values)
        if not os.path.isfile(place_and_key(path)[0]):
            return _folder(path)
        name, values = path, load_array(path)
    if isinstance(values, list | tuple) and values:
        if all(isinstance(value, str | os.PathLike) for value in values):
            return _files([os.path.basename(path) for path in values], [*map(os.fspath, values)])
        if any(isinstance(x, str | os.PathLike) or hasattr(x, "convert") for x in values):
            is_pillow = all(hasattr(image, "convert") for image in values)
            hint = f"; np.stack([one.convert('RGB') for one in {name}]) makes one of images"
            text = f"a folder, paths, or an array of images expected, got {kind_of(values)}"
            raise WrongType(name, text + hint * is_pillow)
    array = to_array(name, values)
    if array.ndim != 4 or array.shape[3] != 3 or 0 in array.shape:
        text = f"images of shape (n, height, width, 3) expected, got shape {array.shape}"
        turned = f"; np.transpose({name}, (0, 2, 3, 1)) puts channels last"
        is_turned = array.ndim == 4 and array.shape[1] == 3 and 0 not in array.shape
        raise WrongValue(name, text + turned * is_turned)
    if array.dtype != np.uint8:
        text = f"images of dtype uint8, 0 to 255, expected, got {array.dtype}"
        scaled = f"; np.rint(255 * {name}).astype(np.uint8) makes it of values in [0, 1]"
        raise WrongType(name, text + scaled * (array.dtype.kind == "f"))
    names = [f"images[{i}]" for i in range(len(array))]
    about = _inputs(names, (np.ascontiguousarray(image).data for image in array))
    return names, lambda i: pillow.fromarray(np.ascontiguousarray(array[i])), about


def _folder(folder: str) -> Images:
    """Return the images in a folder and those below it, sorted by their relative paths."""
    by_name, left_out, places = {}, 0, set()

    def refuse(error: OSError) -> None:
        raise error

    for place, folders, files in os.walk(folder, followlinks=True, onerror=refuse):
        if os.path.realpath(place) in places:  # a link to a folder above would be followed forever
            text = "a folder expected, got a link to a folder that is read already"
            raise WrongValue(place, text)
        places.add(os.path.realpath(place))
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in (name for name in files if not name.startswith(".")):
            path = os.path.join(place, name)
            if name.lower().endswith(ENDINGS):
                by_name[Path(os.path.relpath(path, folder)).as_posix()] = path
            else:
                left_out += 1
    if not by_name:
        raise WrongValue(folder, f"images expected, none ends in {', '.join(ENDINGS)}")
    names = sorted(by_name)
    return _files(names, [by_name[name] for name in names], left_out=left_out)


def _files(names: Sequence[str], paths: Sequence[str], **about: Any) -> Images:
    contents = (_opened(path, decode=False)[1] for path in paths)
    return names, lambda i: _opened(paths[i])[0], _inputs(names, contents) | about


def _inputs(names: Sequence[str], contents: Iterable[Any]) -> dict[str, Any]:
    total = hashlib.sha256()
    for name, content in zip(names, contents, strict=True):
        total.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return {"count": len(names), "sha256": total.hexdigest()}


def _opened(path: str, decode: bool = True) -> tuple[Any, bytes]:
    """Return an image of at most 8 bits per channel, if decoded in RGB, and its file's bytes."""
    content = Path(path).read_bytes()
    try:
        image = import_optional("PIL.Image", "features of images").open(io.BytesIO(content))
        mode = image.mode
        if decode:
            # Pillow warns if transparency of a palette is dropped in one step.
            if mode == "P" and "transparency" in image.info:
                image = image.convert("RGBA")
            image = image.convert("RGB")
    except Exception as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise WrongValue(path, f"an image that Pillow reads expected ({reason})") from None
    if mode.startswith(("I", "F")):  # conversion to RGB clips them
        raise WrongValue(path, f"an image of 8 bits per channel expected, got Pillow's mode {mode}")
    return image, content
