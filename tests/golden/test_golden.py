"""Answers that no refactoring may change, against the record in answers.json.

Exact answers are hashes of bits, the same for every filter, in plain C and from the k-d tree.
Numbers with logarithms, sums or the bootstrap may differ by 1e-9, relative or absolute: libm and
NumPy's vector code round differently by processor, in the last of 16 digits.  Those with matrix
products may differ by 1e-6: BLAS sums in another order on another processor, where the kernel
distance cancels.  Those of fitted models may, where processor and versions are those of the record;
elsewhere by 0.1: other starts of k-means, or a fold for which another model is chosen, moved them
by up to 0.074 on other kernels of OpenBLAS and on the oldest supported versions.

`python tests/golden/record.py` writes the record anew.
"""

import pytest
from golden_answers import answers, arithmetic, differences, read
from golden_cases import CASES

RECORD, MADE_WITH = read()


@pytest.fixture(scope="module")
def made_here():
    return arithmetic() == MADE_WITH


@pytest.mark.parametrize("name", CASES)
def test_answer_is_the_recorded_one(name, made_here):
    case, lines = CASES[name], {}
    for path, result in answers(case).items():
        for line in differences(case.kind, RECORD.get(name), result, made_here):
            lines.setdefault(line, []).append(path)
    if lines:
        text = [f"{line}  on {', '.join(on)}" if on[0] else line for line, on in lines.items()]
        pytest.fail("\n  ".join([name, *text]), pytrace=False)


def test_record_has_the_cases_of_the_table_in_order():
    assert [*RECORD] == sorted(CASES)
