"""Parametric structures; each function in `__all__` returns a Structure.

`limits` has the greatest number of blocks and reports progress; `shapes` makes solids for blocks of your own.
"""

from compas_nscd.templates.arcade import aqueduct, bridge, spandrel_wall
from compas_nscd.templates.arch import arch
from compas_nscd.templates.arena import arena_bay
from compas_nscd.templates.church import apse, facade, nave_wall
from compas_nscd.templates.column import column, stack
from compas_nscd.templates.dome import dome
from compas_nscd.templates.openings import buttressed_arch, corbelled_arch, flat_arch
from compas_nscd.templates.packing import biaxial, packing, triaxial
from compas_nscd.templates.parts import limits as limits
from compas_nscd.templates.parts import shapes as shapes
from compas_nscd.templates.rock import rock_mass, rock_slope
from compas_nscd.templates.rotunda import cupola, cylinder
from compas_nscd.templates.vault import barrel_vault, groin_vault
from compas_nscd.templates.wall import pattern_wall, wall

#: The templates.
__all__ = [
    "apse",
    "aqueduct",
    "arch",
    "arena_bay",
    "barrel_vault",
    "biaxial",
    "bridge",
    "buttressed_arch",
    "column",
    "corbelled_arch",
    "cupola",
    "cylinder",
    "dome",
    "facade",
    "flat_arch",
    "groin_vault",
    "nave_wall",
    "packing",
    "pattern_wall",
    "rock_mass",
    "rock_slope",
    "spandrel_wall",
    "stack",
    "triaxial",
    "wall",
]
