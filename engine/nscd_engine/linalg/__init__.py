"""Sparse Cholesky of block matrices: symbolic analysis and factor."""
