"""Compiled functions, in folders named after those of their callers; they import `core` only."""

from nscd_engine.kernels import compiling, entries, loading, place, references

# Before the first kernel is defined.
place.announce()
entries.leave_out()
compiling.shorten()
references.leave_out()
loading.shorten()
