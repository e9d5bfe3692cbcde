"""The command line: files -> the same functions -> text, JSON, pictures.

    program     `main`
    parser      the commands
    curve, metrics, report, features, demo      a command each: its options, what it does with them
    arguments   the options of several commands
    samples     files -> arrays, all checked before anything is computed
    evaluated   every model against the real samples, which are prepared once
    tables      text of curves and metrics; which numbers of a curve: `curve.summary`
    records     what --json writes; rerun, which repeats it
    outputs     the terminal, JSON, pictures: checked before any work, written whole or not

    argv ─► program ─► parser ─► a command: arguments ─► samples ─► files.load ─► evaluated, metrics
                                                                          │
                                              tables, outputs ◄───────────┘ after all is computed

A new command is a file with `ABOUT`, `add_options` and `run`, and a row of `parser.COMMANDS`.

An error is one line on standard error and exit status 2.
"""

from prfast.cli.parser import main

__all__ = ["main"]
