"""Polyhedra, polygons, mass properties and convex decomposition."""
