"""Blocks from meshes."""

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.errors import InputError, MaterialError, SupportError
from compas_nscd.files.compas_json import mesh_lists
from compas_nscd.files.units import metres


def from_lists(cls, meshes, given, units, path, planarity):
    """Structure of a file that has geometry only."""
    missing = [key for key, value in given.items() if value is None]
    if missing:
        kind = MaterialError if "supports" not in missing else InputError
        text = "{} has geometry only: {} must be given."
        remedy = "Structure.from_file(path, supports=[0], density=2400.0, law=ContactLaw(friction=0.6))"
        raise kind(text.format(path.name, ", ".join(missing)), remedy=remedy)
    factor = metres(units or "m")
    meshes = [(name, np.array(vertices, float) * factor, faces) for name, vertices, faces in meshes]
    names = [name for name, _, _ in meshes]
    return build(cls, meshes, given["supports"], given["density"], given["law"], names, None, path.stem, planarity)


def from_meshes(cls, meshes, supports, density, law, names, guids, name, planarity):
    """See `Structure.from_meshes`."""
    lists = [mesh_lists(mesh) for mesh in meshes]
    names = [item[0] for item in lists] if names is None else names
    return build(cls, lists, supports, density, law, names, guids, name, planarity)


def build(cls, meshes, supports, density, law, names, guids, name, planarity):
    """Structure of (name, vertices, faces) with one value, or one per block, of everything else."""
    count = len(meshes)
    densities = _per_block(density, count, "densities", MaterialError)
    names = _per_block(names, count, "names", InputError)
    guids = _per_block(guids, count, "guids", InputError)
    blocks = [
        Block(vertices, faces, densities[i], name=names[i], guid=guids[i])
        for i, (_, vertices, faces) in enumerate(meshes)
    ]
    structure = cls(blocks, law, name=name, planarity=planarity)
    supports = list(supports)
    if supports and all(isinstance(s, (bool, np.bool_)) for s in supports):
        supports = np.flatnonzero(_per_block(supports, count, "values in `supports`", SupportError)).tolist()
    for i in structure.indices(supports, SupportError):
        blocks[i].support = True
    return structure


def _per_block(value, count, what, error):
    if value is None or np.ndim(value) == 0:
        return [value] * count
    if len(value) != count:
        raise error("There are {} {} for {} blocks.".format(len(value), what, count))
    return list(value)
