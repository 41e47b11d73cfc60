"""Where blocks touch, at rest and in motion."""
