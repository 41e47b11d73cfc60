"""`python -m compas_nscd`: the command `nscd`."""

from compas_nscd.cli import program

program()
