"""Inputs of feature extraction: images from folders, files and arrays, and texts.

Images are decoded one by one, as RGB images of Pillow.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from prfast.files.load import load_array, place_and_key
from prfast.inputs.arrays import to_array
from prfast.inputs.errors import WrongType, WrongValue, import_optional, kind_of

# Endings of image files in torchvision.
ENDINGS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")
# Modes of Pillow (by prefix) with more than 8 bits per channel, which conversion to RGB clips.
_DEEP = ("I", "F")


@dataclass(frozen=True)
class Inputs:
    """Images or texts, in order."""

    names: Sequence[str]
    """Names for messages, which are part of the checksum."""
    content: Callable[[int], Any]
    """The bytes of an input, by its index."""
    decode: Callable[[int, Any], Any]
    """The image or text, from its index and its bytes."""
    about: dict[str, Any] = field(default_factory=dict)
    """Further entries under `inputs` of the record."""

    def __len__(self) -> int:
        return len(self.names)

    def load(self, i: int) -> tuple[Any, bytes]:
        """Return an input and the digest of its name and content."""
        content = self.content(i)
        return self.decode(i, content), self._digest(i, content)

    def digest(self, i: int) -> bytes:
        return self._digest(i, self.content(i))

    def _digest(self, i: int, content: Any) -> bytes:
        return self.names[i].encode() + b"\0" + hashlib.sha256(content).digest()


def read_pictures(name: str, values: Any) -> Inputs:
    """Return images from a folder, a list of paths, or uint8 numbers.

    These are an array (n, height, width, 3), a file with one, or a tensor (n, 3, height, width).
    """
    pillow()
    if isinstance(values, str | os.PathLike):
        path = os.fspath(values)
        if not os.path.isfile(place_and_key(path)[0]):
            return _folder(path)
        name, values = path, load_array(path)
    if isinstance(values, list | tuple) and values:
        if not all(isinstance(one, str | os.PathLike) for one in values):
            raise WrongType(
                name, f"a folder, paths, or an array of images expected, got {kind_of(values)}"
            )
        paths = [os.fspath(one) for one in values]
        return _files(paths, [os.path.basename(path) for path in paths])
    tensor = type(values).__module__.partition(".")[0] == "torch"
    array = to_array(name, values)
    if array.ndim and not len(array):
        raise WrongValue(name, "at least one image expected, got none")
    if array.ndim != 4 or array.shape[1 if tensor else 3] != 3 or 0 in array.shape:
        shape = "(n, 3, height, width) of a tensor" if tensor else "(n, height, width, 3)"
        raise WrongValue(name, f"images of shape {shape} expected, got shape {array.shape}")
    if array.dtype != np.uint8:
        raise WrongType(name, f"images of dtype uint8, 0 to 255, expected, got {array.dtype}")
    if tensor:
        array = array.transpose(0, 2, 3, 1)
    return Inputs(
        [f"images[{i}]" for i in range(len(array))],
        lambda i: np.ascontiguousarray(array[i]).data,
        lambda _, content: pillow().fromarray(np.asarray(content)),
    )


def pillow() -> Any:
    """Import and return the module PIL.Image."""
    return import_optional("PIL.Image", "features of images", "features")


def _files(paths: Sequence[str], names: Sequence[str], **about: Any) -> Inputs:
    """Return images in files, all of which are opened, so that errors come before any feature."""
    for path in paths:
        with open(path, "rb") as file:
            _open(path, file).close()
    return Inputs(
        names, lambda i: Path(paths[i]).read_bytes(), lambda i, x: _rgb(paths[i], x), about
    )


def _folder(folder: str) -> Inputs:
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
        image = pillow().open(source)
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


def read_texts(name: str, values: Any) -> Inputs:
    """Return texts from a list of str, or from a file in UTF-8: a text, maybe empty, per line."""
    if isinstance(values, str | os.PathLike):
        texts = _lines(os.fspath(values))
    elif isinstance(values, list | tuple):
        if not values:
            raise WrongValue(name, "at least one text expected, got none")
        for i, one in enumerate(values):
            if not isinstance(one, str):
                raise WrongType(name, f"texts expected, got {kind_of(one)} at index {i}")
        texts = list(values)
    else:
        raise WrongType(
            name, f"texts or a file with a text per line expected, got {kind_of(values)}"
        )
    return Inputs(
        [f"text {i}" for i in range(len(texts))],
        lambda i: texts[i].encode(),
        lambda i, _: texts[i],
    )


def _lines(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            text = file.read()
    except UnicodeDecodeError as error:
        raise WrongValue(path, f"a file of text in UTF-8 expected ({error})") from None
    if not text:
        raise WrongValue(path, "a text per line expected, got an empty file")
    # Not splitlines, which also splits at form feeds and other separators.
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
