"""Jobs that share a folder: their answers are those of one process, bit for bit."""

import json
import os
import re
import shutil

import numpy as np
import pytest

from prfast import metrics, pr_curves
from prfast.batch.answer import finalize, make_blocks
from prfast.batch.digest import digest
from prfast.batch.folder import Share
from prfast.batch.plan import load_plan, make_plan
from prfast.estimate.methods import read_curve_options
from prfast.scalars.result import read_metric_options

METHODS = ["knn", "ipr", "parzen", "coverage"]


def write_pair(folder, scale=1.0):
    rng = np.random.default_rng(0)
    real, fake = rng.normal(size=(130, 3)), rng.normal(0.4, 1.2, size=(95, 3))
    real[7:12] = real[3]
    fake[:4] = real[3]
    for name, rows in (("real", real), ("fake", fake)):
        np.save(folder / f"{name}.npy", (scale * rows).astype(np.float32))
    return np.load(folder / "real.npy"), np.load(folder / "fake.npy")


def plan_of(folder, which=None, k=(3, 5), methods=(), split=0.5, rows=40, **options):
    wanted = read_metric_options(list(k), which, "closed", **options)._asdict()
    question = {"backend": "auto", "metrics": wanted, "curves": None}
    if methods:
        curves = read_curve_options(methods, ["sqrt", 3], split, 1, "closed", True)
        question["curves"] = curves._asdict()
    place = str(folder / "run")
    make_plan(place, str(folder / "real.npy"), str(folder / "fake.npy"), question, rows)
    return place


def rounds(place, jobs, order=1):
    """Arrays of so many jobs until nothing waits: how many arrays that took."""
    for number in range(1, 9):
        done = [make_blocks(place, Share(job, jobs)) for job in range(jobs)[::order]]
        if not make_blocks(place, Share(0, 10**9)).waits:
            return number
        assert any(one.made for one in done)
    raise AssertionError("no end")


@pytest.mark.parametrize("rows", [17, 40, 1000])
@pytest.mark.parametrize(("jobs", "order"), [(1, 1), (3, 1), (3, -1), (50, 1)])
def test_metrics_are_those_of_one_process(tmp_path, jobs, order, rows):
    real, fake = write_pair(tmp_path)
    place = plan_of(tmp_path, rows=rows)
    assert rounds(place, jobs, order) <= 2
    _, found = finalize(place)
    expected = metrics(real, fake, [3, 5])
    assert found.metrics == expected
    assert {k: dict(m.info) for k, m in found.metrics.items()} == {
        k: dict(m.info) for k, m in expected.items()
    }


def test_a_given_reach_and_radius_are_those_of_one_process(tmp_path):
    real, fake = write_pair(tmp_path)
    options = {"cover_k": 4, "cover_reach": 2, "p_radius": (0.5, 1.0)}
    place = plan_of(tmp_path, **options)
    rounds(place, 3)
    _, found = finalize(place)
    expected = metrics(real, fake, [3, 5], **options)
    assert found.metrics == expected
    assert dict(found.metrics[5].info) == dict(expected[5].info)


@pytest.mark.parametrize("split", [0.5, None])
def test_curves_are_those_of_one_process(tmp_path, split):
    real, fake = write_pair(tmp_path)
    place = plan_of(tmp_path, ["precision"], methods=METHODS, split=split)
    rounds(place, 3)
    _, found = finalize(place)
    expected = pr_curves(real, fake, METHODS, ["sqrt", 3], split=split, random_state=1)
    assert found.curves == expected
    assert {key: dict(c.info) for key, c in found.curves.items()} == {
        key: dict(c.info) for key, c in expected.items()
    }


@pytest.mark.parametrize("scale", [1e-30, 1e30])
def test_sets_whose_squares_leave_the_range_are_read_in_another_unit(tmp_path, scale):
    real, fake = (one.astype(np.float64) * scale**9 for one in write_pair(tmp_path))
    np.save(tmp_path / "real.npy", real)
    np.save(tmp_path / "fake.npy", fake)
    place = plan_of(tmp_path, k=(3,))
    rounds(place, 2)
    assert finalize(place)[1].metrics == metrics(real, fake, [3])


def test_every_look_is_a_block_of_its_own(tmp_path):
    write_pair(tmp_path)
    place = plan_of(tmp_path, k=(3,), rows=65)
    rounds(place, 2)
    kinds = {name.partition("-")[0] for name in os.listdir(place + "/blocks")}
    assert {"nearest", "count", "log_sum"} < kinds


