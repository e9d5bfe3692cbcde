"""Features: from pictures and texts to samples, by models of other libraries.

    extract     the public function: pictures or texts, a model -> an array with a record, a file
    pictures    a folder, paths, arrays -> images of Pillow, RGB;  texts: a list, or lines of a file
    table       a row a library: torch-fidelity, timm, torchvision, open_clip, sentence-transformers
    libraries   a file each: how it loads a model, what its pictures go through; own: a user's own
    model       what a loaded model is: prepare, features, record; checksums, seeds, errors
    batches     a batch is read while the model is at work on the one before
    draft       rows on the disk, and where to go on after an interrupt

    a folder ─► pictures ─► prepare ─► batches ─► the model ─► draft ─► x.npy, and its record
                            as the library does it                      x.json

Nothing here resizes, scales or fetches weights: each library does that as it always does, because
features of pictures that were resized in another way are other features.  What made them is
written down (model, checksum of the weights, layer, preparation, dtype, versions; how many inputs,
and a checksum of their names and contents), travels with the array and the file
(`prfast.inputs.features`, `prfast.files.write`), into every result, and two sets that were made
in different ways are refused.
"""

from prfast.features.extract import extract
from prfast.features.model import LIBRARIES
from prfast.inputs.features import Features

__all__ = ["LIBRARIES", "Features", "extract"]
