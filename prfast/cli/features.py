"""`prfast features`: features of a folder of images or a file of texts, written to a file."""

from __future__ import annotations

import argparse

from prfast.cli.outputs import check_place, json_text, note, say
from prfast.features.extract import extract
from prfast.features.libraries import LIBRARIES
from prfast.files.load import load_array
from prfast.inputs.errors import ArgumentError
from prfast.inputs.features import record_of
from prfast.inputs.options import read_jobs
from prfast.results.values import counted

# {argument of `extract`: option}, for error messages.
_OPTIONS = {
    name: f"--{name.replace('_', '-')}"
    for name in ("model", "layer", "weights", "seed", "device", "batch_size")
} | {"out": "--output"}

ABOUT = {
    "usage": "prfast features FOLDER -o FILE.npy --model NAME [options], or --show FILE",
    "help": "from a folder of images to a file of features",
    "description": (
        "Features of the images in a folder and the folders in it, in the order of their names, or "
        "of a file with a line a text.  Rows are written as they are found; the same command goes "
        "on where one was interrupted.  How they were made is recorded in FILE.json.  Needs "
        "the extra features."
    ),
}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "images",
        metavar="FOLDER",
        nargs="?",
        help="folder of images, a file with an array of them, or one with a line a text",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="a .npy file; its record is a .json file"
    )
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="such as " + ", ".join(row.example for row in LIBRARIES.values()),
    )
    parser.add_argument(
        "--layer", metavar="NAME", help="of torch-fidelity and torchvision (default: the usual one)"
    )
    parser.add_argument(
        "--weights",
        metavar="NAME",
        help="random, or a file of a state dictionary (default: the published ones)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="of random weights (default: 0)"
    )
    parser.add_argument(
        "--device", metavar="NAME", default="cpu", help="of torch, such as cuda (default: cpu)"
    )
    parser.add_argument(
        "--batch-size", metavar="N", type=int, default=64, help="images at once (default: 64)"
    )
    parser.add_argument(
        "--jobs", metavar="N", type=int, help="threads that read images (default: every core)"
    )
    parser.add_argument("--show", metavar="FILE", help="print how the features of a file were made")


def run(options: argparse.Namespace) -> None:
    if options.show is not None:
        if options.images is not None or options.output is not None:
            raise ValueError("--show: a file alone expected, got a folder or an output too")
        _show(options.show)
        return
    for name, value in (
        ("FOLDER", options.images),
        ("--output", options.output),
        ("--model", options.model),
    ):
        if value is None:
            raise ValueError(f"{name}: one expected, got none")
    check_place(options.output, [options.images])
    try:
        found = extract(
            options.images,
            options.model,
            out=options.output,
            batch_size=options.batch_size,
            device=options.device,
            layer=options.layer,
            weights=options.weights,
            seed=options.seed,
            n_jobs=read_jobs(options.jobs, "--jobs"),
        )
    except KeyboardInterrupt:
        note(f"{options.output}: not done; the same command goes on where this one was")
        raise
    except ArgumentError as error:
        raise error.renamed(_OPTIONS.get(error.argument, error.argument)) from None
    record = record_of(found) or {}
    left_out = record["inputs"].get("left_out", 0)
    if left_out:
        files = counted(
            left_out,
            "file that does not end as pictures do was",
            "files that do not end as pictures do were",
        )
        note(f"{options.images}: {files} left out")
    n, d = found.shape
    say(f"{n} × {d} features of {record['model']} in {options.output}")


def _show(path: str) -> None:
    found = load_array(path)
    record = record_of(found)
    if record is None:
        raise ValueError(f"{path}: says nothing of how its features were made")
    n, d = found.shape
    say(f"{path}: {n} × {d}, {found.dtype}")
    say(json_text(record, ensure_ascii=False))
