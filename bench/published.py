"""Rows of the documentation's tables, and the figures of cases that they quote."""

from bench.report import Row, Table

SPEED = Table(
    "results.md",
    ("what", "measured"),
    (
        *(
            Row(
                f"`metrics(real, fake)`, the four of prdc with closed ties, {samples}; "
                "one thread, CPU",
                "metrics",
                f"{{{name}, CPU of 1 thread: prdc / prfast default|quartiles}} × faster than "
                f"prdc, with open ties {{{name}, CPU of 1 thread: prdc / prfast|quartiles}} ×, all "
                f'metrics (`which="all"`) '
                f"{{{name}, CPU of 1 thread: prdc / prfast all|quartiles}} ×",
                "--data FILE.npz",
            )
            for samples, name in (
                ("10 000 + 10 000, d = 64", "d=64"),
                ("features of images, 4804 + 4804, d = 512", "images, d=512"),
                ("features after a ReLU, made, 10 000 + 10 000, d = 2048", "relu, d=2048"),
            )
        ),
        *(
            Row(
                f"the same, {samples}; all cores, by the clock",
                "metrics",
                f"{{{name}: prdc / prfast default|quartiles}} × faster than prdc, with open ties "
                f"{{{name}: prdc / prfast|quartiles}} ×, "
                f"{{{name}: peak MB of prfast default|.0f}} MB against "
                f"{{{name}: peak MB of prdc|.0f}}",
                "--data FILE.npz",
            )
            for samples, name in (
                ("d = 64", "d=64"),
                ("features of images", "images, d=512"),
                ("features after a ReLU", "relu, d=2048"),
                ("normal samples, d = 2048", "d=2048"),
            )
        ),
        Row(
            "`pr_curve(real, fake)`, 10 000 + 10 000, d = 64; one thread, CPU",
            "classifiers",
            "the time of a cross-fitted logistic regression is "
            "{d=64: logistic regression / prfast, CPU|quartiles} × that, of boosted trees "
            "{d=64: boosted trees / prfast, CPU|quartiles} ×; areas "
            "{d=64: area of prfast|.3f}, {d=64: area of logistic regression|.3f}, "
            "{d=64: area of boosted trees|.3f}",
            "--kinds isotropic --dims 64",
        ),
        Row(
            'the same call over `method="knn"`; of 512 features; 200 + 200 samples',
            "auto_cost",
            "{d=64, 1 thr: auto / knn, CPU|quartiles} × its time; "
            "{d=512, 1 thr: auto / knn, CPU|quartiles} ×; "
            "{n=200, d=64, 1 thr: CPU ms|quartiles} ms",
        ),
        *(
            Row(
                f'`metrics(real, fake, which="{metric}")`, 5000 + 5000, d = 64; one thread, CPU',
                "distances",
                f"NumPy's fewest fast lines take {{d=64, n=5000, 1 thr: {metric}: NumPy / prfast, "
                "CPU|quartiles} × the time, of d = 2048 "
                f"{{d=2048, n=5000, 1 thr: {metric}: NumPy / prfast, CPU|quartiles}} ×, after a "
                f"ReLU {{relu, d=2048, n=5000, 1 thr: {metric}: NumPy / prfast, CPU|quartiles}} ×",
            )
            for metric in (
                "frechet_distance",
                "kernel_distance",
                "gaussian_distance",
                "beta_recall",
            )
        ),
        Row(
            "the command `prfast curve`, two files of 200 samples; with `--method knn`",
            "startup",
            "{prfast curve / import numpy|quartiles} × the time of `import numpy` by the clock; "
            "{prfast curve --method knn / import numpy|quartiles} ×",
        ),
    ),
)

