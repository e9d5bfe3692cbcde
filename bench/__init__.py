"""Peers side by side in one run, and the papers' experiments, one command each.

    python -m bench                     the cases
    python -m bench sweep               run one: a table here, numbers in bench/results/sweep.json
    python -m bench sweep --tiny        the same at a size that only shows that it runs
    python -m bench sweep --repeats 31  more repeats where the machine is noisy
    python -m bench cifar_classes --data FILE.npz
    python -m bench curves --kinds relu images --data FILE.npz   samples of other kinds
    python -m bench report speed --run  run what docs/results.md quotes of speed, write its table
    python -m bench keep curves         keep its ratios in bench/kept, a folder a processor
    python -m bench check               run what is kept again: is anything slower than it was?

From the repository root, with `pip install -e '.[bench]'`; an installed prfast is measured in
preference to the folder, but not that of another checkout.  Only ratios between contenders of one
run mean something: they run in turns, A B A B …, and a ratio is the median of the ratios turn by
turn, with its quartiles.

    __main__.py     arguments, the list of cases
    measure.py      contenders in turns: seconds, peak memory, ratios
    contender.py    a contender, in a process of its own
    machine.py      what the system tells: cores, libraries, busy seconds, memory
    report.py       what a case found: printed, a JSON file, tables of the documentation
    published.toml  which figures they quote
    gate.py         ratios that are kept, and whether they still hold
    speed/          prfast beside its peers, a file a case
    papers/         the papers' experiments, a file an experiment
    auto/           estimates of every method beside exact truths, family by family
    tables/         real tables and generated ones beside other scorers

How to add a case says the page of its folder.
"""
