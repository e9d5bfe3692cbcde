"""What the README quotes of the cases, row by row."""

from bench.report import Row, Table

SPEED = Table(
    ("what", "measured"),
    (
        Row(
            "10⁶ + 10⁶ scores to an exact curve",
            "sweep",
            "{shifted: roc_curve / prfast|quartiles} × faster than scikit-learn's `roc_curve`, "
            "{shifted: prfast / np.sort|quartiles} × the time of `np.sort`",
        ),
        Row(
            "Σ min(λp, q) for 1001 λ, a million cells",
            "minsum",
            "{NumPy / prfast, n_jobs=1|quartiles} × faster than NumPy's fastest chunks, "
            "{peak MB beyond inputs, prfast, n_jobs=1|.0f} MB",
        ),
        Row(
            "k-th neighbour, 10 000 in 10 000, d = 64, k = 5",
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
            "{d=64, 1 thr: prfast avx512 / sgemm|quartiles} × the time of the matrix product",
        ),
        Row(
            "precision, recall, density, coverage, 10 000 + 10 000, d = 64",
            "metrics",
            "{d=64: prdc / prfast|quartiles} × faster than prdc, "
            "{d=64: peak MB of prfast|.0f} MB against {d=64: peak MB of prdc|.0f}",
        ),
        Row(
            "the same, d = 2048",
            "metrics",
            "{d=2048: prdc / prfast|quartiles} × faster than prdc, "
            "{d=2048: peak MB of prfast|.0f} MB against {d=2048: peak MB of prdc|.0f}",
        ),
        Row(
            "all four neighbour curves, k = √n, split, d = 64",
            "curves",
            "{d=64: all four / sgemm|quartiles} × the time of one matrix product of their pairs",
        ),
        Row(
            "the same of 200 000 + 200 000 samples",
            "growth",
            "{n=200000: peak MB|.0f} MB beyond the inputs; a million in about "
            "{minutes for 10⁶, quadratic from 200000|.0f} minutes or more",
            "--large",
        ),
    ),
)

TABLES = {"speed": SPEED}
