#! python3
"""The blocks a moment later, moved along the mechanism."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.display import displaced_blocks


class NscdDisplacedBlocks(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, distance, colour):
        return canvas.run(ghenv, displaced_blocks, result, distance, colour)  # noqa: F821
