"""How it moves."""