ENGINE = Table(
    "results.md",
    ("what", "measured"),
    (
        Row(
            "10⁶ + 10⁶ scores to an exact curve",
            "sweep",
            "{shifted: NumPy / prfast|quartiles} × faster than NumPy's `argsort` and `cumsum`, "
            "{shifted: roc_curve / prfast|quartiles} × than scikit-learn's `roc_curve`; "
            "{shifted: prfast / np.sort|quartiles} × the time of two of NumPy's sorts",
        ),
        Row(
            "Σ min(λp, q) for 1001 λ, a million cells",
            "minsum",
            "{NumPy / prfast, n_jobs=1|quartiles} × faster than NumPy's fastest chunks, "
            "{peak MB beyond inputs, prfast, n_jobs=1|.0f} MB",
        ),
        Row(
            "k-th neighbor, 10 000 in 10 000, d = 64, k = 5",
            "nearest",
            "{d=64, k=5: scikit-learn / prfast|quartiles} × faster than scikit-learn, "
            "{d=64, k=5: faiss / prfast|quartiles} × than faiss",
        ),
        Row(
            "the same, d = 2048",
            "nearest",
            "{d=2048, k=5: scikit-learn / prfast|quartiles} × faster than scikit-learn, "
            "{d=2048, k=5: faiss / prfast|quartiles} × than faiss",
        ),
        Row(
            "counting pass of 10⁸ pairs, d = 64, one thread",
            "counting",
            "{d=64, 1 thr: prfast avx512vnni / sgemm|quartiles} × the time of the matrix product, "
            "with AVX2 alone {d=64, 1 thr: prfast avx2 / sgemm|quartiles} ×",
            "--isas avx512vnni avx2",
        ),
        Row(
            "all four neighbor curves, k = √n, split, d = 64",
            "curves",
            "{d=64: all four / sgemm|quartiles} × the time of one matrix product of their pairs",
        ),
        Row(
            "the same, features after a ReLU, made, d = 2048; of images, d = 512",
            "curves",
            "{relu, d=2048: all four / sgemm|quartiles} ×; "
            "{images, d=512: all four / sgemm|quartiles} ×",
            "--data FILE.npz",
        ),
        Row(
            "ten checkpoints of 10 000 against a reference of 50 000, `Evaluator`",
            "evaluator",
            "{reference 50000: calls / evaluator|quartiles} × faster than ten calls of `pr_curve` "
            "and `metrics` ({reference 10000: calls / evaluator|.2f} × with a reference of 10 000)",
        ),
        Row(
            "all four neighbor curves of 200 000 + 200 000 samples",
            "growth",
            "{n=200000: peak MB|.0f} MB beyond the inputs; a million in about "
            "{minutes for 10⁶, quadratic from 200000|.0f} minutes or more",
            "--large",
        ),
    ),
)

