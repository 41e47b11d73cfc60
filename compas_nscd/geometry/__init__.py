"""Polyhedra: arithmetic, checks and repair."""
