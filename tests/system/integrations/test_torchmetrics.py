"""The metric of torchmetrics: what an evaluator gives, gathered over processes."""

import copy
import pickle

import numpy as np
import pytest
from refusals import refusals, refused

from prfast import Evaluator

torch = pytest.importorskip("torch", reason="the metric is torchmetrics'")
torchmetrics = pytest.importorskip("torchmetrics", reason="the metric is torchmetrics'")

from gathered import OPTIONS, batches, work  # noqa: E402

from prfast.integrations.torchmetrics import GenerativePrecisionRecall  # noqa: E402

RNG = np.random.default_rng(0)
REAL = RNG.normal(size=(80, 3))
FAKE = RNG.normal(0.4, 1.1, size=(60, 3))


def filled(metric, real=REAL, fake=FAKE):
    for name, samples in ((True, real), (False, fake)):
        for batch in np.array_split(samples, 3):
            metric.update(torch.from_numpy(batch), real=name)
    return metric


def numbers(result):
    """Tensors as floats."""
    assert all(value.dtype == torch.float64 and value.ndim == 0 for value in result.values())
    return {name: value.item() for name, value in result.items()}


def test_numbers_are_those_of_an_evaluator():
    metric = filled(GenerativePrecisionRecall(["knn", "ipr"], 4, metrics_k=3, prefix="val_"))
    expected = Evaluator(REAL, ["knn", "ipr"], 4, metrics_k=3).evaluate(FAKE)
    assert numbers(metric.compute()) == expected.scalars("val_")
    assert metric.evaluation.curves == expected.curves
    assert isinstance(metric, torchmetrics.Metric)


def test_batches_may_be_overwritten_moved_and_part_of_a_graph():
    metric, weight = GenerativePrecisionRecall("ipr", 4), torch.ones(3, requires_grad=True)
    real, fake = torch.from_numpy(REAL).float(), torch.from_numpy(FAKE).bfloat16()
    metric.update(real, True)
    metric.update(fake * weight.bfloat16(), False)
    metric.update(np.empty((0, 3)), False)
    metric = metric.to("cpu")
    original = real.clone()
    real[:] = 0
    expected = Evaluator(original, "ipr", 4).evaluate(fake)
    assert numbers(metric.compute()) == expected.scalars()
    assert {x.dtype for x in metric.fake_features} == {torch.float32}


def test_what_is_on_a_device_is_copied_from_it():
    if not torch.cuda.is_available():
        pytest.skip("no accelerator here")
    metric = GenerativePrecisionRecall("ipr", 4).to("cuda")
    metric.update(torch.from_numpy(REAL).cuda(), True)
    metric.update(torch.from_numpy(FAKE).cuda(), False)
    assert not any(x.is_cuda for x in (*metric.real_features, *metric.fake_features))
    expected = Evaluator(REAL, "ipr", 4).evaluate(FAKE).scalars()
    assert numbers(metric.compute()) == expected
    assert numbers(metric.to("cuda").compute()) == expected


def test_reset_forgets_all_or_keeps_the_real_ones():
    metric = filled(GenerativePrecisionRecall("ipr", 4))
    metric.compute()
    metric.reset()
    assert metric.evaluation is None
    assert metric.real_features == metric.fake_features == []

    metric = filled(GenerativePrecisionRecall("ipr", 4, reset_real_features=False))
    for fake in (FAKE, FAKE[:40]):
        metric.reset()
        metric.update(fake, real=False)
        expected = Evaluator(REAL, "ipr", 4).evaluate(fake).scalars()
        assert numbers(metric.compute()) == expected
    original = metric._evaluator
    metric.update(FAKE, real=False)
    metric.compute()
    assert metric._evaluator is original  # prepared once
    metric.update(REAL[:7], real=True)
    again = np.concatenate([REAL, REAL[:7]]), np.concatenate([FAKE[:40], FAKE])
    assert numbers(metric.compute()) == Evaluator(again[0], "ipr", 4).evaluate(again[1]).scalars()


