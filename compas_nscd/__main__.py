"""`python -m compas_nscd`: the command `nscd`."""

import sys

from compas_nscd.cli import main

sys.exit(main())
