#! python3
# venv: compas_nscd
"""Parametric structures to start from."""

import Grasshopper

from compas_nscd import ghpython


class NscdTemplates(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, kind, span, thickness, depth, blocks, courses, rise, density, friction, parameters):
        return ghpython.run(
            ghenv,  # noqa: F821
            ghpython.templates,
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
