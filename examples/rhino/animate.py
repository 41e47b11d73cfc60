#! python3
# venv: compas_nscd
"""A support settles, and the motion is played in the viewport of Rhino 8.

Blocks are on the layer `blocks`, supports on the layer `supports`; the first support moves down. Escape ends the
computation, and the film.
"""

import Rhino

from compas_nscd import ContactLaw, Engine, LoadCase, SupportMotion
from compas_nscd.rhino import Escape, bake, finished, say, structure_by_layers

SETTLEMENT, DURATION, FRAME = 0.1, 1.0, 0.04  # [m], [s], [s]

structure = structure_by_layers("blocks", "supports", 2400.0, ContactLaw(0.6))
moving = structure.supports[0]
case = LoadCase(support_motions=[SupportMotion(moving, (0.0, 0.0, -SETTLEMENT), 0.5 * DURATION)])
with Engine(progress=say) as engine:
    result = finished(engine.dynamic(structure, case, DURATION, "auto", interval=FRAME))

shown = 0
with Escape() as escape:
    for time in result.times:
        bake(result, at=float(time), layers=["displaced"])
        Rhino.RhinoApp.Wait()
        shown += 1
        if escape.pressed:
            break
print("{} frames; support {} settled by {:g} m".format(shown, structure.names[moving], SETTLEMENT))
print("it stands" if result.verdict == "stable" else "it falls; first: {}".format(result.first_to_move(3)))
