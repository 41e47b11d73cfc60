"""Logic of the Grasshopper components; `ghpython_components` only connects inputs and outputs to it.

A component runs its function with `run`, which unwraps what Grasshopper hands over and turns errors into messages that
name the input and the block. Lengths come in the unit of the document and are metres from then on, until `gh_geometry`
makes geometry of them again; densities are in kg/m3, forces in N.

| group | module |
|---|---|
| Model | `gh_model`, `gh_law` |
| Load | `gh_load` |
| Solve | `gh_solve`, `gh_limit`, `gh_engine`; behind them `gh_live`: work that the canvas does not wait for |
| Result | `gh_result` |
| Display | `gh_display` |
| Tools | `gh_tools` |
"""

from compas_nscd.ghpython.canvas import run
from compas_nscd.ghpython.components.display import (
    animate,
    crack_map,
    displaced_blocks,
    force_arrows,
    stress_crosses,
    thrust_line,
)
from compas_nscd.ghpython.components.engine import engine
from compas_nscd.ghpython.components.laws import contact_law, joint_law
from compas_nscd.ghpython.components.limit import limit
from compas_nscd.ghpython.components.loads import cable, ground_motion, load_case, point_load, support_motion
from compas_nscd.ghpython.components.model import block, structure, structure_from_file
from compas_nscd.ghpython.components.results import deconstruct_dynamic, deconstruct_static, interfaces
from compas_nscd.ghpython.components.solve import dynamic, settings, static
from compas_nscd.ghpython.components.tools import html_report, install, load_result, save_result, templates
from compas_nscd.ghpython.session import session

__all__ = [
    "animate",
    "block",
    "cable",
    "contact_law",
    "crack_map",
    "deconstruct_dynamic",
    "deconstruct_static",
    "displaced_blocks",
    "dynamic",
    "engine",
    "force_arrows",
    "ground_motion",
    "html_report",
    "install",
    "interfaces",
    "joint_law",
    "limit",
    "load_case",
    "load_result",
    "point_load",
    "run",
    "save_result",
    "session",
    "settings",
    "static",
    "stress_crosses",
    "structure",
    "structure_from_file",
    "support_motion",
    "templates",
    "thrust_line",
]
