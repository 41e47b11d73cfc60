"""Strength of joints beyond friction, compared with what they carry."""

import numpy as np

#: Share of the compressive strength from which a joint is crushed [-]: what the cells of a joint may leave unused.
CRUSHED = 0.98


def of_laws(result, number):
    """A number of the law of every interface. (I,)"""
    structure = result.structure
    if structure.laws.uniform:
        return np.full(len(result.interface_body), float(number(structure.law)))
    count = len(result.interface_body)
    return np.array([number(law_of(result, i)) for i in range(count)], float).reshape(count)


def law_of(result, i):
    """The law of an interface of a result."""
    own = -1 if result.interface_law is None else result.interface_law[i]
    structure = result.structure
    return structure.interface_laws[own].law if own >= 0 else structure.law_between(*result.interface_body[i].tolist())


def cohesion(result):
    """Shear that every interface carries without compression [N] (I,): of the part whose bond is not broken."""
    strength = of_laws(result, lambda law: law.bond[0]) * result.interface_area
    if result.contact_broken is None or not strength.any():
        return strength
    count = np.diff(result.contact_start)
    of = np.repeat(np.arange(len(count)), count)
    return strength * (1.0 - np.bincount(of, result.contact_broken, len(count)) / np.maximum(count, 1))


def crushing(result):
    """Share of its compressive strength that every interface uses [-] (I,); 0 where the law names none.

    The force is taken by the part of the joint about the centre of pressure, compressed evenly: of a rectangle, twice
    the distance to the edge wide.
    """
    strength = of_laws(result, lambda law: law.compression or np.inf)
    if not np.isfinite(strength).any():
        return np.zeros(len(strength))
    joints = result.joints
    part = result.interface_area * (1.0 - np.nan_to_num(joints.section_utilisation))
    capacity = np.where(np.isfinite(strength), strength, 0.0) * np.maximum(part, 0.0)
    use = np.maximum(joints.normal_force, 0.0) / np.maximum(capacity, np.finfo(float).tiny)
    return np.where(np.isfinite(strength) & joints.loaded, use, 0.0)


def crushed(result):
    """A warning for the joints that use up their compressive strength; a list, empty if there are none."""
    use = crushing(result)
    bad = np.flatnonzero(use > CRUSHED)
    if not len(bad):
        return []
    names = [result.structure.names[i] for i in np.unique(result.interface_body[bad])]
    text = "{} joints use up their compressive strength ({:.3g} of it): they crush.".format(len(bad), use.max())
    return [{"code": "crushed", "message": text, "blocks": names}]
