"""One block of a rigid analysis, refined and elastic, under the forces of its joints. SI units."""

from __future__ import annotations

from typing import Any

import numpy as np

from compas_nscd.blocks.elastic import Elastic
from compas_nscd.errors import ProtocolError
from compas_nscd.results.elastic import ARRAYS, ElasticResult, elastic_arrays


class SubmodelResult:
    """Stresses of one block between its neighbours.

    Parameters
    ----------
    reply : dict
        Of the engine.
    structure : Structure
    block : int
        Index of the block.
    material : Elastic
        Of the refined block.

    Attributes
    ----------
    elastic : ElasticResult
        Nodes, displacements and stresses of this block; other blocks have none.
    tension, tension_smooth : float
        Greatest principal tension of an element with rough faces, and with smooth ones [Pa].
    point, force : (P, 3) arrays
        Where the joints press, and with which force on the block [m, N].
    """

    def __init__(self, reply: dict[str, Any], structure: Any, block: int, material: Elastic) -> None:
        missing = [key for key in ("tension", "tension_smooth", "point", "force", *ARRAYS) if key not in reply]
        if missing:
            raise ProtocolError("The reply of the engine lacks {}.".format(", ".join(missing)))
        self.structure, self.block = structure, block
        self.summary: dict[str, Any] = {key: reply[key] for key in ("elastic", "tension", "tension_smooth")}
        for key, value in elastic_arrays(reply, len(structure)).items():
            setattr(self, key, value)
        self.elastic = ElasticResult(self, material)
        self.tension, self.tension_smooth = float(reply["tension"]), float(reply["tension_smooth"])
        self.point, self.force = (np.asarray(reply[key], float).reshape(-1, 3) for key in ("point", "force"))
        self.time, self.warnings = dict(reply.get("time") or {}), list(reply.get("warnings") or [])

    @property
    def rise(self) -> float:
        """Tension with rough faces over that with smooth ones [-]; inf if smooth faces cause none."""
        return self.tension / self.tension_smooth if self.tension_smooth > 0.0 else float("inf")

    @property
    def headline(self) -> str:
        """The answer in a line."""
        told = "{}: tension up to {:.3g} MPa".format(self.structure.names[self.block], 1e-6 * self.tension)
        return told + ", cracked" if self.elastic.cracked else told
