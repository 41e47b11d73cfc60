"""Compiled iterations of the solvers."""
