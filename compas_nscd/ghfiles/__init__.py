"""Grasshopper's files, read and written without Grasshopper: user objects, definitions, packages."""