REPRODUCTION = Table(
    "papers.md",
    ("what the paper shows", "obtained"),
    (
        Row(
            "IoU of 64 estimates with the truth (2024, Table 1), 20 draws",
            "table1",
            "with a split at most {split, μ = .12, .21: largest |grid − printed||.3f} "
            "(μ = .12, .21) and {split, μ = .29, .38: largest |grid − printed||.3f} (.29, .38) "
            "from print on a grid of 17 angles (fitted: the paper states none); without one "
            "{no split: mean |grid − printed||.3f} on average, "
            "{no split: largest |grid − printed||.3f} at most (ipr, k = 4), "
            "{no split: estimates of 32 within .06|.0f} of 32 within .06; the exact IoU is up to "
            "{split: largest |exact − printed||.2f} from print",
        ),
        Row(
            "kNN with k = √n comes to the truth, with k = 4 to Eq. 10 (2024, Theorem 3.1)",
            "convergence",
            "n = 25 600: k = √n within "
            "{k = √n, best γ: largest |mean − α_λ|, n = 25600|.3f} of α_λ, the plug-in γ = λ "
            "within {k = √n, γ = λ: largest |mean − α_λ|, n = 25600|.3f}; k = 4 within "
            "{k = 4, γ = λ: largest |mean − Eq. 10||.3f} of Eq. 10",
        ),
        Row(
            "bounds of an error on digits with much ink, α_1 = 0.38 (2023, §5.2)",
            "adaptation",
            "on average R_Q {mean R_Q|.2f}; Eq. 20 {mean Eq. 20|.2f}, at λ = 1 {mean λ = 1|.2f}, "
            "Proposition 25 {mean Prop. 25|.2f}, errors between thresholds of a score "
            "{mean intervals and h*|.2f}; λ* {least λ*|.1f} at least: far from 1 as in the paper",
        ),
        Row(
            "k by cross-validation (2024, §5.2, without numbers there), 14 families",
            "choose_k",
            "mean IoU, n = 5000: {n = 5000: mean IoU, chosen|.3f} against "
            "{n = 5000: mean IoU, √n|.3f} for √n, {n = 5000: mean IoU, k = 4|.3f} for 4; at worst "
            "{n = 5000: least chosen − √n of a family|+.3f} for a family.  Of nearly equal pairs, "
            "n = 1000: {nearly equal, n = 1000: mean IoU, chosen|.3f} against "
            "{nearly equal, n = 1000: mean IoU, √n|.3f}, at worst "
            "{nearly equal, n = 1000: least chosen − √n of a family|+.3f}",
        ),
        Row(
            "shifted Gaussians: √n neighbors beat 4, a split is marginal (2024, Fig. 2)",
            "shifted",
            "IoU with the truth: √n gains {k = √n over k = 4: least gain in IoU|+.2f} at least, "
            "{k = √n over k = 4: mean gain in IoU|+.2f} on average; a split moves it by at most "
            "{k = √n: split moves IoU of knn, coverage by at most|.2f} (knn, coverage) and "
            "{k = √n: split moves IoU of ipr, parzen by at most|.2f} (ipr, parzen: not marginal, "
            "nor is it in Table 1); the extremes, 1 in truth, are down to "
            "{split, k = √n: least extreme of a curve|.2f}",
        ),
        Row(
            "mixtures of Gaussians: ipr over-estimates, the others follow (2024, Fig. 3, 6)",
            "mixtures",
            "area of ipr {split, k = √n: area of ipr / truth|.2f} × the true one; the others off "
            "by at most {split, k = √n: the others, off by at most|.3f} at λ = 1",
        ),
        Row(
            "one outlier moves ipr at k = 4 alone (2024, Fig. 7)",
            "outlier",
            "IoU with the curve before: ipr {ipr, k = 4: IoU with the curve before|.2f}, "
            "others {knn, parzen, coverage: least IoU with the curve before|.3f} or more",
        ),
        Row(
            "d = 2048: every neighbor curve over-estimates (2024, Fig. 4)",
            "dimension",
            "area at least {d = 2048: least area / true area|.2f} × the true one, best IoU "
            "{d = 2048: best IoU with truth|.2f}",
        ),
        Row(
            "equal distributions: a split is needed (2024, Fig. 5)",
            "equal",
            "without, k = 4: extremes at most {no split, k = 4: largest extreme|.2f}; with: IoU "
            "{split, k = 100: least IoU with the square|.3f} or more",
        ),
        Row(
            "variability falls with n (2024, Fig. 8)",
            "variability",
            "sd of precision at λ = 1 with 10 000 samples "
            "{sd of precision at λ = 1, n = 10000: largest|.3f}",
        ),
        Row(
            "class dropping and inventing, digits (2018, Fig. 5; 2019, Fig. 2)",
            "digit_classes",
            "mean IoU with the rectangle: knn {knn: mean IoU with rectangle|.2f}, k-means "
            "{kmeans: mean IoU with rectangle|.2f}, classifier "
            "{classifier: mean IoU with rectangle|.2f}",
        ),
        Row(
            "the same, features of CIFAR-10",
            "cifar_classes",
            "knn {knn: mean IoU with rectangle|.2f}, k-means "
            "{kmeans: mean IoU with rectangle|.2f}, classifier "
            "{classifier: mean IoU with rectangle|.2f}; the classifier is not better "
            "at the corners ({share of the corner, classifier − kmeans, mean|+.3f}; "
            "the paper: better)",
            "--data FILE.npz",
        ),
        Row(
            "80 classes, a share in common: 20 clusters fail, a classifier does not (2019, Fig. 3)",
            "many_classes",
            "IoU at most {0 < ρ < 1: best IoU of 20 clusters|.2f}; at least "
            "{0 < ρ < 1: least IoU of the classifier|.2f} (with a tenth of the weight decay)",
        ),
        Row(
            "a 60/40 step: sharp with a classifier, smooth with clusters (2019, Fig. 4)",
            "step",
            "IoU {classifier: IoU with truth|.2f}; at most {clusters: best IoU with truth|.2f}",
        ),
        Row(
            'these three with the 2019 paper\'s own classifier (ADAM, `training="adam"`)',
            "linear_classifiers",
            "mean IoU, the default's after it: CIFAR-10 {Fig. 2, adam: mean IoU|.2f}, "
            "{Fig. 2, sgd: mean IoU|.2f}; 80 classes {Fig. 3, adam: mean IoU|.2f}, "
            "{Fig. 3, sgd: mean IoU|.2f}; the step {Fig. 4, adam: mean IoU|.2f}, "
            "{Fig. 4, sgd: mean IoU|.2f}; at the corners of CIFAR-10 no better than k-means beyond "
            "noise ({Fig. 2: share of the corner, adam − clusters|+.3f}; the paper: better)",
            "--data FILE.npz",
        ),
        Row(
            "modes dropped, invented, re-weighted (2019, Fig. 1; 2023, Fig. 3)",
            "modes",
            "extremes, and precision at full recall, off theory by "
            "{dropping: off theory|.1g} (dropped), {invention: off theory|.1g} (invented) and "
            "{re-weighting: off theory|.1g} (re-weighted)",
        ),
        Row(
            "F_8 against F_1/8 tells dropped modes from poor samples (2018, Fig. 7)",
            "f_scores",
            "F_1/8 − F_8 of k-means: fewer digits at least "
            "{kmeans: fewer digits, least F_1/8 − F_8|+.2f}, shuffled pixels at most "
            "{kmeans: shuffled, largest F_1/8 − F_8|+.2f}",
        ),
        Row(
            "FD and IS cannot tell dropped classes from invented ones (2018, Fig. 5 left, 11)",
            "class_scores",
            "FD of four and of six classes, where five are real, within a factor of "
            "{digits: FD of Q_4 and Q_6, larger / smaller|.1f} (digits) and "
            "{CIFAR-10: FD of Q_4 and Q_6, larger / smaller|.1f} (CIFAR-10), IS grows by "
            "{digits: IS, least step|.2f} and {CIFAR-10: IS, least step|.2f} at least; F_1/8 − F_8 "
            "of k-means {digits: F_1/8 − F_8 of Q_4|+.2f} and {digits: F_1/8 − F_8 of Q_6|+.2f}, "
            "{CIFAR-10: F_1/8 − F_8 of Q_4|+.2f} and {CIFAR-10: F_1/8 − F_8 of Q_6|+.2f}",
            "--data FILE.npz",
        ),
        Row(
            "sentences whose topics are dropped: recall falls (2018, Fig. 5 right)",
            "text_topics",
            "F_8 of k-means grows by {MiniLM, kmeans: F_8, least step|.3f} or more with each of "
            "five topics (all-MiniLM-L6-v2) and by {TF-IDF, kmeans: F_8, least step|.3f} or more "
            "(TF-IDF), the area from {MiniLM, kmeans: area of one topic|.2f} and "
            "{TF-IDF, kmeans: area of one topic|.2f}, of auto from "
            "{MiniLM, auto: area of one topic|.2f} and {TF-IDF, auto: area of one topic|.2f} (a "
            "rectangle: 0.2): topics overlap, a classifier that is told them says "
            "{MiniLM: topics told by a classifier|.0%} and "
            "{TF-IDF: topics told by a classifier|.0%} of them right; F_8 of auto does not grow "
            "with every topic ({MiniLM, auto: F_8, least step|+.3f}, "
            "{TF-IDF, auto: F_8, least step|+.3f})",
        ),
        Row(
            "two models of one FD: few classes well, all of them poorly (2018, Fig. 6)",
            "equal_distance",
            "few classes are as precise up to a recall of "
            "{digits: few as precise as all up to a recall of|.2f} (digits; the paper: 0.6) and "
            "{CIFAR-10: few as precise as all up to a recall of|.2f} (CIFAR-10); a classifier is "
            "surer of them by {digits: confidence of the classifier, few − all|.2f} and "
            "{CIFAR-10: confidence of the classifier, few − all|.2f} (0.08)",
            "--data FILE.npz",
        ),
        Row(
            "one class, narrow or varied: recall tells the two models, IS does not (2018, Fig. 8)",
            "inside_class",
            "F_8 of the varied one higher by {digits: F_8, every shape − one|.3f} (digits) and "
            "{CIFAR-10: F_8, every shape − one|.3f} (CIFAR-10), their IS within a factor of "
            "{digits: IS of the two, larger / smaller|.2f} and "
            "{CIFAR-10: IS of the two, larger / smaller|.2f}",
            "--data FILE.npz",
        ),
        Row(
            "ten k-means cells are meaningful (2018, Fig. 9)",
            "clusters_content",
            "{digits: real samples of their cell's class|.0%} of the real and "
            "{digits: generated samples of their cell's class|.0%} of the generated digits are of "
            "their cell's commonest class; CIFAR-10: "
            "{CIFAR-10: real samples of their cell's class|.0%} and "
            "{CIFAR-10: generated samples of their cell's class|.0%}; by chance "
            "{digits: the same in cells drawn at random|.0%}",
            "--data FILE.npz",
        ),
        Row(
            "F_1/8 and F_8 rank models as a classifier's entropies do (2018, Fig. 10)",
            "many_settings",
            "rank correlation of F_1/8 and H(y\\|x) "
            "{digits: rank correlation of f_1/8 and H(y|x)|+.2f} (digits) and "
            "{CIFAR-10: rank correlation of f_1/8 and H(y|x)|+.2f} (CIFAR-10; paper: −0.83), of "
            "F_8 and H(y) {digits: rank correlation of f_8 and H(y)|+.2f} and "
            "{CIFAR-10: rank correlation of f_8 and H(y)|+.2f} (0.89); with 5 to 50 cells the "
            "order is that of 20 to {digits: f_8 with 5 to 50 cells, least rank correlation|.2f}. "
            "Of F_1/8 not reproduced: the classifier is sure of shuffled pixels, k-means blind to "
            "noise",
            "--data FILE.npz",
        ),
        Row(
            "trained generators: VAEs lean to recall, GANs to precision (2018, Fig. 7)",
            "trained",
            "F_1/8 − F_8 of k-means at the end: VAE {vae: F_1/8 − F_8 at the end, mean|+.2f}, GAN "
            "{gan: F_1/8 − F_8 at the end, mean|+.2f}, Wasserstein GAN "
            "{wgan: F_1/8 − F_8 at the end, mean|+.2f} (not above); two checkpoints of one Fréchet "
            "distance (Fig. 1, 6) are at most {one Fréchet distance: F_1/8 − F_8 apart by|.2f} "
            "apart in F_1/8 − F_8 (the paper: far)",
        ),
    ),
)

