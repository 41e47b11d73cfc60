"""The report on the geometry."""
