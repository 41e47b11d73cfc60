"""Sparse Cholesky factorisation of block matrices: symbolic analysis and factor."""
