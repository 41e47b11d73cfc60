"""Compiled block Cholesky."""
