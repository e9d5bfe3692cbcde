"""Images of feature extraction, from folders, files and arrays, decoded one by one by Pillow."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from prfast.files.readers import load_array, place_and_key
from prfast.inputs.arrays import to_array
from prfast.inputs.errors import WrongType, WrongValue, import_optional, kind_of

# Endings of image files in torchvision.
ENDINGS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")
# Modes of Pillow (by prefix) with more than 8 bits per channel, which conversion to RGB clips.
_DEEP = ("I", "F")


@dataclass(frozen=True)
class Images:
    """Images in order."""

    names: Sequence[str]
    """Names for messages, which are part of the checksum."""
    content: Callable[[int], Any]
    """The bytes of an image, by its index."""
    decode: Callable[[int, Any], Any]
    """The RGB image of Pillow, from its index and its bytes."""
    about: dict[str, Any] = field(default_factory=dict)
    """Further entries under `inputs` of the record."""

    def __len__(self) -> int:
        return len(self.names)

    def load(self, i: int) -> tuple[Any, bytes]:
        """Return an image and the digest of its name and content."""
        content = self.content(i)
        return self.decode(i, content), self._digest(i, content)

    def checksum(self) -> str:
        """Return the SHA-256 of the names and contents of all images."""
        total = hashlib.sha256()
        for i in range(len(self)):
            total.update(self._digest(i, self.content(i)))
        return total.hexdigest()

    def _digest(self, i: int, content: Any) -> bytes:
        return self.names[i].encode() + b"\0" + hashlib.sha256(content).digest()


def read_images(name: str, values: Any) -> Images:
    """Return the images of a folder, of paths, or of a uint8 array (n, height, width, 3), which may
    be in a file."""
    _pillow()
    if isinstance(values, str | os.PathLike):
        path = os.fspath(values)
        if not os.path.isfile(place_and_key(path)[0]):
            return _folder(path)
        name, values = path, load_array(path)
    if isinstance(values, list | tuple) and values:
        if not all(isinstance(one, str | os.PathLike) for one in values):
            if all(hasattr(one, "convert") for one in values):  # of Pillow
                hint = f"; np.stack([one.convert('RGB') for one in {name}]) makes one of images"
            else:
                hint = ""
            raise WrongType(
                name,
                f"a folder, paths, or an array of images expected, got {kind_of(values)}{hint}",
            )
        paths = [os.fspath(one) for one in values]
        return _files(paths, [os.path.basename(path) for path in paths])
    array = to_array(name, values)
    if array.ndim and not len(array):
        raise WrongValue(name, "at least one image expected, got none")
    if array.ndim != 4 or array.shape[3] != 3 or 0 in array.shape:
        text = f"images of shape (n, height, width, 3) expected, got shape {array.shape}"
        turned = f"; np.transpose({name}, (0, 2, 3, 1)) puts channels last"
        is_turned = array.ndim == 4 and array.shape[1] == 3 and 0 not in array.shape
        raise WrongValue(name, text + turned * is_turned)
    if array.dtype != np.uint8:
        text = f"images of dtype uint8, 0 to 255, expected, got {array.dtype}"
        scaled = f"; np.rint(255 * {name}).astype(np.uint8) makes it of values in [0, 1]"
        raise WrongType(name, text + scaled * (array.dtype.kind == "f"))
    return Images(
        [f"images[{i}]" for i in range(len(array))],
        lambda i: np.ascontiguousarray(array[i]).data,
        lambda _, content: _pillow().fromarray(np.asarray(content)),
    )


def _pillow() -> Any:
    return import_optional("PIL.Image", "features of images")


def _files(paths: Sequence[str], names: Sequence[str], **about: Any) -> Images:
    """Return images in files, all of which are opened, so that errors come before any feature."""
    for path in paths:
        with open(path, "rb") as file:
            _open(path, file).close()
    return Images(
        names, lambda i: Path(paths[i]).read_bytes(), lambda i, x: _rgb(paths[i], x), about
    )


def _folder(folder: str) -> Images:
    """Return the images in a folder and those below it, sorted by their relative paths.

    Links to folders are followed; names that begin with a dot are left out.
    """
    if not os.path.isdir(folder):
        os.stat(folder)  # if missing, raise the system's error
        raise WrongValue(folder, "a folder of images expected")
    by_name, others = {}, 0
    for place, folders, files in os.walk(folder, followlinks=True, onerror=_raise):
        folders[:] = [one for one in folders if not one.startswith(".")]
        for one in folders:
            # A link to a folder above would be followed again and again.
            target = os.path.realpath(os.path.join(place, one))
            if (os.path.realpath(place) + os.sep).startswith(target + os.sep):
                raise WrongValue(os.path.join(place, one), "a folder expected, got a cyclic link")
        for one in files:
            path = os.path.join(place, one)
            if one.startswith("."):
                continue
            if os.path.splitext(one)[1].lower() in ENDINGS:
                by_name[Path(os.path.relpath(path, folder)).as_posix()] = path
            else:
                others += 1
    if not by_name:
        known = ", ".join(ENDINGS)
        raise WrongValue(folder, f"a folder with images expected, none ends in {known}")
    names = sorted(by_name)
    return _files([by_name[name] for name in names], names, left_out=others)


def _raise(error: OSError) -> None:
    raise error


def _open(path: str, source: Any) -> Any:
    """Return an image of at most 8 bits per channel, of which Pillow has read the header."""
    try:
        image = _pillow().open(source)
    except Exception as error:
        raise _unreadable(path, error) from None
    if image.mode.startswith(_DEEP):
        raise WrongValue(
            path, f"an image of 8 bits per channel expected, got Pillow's mode {image.mode}"
        )
    return image


def _rgb(path: str, content: bytes) -> Any:
    """Return an image as RGB: grey repeated, palettes looked up, transparency dropped."""
    with _open(path, io.BytesIO(content)) as image:
        try:
            # Pillow warns if transparency of a palette is dropped in one step.
            if image.mode == "P" and "transparency" in image.info:
                image = image.convert("RGBA")
            return image.convert("RGB")
        except Exception as error:
            raise _unreadable(path, error) from None


def _unreadable(path: str, error: Exception) -> WrongValue:
    reason = str(error).partition("\n")[0] or type(error).__name__
    return WrongValue(path, f"an image that Pillow reads expected ({reason})")
