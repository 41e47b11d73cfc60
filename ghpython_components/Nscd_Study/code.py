#! python3
# venv: compas_nscd
"""Many runs of a structure or template, and their table."""

import Grasshopper

from compas_nscd import ghpython


class NscdStudy(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, source, vary, analysis, options, ground, levels, sampler, runs, seed, folder, compute):
        return ghpython.run(
            ghenv,  # noqa: F821
            ghpython.study,
            source,
            vary,
            analysis,
            options,
            ground,
            levels,
            sampler,
            runs,
            seed,
            folder,
            compute,
        )