def test_jobs_share_the_blocks_evenly_and_do_none_twice(tmp_path):
    write_pair(tmp_path)
    place = plan_of(tmp_path, ["coverage"], rows=20)  # 7 × 7 blocks, then 5 × 7
    first = [make_blocks(place, Share(job, 7)) for job in range(7)]
    assert sum(one.made for one in first) >= 49
    again = [make_blocks(place, Share(job, 7)) for job in range(7)]
    more = [make_blocks(place, Share(job, 7)) for job in range(7)]
    assert [one.made for one in more] == [0] * 7
    made = sum(one.made for one in first + again)
    assert made == 49 + 35
    assert max(one.made for one in first) <= 7 + 5


def test_a_job_that_is_run_again_makes_what_is_missing(tmp_path):
    real, fake = write_pair(tmp_path)
    place = plan_of(tmp_path, ["precision"])
    make_blocks(place, Share(0, 1))
    names = sorted(name for name in os.listdir(place + "/blocks") if name.startswith("count"))
    os.remove(f"{place}/blocks/{names[1]}")
    for name in os.listdir(place + "/blocks"):
        if name.startswith("added"):
            os.remove(f"{place}/blocks/{name}")
    assert make_blocks(place, Share(0, 1)).made == 1
    assert finalize(place)[1].metrics == metrics(real, fake, [3, 5], "precision")


# ---- what is refused, by name --------------------------------------------------------------------


@pytest.fixture
def done(tmp_path):
    """A folder with all its blocks, and what is put together of none of them."""
    write_pair(tmp_path)
    place = plan_of(tmp_path, ["precision", "coverage"])
    make_blocks(place, Share(0, 1))
    blocks = tmp_path / "run" / "blocks"
    for path in blocks.iterdir():
        if not path.name.startswith(("count", "nearest")):
            path.unlink()
    return place, blocks


def one_of(blocks, kind):
    return min(path for path in blocks.iterdir() if path.name.startswith(kind))


@pytest.mark.parametrize("kind", ["count", "nearest"])
def test_a_missing_block_is_named(done, kind):
    place, blocks = done
    lost = one_of(blocks, kind)
    lost.unlink()
    with pytest.raises(
        ValueError, match=rf"run: blocks are missing, {lost.name} \({kind}[^)]*\); run"
    ) as told:
        finalize(place)
    assert re.search(rf"{kind} of \w+.npy \d+:\d+ in real.npy \d+:\d+", str(told.value))


