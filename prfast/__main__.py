"""python -m prfast: the command line."""

import sys

from prfast.cli import main

sys.exit(main())
