"""Blocks of uniform strain that are long or thin: they would bend, and uniform strain cannot."""

from __future__ import annotations

from typing import List

import numpy as np

from nscd_engine.core.model import Model

#: Longest over shortest side of a block from which its bending is missed [-]. Larger: lintels pass without a word.
#: Smaller: warnings of compact stones.
SLENDER = 4.0


def unbent(model: Model) -> List[dict]:
    """Warning of the slender blocks of uniform strain; none if there are none."""
    elastics = enumerate(model.elastic or ())
    uniform = [i for i, elastic in elastics if elastic is not None and elastic.elements == "uniform"]
    names = [model.names[i] for i in uniform if slenderness(model, i) > SLENDER]
    if not names:
        return []
    text = (
        "{} long or thin blocks have uniform strain and cannot bend: they deflect too little, and their stresses lack "
    )
    text += "bending. Use h8 or t4 for them."
    return [{"code": "uniform_bending", "message": text.format(len(names)), "blocks": names}]


def slenderness(model: Model, i: int) -> float:
    """Longest over shortest side of the cuboid with the inertia of a block [-]; in the plane of a planar model."""
    inertia = model.bodies.inertia[i]
    second = 0.5 * np.trace(inertia) * np.eye(3) - inertia  # sum of m x x^T
    if model.planar is not None:
        across = np.linalg.svd(np.asarray(model.planar, float)[None])[2][1:]
        second = across @ second @ across.T
    moments = np.linalg.eigvalsh(second)
    return float(np.sqrt(moments[-1] / max(moments[0], 1e-300)))
