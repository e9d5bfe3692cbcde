"""prfast beside its peers, beside itself and beside a matrix product: a file a case.

A case is a docstring, whose first line is its line in `python -m bench`, and `run(options)`, which
returns `Findings`; `add_options(parser)` if it has options of its own.  A contender is a function
at the top of the file that imports what it measures, makes the inputs and returns the call:

    def scikit_learn(size):
        from sklearn.neighbors import NearestNeighbors
        real, fake = samples(size)
        return lambda: NearestNeighbors(n_neighbors=5).fit(real).kneighbors(fake)

    findings = Findings()
    measured = findings.side_by_side("d=64", {
        "scikit-learn": Contender(scikit_learn, {"size": size}, threads=2), "prfast": …}, repeats)
    findings.ratio("d=64: scikit-learn / prfast", measured["scikit-learn"], measured["prfast"],
                   at_least=5)

To add one, write the file; nothing lists it but the test.  Give it `--tiny`, a target for each
ratio that is claimed, and `better="lower"` or "higher" for the others: `python -m bench check`
watches both.  Whatever several cases share has no `run`:

    clouds.py     samples of three kinds: --kinds, --dims, --data
    product.py    NumPy's matrix product of the same pairs
"""