FAMILY_METHODS = {
    "auto": "**auto**",
    "oracle": "oracle: the exact log-ratio as the score",
    "trees": "boosted trees, cross-fitted",
    "mlp": "a perceptron of two layers, cross-fitted",
    "logistic": "logistic regression, cross-fitted",
    "classifier": "`classifier` (2019)",
    "coverage": "`coverage` (2020, 2024)",
    "parzen": "`parzen` (2024)",
    "ipr": "`ipr` (2019, 2024)",
    "knn": "`knn` (2024)",
    "kmeans": "`kmeans` (2018)",
}
GROUPS = ("developing", "later", "independent")
FAMILIES = Table(
    "results.md",
    ("method", "developed on", "later", "independent", "worst family", "best, or within .02"),
    tuple(
        Row(
            what,
            "auto",
            " | ".join(
                [f"{{{name}, {group}: mean IoU|.3f}}" for group in GROUPS]
                + [f"{{{name}: least IoU|.2f}}"]
                + ["–" if name == "oracle" else f"{{{name}: families within 0.02 of the best|.0f}}"]
            ),
            f"--families {','.join(GROUPS)} --n 2000 --draws 1 --seed 7 "
            f"--methods {','.join(FAMILY_METHODS)}",
        )
        for name, what in FAMILY_METHODS.items()
    ),
)

