"""Compiled geometry of convex parts, polygons and rotations."""
