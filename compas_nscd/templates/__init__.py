"""Parametric structures to start from; each function returns a Structure."""

from compas_nscd.templates.arch import arch
from compas_nscd.templates.dome import dome
from compas_nscd.templates.wall import wall

__all__ = ["arch", "dome", "wall"]