DAMAGED = {
    "other images": ("other images", "1 / 1"),
    "classes missing": ("four classes missing", "1 / .78"),
    "10 % junk": ("a tenth is noise", ".9 / 1"),
    "each twice": ("half of them, each twice", "1 / .5"),
    "200 copied": ("200 images, over and over", "1 / .04"),
    "noise .1 sd": ("noise, .1 sd", "?"),
    "noise .5 sd": ("noise, .5 sd", "0 / 0"),
    "blur 20 %": ("mixed 80 : 20", "?"),
    "blur 50 %": ("mixed 50 : 50", "?"),
    "noise": ("N(0, 1)", "0 / 0"),
    "independent columns": ("independent columns", "0 / 0"),
    "shuffled columns": ("every column shuffled", "0 / 0"),
    "normal": ("normal", "0 / 0"),
}
AREAS = ("coverage", "knn", "parzen", "ipr", "classifier", "kmeans")


def _damages(columns: dict[str, str], *, known: bool) -> Table:
    """Return a row for each damage: what is known, if asked for, and figures by the heads of
    columns."""
    return Table(
        "results.md",
        ("generated", *["truth"] * known, *columns),
        tuple(
            Row(
                what,
                "blind",
                " | ".join([*[truth] * known, *(f"{{{name}: {of}}}" for of in columns.values())]),
                "--data FILE.npz",
            )
            for name, (what, truth) in DAMAGED.items()
        ),
    )


DAMAGES = _damages(
    {
        "fidelity": "fidelity|.2f",
        "diversity": "diversity|.2f",
        "area": "area of auto|.2f",
        **{f"`{name}`": f"area of {name}|.2f" for name in AREAS},
    },
    known=True,
)
SCALARS = _damages(
    {
        "precision": "precision|.2f",
        "recall": "recall|.2f",
        "density": "density|.2f",
        "coverage": "coverage|.2f",
        "Fréchet distance": "frechet_distance|.3g",
        "1000 × kernel distance": "1000 kernel_distance|.2f",
    },
    known=False,
)

TABLES = {
    "families": FAMILIES,
    "damages": DAMAGES,
    "scalars": SCALARS,
    "speed": SPEED,
    "engine": ENGINE,
    "reproduction": REPRODUCTION,
}
