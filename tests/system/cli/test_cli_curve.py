"""prfast curve and prfast metrics: tables, what they agree on, JSON."""

from terminal import FAKE, QUICK, REAL, run

import prfast
from prfast import Evaluator
from prfast.methods import KMeans


def test_several_models_are_the_comparison_that_python_prints(capsys):
    files = ["real.npy", "fake.npy", "more.npz:near"]
    assert run("curve", *files, *QUICK, "--names", "A", "B") == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    models = {"A": FAKE, "B": FAKE[:100]}
    expected = Evaluator(REAL, KMeans(clusters=5, runs=2), which=()).compare(models)
    assert printed.out == f"{expected}\n"


def test_metrics_prints_several_models_side_by_side_for_each_k(capsys):
    arguments = ["--k", "3", "5", "--which", "recall", "density", "--ties", "open"]
    assert run("metrics", "real.npy", "fake.npy", "more.npz:near", *arguments) == 0
    blocks = capsys.readouterr().out.split("\n\n")
    for table, summary, k in ([*blocks[:2], 3], [*blocks[2:], 5]):
        expected = [["recall", "density"]]
        for name, fake in (("fake.npy", FAKE), ("more.npz:near", FAKE[:100])):
            values = prfast.metrics(REAL, fake, k, ("recall", "density"), ties="open").values()
            expected.append([name, *(f"{number:.4f}" for number in values)])
        assert [line.split() for line in table.splitlines()] == expected
        assert summary.splitlines()[-1] == f"k {k}, ties open, 200 real samples, 3 features"
