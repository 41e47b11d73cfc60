"""Strength of joints beyond friction, and its utilisation."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from compas_nscd.blocks.contact_law import ContactLaw

#: Utilisation of the compressive strength above which a joint is crushed [-]. Larger: the discretisation of joints
#: hides crushing. Smaller: joints below their strength are reported.
CRUSHED = 0.98


def of_laws(result: Any, number: Callable[[ContactLaw], float]) -> np.ndarray:
    """A parameter of the law of every interface. (I,)"""
    structure = result.structure
    if structure.laws.uniform:
        return np.full(len(result.interface_body), float(number(structure.law)))
    count = len(result.interface_body)
    return np.array([number(law_of(result, i)) for i in range(count)], float).reshape(count)


def law_of(result: Any, i: int) -> ContactLaw:
    """Law of an interface of a result."""
    own = -1 if result.interface_law is None else result.interface_law[i]
    structure = result.structure
    return structure.interface_laws[own].law if own >= 0 else structure.law_between(*result.interface_body[i].tolist())


def cohesion(result: Any) -> np.ndarray:
    """Cohesive force of every interface, without broken contacts. [N] (I,)"""
    strength = of_laws(result, lambda law: law.bond[0]) * result.interface_area
    if result.contact_broken is None or not strength.any():
        return strength
    count = np.diff(result.contact_start)
    of = np.repeat(np.arange(len(count)), count)
    return strength * (1.0 - np.bincount(of, result.contact_broken, len(count)) / np.maximum(count, 1))


def crushing(result: Any) -> np.ndarray:
    """Utilisation of the compressive strength of every interface [-] (I,); 0 without a strength.

    The force is distributed uniformly about the centre of pressure; in a rectangle, over a width of twice the distance
    to the edge.
    """
    strength = of_laws(result, lambda law: law.compression or np.inf)
    if not np.isfinite(strength).any():
        return np.zeros(len(strength))
    joints = result.joints
    part = result.interface_area * (1.0 - np.nan_to_num(joints.section_utilisation))
    capacity = np.where(np.isfinite(strength), strength, 0.0) * np.maximum(part, 0.0)
    use = np.maximum(joints.normal_force, 0.0) / np.maximum(capacity, np.finfo(float).tiny)
    return np.where(np.isfinite(strength) & joints.loaded, use, 0.0)


def crushed(result: Any) -> list[dict[str, Any]]:
    """A warning that names the crushed joints, in a list; empty if there are none."""
    use = crushing(result)
    bad = np.flatnonzero(use > CRUSHED)
    if not len(bad):
        return []
    names = [result.structure.names[i] for i in np.unique(result.interface_body[bad])]
    text = "{} joints use up their compressive strength ({:.3g} of it): they crush.".format(len(bad), use.max())
    return [{"code": "crushed", "message": text, "blocks": names}]
