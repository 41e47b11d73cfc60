#! python3
# venv: compas_nscd
"""The blocks a moment later, moved along the mechanism."""

import Grasshopper

from compas_nscd import ghpython


class NscdDisplacedBlocks(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, result, distance, colour):
        return ghpython.run(ghenv, ghpython.displaced_blocks, result, distance, colour)  # noqa: F821
