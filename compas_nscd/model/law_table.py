"""Which law holds in which joint: laws of all joints, of pairs of blocks or materials, and of single interfaces."""

import numpy as np

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.interface_law import from_data as interface_laws_of
from compas_nscd.blocks.interface_law import interface_law
from compas_nscd.errors import MaterialError


def set_laws(structure, pair_laws, material_laws, interface_laws):
    """Keep the laws that a structure is given, blocks by their indices."""
    structure.pair_laws = {}
    for (a, b), law in (pair_laws or {}).items():
        i, j = sorted(structure.indices([a, b], MaterialError))
        structure.pair_laws[i, j] = law
    structure.material_laws = {tuple(sorted(map(str, pair))): law for pair, law in (material_laws or {}).items()}
    structure.interface_laws = [interface_law(structure, *each) for each in interface_laws]


def between(structure, i, j):
    """Law of the joints of two blocks, by their indices; those of single interfaces aside."""
    pair = (min(i, j), max(i, j))
    if pair in structure.pair_laws or not structure.material_laws:
        return structure.pair_laws.get(pair, structure.law)
    materials = sorted(str(structure.blocks[k].material) for k in pair)
    return structure.material_laws.get(tuple(materials), structure.law)


def among(structure, kept):
    """Laws of the structure that some of its blocks, by index, make; for its constructor."""
    new = {old: i for i, old in enumerate(kept)}
    single = [each for each in structure.interface_laws if set(each.blocks) <= set(new)]
    return {
        "pair_laws": {(new[a], new[b]): law for (a, b), law in structure.pair_laws.items() if a in new and b in new},
        "interface_laws": [([new[i] for i in each.blocks], each.point, each.law) for each in single],
        "material_laws": structure.material_laws,
    }


def to_wire(structure):
    """What the engine takes."""
    wire = {"law": structure.law.__data__, "pair_laws": _pairs(structure)}
    if structure.material_laws:
        wire.update(_materials_to_wire(structure))
    if structure.interface_laws:
        wire["interface_laws"] = [each.to_data() for each in structure.interface_laws]
    return wire


def _materials_to_wire(structure):
    """Materials by number, and the laws of their pairs; laws of materials that no block has are left out."""
    number = {}
    of = [number.setdefault(str(block.material), len(number)) for block in structure.blocks]
    laws = [(pair, law) for pair, law in structure.material_laws.items() if set(pair) <= set(number)]
    laws = [{"materials": [number[a], number[b]], "law": law.__data__} for (a, b), law in laws]
    return {"material": np.array(of, np.int64), "material_laws": laws}


def to_data(structure):
    """What files have."""
    data = {"law": structure.law.__data__, "pair_laws": _pairs(structure)}
    if structure.material_laws:
        laws = sorted(structure.material_laws.items(), key=lambda item: item[0])
        data["material_laws"] = [{"materials": list(pair), "law": law.__data__} for pair, law in laws]
    if structure.interface_laws:
        data["interface_laws"] = [each.to_data() for each in structure.interface_laws]
    return data


def _pairs(structure):
    laws = sorted(structure.pair_laws.items())
    return [{"blocks": list(pair), "law": law.__data__} for pair, law in laws]


def from_data(data):
    """What the constructor of a structure takes, of what `to_data` gave."""
    return {
        "law": ContactLaw(**data["law"]),
        "pair_laws": {tuple(each["blocks"]): ContactLaw(**each["law"]) for each in data["pair_laws"]},
        "material_laws": {tuple(x["materials"]): ContactLaw(**x["law"]) for x in data.get("material_laws", [])},
        "interface_laws": interface_laws_of(data.get("interface_laws", [])),
    }
