"""Does it stand, with which forces, or how does it fall."""