def test_a_damaged_block_is_named(done):
    place, blocks = done
    hurt = one_of(blocks, "count")
    data = bytearray(hurt.read_bytes())
    data[len(data) // 2] ^= 1
    hurt.write_bytes(bytes(data))
    with pytest.raises(ValueError, match=hurt.name):
        finalize(place)


def test_a_copy_of_another_block_is_named(done):
    place, blocks = done
    names = sorted(path for path in blocks.iterdir() if path.name.startswith("count"))
    shutil.copy(names[0], names[1])
    with pytest.raises(ValueError, match=f"{names[1].name}: .* got a copy of {names[0].name}"):
        finalize(place)
    shutil.copy(names[0], blocks / "count-again.npz")
    names[1].unlink()
    make_blocks(place, Share(0, 1))
    with pytest.raises(ValueError, match=r"count-again.npz: .* got a copy of count-"):
        finalize(place)


def test_a_block_of_another_plan_is_named(done, tmp_path):
    place, blocks = done
    (tmp_path / "other").mkdir()
    write_pair(tmp_path / "other")
    other = plan_of(tmp_path / "other", ["precision", "coverage"])
    make_blocks(other, Share(0, 1))
    shutil.copy(one_of(tmp_path / "other" / "run" / "blocks", "nearest"), blocks)
    with pytest.raises(ValueError, match=r"nearest-.*npz: a block of this plan expected"):
        finalize(place)


def test_a_strange_file_is_named_and_one_that_was_only_begun_is_passed_over(done):
    place, blocks = done
    (blocks / "tmp1a_b.npz").write_bytes(b"half")
    finalize(place)
    (blocks / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match=r"notes.txt: a file of prfast block expected"):
        finalize(place)


@pytest.mark.parametrize("name", ["real", "fake"])
def test_samples_that_have_changed_are_named(done, name, tmp_path):
    place, _ = done
    rows = np.load(tmp_path / f"{name}.npy")
    rows[50, 1] += 1
    np.save(tmp_path / f"{name}.npy", rows)
    with pytest.raises(ValueError, match=rf"{name}.npy: rows 40 to 80 have changed since the plan"):
        finalize(place)
    np.save(tmp_path / f"{name}.npy", rows[:60])
    with pytest.raises(ValueError, match=rf"{name}.npy: rows 0 to 40 have changed"):
        finalize(place)


def test_rows_that_were_added_are_noticed(done, tmp_path):
    place, _ = done
    rows = np.load(tmp_path / "fake.npy")
    np.save(tmp_path / "fake.npy", np.concatenate([rows, rows[:5]]))
    with pytest.raises(ValueError, match=r"fake.npy: rows 0 to 40 have changed since the plan"):
        finalize(place)


def test_a_job_notices_samples_that_have_changed(tmp_path):
    real, _ = write_pair(tmp_path)
    place = plan_of(tmp_path)
    np.save(tmp_path / "real.npy", real + 1)
    with pytest.raises(ValueError, match=r"real.npy: rows \d+ to \d+ have changed"):
        make_blocks(place, Share(0, 1))


def test_a_plan_is_made_once_of_samples_that_can_be_read(tmp_path):
    write_pair(tmp_path)
    place = plan_of(tmp_path)
    with pytest.raises(ValueError, match="run: has a plan already; choose another folder"):
        plan_of(tmp_path)
    np.save(tmp_path / "nan.npy", np.full((4, 3), np.nan))
    files = str(tmp_path / "real.npy"), str(tmp_path / "nan.npy")
    with pytest.raises(ValueError, match=r"nan.npy: finite numbers expected, got nan in row 0"):
        make_plan(str(tmp_path / "b"), *files, {}, 10)
    assert not (tmp_path / "b").exists()
    path = place + "/plan.json"
    with open(path, encoding="utf-8") as file:
        plan = json.load(file)
    for change, text in (
        ({"versions": {"prfast": "0.0"}}, "made with prfast 0.0, and here it is"),
        (
            {"versions": plan["versions"] | {"numpy": "0.1"}},
            f"made with numpy 0.1, and here it is {np.__version__}",
        ),
        (
            {"versions": plan["versions"] | {"the C library": "none"}},
            "made with the C library none, and here it is",
        ),
        ({"format": "x"}, "a file of prfast plan expected: another format"),
    ):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plan | change, file)
        with pytest.raises(ValueError, match=text):
            load_plan(place)
    with open(path, "w", encoding="utf-8") as file:
        file.write("{")
    with pytest.raises(ValueError, match=r"plan.json: a file of prfast plan expected"):
        load_plan(place)


def test_tables_of_a_plan_have_their_columns_in_one_order(tmp_path):
    """Jobs read the files themselves."""
    rows = np.random.default_rng(0).normal(size=(20, 2))
    for names in ("ab", "ba", "ac"):
        np.savetxt(
            tmp_path / f"{names}.csv", rows, delimiter=",", header=",".join(names), comments=""
        )
    real, turned, other = (str(tmp_path / f"{names}.csv") for names in ("ab", "ba", "ac"))
    with pytest.raises(ValueError, match=r"columns in one order expected, got 'b' of fake where"):
        make_plan(str(tmp_path / "run"), real, turned, {}, 10)
    with pytest.raises(ValueError, match=r"the same columns expected, got 'c' only in fake and"):
        make_plan(str(tmp_path / "run"), real, other, {}, 10)


def test_of_two_who_plan_at_once_one_comes_first(tmp_path):
    """The folder of blocks is there before the plan."""
    write_pair(tmp_path)
    (tmp_path / "run" / "blocks").mkdir(parents=True)
    with pytest.raises(ValueError, match="run: has a plan already; choose another folder"):
        plan_of(tmp_path)


# ---- names of questions --------------------------------------------------------------------------


def test_equal_questions_have_one_name_and_others_another():
    rows = np.arange(6.0)
    one = (digest, [1, rows.reshape(2, 3)], None, True, "a", np.int64(3))
    assert digest(one) == digest(
        (digest, [1, rows.reshape(2, 3).copy()], None, True, "a", np.int64(3))
    )
    others = [
        (digest, [1, rows.reshape(3, 2)], None, True, "a", np.int64(3)),
        (digest, [1.0, rows.reshape(2, 3)], None, True, "a", np.int64(3)),
        (digest, [1, rows.reshape(2, 3).astype("f")], None, True, "a", np.int64(3)),
        (digest, [1, rows.reshape(2, 3)], None, True, "b", np.int64(3)),
        (load_plan, [1, rows.reshape(2, 3)], None, True, "a", np.int64(3)),
    ]
    assert len({digest(one), *map(digest, others)}) == 6
    with pytest.raises(TypeError, match="numbers, arrays and records expected, got set"):
        digest({1, 2})
