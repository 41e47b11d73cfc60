"""Rhino files without Rhino."""
