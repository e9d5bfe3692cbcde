"""Answers that no refactoring may change, against the record in answers.json.

Exact answers are hashes of bits, the same for every filter, in plain C and from the k-d tree.
Numbers with logarithms, sums or the bootstrap may differ by 1e-9, relative or absolute: libm and
NumPy's vector code round differently by processor, in the last of 16 digits.  Those that a model, a
matrix product or SciPy takes part in may differ by 1e-6: BLAS sums in another order on another
processor, which iterations carry on up to their stopping tolerance.

`python tests/golden/record.py` writes the record anew.
"""

import pytest
from golden_answers import answers, differences, read
from golden_cases import CASES

RECORD = read()


@pytest.mark.parametrize("name", CASES)
def test_answer_is_the_recorded_one(name):
    lines = {}
    for path, found in answers(CASES[name]).items():
        for line in differences(CASES[name].kind, RECORD.get(name), found):
            lines.setdefault(line, []).append(path)
    text = "\n".join(f"{line} ({', '.join(on)})" if on[0] else line for line, on in lines.items())
    assert not lines, f"{name}\n{text}"


def test_record_has_the_cases_of_the_table_in_order():
    assert [*RECORD] == sorted(CASES)
