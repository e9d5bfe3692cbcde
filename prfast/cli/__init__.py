"""The command line: files -> the functions of the Python API -> text, JSON, pictures.

    parser      `main`, printing, exit statuses
    options     the tables of commands and of their options
    commands    prfast curve, metrics, profile, test, report, features and tables
    demo        prfast demo: class dropping and inventing
    rerun       prfast rerun: repeats the command of a record and compares the results
    files       options as arguments of functions; Inputs, samples that are validated before any
                work; checks of output files; the record of --json; notes on samples

    argv ─► parser ─► a command ─► read_options, Inputs ─► pr_curve, metrics, Evaluator, …
                                                                  │
                                  str(result), files ◄────────────┘ after everything is computed

A new command is a function and a row of `options.COMMANDS`; its options are rows of `OPTIONS`.
"""

from prfast.cli.parser import main

__all__ = ["main"]
