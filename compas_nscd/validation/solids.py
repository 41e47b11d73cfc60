"""Structures of a few solids for the cases, and their motions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.templates.parts.shapes import Solid
from compas_nscd.templates.parts.shapes import box as corners
from compas_nscd.validation.case import Trial
from compas_nscd.validation.scenes import GRAVITY


def box(lower: Sequence[float], size: Sequence[float] = (1.0, 1.0, 1.0)) -> Solid:
    """A box by its lower corner and its size [m]."""
    x, y, z = lower
    a, b, c = size
    return corners((x, y, z), (x + a, y + b, z + c))


#: A large slab whose top is z = 0.
SLAB = box((-5.0, -5.0, -1.0), (10.0, 10.0, 1.0))
#: A cube of 1 m on it.
CUBE = box((-0.5, -0.5, 0.0))


def turned(solid: Solid, angle: float) -> Solid:
    """The solid turned about the y axis through the origin, from x towards z [rad]."""
    vertices, faces = solid
    c, s = math.cos(angle), math.sin(angle)
    return [(c * x - s * z, y, s * x + c * z) for x, y, z in vertices], faces


def structure(
    solids: Sequence[Solid],
    friction: float = 0.6,
    density: float | Sequence[float] = 2000.0,
    supports: Sequence[int] = (0,),
    law: ContactLaw | None = None,
    **options: Any,
) -> Structure:
    """Structure of solids, the first of which is fixed unless said otherwise; options of Structure."""
    densities = np.broadcast_to(np.asarray(density, float), len(solids))
    blocks = [Block(v, f, float(d), support=k in supports) for k, ((v, f), d) in enumerate(zip(solids, densities))]
    return Structure(blocks, law or ContactLaw(friction=friction), **options)


def slope(degrees: float) -> LoadCase:
    """Gravity as on a slope that falls towards +x."""
    angle = math.radians(degrees)
    return LoadCase(gravity=(GRAVITY * math.sin(angle), 0.0, -GRAVITY * math.cos(angle)))


def follow(
    trial: Trial,
    of: Structure,
    case: LoadCase | None = None,
    duration: float = 1.0,
    step: float | str = 1e-3,
    **options: Any,
) -> DynamicResult:
    """Motion to its end; it does not stop at rest unless `quiet` is given."""
    return trial.engine.dynamic(of, case or LoadCase(), duration, step, **dict({"quiet": False}, **options)).result()


def energy_lack(result: DynamicResult) -> float:
    """Greatest lack of the energy budget, over its largest part [-]."""
    e = result.energy
    total = e["kinetic"] + e["potential"] + e["friction_loss"] + e["impact_loss"] + e["scheme_loss"] - e["work"]
    return float(np.abs(total - total[0]).max() / max(np.abs(result.energies).max(), 1e-12))
