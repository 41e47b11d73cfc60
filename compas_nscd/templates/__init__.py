"""Parametric structures to start from; each function returns a Structure."""

from compas_nscd.templates.arcade import aqueduct, bridge, spandrel_wall
from compas_nscd.templates.arch import arch
from compas_nscd.templates.dome import dome
from compas_nscd.templates.rotunda import cupola, cylinder
from compas_nscd.templates.wall import pattern_wall, wall

__all__ = ["aqueduct", "arch", "bridge", "cupola", "cylinder", "dome", "pattern_wall", "spandrel_wall", "wall"]
