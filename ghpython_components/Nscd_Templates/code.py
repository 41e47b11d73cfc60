#! python3
"""Parametric structures to start from."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.tools import templates


class NscdTemplates(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, kind, span, thickness, depth, blocks, courses, rise, density, friction, parameters):
        return canvas.run(
            ghenv,  # noqa: F821
            templates,
            kind,
            span,
            thickness,
            depth,
            blocks,
            courses,
            rise,
            density,
            friction,
            parameters,
        )
