"""Arithmetic of polyhedra, and checks and repair of what was drawn."""
