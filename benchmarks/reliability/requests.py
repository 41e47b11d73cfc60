"""Sound requests of every verb, small enough that each takes milliseconds: what is damaged begins as one of them."""

from typing import Any, Dict, List, Tuple

import numpy as np

from compas_nscd import LoadCase
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.contact_stiffness import ContactStiffness
from compas_nscd.client.dynamic_request import dynamic_request
from compas_nscd.client.quasistatic_request import QuasistaticRequest
from compas_nscd.client.requests import scene
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.templates import arch, stack


def sound_requests() -> List[Tuple[str, Dict[str, Any]]]:
    """Verbs with their requests. `warm` and `shutdown` are left out: they do as they are told."""
    structure, case = stack(blocks=3), LoadCase()
    case.add_point_load(1, (0.0, 0.0, 1.0), (10.0, 0.0, 0.0))
    bonded = Structure(structure.blocks, ContactLaw(0.6, "brittle", cohesion=1e5))
    static = scene(structure, case, Settings())
    matrix = {"data": np.ones(3), "indices": np.arange(3, dtype=np.int32), "start": np.arange(4, dtype=np.int32)}
    problem = {"name": "one", "friction": np.array([0.5]), "W": matrix, "q": np.array([-1.0, 0.1, 0.0])}
    return [
        ("static", static),
        ("static", scene(bonded, case, Settings())),
        ("static", scene(arch(blocks=7), LoadCase(), Settings(solver="nlgs"))),
        ("check", static),
        ("dynamic", dynamic_request(structure, case, 0.02, 5e-3, probes=[1], forces=True)),
        ("dynamic", dynamic_request(bonded, case, 0.02, 5e-3)),
        ("limit", dict(static, limit={"kind": "loads", "coulomb": True, "loads": np.ones(1, np.uint8)})),
        ("force_range", dict(static, force_range={"pairs": np.array([[0, 1]], np.int32), "direction": None})),
        ("quasistatic", QuasistaticRequest(structure, case, stiffness=ContactStiffness(1e9, 1e9), steps=2).body),
        ("fc3d", {"problems": [problem], "solver": None, "tolerance": 1e-8, "max_iterations": 1000, "repeat": 1}),
        ("recover", {"record": "none"}),
        ("records", {}),
        ("ping", {}),
        ("status", {"job": 1}),
        ("result", {"job": 1, "wait_s": 0.0}),
        ("cancel", {"job": 1}),
    ]
