"""The command line: files -> the functions of the Python API -> text, JSON, pictures.

    argv ─► parser ─► a command ─► read_options, Inputs ─► pr_curve, metrics, Evaluator, …
                                                                  │
                                  str(result), files ◄────────────┘ after everything is computed

A new command is a function and a row of `options.COMMANDS`; its options are rows of `OPTIONS`.
"""

from prfast.cli.parser import main

__all__ = ["main"]
