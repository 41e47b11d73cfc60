"""Compiled functions, in folders named after those of their callers; they import `core` only."""
