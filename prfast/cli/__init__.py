"""The command line: files -> the same functions -> text, JSON, pictures.

    parser      what can be said on the command line, and `main`
    commands    what the commands do with it
    tables      text of curves and metrics
    outputs     the terminal, JSON, pictures: checked before any work, written whole or not
    demo        class dropping and inventing on scikit-learn's digits

An error is one line on standard error and exit status 2.
"""

from prfast.cli.parser import main

__all__ = ["main"]
