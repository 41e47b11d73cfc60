#! python3
"""How it moves."""

import Grasshopper

from compas_nscd.ghpython import canvas
from compas_nscd.ghpython.components.solve import dynamic


class NscdDynamic(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, structure, case, duration, time_step, settings, interval, forces, probes, compute):
        return canvas.run(
            ghenv,  # noqa: F821
            dynamic,
            structure,
            case,
            duration,
            time_step,
            settings,
            interval,
            forces,
            probes,
            compute,
        )
