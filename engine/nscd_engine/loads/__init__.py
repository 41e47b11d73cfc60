"""Water, and what is prescribed over time."""
