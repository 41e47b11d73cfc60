"""How far it is from collapse."""