@pytest.mark.skipif(
    not hasattr(torchmetrics.Metric, "merge_state"), reason="this torchmetrics merges no states"
)
def test_states_are_merged_as_torchmetrics_does_the_incoming_ones_first():
    first = filled(GenerativePrecisionRecall("knn"), REAL[:50], FAKE[:30])
    second = filled(GenerativePrecisionRecall("knn"), REAL[50:], FAKE[30:])
    second.merge_state(first)
    assert numbers(second.compute()) == Evaluator(REAL, "knn").evaluate(FAKE).scalars()

    keeps = filled(GenerativePrecisionRecall("knn", reset_real_features=False), REAL[50:], FAKE)
    keeps.merge_state(first)
    assert sum(map(len, keeps.real_features)) == len(REAL)
    first.merge_state(keeps)
    assert sum(map(len, first.real_features)) == len(REAL) + 50
    with refused(ValueError, "Expected incoming state to be a dict or an instance of Metric"):
        first.merge_state(3)


@pytest.mark.parametrize(
    "through", [copy.deepcopy, lambda metric: pickle.loads(pickle.dumps(metric)), "clone"]
)
def test_copies_go_on_by_themselves(through):
    metric = filled(GenerativePrecisionRecall("ipr", 4, reset_real_features=False))
    expected = metric.compute()
    twin = metric.clone() if through == "clone" else through(metric)
    metric.reset()
    assert numbers(twin.compute()) == numbers(expected)
    twin.update(FAKE, real=False)
    expected = Evaluator(REAL, "ipr", 4).evaluate(np.concatenate([FAKE, FAKE])).scalars()
    assert numbers(twin.compute()) == expected


def ipr():
    return GenerativePrecisionRecall("ipr", 4)


test_wrong_arguments_are_refused = refusals("""
ipr().update(REAL, 1)
    TypeError: real: True or False expected, got 1
(m := ipr()).update(REAL, True), m.update(REAL[:, :2], True)
    ValueError: features: 3 features as in the batches before expected, got 2
(m := ipr()).update(REAL, True), m.compute()
    ValueError: fake: at least 2 samples expected, got 0; update(features, real=False) adds them
ipr()(REAL, True)
    TypeError: forward: update(features, real) expected; one batch has no curve
""")


@pytest.fixture(scope="module")
def spawned(tmp_path_factory):
    """Return the results of each rank for each case, rank by rank."""
    if not torch.distributed.is_available():
        pytest.skip("torch was built without distributed")
    folder = tmp_path_factory.mktemp("ranks")
    torch.multiprocessing.spawn(work, (2, str(folder)), nprocs=2)
    ranks = [torch.load(folder / f"{rank}.pt") for rank in range(2)]
    return {case: [rank[case] for rank in ranks] for case in ranks[0]}


def joined(real):
    return np.concatenate([batch for rank in range(2) for batch in batches(rank)[real]])


def test_two_processes_find_what_one_finds_of_the_samples_rank_by_rank(spawned):
    result = spawned["all_samples"]
    evaluator = Evaluator(joined(True), **OPTIONS)
    expected = evaluator.evaluate(joined(False)).scalars()
    assert [numbers(rank["first"]) for rank in result] == [expected, expected]
    assert [rank["own"] for rank in result] == [52, 41]  # not those of all
    more = [[*batches(rank)[False], np.full((3, 3), float(rank))] for rank in range(2)]
    expected = evaluator.evaluate(np.concatenate([*more[0], *more[1]])).scalars()
    assert [numbers(rank["second"]) for rank in result] == [expected, expected]


def test_a_process_may_have_no_samples(spawned):
    result = spawned["one_rank_without"]
    real = joined(True).astype(np.float32)
    fake = np.concatenate(batches(1)[False]).astype(np.float32)
    expected = Evaluator(real, "ipr", 4).evaluate(fake).scalars()
    assert list(map(numbers, result)) == [expected, expected]


def test_samples_of_two_widths_are_refused_by_every_process(spawned):
    kinds = " and ".join(f"{width} features of torch.float32" for width in (3, 4))
    message = f"features: those of all ranks of one kind expected, got {kinds}"
    assert spawned["widths_that_differ"] == [message, message]
