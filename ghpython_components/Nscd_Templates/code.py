#! python3
"""Parametric structures to start from."""

import Grasshopper

from compas_nscd import gh_canvas, gh_tools


class NscdTemplates(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, kind, span, thickness, depth, blocks, courses, rise, density, friction, parameters):
        return gh_canvas.run(
            ghenv,  # noqa: F821
            gh_tools.templates,
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
