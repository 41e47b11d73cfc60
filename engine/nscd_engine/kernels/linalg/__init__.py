"""Compiled block Cholesky factorisation.

Functions on tiles take (array, offset, stride) as BLAS does, and have more than eight parameters: see tile.py.
"""
