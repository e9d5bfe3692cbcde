"""python -m prfast: the command line."""

import sys

from prfast.cli.parser import main

sys.exit(main())
