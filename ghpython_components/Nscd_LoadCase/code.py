#! python3
"""What acts on a structure."""

import Grasshopper

from compas_nscd import gh_canvas, gh_load


class NscdLoadCase(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, gravity, loads, support_motions, ground, ramp, cables):
        given = gravity, loads, support_motions, ground, ramp, cables
        return gh_canvas.run(ghenv, gh_load.load_case, *given)  # noqa: F821
