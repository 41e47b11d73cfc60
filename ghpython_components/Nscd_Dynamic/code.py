#! python3
"""How it moves."""

import Grasshopper

from compas_nscd import gh_canvas, gh_solve


class NscdDynamic(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, structure, case, duration, time_step, settings, interval, forces, probes, compute):
        return gh_canvas.run(
            ghenv,  # noqa: F821
            gh_solve.dynamic,
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
