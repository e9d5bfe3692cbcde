"""Files of evaluators: damaged ones and others are refused, and it is said what is wrong."""

import numpy as np
import pytest
from refusals import refused

from prfast.comparison.evaluator import Evaluator
from prfast.files.write import write_archive

REAL = np.random.default_rng(0).normal(size=(260, 3))
N, TOLD = len(REAL), f"radii 0 5: {len(REAL)} numbers >= 0 expected"


def test_a_damaged_file_is_refused(tmp_path):
    path = tmp_path / "reference.npz"
    Evaluator(REAL).save(path)
    with np.load(path) as archive:
        entries = dict(archive)
    np.savez(path, **entries | {"real": entries["real"] + 1})
    with pytest.raises(ValueError, match="the checksum does not fit; the file is damaged"):
        Evaluator.load(path)
    other = str(entries["header"]).replace("Evaluator/1", "Evaluator/9")
    np.savez(path, **entries | {"header": other})
    with pytest.raises(ValueError, match=r"format 'prfast\.Evaluator/1' expected"):
        Evaluator.load(path)
    with pytest.raises(FileNotFoundError):
        Evaluator.load(tmp_path / "none.npz")


@pytest.mark.parametrize("place", [0, -1])
@pytest.mark.parametrize("name", ["real", "radii 0 5"])
def test_one_number_that_is_damaged_is_enough(tmp_path, name, place):
    path = tmp_path / "reference.npz"
    evaluator = Evaluator(REAL)
    evaluator.metrics(REAL[:20])
    evaluator.save(path)
    with np.load(path) as archive:
        entries = dict(archive)
    entries[name].flat[place] += 1e-9
    np.savez(path, **entries)
    with pytest.raises(ValueError, match="the checksum does not fit; the file is damaged"):
        Evaluator.load(path)


def test_a_file_of_another_kind_is_refused(tmp_path):
    path, header = tmp_path / "reference.npz", {"format": "prfast.Evaluator/1"}

    def write_bytes():
        path.write_bytes(b"PK not a zip")

    def write_array():
        with open(path, "wb") as file:
            np.save(file, REAL)

    def options(**more):
        return lambda: write_archive(path, header | more, {"real": REAL})

    for write in (
        write_bytes,
        write_array,
        lambda: np.savez(path, REAL),
        lambda: np.savez(path, header="[1]", checksum=""),
        lambda: write_archive(path, header, {}),
        options(methods=["nonsense"]),
        options(nonsense=1),
        lambda: write_archive(path, header, {"real": REAL, "radii 0 5": REAL[0]}),
        lambda: write_archive(path, header, {"real": REAL, "radii 9 5": REAL[0]}),
    ):
        write()
        with pytest.raises(ValueError, match=r"a file of Evaluator\.save expected"):
            Evaluator.load(path)


@pytest.mark.parametrize(
    ("arrays", "told"),
    [
        ({}, "no reference in it"),
        ({"real": REAL, "radii 0 5": np.zeros(N - 1)}, TOLD),
        ({"real": REAL, "radii 0 5": np.zeros(N, np.float32)}, TOLD),
        ({"real": REAL, "radii 0 5": np.full(N, -1.0)}, TOLD),
        ({"real": REAL, "radii 0 5": np.full(N, np.nan)}, TOLD),
    ],
)
def test_a_file_without_a_reference_or_with_other_radii_says_so(tmp_path, arrays, told):
    path = tmp_path / "reference.npz"
    write_archive(path, {"format": "prfast.Evaluator/1"}, arrays)
    with refused(ValueError, f"{path}: a file of Evaluator.save expected: {told}"):
        Evaluator.load(path)
