"""python -m prfast: the command line."""

import sys

from prfast.cli.program import main

sys.exit(main())
