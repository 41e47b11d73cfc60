import sys

from compas_nscd.cli.main import main

sys.exit(main())
