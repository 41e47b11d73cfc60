"""Data of COMPAS and of packages built on it, read without them."""
