#! python3
# venv: compas_nscd
"""Blocks and supports by layer, forces and thrust lines back into the document.

Put every block as a closed solid on the layer `blocks`, supports on the layer `supports`, and run this in the script
editor of Rhino 8. Objects may have user text: density [kg/m3], friction.
"""

from compas_nscd import ContactLaw, Engine
from compas_nscd.rhino import bake, finished, say, structure_by_layers

DENSITY, FRICTION = 2400.0, 0.6

structure = structure_by_layers("blocks", "supports", DENSITY, ContactLaw(FRICTION))
with Engine(progress=say) as engine:
    result = finished(engine.static(structure, wait=False))

guids = bake(result, layers=["forces", "reactions", "thrust", "labels", "displaced", "cracks"])
print("{} blocks: {}".format(len(structure), "it stands" if result.verdict == "stable" else "it falls"))
for name, force in result.support_reactions.items():
    print("support {}: {:.1f} kN upward".format(name, force[2] / 1e3))
print("{} objects on layers below nscd".format(len(guids)))
for warning in result.warnings:
    print(warning["message"])
