"""Compiled iterations for problems given as W, q, mu."""
