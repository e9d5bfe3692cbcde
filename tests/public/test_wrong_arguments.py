"""Wrong arguments of every public function: a result, or an error of one line that names one."""

import datetime
import decimal
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import prfast

RNG = np.random.default_rng(0)
REAL, FAKE = RNG.normal(size=(24, 3)), RNG.normal(size=(20, 3)) + 0.3
CURVE = prfast.PRCurve.from_masses([0.5, 0.3, 0.2, 0.0], [0.2, 0.3, 0.4, 0.1])
OTHER = prfast.PRCurve.from_masses([1, 1], [1, 2])

BOTH = {"real": REAL, "fake": FAKE}
KNN = {"methods": "knn", "k": 2, "metrics_k": 2}
NEIGHBORS = {"ties": "open", "count_self": True, "backend": "auto", "n_jobs": 1, "memory": 10**8}
KMEANS = {"method": "kmeans", "clusters": 3, "runs": 1, "random_state": 0, "progress": None}
COVER = {"cover_k": 2, "cover_reach": 4, "p_radius": [0.5, 1.0]}
MANY = {"k": 3, "ties": "open", "cover_k": 3, "cover_factor": 3, "p_k": 4, "p_factor": 1.2}
LABELS = {"labels_real": np.arange(24) % 2, "labels_fake": np.arange(20) % 2}
BOUND = {"curve": CURVE, "losses": [0.1, 0.2], "phi": "chi2"}
# Calls with valid arguments, each of which is replaced by others.
CALLS = {
    "pr_curve": (prfast.pr_curve, {**BOTH, "method": "knn", "k": 3, "split": 0.5, **NEIGHBORS}),
    "pr_curve of k-means": (prfast.pr_curve, BOTH | KMEANS),
    "pr_curves": (prfast.pr_curves, {**BOTH, "methods": ["knn", "ipr"], "k": [3, "sqrt"]}),
    "metrics": (prfast.metrics, {**BOTH, "which": ["recall", "density"], **MANY}),
    "metrics of ranks": (prfast.metrics, {**BOTH, "which": ["recall_cover"], **COVER}),
    "realism": (prfast.realism, {**BOTH, "k": 3, "prune": True}),
    "from_masses": (prfast.PRCurve.from_masses, {"p": [1, 2, 0], "q": [0, 1, 2]}),
    "from_scores": (prfast.PRCurve.from_scores, {"s_real": REAL[:, 0], "s_fake": FAKE[:, 0]}),
    "from_rates": (prfast.PRCurve.from_rates, {"fpr": [0, 0.5, 1], "fnr": [1, 0.2, 0]}),
    "mean": (prfast.PRCurve.mean, {"curves": [CURVE, OTHER]}),
    "at": (CURVE.at, {"lam": 1.0}),
    "f_score": (CURVE.f_score, {"beta": 8}),
    "iou": (CURVE.iou, {"other": OTHER}),
    "contains": (CURVE.contains, {"precision": 0.5, "recall": 0.5}),
    "min_sums": (prfast.theory.min_sums, {"p": [0.5, 0.5], "q": [0.1, 0.9], "lam": [0.5, 1]}),
    "lorenz": (prfast.theory.lorenz, {"curve": CURVE}),
    "renyi_frontier": (prfast.theory.renyi_frontier, {"curve": CURVE, "order": 2.0}),
    "mauve_frontier": (prfast.theory.mauve_frontier, {"curve": CURVE, "scale": 5.0, "points": 11}),
    "phi_divergence": (prfast.theory.phi_divergence, {"curve": CURVE, "phi": "kl"}),
    "degroot": (prfast.theory.degroot, {"curve": CURVE, "pi": 0.3}),
    "adaptation_bound": (prfast.theory.adaptation_bound, {"curve": CURVE, "risk": 0.1}),
    "phi_bound": (prfast.theory.phi_bound, BOUND),
    "lorenz_bound": (prfast.theory.lorenz_bound, {"curve": CURVE, "risk": [0.1, 0.2]}),
    "Evaluator": (prfast.Evaluator, {"real": REAL, "halvings": 0, "which": ["precision"], **KNN}),
    "by_class": (prfast.by_class, BOTH | LABELS | KNN),
    "GaussianShift": (prfast.reference.GaussianShift, {"delta": 1.0, "dim": 2}),
    "Discrete": (prfast.reference.Discrete, {"p": [1, 2], "q": [2, 1]}),
}

SCALARS = [
    None, True, False, 0, -1, 1, 2**31, -(2**63), 2**70, 10**400, 0.0, -0.0, 0.5, -1e-300, 1e308,
    float("nan"), float("inf"), -float("inf"), 1j, "", "x", "knn", "\x1b[2J", "k" * 300, b"knn",
    decimal.Decimal("NaN"), datetime.date(2026, 1, 1), object(), type, len, np.float16(2),
    np.int8(-3), np.bool_(True), np.datetime64("NaT"), np.str_("knn"), range(3), {1},
    slice(3), ..., {"a": 1},
]  # fmt: skip
ARRAYS = [
    [], [[]], [[], []], [1, [2, 3]], [None], ["a", "b"], [[1, 2], [3, "x"]], np.empty((0, 3)),
    np.empty((3, 0)), np.zeros((2, 2, 2)), np.zeros(()), np.full((9, 3), np.nan),
    np.full(9, np.inf), np.zeros((9, 3), complex), np.zeros((9, 3), bool), np.array(["a"]),
    np.zeros((9, 3), object),
    np.zeros((9, 3), "M8[s]"), np.zeros((9, 3), np.float16), np.zeros((9, 3), np.uint64) + 2**63,
    np.ma.masked_array(np.ones((9, 3)), np.eye(9, 3)), np.zeros(3, [("a", "f8")]), REAL[:, ::-1],
    REAL[:1], np.zeros((9, 3), np.longdouble), np.broadcast_to(1.0, (9, 3)), [CURVE], [CURVE, None],
    CURVE, (np.zeros((4, 3)), np.zeros((4, 3))),
]  # fmt: skip
NAMED = re.compile(r"[^\n]{1,200}?: \S")


@st.composite
def calls(draw):
    """Return the name of a call and other values for one or two of its arguments."""
    name = draw(st.sampled_from([*CALLS]))
    wrong = draw(st.lists(st.sampled_from([*CALLS[name][1]]), min_size=1, max_size=2, unique=True))
    return name, {argument: draw(st.sampled_from([*SCALARS, *ARRAYS])) for argument in wrong}


@given(calls())
@pytest.mark.filterwarnings("ignore")
def test_an_error_names_the_wrong_argument(call):
    name, wrong = call
    function, right = CALLS[name]
    message = None
    try:
        function(**right | wrong)
    except (TypeError, ValueError, ImportError) as error:
        message = str(error)
    assert message is None or NAMED.match(message), message


@pytest.mark.parametrize("name", CALLS)
def test_the_right_arguments_have_a_result(name):
    """Otherwise the other test would replace wrong arguments by wrong ones."""
    function, right = CALLS[name]
    function(**right)
