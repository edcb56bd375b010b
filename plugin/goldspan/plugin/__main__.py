"""`python -m goldspan.plugin` is `goldspan`."""

import sys

from goldspan.plugin.cli import main

sys.exit(main())
