"""The command line: files -> the functions of the Python API -> text, JSON, pictures.

    parser      `main`, commands and their options, printing, exit statuses
    commands    prfast curve, metrics, profile, test, report, features and tables
    demo        prfast demo: class dropping and inventing
    rerun       prfast rerun: repeats the command of a record and compares the results
    files       Inputs, samples that are validated before any work; checks of output files; the
                record of --json; notes on samples

    argv ─► parser ─► a command ─► files.Inputs ─► Evaluator, pr_curve, metrics
                                                          │
                                  Printout, files ◄───────┘ after everything is computed

A new command is a function that declares its options and a row of `parser.COMMANDS`.
"""

from prfast.cli.parser import main

__all__ = ["main"]
