"""Peers side by side in one run, and the papers' experiments, one command each.

    python -m bench                     the cases
    python -m bench sweep               run one: a table here, numbers in bench/results/sweep.json
    python -m bench sweep --tiny        the same at a size that only shows that it runs
    python -m bench sweep --repeats 31  more repeats where the machine is noisy
    python -m bench cifar_classes --data FILE.npz
    python -m bench report              write the README's tables from bench/results

From the repository root, with `pip install -e '.[bench]'`; an installed prfast is measured in
preference to the folder.  Only ratios between contenders of one run mean something: they run in
turns, A B A B …, and a ratio is the median of the ratios turn by turn, with its quartiles.

    __main__.py     arguments, the list of cases
    measure.py      contenders, each in a process of its own: seconds, peak memory, ratios
    results.py      what a case found: the table, the JSON file
    report.py       the README's tables from the JSON files
    published.py    which figures the README quotes
    figures.py      pictures of the experiments: one style
    experiments.py  what the papers' experiments share: draws, means, the verdict
    paper_grid.py   the 2024 paper's own reading of a curve, on a grid
    class_cases.py  what the two class experiments share
    cases/          a file a case

To add a case, write cases/NAME.py: a docstring whose first line describes it and `run(options)`,
which returns `Findings`; `add_options(parser)` if it has options of its own.  A contender is
a function of the case that imports what it measures, makes the inputs, and returns the call to
measure:

    def scikit_learn(size):
        from sklearn.neighbors import NearestNeighbors
        real, fake = samples(size)
        return lambda: NearestNeighbors(n_neighbors=5).fit(real).kneighbors(fake)

    measured = side_by_side({"scikit-learn": Contender(scikit_learn, {"size": size}, threads=2),
                             "prfast": …}, repeats)
    Figure.of_ratio("scikit-learn / prfast", measured["scikit-learn"], measured["prfast"],
                    at_least=5)
"""
