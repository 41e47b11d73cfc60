#! python3
# venv: compas_nscd
"""How it moves."""

import Grasshopper

from compas_nscd import ghpython


class NscdDynamic(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, structure, case, duration, time_step, settings, interval, forces, probes, compute):
        return ghpython.run(
            ghenv,  # noqa: F821
            ghpython.dynamic,
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
