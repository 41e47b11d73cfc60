"""Laws of the joints of a structure: of all joints, of pairs of blocks or materials, of single interfaces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.interface_law import InterfaceLaw, interface_law
from compas_nscd.blocks.interface_law import from_data as interface_laws_of
from compas_nscd.blocks.naming import BlockNames
from compas_nscd.errors import MaterialError


class LawTable:
    """Which law holds in which joint. The most specific one does: interface, pair of blocks, materials, all.

    Parameters
    ----------
    blocks : sequence of Block
        Of the structure; their materials are read when a law is looked up.
    names : BlockNames
    law : ContactLaw
        Of all joints without a more specific law.
    pair_laws, material_laws, interface_laws
        As in `Structure`.

    Attributes
    ----------
    law : ContactLaw
    pairs : dict
        ``{(i, j): ContactLaw}``, indices ascending.
    materials : dict
        ``{(material, material): ContactLaw}``, names ascending.
    interfaces : list of InterfaceLaw
    """

    def __init__(
        self,
        blocks: Sequence[Block],
        names: BlockNames,
        law: ContactLaw,
        pair_laws: Mapping[Any, ContactLaw] | None = None,
        material_laws: Mapping[Any, ContactLaw] | None = None,
        interface_laws: Iterable[Any] = (),
    ) -> None:
        if not isinstance(law, ContactLaw):
            raise MaterialError("The law of the joints is missing.", remedy="Give law=ContactLaw(friction=0.6).")
        self._blocks, self._names = blocks, names
        self.law = law
        self.pairs: dict[tuple[int, int], ContactLaw] = {}
        for (a, b), each in (pair_laws or {}).items():
            i, j = sorted(names.indices([a, b], MaterialError))
            self.pairs[i, j] = each
        self.materials: dict[tuple[str, ...], ContactLaw] = {
            tuple(sorted(map(str, pair))): each for pair, each in (material_laws or {}).items()
        }
        self.interfaces: list[InterfaceLaw] = [interface_law(names, *each) for each in interface_laws]

    def put(self, blocks: Sequence[Any], law: ContactLaw, point: Any = None) -> None:
        """Set the law of the joints of two blocks, or of the interface of theirs that contains `point` [m].

        Raises
        ------
        MaterialError
            If there are not two different blocks.
        """
        if point is not None:
            self.interfaces.append(interface_law(self._names, blocks, point, law))
            return
        i, j = sorted(self._names.indices(blocks, MaterialError))
        if i == j:
            raise MaterialError("The law of a joint needs two blocks.", blocks=[self._names.names[i]])
        self.pairs[i, j] = law

    @property
    def uniform(self) -> bool:
        """Whether all joints have the same law."""
        return not (self.pairs or self.materials or self.interfaces)

    def between(self, i: int, j: int) -> ContactLaw:
        """Law of the joints of two blocks, by their indices, without the laws of single interfaces."""
        pair = (min(i, j), max(i, j))
        if pair in self.pairs or not self.materials:
            return self.pairs.get(pair, self.law)
        materials = sorted(str(self._blocks[k].material) for k in pair)
        return self.materials.get(tuple(materials), self.law)

    def arguments(self, kept: Sequence[int]) -> dict[str, Any]:
        """Arguments of a structure made of some of the blocks, by index; without `law`."""
        new = {old: i for i, old in enumerate(kept)}
        single = [each for each in self.interfaces if set(each.blocks) <= set(new)]
        return {
            "pair_laws": {(new[a], new[b]): law for (a, b), law in self.pairs.items() if a in new and b in new},
            "interface_laws": [([new[i] for i in each.blocks], each.point, each.law) for each in single],
            "material_laws": self.materials,
        }

    def to_wire(self) -> dict[str, Any]:
        """The laws in a request."""
        wire: dict[str, Any] = {"law": self.law.__data__, "pair_laws": self._pairs_data()}
        if self.materials:
            wire.update(self._materials_to_wire())
        if self.interfaces:
            wire["interface_laws"] = [each.to_data() for each in self.interfaces]
        return wire

    def _materials_to_wire(self) -> dict[str, Any]:
        """Materials by number, and the laws of their pairs; laws of materials that no block has are left out."""
        number: dict[str, int] = {}
        of = [number.setdefault(str(block.material), len(number)) for block in self._blocks]
        laws = [(pair, law) for pair, law in self.materials.items() if set(pair) <= set(number)]
        return {
            "material": np.array(of, np.int64),
            "material_laws": [{"materials": [number[a], number[b]], "law": law.__data__} for (a, b), law in laws],
        }

    def to_data(self) -> dict[str, Any]:
        """The laws in files."""
        data: dict[str, Any] = {"law": self.law.__data__, "pair_laws": self._pairs_data()}
        if self.materials:
            laws = sorted(self.materials.items(), key=lambda item: item[0])
            data["material_laws"] = [{"materials": list(pair), "law": law.__data__} for pair, law in laws]
        if self.interfaces:
            data["interface_laws"] = [each.to_data() for each in self.interfaces]
        return data

    def _pairs_data(self) -> list[dict[str, Any]]:
        laws = sorted(self.pairs.items(), key=lambda item: item[0])
        return [{"blocks": list(pair), "law": law.__data__} for pair, law in laws]


def from_data(data: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of a structure, of what `LawTable.to_data` returned."""
    return {
        "law": ContactLaw(**data["law"]),
        "pair_laws": {tuple(each["blocks"]): ContactLaw(**each["law"]) for each in data["pair_laws"]},
        "material_laws": {tuple(x["materials"]): ContactLaw(**x["law"]) for x in data.get("material_laws", [])},
        "interface_laws": interface_laws_of(data.get("interface_laws", [])),
    }
