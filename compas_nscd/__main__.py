import sys

from compas_nscd.cli import main

sys.exit(main())
