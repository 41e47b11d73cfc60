"""Block masonry in CAD: does it stand, where do the forces go, how does it fall."""

__version__ = "0.1.0"
