"""Structure, load case and settings of a request: what every analysis is given."""

from __future__ import annotations

from typing import NamedTuple, Optional

from compas_nscd.errors import InputError
from nscd_engine.core.loads import Cables, CarriedForces, WaterProperties
from nscd_engine.core.model import Model
from nscd_engine.core.settings import Settings
from nscd_engine.gate.loads import read_cables, read_carried
from nscd_engine.gate.settings import read_settings
from nscd_engine.gate.structure import read_case, read_model
from nscd_engine.gate.water import read_water


class Scene(NamedTuple):
    """The checked request of an analysis."""

    model: Model
    settings: Settings
    cables: Optional[Cables]
    water: Optional[WaterProperties]
    carried: Optional[CarriedForces]


def read_scene(request: dict) -> Scene:
    """The checked structure, load case and settings of a request."""
    model, settings, case = read_model(request), read_settings(request), read_case(request)
    if settings.solver == "admm" and model.elastic is None:
        text = "The solver 'admm' is one of deformable blocks, and all blocks are rigid."
        raise InputError(text, remedy="Take the solver 'newton', which solves rigid blocks exactly.")
    return Scene(model, settings, read_cables(case, model), read_water(case, model), read_carried(case, model))
