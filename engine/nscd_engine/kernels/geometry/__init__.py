"""Compiled geometry of convex parts and polygons."""
