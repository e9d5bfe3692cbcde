"""The drop-in function: values of the original, and a refusal."""

import numpy as np
import prdc
import pytest
from helpers import normals
from refusals import refusals

from prfast.compat.prdc import compute_prdc


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    ("n", "m", "d", "k"), [(300, 300, 8, 3), (200, 350, 64, 1), (350, 200, 2, 10)]
)
def test_prdc_to_the_last_bit(capsys, n, m, d, k, dtype):
    real, fake = (x.astype(dtype) for x in normals(n, m, d, seed=k))
    expected = prdc.compute_prdc(real, fake, nearest_k=k)
    capsys.readouterr()
    actual = compute_prdc(real_features=real, fake_features=fake, nearest_k=k)
    assert actual == expected
    assert list(actual) == list(expected)
    assert {type(value) for value in actual.values()} == {np.float64}
    assert capsys.readouterr().out == ""


SIX, FIVE = normals(6, 5)

test_wrong_arguments_are_refused = refusals("""
compute_prdc(SIX, FIVE, 5)
    ValueError: nearest_k: from 1 to 4 expected, the other p
""")
