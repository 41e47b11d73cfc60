#! python3
"""The blocks a moment later, moved along the mechanism."""

import Grasshopper

from compas_nscd import gh_canvas, gh_display


class NscdDisplacedBlocks(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, distance, colour):
        return gh_canvas.run(ghenv, gh_display.displaced_blocks, result, distance, colour)  # noqa: F821
