"""Logic of the Grasshopper components; `ghpython_components` only connects inputs and outputs to it.

A component runs its function with `run`, which unwraps what Grasshopper hands over and turns errors into messages that
name the input and the block. Lengths come in the unit of the document and are metres from then on, until
`ghpython.geometry` makes geometry of them again; densities are in kg/m3, forces in N.

`components` has a module for each group of the ribbon. Behind them: `live_analysis` (analyses that the canvas does not
wait for), `worker` (the newest question wins), `lifetime` (objects that live as long as a component) and
`shared_engine` (the engine of this Rhino).
"""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "JointLaw": "components.laws",
        "animate": "components.display",
        "block": "components.model",
        "cable": "components.loads",
        "contact_law": "components.laws",
        "crack_map": "components.display",
        "deconstruct_dynamic": "components.results",
        "deconstruct_static": "components.results",
        "displaced_blocks": "components.display",
        "dynamic": "components.solve",
        "engine": "components.engine",
        "force_arrows": "components.display",
        "ground_motion": "components.loads",
        "html_report": "components.tools",
        "install": "components.tools",
        "interfaces": "components.results",
        "joint_law": "components.laws",
        "limit": "components.limit",
        "load_case": "components.loads",
        "load_result": "components.tools",
        "point_load": "components.loads",
        "run": "canvas",
        "save_result": "components.tools",
        "session": "shared_engine",
        "settings": "components.solve",
        "static": "components.solve",
        "stress_crosses": "components.display",
        "structure": "components.model",
        "structure_from_file": "components.model",
        "support_motion": "components.loads",
        "templates": "components.tools",
        "thrust_line": "components.display",
    },
)
