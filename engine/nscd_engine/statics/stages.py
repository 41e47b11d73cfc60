"""Forces that a construction stage takes over from the one before."""

from __future__ import annotations

import numpy as np

from nscd_engine.core.law_table import pair_key
from nscd_engine.core.loads import CarriedForces
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Contacts
from nscd_engine.laws.mohr_coulomb import PointLaw

#: Distance of two contacts over the size of the structure up to which they are the same in both stages [-]. Larger:
#: neighbours are confused. Smaller: rounding of the coordinates makes a contact new, and its force is lost.
SAME_PLACE = 1e-9
#: Stiffness of rigid joints that start from the forces of the stage before [Pa/m]. Only ratios of stiffness count.
STAGE_STIFFNESS = 1e10


def carried_over(carried: CarriedForces, model: Model, contacts: Contacts) -> tuple[np.ndarray, np.ndarray]:
    """Forces [N] (C, 3) of contacts in the stage before, in their frames, 0 for new ones; lost bonds (C,) bool."""
    force, broken = np.zeros((len(contacts.gap), 3)), np.zeros(len(contacts.gap), bool)
    rows: dict = {}
    for row, key in enumerate(pair_key(carried.body, len(model.names)).tolist()):
        rows.setdefault(key, []).append(row)
    near = SAME_PLACE * (np.abs(contacts.point).max(initial=0.0) + float(model.bodies.size.max()))
    for c, key in enumerate(pair_key(contacts.body, len(model.names)).tolist()):
        candidates = np.array(rows.get(key, []), np.int64)
        distance = np.linalg.norm(carried.point[candidates] - contacts.point[c], axis=1)
        if len(candidates) and distance.min() <= near:
            k = candidates[np.argmin(distance)]
            sign = 1.0 if carried.body[k, 0] == contacts.body[c, 0] else -1.0
            force[c], broken[c] = sign * contacts.frame[c] @ carried.force[k], carried.broken[k]
    return force, broken


def with_stage_stiffness(law: PointLaw, area: np.ndarray) -> PointLaw:
    """Laws of contacts with areas [m2] (C,), rigid ones made elastic: a rigid joint could not start from a force."""
    least = np.where(area > 0.0, area, np.median(area[area > 0.0]) if (area > 0.0).any() else 1.0)
    return law._replace(stiffness=np.minimum(law.stiffness, STAGE_STIFFNESS * least[:, None]))
