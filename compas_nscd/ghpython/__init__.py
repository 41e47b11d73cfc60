"""Logic of the Grasshopper components; `ghpython_components` only connects inputs and outputs to it.

A component runs its function with `run`, which unwraps the inputs and shows errors as messages that name the input and
the block. Lengths are converted from the unit of the document to metres by the components, and back by
`ghpython.geometry`; densities are in kg/m3, forces in N.

`components` has a module for each group of the ribbon. They use `canvas` (inputs and messages), `live_analysis`
(analyses behind the canvas), `worker` (a thread that answers the newest question), `lifetime` (state of components) and
`shared_engine` (the engine of this Rhino session).
"""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "JointLaw": "components.laws",
        "animate": "components.display",
        "block": "components.model",
        "cable": "components.loads",
        "check": "components.check",
        "contact_law": "components.laws",
        "crack_map": "components.display",
        "deconstruct_dynamic": "components.results",
        "deconstruct_static": "components.results",
        "deform": "components.elastic",
        "deformed_blocks": "components.elastic",
        "displaced_blocks": "components.display",
        "dynamic": "components.solve",
        "elastic": "components.elastic",
        "engine": "components.engine",
        "force_arrows": "components.display",
        "ground_motion": "components.loads",
        "html_report": "components.tools",
        "install": "components.install",
        "interfaces": "components.results",
        "joint_law": "components.laws",
        "limit": "components.limit",
        "load_case": "components.loads",
        "load_result": "components.tools",
        "modes": "components.modes",
        "point_load": "components.loads",
        "quasistatic": "components.quasistatic",
        "run": "canvas",
        "save_result": "components.tools",
        "session": "shared_engine",
        "settings": "components.solve",
        "static": "components.solve",
        "static_analysis": "components.solve",
        "stress_crosses": "components.display",
        "structure": "components.model",
        "structure_from_file": "components.model",
        "study": "components.study",
        "submodel": "components.submodel",
        "support_motion": "components.loads",
        "templates": "components.tools",
        "thrust_line": "components.display",
    },
)
