"""Feature extraction: from images to samples, by models of other libraries.

    extraction  the public function `extract`; batches
    pictures    images of a folder, paths or arrays, as RGB of Pillow
    models      a loaded model, of torch-fidelity, timm or a user: preparation, features, record

    folder ─► Images ─► Model.prepare ─► Model.features ─► Draft ─► x.npy
                        (the library's)                             x.json, the record

prfast itself does not resize or scale images or fetch weights: the libraries do, in their default
way, because images resized in another way have other features.  A record describes how features
were computed: model, checksum of the weights, layer, preparation, dtype, versions, the number of
images and a checksum of their names and contents.  It is stored with the array and in files
(`prfast.inputs.samples`, `prfast.files.write`) and becomes part of every result; two sets whose
records disagree on the model or its preparation are refused.
"""

from prfast.features.extraction import extract
from prfast.samples.features import Features

__all__ = ["Features", "extract"]
