"""The command line: what it prints and writes, and how it refuses."""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest
import sklearn

import prfast
import prfast.cli.samples
from prfast import PRCurve, lorenz, pr_curve, renyi_frontier, roc
from prfast.cli.parser import main
from prfast.reference import GaussianShift

REAL, FAKE = GaussianShift(1.0, 3).sample(200, 150)
QUICK = ["--method", "kmeans", "--option", "runs=2", "--option", "clusters=5"]
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Every test runs in its own folder with these files."""
    monkeypatch.chdir(tmp_path)
    np.save("real.npy", REAL)
    np.save("fake.npy", FAKE)
    np.savez("more.npz", near=FAKE[:100], far=FAKE + 100)
    np.savetxt("fake.csv", FAKE, delimiter=",", header="a,b,c", comments="")
    return tmp_path


def run(*argv):
    """The exit status, whether it is returned or, by argparse, raised."""
    try:
        return main(argv)
    except SystemExit as stop:
        return stop.code


def files():
    return sorted(os.listdir())


FILES = ["fake.csv", "fake.npy", "more.npz", "real.npy"]


# ---- the table ---------------------------------------------------------------------------------


def test_the_table_has_a_line_a_file_and_what_the_curves_agree_on(capsys):
    assert run("curve", "real.npy", "fake.npy", "more.npz:near", *QUICK) == 0
    printed = capsys.readouterr()
    assert printed.err.startswith("prfast: note: more.npz:near: 100 generated samples, fake.npy: ")
    head, one, two, blank, info = printed.out.splitlines()
    assert re.split(r"\s{2,}", head.strip()) == [
        "max precision",
        "max recall",
        "F8",
        "F1/8",
        "area",
        "total variation",
    ]
    for line, name, fake in ((one, "fake.npy", FAKE), (two, "more.npz:near", FAKE[:100])):
        curve = pr_curve(REAL, fake, "kmeans", runs=2, clusters=5)
        numbers = (
            curve.max_precision,
            curve.max_recall,
            curve.f_score(8),
            curve.f_score(1 / 8),
            curve.area,
            curve.total_variation,
        )
        assert line.split() == [name, *(f"{number:.4f}" for number in numbers)]
    assert blank == ""
    assert info == (
        f"method kmeans, clusters 5, runs 2, balance True, scikit_learn {sklearn.__version__}, "
        f"split None, n_real 200, n_features 3, random_state 0, version {prfast.__version__}"
    )


def test_columns_are_aligned_whatever_the_names(capsys):
    os.rename("fake.npy", "a-much-longer-name-than-the-others.npy")
    assert (
        run("curve", "real.npy", "a-much-longer-name-than-the-others.npy", "fake.csv", *QUICK) == 0
    )
    lines = capsys.readouterr().out.splitlines()[:3]
    assert len({len(line) for line in lines}) == 1


@pytest.mark.parametrize(
    ("arguments", "same"),
    [
        (["--seed", "7"], {"random_state": 7}),
        (["--option", "balance=false"], {"balance": False}),
        (["--method", "classifier"], {"method": "classifier"}),
        (["--method", "classifier", "--split", "none"], {"method": "classifier", "split": None}),
        (["--method", "classifier", "--split", "0.25"], {"method": "classifier", "split": 0.25}),
        (
            ["--method", "classifier", "--option", "weight_decay=0.5"],
            {"method": "classifier", "weight_decay": 0.5},
        ),
        (["--split", "none", "--jobs", "2"], {}),
        (["--method", "knn"], {"method": "knn"}),
        (["--method", "ipr", "--k", "3"], {"method": "ipr", "k": 3}),
        (["--method", "parzen", "--split", "none"], {"method": "parzen", "split": None}),
        (
            ["--method", "coverage", "--option", "ties=open", "--jobs", "1"],
            {"method": "coverage", "ties": "open"},
        ),
        (
            ["--method", "ipr", "--ties", "open", "--backend", "tree"],
            {"method": "ipr", "ties": "open", "backend": "tree"},
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_every_option_does_what_it_does_in_python(capsys, arguments, same):
    if "--method" not in arguments:
        arguments = [*arguments, *QUICK]
        same = {"method": "kmeans", "runs": 2, "clusters": 5} | same
    assert run("curve", "real.npy", "fake.npy", "--json", "-", *arguments) == 0
    record = json.loads(capsys.readouterr().out)["curves"][0]["curve"]
    expected = pr_curve(REAL, FAKE, **same)
    assert PRCurve.from_dict(record) == expected
    assert record["info"] == dict(expected.info)


def test_csv_and_npy_give_the_same_curve(capsys):
    assert run("curve", "real.npy", "fake.csv", "fake.npy", *QUICK) == 0
    _, csv, npy, *_ = capsys.readouterr().out.splitlines()
    assert csv.split()[1:] == npy.split()[1:]


# ---- outputs -----------------------------------------------------------------------------------


def test_json_holds_numbers_curves_and_version(capsys):
    arguments = ["curve", "real.npy", "more.npz:near", "more.npz:far", *QUICK]
    assert run(*arguments, "--json", "out.json") == 0
    assert capsys.readouterr().out.startswith(" ")  # the table is still there
    with open("out.json", encoding="utf-8") as file:
        text = file.read()
    assert run(*arguments, "--json", "-") == 0
    assert capsys.readouterr().out == text
    record = json.loads(text)
    assert record["prfast"] == prfast.__version__
    assert record["real"] == "real.npy"
    near, far = record["curves"]
    assert (near["fake"], far["fake"]) == ("more.npz:near", "more.npz:far")
    curve = PRCurve.from_dict(near["curve"])
    assert curve == pr_curve(REAL, FAKE[:100], "kmeans", runs=2, clusters=5)
    assert near["max_precision"] == curve.max_precision
    assert near["max_recall"] == curve.max_recall
    assert near["f_8"] == curve.f_score(8)
    assert near["f_1/8"] == curve.f_score(1 / 8)
    assert near["area"] == curve.area
    assert near["total_variation"] == curve.total_variation
    assert near["median_lambda"] == curve.median()
    assert far["area"] == 0
    assert far["median_lambda"] is None  # it does not exist


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--view", "pr"], lambda c: dict(zip(("recall", "precision"), c.outline(), strict=True))),
        (["--view", "lorenz"], lambda c: lorenz(c).vertices._asdict()),
        (["--view", "roc"], lambda c: roc(c)._asdict() | {"area": roc(c).area}),
        (
            ["--view", "frontier"],
            lambda c: renyi_frontier(c, np.inf)._asdict() | {"order": "inf"},
        ),
        (
            ["--view", "frontier", "--order", "1.5"],
            lambda c: renyi_frontier(c, 1.5)._asdict() | {"order": 1.5},
        ),
    ],
    ids=lambda value: " ".join(value[1:]) if isinstance(value, list) else "",
)
def test_a_view_is_drawn_and_in_the_json(capsys, arguments, expected):
    outputs = ["--json", "o.json", "--plot", "o.png"]
    assert run("curve", "real.npy", "fake.npy", *QUICK, *arguments, *outputs) == 0
    with open("o.json", encoding="utf-8") as file:
        (record,) = json.load(file)["curves"]
    curve = PRCurve.from_dict(record["curve"])
    points = {
        k: v if isinstance(v, str) else np.array(v).tolist() for k, v in expected(curve).items()
    }
    assert record["view"] == {"view": arguments[1], **points}
    with open("o.png", "rb") as file:
        assert file.read().startswith(PNG)


def test_a_frontier_at_infinity_is_the_string_inf(capsys):
    assert (
        run("curve", "real.npy", "more.npz:far", *QUICK, "--view", "frontier", "--json", "-") == 0
    )
    (record,) = json.loads(capsys.readouterr().out)["curves"]
    assert record["view"]["to_real"] == record["view"]["to_fake"] == ["inf"]


def test_views_have_the_names_of_their_pictures():
    from prfast.plots import plots
    from prfast.plots import records as views

    assert tuple(plots.VIEWS) == views.VIEWS


@pytest.mark.parametrize(
    ("name", "magic"), [("out.png", PNG), ("out.PDF", b"%PDF"), ("out.svg", b"<?xml")]
)
def test_a_picture_in_the_format_of_its_ending(name, magic):
    assert run("curve", "real.npy", "fake.npy", *QUICK, "--plot", name) == 0
    with open(name, "rb") as file:
        assert file.read(len(magic)) == magic
    assert files() == sorted([*FILES, name])


def test_outputs_replace_what_was_there():
    for name in ("out.json", "out.png"):
        with open(name, "w") as file:
            file.write("old")
    assert (
        run("curve", "real.npy", "fake.npy", *QUICK, "--json", "out.json", "--plot", "out.png") == 0
    )
    with open("out.json") as json_file, open("out.png", "rb") as png_file:
        assert json_file.read(1) == "{"
        assert png_file.read(8) == PNG


def test_a_failing_run_leaves_existing_outputs_and_no_draft(capsys):
    with open("out.json", "w") as file:
        file.write("old")
    np.save("wide.npy", np.zeros((5, 9)))
    outputs = ["--json", "out.json", "--plot", "out.png"]
    assert run("curve", "real.npy", "fake.npy", "wide.npy", *QUICK, *outputs) == 2
    assert capsys.readouterr().out == ""
    with open("out.json") as file:
        assert file.read() == "old"
    assert files() == sorted([*FILES, "out.json", "wide.npy"])


# ---- divergences ---------------------------------------------------------------------------------


def test_divergences_are_a_table_below_the_curves(capsys):
    arguments = ["curve", "real.npy", "fake.npy", "more.npz:far", *QUICK]
    assert run(*arguments, "--divergences", "kl,hellinger,tsallis:0.5", "--json", "out.json") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[5] == ""
    assert [line.split()[0] for line in lines[6:]] == [
        "divergence",
        "kl",
        "hellinger",
        "tsallis:0.5",
    ]
    assert lines[6].split()[1:] == ["fake.npy", "more.npz:far"]
    assert len({len(line) for line in lines[6:]}) == 1
    curve = pr_curve(REAL, FAKE, "kmeans", runs=2, clusters=5)
    found = dict(prfast.divergence_table(curve, ["kl", "hellinger", "tsallis:0.5"]))
    assert lines[7].split() == ["kl", f"{found['kl']:.5g}", "∞"]
    assert lines[8].split() == ["hellinger", f"{found['hellinger']:.5g}", "2"]
    with open("out.json", encoding="utf-8") as file:
        near, far = json.load(file)["curves"]
    assert near["divergences"] == found
    assert far["divergences"] == {
        "kl": "inf",
        "hellinger": pytest.approx(2),
        "tsallis:0.5": pytest.approx(4),
    }


def test_all_divergences_and_none(capsys):
    assert run("curve", "real.npy", "fake.npy", *QUICK, "--divergences", "all", "--json", "-") == 0
    found = json.loads(capsys.readouterr().out)["curves"][0]["divergences"]
    assert list(found) == ["kl", "reverse_kl", "js", "chi2", "hellinger", "tv"]
    assert run("curve", "real.npy", "fake.npy", *QUICK, "--json", "-") == 0
    assert "divergences" not in json.loads(capsys.readouterr().out)["curves"][0]


@pytest.mark.parametrize("name", ["hell", "", "kl,", "kl,tsallis:x"])
def test_an_unknown_divergence_is_refused_before_any_work(capsys, name):
    assert run("curve", "none.npy", "fake.npy", "--divergences", name) == 2
    assert capsys.readouterr().err == (
        "prfast: error: --divergences: one of kl, reverse_kl, js, chi2, hellinger, tv or "
        f"tsallis:a, a an order such as 0.5, expected, got {name.split(',')[-1]!r}\n"
    )


# ---- errors: one line, status 2 ----------------------------------------------------------------


def one_line_error(capsys, status):
    assert status == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.fullmatch(r"prfast: error: [^\n]*\n", printed.err)
    return printed.err.removeprefix("prfast: error: ").rstrip("\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "the following arguments are required: COMMAND"),
        ("curve real.npy", "the following arguments are required: FAKE"),
        ("curve none.npy fake.npy", "none.npy: No such file or directory"),
        ("curve real.npy none.csv", "none.csv: No such file or directory"),
        (
            "curve real.npy fake.txt",
            "fake.txt: a .npy, .npz, .csv, .parquet, .h5, .safetensors or .pt file expected",
        ),
        (
            "curve real.npy more.npz",
            "more.npz: a key expected; write more.npz:KEY with one of near",
        ),
        (
            "curve real.npy more.npz:x",
            "more.npz: no key 'x'; write more.npz:KEY with one of near, ",
        ),
        ("curve real.npy fake.npy --method knm", "argument --method: invalid choice: 'knm' (choos"),
        (
            "curve real.npy fake.npy --method kmeans --option k=5",
            "k: not an option of method 'kmeans', which has ",
        ),
        (
            "curve real.npy fake.npy --method kmeans --option split=0.5",
            "split: not an option of method 'kmeans', ",
        ),
        (
            "curve real.npy fake.npy --method kmeans --option seed=1",
            "seed: not an option of method 'kmeans', whic",
        ),
        ("curve real.npy fake.npy --option runs", "--option: NAME=VALUE expected, got 'runs'"),
        ("curve real.npy fake.npy --option =3", "--option: NAME=VALUE expected, got '=3'"),
        (
            "curve real.npy fake.npy --method kmeans --option runs=ten",
            "runs: an integer expected, got a str",
        ),
        (
            "curve real.npy fake.npy --method kmeans --option runs=0",
            "runs: an integer of at least 1 expected, got",
        ),
        (
            "curve real.npy fake.npy --method kmeans --option clusters=999",
            "fake.npy: real and fake: at least 999",
        ),
        (
            "curve real.npy fake.npy --method kmeans --split 0.5",
            "--split: none expected for method 'kmeans', got ",
        ),
        (
            "curve real.npy fake.npy --method classifier --split half",
            "--split: auto, bernoulli, none or a share in (0, 1) expected, got 'half'",
        ),
        (
            "curve real.npy fake.npy --method classifier --split 1",
            "--split: auto, bernoulli, none or a share in (0, 1) expected, got '1'",
        ),
        *(
            (
                f"curve real.npy fake.npy --method kmeans --{name} {value}",
                f"--{name}: only for the methods that count neighbours (knn, ipr, parzen, "
                "coverage), got --method kmeans",
            )
            for name, value in (("k", "3"), ("ties", "open"), ("backend", "auto"))
        ),
        (
            "curve real.npy fake.npy --ties open --option ties=closed",
            "--ties: once expected, got --option ties=closed too",
        ),
        ("curve real.npy fake.npy --backend gpu", "argument --backend: invalid choice: 'gpu'"),
        ("curve real.npy fake.npy --seed x", "argument --seed: invalid int value: 'x'"),
        ("curve real.npy fake.npy --seed -1", "--seed: an integer in [0, 2**32) expected, got -1"),
        ("curve real.npy fake.npy --jobs 0", "--jobs: an integer of at least 1 expected, got 0"),
        (
            "curve real.npy fake.npy --view roc",
            "--view roc: --plot or --json expected as well,",
        ),
        ("curve real.npy fake.npy --view prc --json -", "argument --view: invalid choice: 'prc'"),
        ("curve real.npy fake.npy --order 2", "--order: only with --view frontier"),
        ("curve real.npy fake.npy --view roc --json o --order 2", "--order: only with --view fron"),
        (
            "curve real.npy fake.npy --view frontier --json o --order 0",
            "--order: a number in (0, ∞] expected, got 0.0",
        ),
        (
            "curve real.npy fake.npy --view frontier --json o --order two",
            "argument --order: invalid float value: 'two'",
        ),
        ("curve real.npy fake.npy --json no/o.json", "no/o.json: no such folder, or not writable"),
        ("curve real.npy fake.npy --json .", ".: a file expected, got a folder"),
        ("curve real.npy fake.npy --json /dev/null", "/dev/null: a file expected, got a device or"),
        ("curve real.npy fake.npy --json=", "'': the name of a file expected"),
        ("curve real.npy fake.npy --plot o.xyz", "o.xyz: a file ending in one of "),
        ("curve real.npy fake.npy --plot -", "-: a file ending in one of "),
        ("curve real.npy fake.npy --plot o.svg --json ./o.svg", "./o.svg: two different files exp"),
        ("curve real.npy fake.npy --json fake.npy", "fake.npy: is an input; choose another name f"),
        ("curve real.npy fake.npy --json ./real.npy", "./real.npy: is an input; choose another na"),
        ("curve real.npy more.npz:far --json more.npz", "more.npz: is an input; choose another na"),
        ("demo --plot no/o.png", "no/o.png: no such folder, or not writable"),
        ("demo --seed -1 --plot o.png", "--seed: an integer in [0, 2**32) expected, got -1"),
        ("demo --jobs 0 --plot o.png", "--jobs: an integer of at least 1 expected, got 0"),
        (
            "dmeo",
            "argument COMMAND: invalid choice: 'dmeo' (choose from 'curve', 'metrics', "
            "'report', 'demo')",
        ),
    ],
)
def test_an_error_is_one_line_and_nothing_is_written(capsys, arguments, message):
    assert one_line_error(capsys, run(*arguments.split())).startswith(message)
    assert files() == FILES


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("flat.npy", np.zeros(5), "flat.npy: fake: a 2-D array (samples × features) expected, got"),
        ("wide.npy", np.zeros((5, 9)), "wide.npy: real and fake: the same number of features exp"),
        ("nan.npy", np.full((5, 3), np.nan), "nan.npy: fake: finite numbers expected, got nan in"),
        ("text.npy", np.array([["a"]]), "text.npy: fake: float32, float64, float16, integer or b"),
    ],
)
def test_an_error_in_samples_names_the_file_and_the_argument(capsys, name, array, message):
    np.save(name, array)
    assert one_line_error(capsys, run("curve", "real.npy", name)).startswith(message)
    if "wide" not in name:
        message = message.replace(" fake: ", " real: ")
        assert one_line_error(capsys, run("curve", name, "fake.npy")).startswith(message)


def test_an_input_whose_own_name_has_a_colon_is_refused_as_an_output(capsys):
    os.rename("fake.npy", "a:b.npy")
    message = one_line_error(capsys, run("curve", "real.npy", "a:b.npy", "--json", "a:b.npy"))
    assert message == "a:b.npy: is an input; choose another name for the output"


def test_an_output_that_links_to_an_input_is_refused(capsys):
    os.symlink("fake.npy", "link.json")
    message = one_line_error(capsys, run("curve", "real.npy", "fake.npy", "--json", "link.json"))
    assert message == "link.json: is an input; choose another name for the output"


def test_a_missing_matplotlib_names_the_extra_before_any_work(capsys, monkeypatch):
    """None in sys.modules makes Python's import raise as if it were not installed."""
    for name in [name for name in sys.modules if name.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    arguments = ["curve", "real.npy", "none.npy"]
    message = one_line_error(capsys, run(*arguments, "--plot", "out.png"))
    assert message == "matplotlib is needed for plots: python -m pip install 'prfast[plot]'"
    assert run("curve", "real.npy", "fake.npy", *QUICK) == 0  # no picture, no matplotlib


def test_an_interrupt_is_one_line_and_status_130(capsys, monkeypatch):
    def interrupted(path):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(prfast.cli.samples, "load_array", interrupted)
    assert run("curve", "real.npy", "fake.npy") == 130
    assert capsys.readouterr().err == "prfast: interrupted\n"


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_are_no_errors(capsys, argument):
    assert run(argument) == 0
    assert "prfast" in capsys.readouterr().out


def test_the_help_of_a_command_names_every_method(capsys):
    assert run("curve", "--help") == 0
    text = " ".join(capsys.readouterr().out.split())
    for name, row in prfast.METHODS.items():
        assert f"{name}: {row.summary}" in text


# ---- as a program ------------------------------------------------------------------------------


def test_as_a_module_an_error_has_status_2_and_no_traceback():
    done = subprocess.run(
        [sys.executable, "-m", "prfast", "curve", "none.npy", "fake.npy"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == "prfast: error: none.npy: No such file or directory\n"


def test_a_reader_that_goes_away_is_no_error_and_loses_no_output():
    """As in `prfast curve … --json o.json | head -1`."""
    command = [sys.executable, "-m", "prfast", "curve", "real.npy", "fake.npy"]
    command += [*QUICK, "--json", "o.json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        program.stdout.close()
        assert program.stderr.read() == b""
        assert program.wait() == 0
    with open("o.json", encoding="utf-8") as file:
        assert json.load(file)["curves"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_closed_terminal_is_no_error():
    command = f"{sys.executable} -m prfast curve real.npy fake.npy --json o.json >&-"
    ran = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert "o.json" in files()


def test_few_samples_and_different_numbers_are_remarked(capsys):
    np.save("few.npy", FAKE[:30])
    np.save("less.npy", FAKE[:120])
    assert run("curve", "real.npy", "fake.npy", "few.npy", "less.npy", *QUICK) == 0
    few, less = capsys.readouterr().err.splitlines()
    assert few.startswith(f"prfast: note: few.npy: {len(REAL)} real and 30 generated samples; a cu")
    assert less.startswith(f"prfast: note: less.npy: 120 generated samples, fake.npy: {len(FAKE)};")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_closed_streams_are_not_mistaken_for_each_other():
    program = f"{sys.executable} -m prfast curve real.npy"
    ran = subprocess.run(["sh", "-c", f"{program} none.npy --json - 2>&-"], stdout=subprocess.PIPE)
    assert (ran.returncode, ran.stdout) == (2, b"")
    ran = subprocess.run(["sh", "-c", f"{program} fake.npy --json - >&-"], stderr=subprocess.PIPE)
    assert ran.returncode == 2
    assert ran.stderr == b"prfast: error: --json -: standard output is closed\n"


def test_a_terminal_without_the_characters_loses_nothing():
    """Where ∞ cannot be printed it is a question mark."""
    np.save("far.npy", FAKE + 1000)
    command = [sys.executable, "-m", "prfast", "curve", "real.npy", "far.npy"]
    command += ["--divergences", "kl", "--json", "o.json"]
    environment = os.environ | {"PYTHONIOENCODING": "cp1252"}
    ran = subprocess.run(command, env=environment, capture_output=True)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert ran.stdout.split()[-1] == b"?"
    assert "o.json" in files()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_terminal_that_takes_nothing_loses_no_file():
    for command, outputs in (
        ("curve", ["--json", "o.json", "--plot", "o.png"]),
        ("metrics", ["--json", "m.json"]),
    ):
        program = [sys.executable, "-m", "prfast", command, "real.npy", "fake.npy", *outputs]
        with open("/dev/full", "w") as full:
            ran = subprocess.run(program, stdout=full, stderr=subprocess.PIPE)
        assert ran.returncode == 2
        assert b"No space left" in ran.stderr
        assert set(outputs[1::2]) <= set(files())


# ---- metrics -----------------------------------------------------------------------------------


def test_metrics_prints_a_block_a_k_and_what_all_agree_on(capsys):
    arguments = ["--k", "3", "5", "--which", "recall", "density", "--ties", "open"]
    assert run("metrics", "real.npy", "fake.npy", "more.npz:near", *arguments) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    lines = printed.out.splitlines()
    for first, k in ((0, 3), (4, 5)):
        found = [
            prfast.metrics(REAL, fake, k, ("recall", "density"), ties="open")
            for fake in (FAKE, FAKE[:100])
        ]
        assert lines[first].split() == ["k", "=", str(k), "fake.npy", "more.npz:near"]
        for line, name in zip(lines[first + 1 : first + 3], ("recall", "density"), strict=True):
            assert line.split() == [name, *(f"{one[name]:.4f}" for one in found)]
    assert lines[-1].startswith("ties open, cover_k 3, ")
    assert "n_fake" not in lines[-1]  # the files differ
    assert len({len(line) for line in lines[:3]}) == 1


def test_metrics_json_holds_every_number_and_how_it_was_made(capsys):
    assert run("metrics", "real.npy", "fake.npy", "--jobs", "1", "--json", "-") == 0
    (record,) = json.loads(capsys.readouterr().out)["metrics"]
    expected = prfast.metrics(REAL, FAKE)
    assert {name: record[name] for name in expected} == dict(expected)
    assert record["info"] == dict(expected.info)
    assert (record["fake"], record["k"]) == ("fake.npy", 5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--k 150", "k: from 1 to 149 expected, the other points of fake, got 150"),
        ("--k 0", "k: an integer of at least 1 expected, got 0"),
        ("--which fid", "argument --which: one of precision, "),
        ("--jobs 0", "--jobs: an integer of at least 1 expected, got 0"),
        ("--backend gpu", "argument --backend: invalid choice: 'gpu'"),
        ("--json real.npy", "real.npy: is an input; choose another name for the output"),
    ],
)
def test_metrics_errors_are_one_line(capsys, arguments, message):
    status = run("metrics", "real.npy", "fake.npy", *arguments.split())
    assert one_line_error(capsys, status).startswith(message)
    assert files() == FILES


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        (["--k", "3", "5"], "--k: an integer expected"),
        (["--which", "recall"], "--which: one of precision, "),
    ],
)
def test_files_behind_an_option_of_several_values(capsys, option, expected):
    """They are taken for values; the message says what to do, and that works."""
    message = one_line_error(capsys, run("metrics", *option, "real.npy", "fake.npy"))
    assert message.startswith(f"argument {expected}")
    assert message.endswith("got 'real.npy'; files go before the options, or behind a --")
    printed = []
    for arguments in (["real.npy", "fake.npy", *option], [*option, "--", "real.npy", "fake.npy"]):
        assert run("metrics", *arguments) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]


# ---- the demo, once, at its real size ----------------------------------------------------------


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """What it prints, its JSON, and the first bytes of its picture."""
    folder = tmp_path_factory.mktemp("demo")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        assert main(["demo", "--json", f"{folder}/out.json", "--plot", f"{folder}/out.png"]) == 0
    assert sorted(os.listdir(folder)) == ["out.json", "out.png"]
    record = json.loads((folder / "out.json").read_text())
    return printed.getvalue(), record, (folder / "out.png").read_bytes()[:8], str(folder)


def test_the_demo_draws_a_picture_and_says_where(demo):
    printed, _, picture, folder = demo
    assert picture == PNG
    assert printed.endswith(f"\nCurves drawn to {folder}/out.png\n")


def test_the_demo_prints_a_line_a_case(demo):
    printed, record, _, _ = demo
    lines = printed.splitlines()
    assert lines[0] == (
        "Digits.  Real: 0 to 4.  Generated: 0 to q-1, other images, 87 of each digit."
    )
    assert lines[2].split() == ["rectangle", "knn", "kmeans", "classifier"]
    assert lines[3].split() == ["q", "prec.", "recall", *["F1/8", "F8", "IoU"] * 3]
    for q, line, case in zip(range(1, 11), lines[4:14], record["cases"], strict=True):
        expected = [min(1, 5 / q), min(1, q / 5)]
        for method in ("knn", "kmeans", "classifier"):
            numbers = case["methods"][method]
            expected += [numbers["f_1/8"], numbers["f_8"], numbers["iou_with_rectangle"]]
        assert line.split() == [str(q), *(f"{number:.3f}" for number in expected)]


def test_the_demo_finds_the_rectangles(demo):
    _, record, _, _ = demo
    for q, case in zip(range(1, 11), record["cases"], strict=True):
        assert case["q"] == q
        assert case["rectangle"]["max_precision"] == pytest.approx(min(1, 5 / q))
        assert case["rectangle"]["max_recall"] == pytest.approx(min(1, q / 5))
        for method, numbers in case["methods"].items():
            assert numbers["iou_with_rectangle"] > 0.7
            curve = PRCurve.from_dict(numbers["curve"])
            assert curve.info["method"] == method
            assert (curve.info["n_real"], curve.info["n_fake"]) == (5 * 87, q * 87)
            assert curve.area == numbers["area"]
