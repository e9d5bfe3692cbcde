"""The command line: files -> the functions of the Python API -> text, JSON, pictures.

    parser      `main`, the table of commands, exit statuses
    curve       prfast curve, also class by class
    metrics     prfast metrics
    report      prfast report; evaluation of many models against one reference, also for curve
    features    prfast features
    demo        prfast demo: class dropping and inventing
    rerun       prfast rerun: repeats the command of a record and compares the results
    arguments   options shared by several commands; text tables of curves and metrics
    outputs     Inputs, samples validated before any work; writing to the terminal and to files;
                the record of --json; notes on samples

    argv ─► parser ─► a command: arguments ─► Inputs ─► files.load ─► Evaluator, pr_curve, metrics
                                                                          │
                                              tables, outputs ◄───────────┘ after all is computed

A new command is a module with `ABOUT`, `add_options` and `run`, and a row of `parser.COMMANDS`.

An error is one line on standard error and exit status 2.
"""

from prfast.cli.parser import main

__all__ = ["main"]
